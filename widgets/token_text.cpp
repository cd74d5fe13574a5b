#include "widgets/token_text.h"

#include <QStringDecoder>

namespace orthros::widgets {

qsizetype characterLength(const QByteArray& bytes, qsizetype at) {
  const auto lead = static_cast<unsigned char>(bytes[at]);
  const qsizetype length = lead < 0x80   ? 1
                           : lead < 0xc2 ? 0
                           : lead < 0xe0 ? 2
                           : lead < 0xf0 ? 3
                           : lead < 0xf5 ? 4
                                         : 0;
  if (length == 0 || at + length > bytes.size()) return 0;
  QStringDecoder decoder(QStringDecoder::Utf8);
  const QString text = decoder(bytes.mid(at, length));
  return decoder.hasError() || text.contains(QChar::ReplacementCharacter) ? 0 : length;
}

QString visibleCharacter(const QString& character) {
  if (character == u" ") return QStringLiteral("·");
  if (character == u"\n") return QStringLiteral("⏎");
  if (character == u"\t") return QStringLiteral("⇥");
  if (character == u"\r") return QStringLiteral("␍");
  if (character.at(0).category() == QChar::Other_Control)
    return QStringLiteral("‹%1›").arg(character.at(0).unicode(), 2, 16, QChar(u'0'));
  return character;
}

QString visibleToken(const QByteArray& bytes) {
  if (bytes.isEmpty()) return QStringLiteral("∅");
  QString text;
  QStringList broken;
  const auto flush = [&] {
    if (!broken.isEmpty()) text += u'‹' + broken.join(u' ') + u'›';
    broken.clear();
  };
  for (qsizetype at = 0; at < bytes.size();) {
    const qsizetype length = characterLength(bytes, at);
    if (length == 0) {
      broken.append(QString::fromLatin1(bytes.mid(at, 1).toHex()));
      ++at;
      continue;
    }
    flush();
    text += visibleCharacter(QString::fromUtf8(bytes.mid(at, length)));
    at += length;
  }
  flush();
  return text;
}

bool startsParagraph(const QStringList& visible, qsizetype at) {
  if (at == 0) return true;
  // The line ends just before this token: of the last token, and of as many before it as hold nothing else.
  qsizetype breaks = 0;
  for (qsizetype i = at - 1; i >= 0 && breaks < 2; --i) {
    const QString& text = visible.value(i);
    qsizetype left = text.size();
    while (left > 0 && text.at(left - 1) == u'⏎') --left;
    breaks += text.size() - left;
    if (left > 0 || text.isEmpty()) break;
  }
  return breaks >= 2 && !visible.value(at).startsWith(u'⏎');
}

bool endsLine(const QByteArray& bytes) {
  return bytes.endsWith('\n');
}

}  // namespace orthros::widgets
