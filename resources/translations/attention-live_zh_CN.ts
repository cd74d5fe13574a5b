<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>CaptureText</name>
    <message>
        <source>Steps: x′ of layer %1, mean over heads</source>
        <translation>各步：第 %1 层的 x′，各头平均</translation>
    </message>
    <message>
        <source>Steps: x of layer %1, mean over heads</source>
        <translation>各步：第 %1 层的 x，各头平均</translation>
    </message>
    <message>
        <source>Recorded: the prompt's last token and %1 decode steps, C%2.</source>
        <translation>已记录：提示的最后一个词元和 %1 个解码步，C%2。</translation>
    </message>
    <message>
        <source>Long rows: the 64 heaviest keys exactly, others as the mean of their stretch (256 stretches).</source>
        <translation>长的行：最重的 64 个键为精确值，其余为所在区段的平均值（共 256 段）。</translation>
    </message>
</context>
<context>
    <name>orthros::studio::LiveFollow</name>
    <message>
        <source>Follow live</source>
        <translation>实时跟随</translation>
    </message>
    <message>
        <source>Keep the recording</source>
        <translation>保存记录</translation>
    </message>
</context>
<context>
    <name>orthros::studio::HeadViews</name>
    <message>
        <source>Draw who reads the cache</source>
        <translation>绘制谁在读缓存</translation>
    </message>
    <message>
        <source>Draw the timeline</source>
        <translation>绘制时间线</translation>
    </message>
</context>
<context>
    <name>orthros::studio::AttentionPage</name>
    <message>
        <source>Follow live</source>
        <translation>实时跟随</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Draw the rows</source>
        <translation>绘制各行</translation>
    </message>
    <message>
        <source>Reads the prompt and decodes: the rows of every step are recorded and shown as they come (F). Captured: C1 unless another level is chosen</source>
        <translation>读入提示并解码：每一步的行都被记录，并随到随显示（F）。未选级别时按 C1 捕获</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Tokens to decode at most; it ends earlier at the model's end of text</source>
        <translation>最多解码的词元数；遇到模型的结束标记会提前结束</translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation>新词元数</translation>
    </message>
    <message>
        <source>Kept, step by step. It opens again under Kept, without the model.</source>
        <translation>已逐步保存。可在“已保存”中重新打开，无需模型。</translation>
    </message>
    <message>
        <source>Stopped. %1</source>
        <translation>已停止。%1</translation>
    </message>
    <message>
        <source>Decoded to its end. %1</source>
        <translation>解码结束。%1</translation>
    </message>
    <message>
        <source>Attention: follow a decode live, or stop it</source>
        <translation>注意力：实时跟随解码，或停止</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::StepTimeline</name>
    <message>
        <source>prompt, %1 ms</source>
        <translation>提示，%1 ms</translation>
    </message>
    <message>
        <source>step %1, %2 ms (%3 ms recording)</source>
        <translation>第 %1 步，%2 ms（其中记录 %3 ms）</translation>
    </message>
    <message>
        <source>query %1 %2   %3   entropy %4   beyond %5   %6: sum ± %7, o ± %8 in %9 rows</source>
        <translation>查询 %1 %2   %3   熵 %4   窗外 %5   %6：和 ± %7，o ± %8，共 %9 行</translation>
    </message>
    <message>
        <source>invariants hold</source>
        <translation>不变量成立</translation>
    </message>
    <message>
        <source>invariant broken</source>
        <translation>不变量被破坏</translation>
    </message>
    <message>
        <source>time of the step, ms; dark: recording it</source>
        <translation>每步用时，ms；深色：记录所用</translation>
    </message>
    <message>
        <source>mass beyond the window</source>
        <translation>窗口之外的权重</translation>
    </message>
    <message>
        <source>entropy / ln(support)</source>
        <translation>熵 / ln(支持数)</translation>
    </message>
    <message>
        <source>invariants: held in all %1 steps</source>
        <translation>不变量：在全部 %1 步中成立</translation>
    </message>
    <message>
        <source>invariants: broken in %1 of %2 steps (crosses)</source>
        <translation>不变量：%2 步中有 %1 步被破坏（叉号）</translation>
    </message>
    <message>
        <source>query (position) →</source>
        <translation>查询（位置）→</translation>
    </message>
</context>
<context>
    <name>orthros::studio::CompareView</name>
    <message>
        <source>Compare two heads</source>
        <translation>比较两个头</translation>
    </message>
</context>
</TS>
