// orthros-studio export RUN --figure FIGURE --out F.svg|.pdf|.png|.csv|.npy [...]: a kept run as a figure,
// without a display. RUN is a uuid, a beginning of one, or "last".
#pragma once

#include <QStringList>

namespace orthros::studio {

/// `arguments`: from "export" on. Empty when written, else one line that says what is wrong.
QString runExport(const QStringList& arguments);

}  // namespace orthros::studio
