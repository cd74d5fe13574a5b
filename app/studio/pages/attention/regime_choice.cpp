#include "app/studio/pages/attention/regime_choice.h"

#include "engine/inference/evaluate.h"

namespace orthros::studio {
namespace {

struct RegimeText {
  Q_DECLARE_TR_FUNCTIONS(RegimeText)
};

constexpr qint64 kLastPart = 4;  // a quarter of the tokens

}  // namespace

RegimeChoice defaultRegime(const AttentionCapture& capture) {
  return {capture.isDecode() ? Regime::decode : Regime::pt, -1};
}

bool canSplit(const AttentionCapture& capture, const RegimeChoice& choice) {
  return choice.regime == Regime::sft || (choice.regime == Regime::decode && !capture.isDecode());
}

qint64 splitOf(const AttentionCapture& capture, const RegimeChoice& choice) {
  const qint64 last = capture.lastPosition();
  const bool isOwn = capture.isDecode() && (choice.split < 0 || choice.regime == Regime::decode);
  if (isOwn) return capture.record.steps.front()->position;
  return choice.split < 0 ? last - last / kLastPart : std::min(choice.split, last);
}

qint64 outputFrom(const AttentionCapture& capture, const RegimeChoice& choice) {
  // Decode reads the prompt first: x′ at its last token, then one a step, as an answer has them.
  const Regime rows = choice.regime == Regime::decode ? Regime::sft : choice.regime;
  return regime_rows(rows, capture.record.num_keys, splitOf(capture, choice) + 1).front();
}

QString regimeName(Regime regime) {
  switch (regime) {
    case Regime::pt:
      return RegimeText::tr("pre-training");
    case Regime::sft:
      return RegimeText::tr("SFT");
    case Regime::prefill:
      return RegimeText::tr("prefill");
    case Regime::decode:
      return RegimeText::tr("decode");
  }
  return {};
}

QString regimeText(const AttentionCapture& capture, const RegimeChoice& choice) {
  if (!capture.record.has_output) return {};
  const QString where = choice.regime == Regime::pt ? RegimeText::tr("x′ at every token")
                        : choice.regime == Regime::prefill
                            ? RegimeText::tr("x′ at token %1 alone").arg(capture.lastPosition())
                            : RegimeText::tr("x′ from token %1").arg(outputFrom(capture, choice));
  return QStringLiteral("%1: %2").arg(regimeName(choice.regime), where);
}

}  // namespace orthros::studio
