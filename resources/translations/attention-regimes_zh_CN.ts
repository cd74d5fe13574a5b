<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>orthros::studio::AttentionPage</name>
    <message>
        <source>Attention: regime %1</source>
        <translation>注意力：方式 %1</translation>
    </message>
    <message>
        <source>Attention: the answer begins after the pinned token</source>
        <translation>注意力：答案从固定词元之后开始</translation>
    </message>
    <message>
        <source>Attention: frames of the strip by a pattern</source>
        <translation>注意力：词元条按正则表达式分框</translation>
    </message>
    <message>
        <source>Token %1 has no x′ in this regime (tabs: those that have): x as tint.</source>
        <translation>词元 %1 在此方式下没有 x′（有小签的才有）：底色表示 x。</translation>
    </message>
    <message>
        <source>x alone: no x′ at this token</source>
        <translation>只有 x：此词元没有 x′</translation>
    </message>
</context>
<context>
    <name>CaptureText</name>
    <message>
        <source>no x′ in this regime</source>
        <translation>此方式下没有 x′</translation>
    </message>
</context>
<context>
    <name>orthros::studio::HeadViews</name>
    <message>
        <source>no x′ at query %1 in this regime</source>
        <translation>此方式下查询 %1 没有 x′</translation>
    </message>
    <message>
        <source>Layer %1, head %2: %3</source>
        <translation>第 %1 层，头 %2：%3</translation>
    </message>
</context>
<context>
    <name>orthros::studio::RowInspector</name>
    <message>
        <source>This token has no output copy x′ in this regime: x alone reads here, and nothing is predicted.</source>
        <translation>此方式下这个词元没有输出副本 x′：这里只有 x 在读，不做预测。</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::PairView</name>
    <message>
        <source>   no x′ in this regime</source>
        <translation>   此方式下没有 x′</translation>
    </message>
    <message>
        <source>no x′ here</source>
        <translation>此处没有 x′</translation>
    </message>
    <message>
        <source>The whole matrix, heaviest weight below each pixel, on a log₂ scale; the frame is what is shown. Click or drag to move it; Home shows everything.</source>
        <translation>整个矩阵，每个像素取其下最大的权重，log₂ 刻度；方框是当前显示的部分。单击或拖动可移动它；Home 显示全部。</translation>
    </message>
</context>
<context>
    <name>PatternText</name>
    <message>
        <source>needs too many steps at character %1 of the text</source>
        <translation>在文本第 %1 个字符处需要的步数过多</translation>
    </message>
    <message>
        <source>takes too long on this text</source>
        <translation>在这段文本上耗时过长</translation>
    </message>
</context>
<context>
    <name>orthros::studio::RegimeBar</name>
    <message>
        <source>Regime: at which tokens x′ exists</source>
        <translation>方式：哪些词元有 x′</translation>
    </message>
    <message>
        <source>Pre-training</source>
        <translation>预训练</translation>
    </message>
    <message>
        <source>x′ at every token (1)</source>
        <translation>每个词元都有 x′（1）</translation>
    </message>
    <message>
        <source>SFT</source>
        <translation>SFT</translation>
    </message>
    <message>
        <source>x′ where a token of the answer is predicted (2)</source>
        <translation>预测答案词元之处有 x′（2）</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>x′ at the last token alone (3)</source>
        <translation>只有最后一个词元有 x′（3）</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Prefill of the prompt, then one x′ a new token (4)</source>
        <translation>先预填充提示，然后每个新词元一个 x′（4）</translation>
    </message>
    <message>
        <source>Regime: at which tokens an output copy x′ exists, and so which rows of x′ there are.</source>
        <translation>方式：哪些词元有输出副本 x′，也就是有哪些 x′ 行。</translation>
    </message>
    <message>
        <source>x′ never writes a key or value: its row at a token is the same numbers in every regime, and x is the same bit for bit.</source>
        <translation>x′ 从不写键或值：它在某个词元的行在各种方式下是同样的数，x 则逐位相同。</translation>
    </message>
    <message>
        <source>First token with an x′</source>
        <translation>第一个有 x′ 的词元</translation>
    </message>
    <message>
        <source>x′ at this token and after it: the prompt's last token predicts the first of the answer (Shift+S: the pinned token)</source>
        <translation>此词元及其后都有 x′：提示的最后一个词元预测答案的第一个词元（Shift+S：取固定的词元）</translation>
    </message>
</context>
<context>
    <name>RegimeText</name>
    <message>
        <source>pre-training</source>
        <translation>预训练</translation>
    </message>
    <message>
        <source>SFT</source>
        <translation>SFT</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>x′ at every token</source>
        <translation>每个词元都有 x′</translation>
    </message>
    <message>
        <source>x′ at token %1 alone</source>
        <translation>只有词元 %1 有 x′</translation>
    </message>
    <message>
        <source>x′ from token %1</source>
        <translation>x′ 始于词元 %1</translation>
    </message>
</context>
<context>
    <name>orthros::studio::StripUnits</name>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>行</translation>
    </message>
    <message>
        <source>paragraphs</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>pattern</source>
        <translation>正则</translation>
    </message>
    <message>
        <source>What is one frame of the strip; its weights are added up</source>
        <translation>词元条中一个框代表什么；框内的权重相加</translation>
    </message>
    <message>
        <source>Frames of the strip</source>
        <translation>词元条的框</translation>
    </message>
    <message>
        <source>regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Pattern of the frames</source>
        <translation>分框的正则表达式</translation>
    </message>
    <message>
        <source>A regular expression over the text: each match is one frame, its weights are added up; what lies between stays by token.
A token is never split: it belongs to the match in which it begins, its leading white space aside.
Letters and digits of every script count as such (\w, \d); ^ and $ match at every line.</source>
        <translation>对文本的正则表达式：每个匹配是一个框，框内的权重相加；匹配之间仍按词元。
词元不会被拆开：它属于其起始处所在的匹配，前导空白不算。
各种文字的字母和数字都算（\w、\d）；^ 和 $ 在每一行匹配。</translation>
    </message>
    <message>
        <source>✕ at character %1: %2</source>
        <translation>✕ 第 %1 个字符：%2</translation>
    </message>
    <message>
        <source>✕ %1</source>
        <translation>✕ %1</translation>
    </message>
    <message>
        <source>matches: %1</source>
        <translation>匹配：%1</translation>
    </message>
    <message>
        <source>The frames are those of the last pattern that worked.</source>
        <translation>框仍是上一个有效表达式的。</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::TokenHeat</name>
    <message>
        <source>no x′ in this regime</source>
        <translation>此方式下没有 x′</translation>
    </message>
    <message>
        <source>has x′</source>
        <translation>有 x′</translation>
    </message>
    <message>
        <source>x′ at the last %1 tokens</source>
        <translation>最后 %1 个词元有 x′</translation>
    </message>
</context>
</TS>
