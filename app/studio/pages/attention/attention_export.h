// writeValues: the captured rows of one head as a table. CSV: stream, query, key, weight (weights of 0 are
// left out, nine significant digits: the full float). NPY: float32 [2, rows, T], base then output, 0 outside
// the support. Rows of x' before `outputFrom` do not exist: left out, and NaN. Written beside its name, then
// renamed. Errors: io, not_found (no row captured). Threads: any.
#pragma once

#include <QString>

#include "app/studio/pages/attention/attention_capture.h"

namespace orthros::studio {

/// The tokens byte for byte: position, id, bytes in hexadecimal, text quoted by RFC 4180 (bytes that are no
/// UTF-8 stand in the hexadecimal alone). A file whose name ends in .tokens.csv.
Result<void> writeTokens(const AttentionCapture& capture, const QString& path);

/// The captured queries of one head. CSV: stream, query, dimension, before, after scale-offset. NPY: float32
/// [streams, rows, 2, head_dim], base then output, before then after. A file whose name ends in .query.csv or
/// .query.npy. not_found: none captured.
Result<void> writeQueries(const AttentionCapture& capture, int layer, int head, const QString& path,
                          qint64 outputFrom = 0);

Result<void> writeValues(const AttentionCapture& capture, int layer, int head, const QString& path,
                         qint64 outputFrom = 0);

}  // namespace orthros::studio
