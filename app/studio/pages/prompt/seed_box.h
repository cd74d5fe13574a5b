// SeedBox: a spin box of the sampler's seed, which is any 64-bit number; QSpinBox ends at 2^31.
#pragma once

#include <QAbstractSpinBox>
#include <QLineEdit>
#include <algorithm>
#include <cstdint>
#include <limits>

namespace orthros::studio {

class SeedBox : public QAbstractSpinBox {
  Q_OBJECT
 public:
  explicit SeedBox(QWidget* parent = nullptr) : QAbstractSpinBox(parent) { setValue(0); }

  uint64_t value() const { return text().toULongLong(); }
  void setValue(uint64_t value) { lineEdit()->setText(QString::number(value)); }

  void stepBy(int steps) override {
    constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    const uint64_t now = value(), far = static_cast<uint64_t>(std::abs(int64_t{steps}));
    setValue(steps < 0 ? now - std::min(now, far) : now + std::min(kMost - now, far));
  }
  QValidator::State validate(QString& input, int&) const override {
    if (input.isEmpty()) return QValidator::Intermediate;
    bool fits = false;
    (void)input.toULongLong(&fits);
    const bool digits = std::ranges::all_of(input, [](QChar c) { return c >= u'0' && c <= u'9'; });
    return fits && digits ? QValidator::Acceptable : QValidator::Invalid;
  }
  void fixup(QString& input) const override { input = QStringLiteral("0"); }

 protected:
  StepEnabled stepEnabled() const override {
    StepEnabled can = StepNone;
    if (value() > 0) can |= StepDownEnabled;
    if (value() < std::numeric_limits<uint64_t>::max()) can |= StepUpEnabled;
    return can;
  }
};

}  // namespace orthros::studio
