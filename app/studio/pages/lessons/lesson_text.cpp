#include "app/studio/pages/lessons/lesson_text.h"

#include <QLocale>
#include <cmath>

#include "app/studio/text.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

QString positionsText(const std::vector<int64_t>& positions) {
  if (positions.empty()) return LessonText::tr("none");
  QStringList parts;
  for (size_t i = 0; i < positions.size();) {
    size_t end = i;
    while (end + 1 < positions.size() && positions[end + 1] == positions[end] + 1) ++end;
    // A run of three or more is written as one.
    if (end >= i + 2) {
      parts.append(QStringLiteral("%1–%2").arg(positions[i]).arg(positions[end]));
      i = end + 1;
    } else {
      parts.append(QString::number(positions[i]));
      ++i;
    }
  }
  return parts.join(QStringLiteral(", "));
}

QString alphaQuery(const char* stream, const char* mark, bool scaleOffset) {
  const QString s = QLatin1String(stream), m = QLatin1String(mark);
  if (!scaleOffset)
    return QStringLiteral(R"(\s{%1}{q%2_t} = \rm{RoPE}(\s{%1}{h%2_t} \, \s{W_Q}{W_Q}))").arg(s, m);
  const QString a = m.isEmpty() ? QStringLiteral("alpha") : QStringLiteral("alpha'");
  return QStringLiteral(
             R"(\s{%1}{q%2_t} = \rm{RoPE}(\s{%3}{\alpha%2} \odot \s{%1}{h%2_t} \, \s{W_Q}{W_Q} + \s{%3}{\beta%2}))")
      .arg(s, m, a);
}

}  // namespace

QString stepName(LessonStep step) {
  switch (step) {
    case LessonStep::copy:
      return LessonText::tr("x′ starts as a copy of x");
    case LessonStep::norm:
      return LessonText::tr("both streams are normed");
    case LessonStep::keys_values:
      return LessonText::tr("keys and values from x");
    case LessonStep::shelf:
      return LessonText::tr("keys and values go on the shelf");
    case LessonStep::query:
      return LessonText::tr("x asks: q by α and β");
    case LessonStep::window:
      return LessonText::tr("x reads its window");
    case LessonStep::query_out:
      return LessonText::tr("x′ asks: q′ by α′ and β′");
    case LessonStep::read:
      return LessonText::tr("x′ reads the whole shelf");
    case LessonStep::project:
      return LessonText::tr("W_O, and added to the row");
    case LessonStep::ffn:
      return LessonText::tr("feed-forward, and added");
    case LessonStep::next:
      return LessonText::tr("on to the next layer");
    case LessonStep::drop:
      return LessonText::tr("x is dropped");
    case LessonStep::head:
      return LessonText::tr("LM head on x′ alone");
    case LessonStep::sample:
      return LessonText::tr("the next word");
  }
  return {};
}

QString stepTitle(const Moment& moment) {
  const auto step = static_cast<int>(moment.step);
  if (step >= kStepsOfLayer)
    return LessonText::tr("End %1 of 3 · %2").arg(step - kStepsOfLayer + 1).arg(stepName(moment.step));
  return LessonText::tr("Layer %1, step %2 of 11 · %3")
      .arg(moment.layer + 1)
      .arg(step + 1)
      .arg(stepName(moment.step));
}

QStringList equationsOf(const Moment& moment, bool scaleOffset) {
  switch (moment.step) {
    case LessonStep::copy:
      if (moment.layer > 0)
        return {
            QStringLiteral(R"(\s{x}{x_t} \quad \rm{and} \quad \s{x'}{x'_t} \quad \rm{of the layer before})")};
      return {QStringLiteral(R"(\s{x}{x_t} = E[\rm{token}_t])"),
              QStringLiteral(R"(\s{x'}{x'_t} = \s{x}{x_t})")};
    case LessonStep::norm:
      return {
          QStringLiteral(R"(\s{x}{h_t} = \frac{\s{x}{x_t}}{\rm{rms}(\s{x}{x_t})} \odot \s{norm}{g})"),
          QStringLiteral(R"(\s{x'}{h'_t} = \frac{\s{x'}{x'_t}}{\rm{rms}(\s{x'}{x'_t})} \odot \s{norm}{g})")};
    case LessonStep::keys_values:
      return {QStringLiteral(R"(k_j = \rm{RoPE}(\s{x}{h_j} \, \s{W_K}{W_K}))"),
              QStringLiteral(R"(v_j = \s{x}{h_j} \, \s{W_V}{W_V})")};
    case LessonStep::shelf:
      return {QStringLiteral(R"(\s{shelf}{\rm{shelf}}[j] = (\s{x}{k_j}, \s{x}{v_j}))")};
    case LessonStep::query:
      return {alphaQuery("x", "", scaleOffset)};
    case LessonStep::window:
      return {QStringLiteral(
                  R"(\s{x}{p_{t,j}} = \rm{softmax}_j \, \frac{\s{x}{q_t} \cdot \s{shelf}{k_j}}{\sqrt{d}})"),
              QStringLiteral(R"(t - w < j \le t)"),
              QStringLiteral(R"(\s{x}{o_t} = \sum_j \, \s{x}{p_{t,j}} \, \s{shelf}{v_j})")};
    case LessonStep::query_out:
      return {alphaQuery("x'", "'", scaleOffset)};
    case LessonStep::read:
      return {
          QStringLiteral(
              R"(\s{x'}{p'_{t,j}} = \rm{softmax}_j \, \frac{\s{x'}{q'_t} \cdot \s{shelf}{k_j}}{\sqrt{d}})"),
          QStringLiteral(R"(1 \le j \le t)"),
          QStringLiteral(R"(\s{x'}{o'_t} = \sum_j \, \s{x'}{p'_{t,j}} \, \s{shelf}{v_j})")};
    case LessonStep::project:
      return {QStringLiteral(R"(\s{x}{r_t} = \s{x}{x_t} + \s{x}{o_t} \, \s{W_O}{W_O})"),
              QStringLiteral(R"(\s{x'}{r'_t} = \s{x'}{x'_t} + \s{x'}{o'_t} \, \s{W_O}{W_O})")};
    case LessonStep::ffn:
    case LessonStep::next:
      return {QStringLiteral(R"(\s{x}{x_t} = \s{x}{r_t} + \s{FFN}{\rm{FFN}}(\s{x}{r_t}))"),
              QStringLiteral(R"(\s{x'}{x'_t} = \s{x'}{r'_t} + \s{FFN}{\rm{FFN}}(\s{x'}{r'_t}))")};
    case LessonStep::drop:
      return {QStringLiteral(
          R"(\s{x'}{x'_t} \quad \rm{goes on;} \quad \s{x}{x_t} \quad \rm{has done its work})")};
    case LessonStep::head:
      return {QStringLiteral(R"(l_t = \s{norm}{\rm{norm}}(\s{x'}{x'_t}) \, \s{head}{W_{\rm{head}}})")};
    case LessonStep::sample:
      return {QStringLiteral(
          R"(\rm{token}_{t+1} = \rm{argmax}_i \, \frac{\exp(l_{t,i})}{\sum_j \, \exp(l_{t,j})})")};
  }
  return {};
}

QString valueText(const QuantityValue& value) {
  switch (value.kind) {
    case QuantityValue::Kind::positions:
      return positionsText(value.positions);
    case QuantityValue::Kind::text:
      return toQt(value.text);
    case QuantityValue::Kind::number:
      break;
  }
  if (value.number == std::floor(value.number) && std::abs(value.number) < 1e15)
    return widgets::formatCount(static_cast<qint64>(value.number));
  return widgets::formatNumber(value.number).replace(QLatin1Char('-'), QChar(0x2212));
}

QString liveText(const std::string& text, const PassSetting& setting,
                 const std::optional<PassSource>& source) {
  const auto parts = split_live_text(text);
  if (!parts) return toQt(text);
  QString live;
  for (const LivePart& part : *parts) {
    if (part.quantity.empty()) {
      live += toQt(part.text);
      continue;
    }
    if (!source) {
      live += QChar(0x2026);
      continue;
    }
    const auto quantity = parse_quantity(part.quantity);
    const auto value =
        quantity ? evaluate(*quantity, setting, *source) : Result<QuantityValue>(fail(quantity.error()));
    live += value ? valueText(*value) : QStringLiteral("?");
  }
  return live;
}

QList<GlossaryEntry> glossary() {
  return {
      {LessonText::tr("base stream x"),
       LessonText::tr("One row a token, in every layer. It alone makes keys and values.")},
      {LessonText::tr("output stream x′"),
       LessonText::tr(
           "One row at each position where the next word is predicted. It starts as a copy of x and "
           "only reads.")},
      {LessonText::tr("key, value"),
       LessonText::tr(
           "Two vectors of a token: the key says what is there, the value is what a reader takes.")},
      {LessonText::tr("query"), LessonText::tr("The vector a row asks with; it is compared with every key.")},
      {LessonText::tr("KV shelf"),
       LessonText::tr("The KV cache: keys and values of all tokens of a layer. Nothing is evicted.")},
      {LessonText::tr("window w"),
       LessonText::tr(
           "How many keys a row of x may read: its own and w − 1 before. Storing is not limited.")},
      {LessonText::tr("scale-offset"),
       LessonText::tr("Vectors α, β for x and α′, β′ for x′ that stretch and shift the query.")},
      {LessonText::tr("head"),
       LessonText::tr("One of several attentions side by side, each with its own part of the vectors.")},
      {LessonText::tr("softmax"), LessonText::tr("Turns scores into weights between 0 and 1 that sum to 1.")},
      {LessonText::tr("residual"), LessonText::tr("The row itself, to which every step adds its result.")},
      {LessonText::tr("RoPE"),
       LessonText::tr("Turns query and key by an angle that grows with the position.")},
      {LessonText::tr("prefill"),
       LessonText::tr("Reading a prompt in one pass; one prediction, at its end.")},
      {LessonText::tr("decode"), LessonText::tr("Writing: one new token a step, through the cache.")},
      {LessonText::tr("PT, SFT"),
       LessonText::tr("Pre-training predicts everywhere; supervised fine-tuning on answers alone.")},
      {LessonText::tr("FLOP"), LessonText::tr("A multiplication or an addition of two numbers.")}};
}

bool lessonsInChinese(const QString& language) {
  if (language == u"en") return false;
  const QLocale locale = language == u"system" ? QLocale::system() : QLocale(language);
  return locale.language() == QLocale::Chinese;
}

}  // namespace orthros::studio
