#include "app/studio/pages/attention/attention_export.h"

#include <QSaveFile>
#include <algorithm>
#include <limits>

#include "app/studio/text.h"

namespace orthros::studio {
namespace {

std::vector<StreamKind> streamsOf(const AttentionCapture& capture) {
  if (!capture.record.has_output) return {StreamKind::base};
  return {StreamKind::base, StreamKind::output};
}

// A row of x′ that the regime does not have.
bool isAbsent(StreamKind stream, int64_t position, qint64 outputFrom) {
  return stream == StreamKind::output && position < outputFrom;
}

QByteArray csvOf(const AttentionCapture& capture, int layer, int head, qint64 outputFrom) {
  QByteArray text("stream,query,key,weight\n");
  for (const StreamKind stream : streamsOf(capture)) {
    const QByteArray name = stream == StreamKind::base ? "base" : "output";
    for (const int64_t position : capture.record.exact_positions(layer)) {
      if (isAbsent(stream, position, outputFrom)) continue;
      const std::vector<float> row = capture.record.row(stream, layer, head, position);
      for (size_t key = 0; key < row.size(); ++key) {
        if (row[key] == 0) continue;
        text += name + ',' + QByteArray::number(qlonglong{position}) + ',' +
                QByteArray::number(static_cast<qlonglong>(key)) + ',' +
                QByteArray::number(static_cast<double>(row[key]), 'g', 9) + '\n';
      }
    }
  }
  return text;
}

bool isNumpy(const QString& path) {
  return path.endsWith(QStringLiteral(".npy"), Qt::CaseInsensitive);
}

// NumPy's format 1.0: magic, header padded to a multiple of 64 bytes; row-major data follow.
QByteArray npyHead(const QList<qlonglong>& shape) {
  QByteArrayList sizes;
  for (const qlonglong size : shape) sizes.append(QByteArray::number(size));
  QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + sizes.join(", ") + "), }";
  constexpr qsizetype kPreamble = 10;
  constexpr qsizetype kAlignment = 64;
  const qsizetype total = (kPreamble + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  header.append(total - kPreamble - 1 - header.size(), ' ');
  header += '\n';
  QByteArray data("\x93NUMPY\x01\x00", 8);
  data += static_cast<char>(header.size() & 0xff);
  data += static_cast<char>(header.size() >> 8);
  data += header;
  return data;
}

void append(QByteArray& data, std::span<const float> row) {
  data.append(reinterpret_cast<const char*>(row.data()), static_cast<qsizetype>(row.size_bytes()));
}

QByteArray npyOf(const AttentionCapture& capture, int layer, int head, qint64 outputFrom) {
  const auto positions = capture.record.exact_positions(layer);
  const auto streams = streamsOf(capture);
  QByteArray data = npyHead({std::ssize(streams), std::ssize(positions), qlonglong{capture.record.num_keys}});
  const auto keys = static_cast<size_t>(capture.record.num_keys);
  for (const StreamKind stream : streams) {
    for (const int64_t position : positions) {
      std::vector<float> row = capture.record.row(stream, layer, head, position);
      row.resize(keys, 0.0F);
      if (isAbsent(stream, position, outputFrom))
        std::ranges::fill(row, std::numeric_limits<float>::quiet_NaN());
      append(data, row);
    }
  }
  return data;
}

QByteArray queryCsvOf(const AttentionCapture& capture, int layer, int head, qint64 outputFrom) {
  QByteArray text("stream,query,dimension,before,after\n");
  const auto number = [](float value) { return QByteArray::number(static_cast<double>(value), 'g', 9); };
  for (const StreamKind stream : streamsOf(capture)) {
    const QByteArray name = stream == StreamKind::base ? "base" : "output";
    for (const int64_t position : capture.record.query_positions(layer)) {
      if (isAbsent(stream, position, outputFrom)) continue;
      const QueryRow query = capture.record.query(stream, layer, head, position);
      for (size_t i = 0; i < query.projected.size(); ++i)
        text += name + ',' + QByteArray::number(qlonglong{position}) + ',' +
                QByteArray::number(static_cast<qlonglong>(i)) + ',' + number(query.projected[i]) + ',' +
                number(query.scaled[i]) + '\n';
    }
  }
  return text;
}

QByteArray queryNpyOf(const AttentionCapture& capture, int layer, int head, qint64 outputFrom) {
  const auto positions = capture.record.query_positions(layer);
  const auto streams = streamsOf(capture);
  QByteArray data =
      npyHead({std::ssize(streams), std::ssize(positions), 2, qlonglong{capture.record.head_dim}});
  for (const StreamKind stream : streams) {
    for (const int64_t position : positions) {
      const QueryRow query = capture.record.query(stream, layer, head, position);
      if (isAbsent(stream, position, outputFrom)) {
        append(data, std::vector<float>(2 * query.projected.size(), std::numeric_limits<float>::quiet_NaN()));
        continue;
      }
      append(data, query.projected);
      append(data, query.scaled);
    }
  }
  return data;
}

Result<void> write(const QByteArray& data, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(data) != data.size() || !file.commit())
    return fail(ErrorCode::io, "cannot write {}: {}", toStd(path), toStd(file.errorString()));
  return {};
}

}  // namespace

Result<void> writeTokens(const AttentionCapture& capture, const QString& path) {
  QByteArray text("position,id,bytes,text\r\n");
  for (size_t i = 0; i < capture.ids.size(); ++i) {
    const QByteArray bytes = capture.pieces.value(static_cast<qsizetype>(i));
    QByteArray quoted = QString::fromUtf8(bytes).toUtf8();
    quoted.replace("\"", "\"\"");
    text += QByteArray::number(qulonglong{i}) + ',' + QByteArray::number(qlonglong{capture.ids[i]}) + ',' +
            bytes.toHex() + ",\"" + quoted + "\"\r\n";
  }
  return write(text, path);
}

Result<void> writeQueries(const AttentionCapture& capture, int layer, int head, const QString& path,
                          qint64 outputFrom) {
  if (capture.record.query_positions(layer).empty()) {
    const bool has = capture.record.has_scale_offset(layer);
    return fail(Error{ErrorCode::not_found,
                      has ? "no query of this layer was captured" : "this layer has no scale-offset",
                      has ? "look again with C3, or C2 with this layer" : "choose a layer that has it"});
  }
  return write(isNumpy(path) ? queryNpyOf(capture, layer, head, outputFrom)
                             : queryCsvOf(capture, layer, head, outputFrom),
               path);
}

Result<void> writeValues(const AttentionCapture& capture, int layer, int head, const QString& path,
                         qint64 outputFrom) {
  if (capture.record.exact_positions(layer).empty()) {
    return fail(Error{ErrorCode::not_found, "no exact row was captured", "look again with C1 or higher"});
  }
  return write(
      isNumpy(path) ? npyOf(capture, layer, head, outputFrom) : csvOf(capture, layer, head, outputFrom),
      path);
}

}  // namespace orthros::studio
