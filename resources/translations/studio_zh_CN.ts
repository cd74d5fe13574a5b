<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>CaptureText</name>
    <message>
        <source>Mass beyond the window</source>
        <translation>窗口之外的权重</translation>
    </message>
    <message>
        <source>Entropy / ln(support)</source>
        <translation>熵 / ln(支持数)</translation>
    </message>
    <message>
        <source>Mass on the first token</source>
        <translation>首词元上的权重</translation>
    </message>
    <message>
        <source>Mass on itself</source>
        <translation>自身上的权重</translation>
    </message>
    <message>
        <source>Mass on the previous token</source>
        <translation>前一词元上的权重</translation>
    </message>
    <message>
        <source>Mean distance / range</source>
        <translation>平均距离 / 可见范围</translation>
    </message>
    <message>
        <source>Mass in the window</source>
        <translation>窗口之内的权重</translation>
    </message>
    <message>
        <source>Σ p_j over keys j ≤ t − w that are no sinks: what the base stream cannot read</source>
        <translation>Σ p_j，键 j ≤ t − w 且不是汇点：基流读不到的部分</translation>
    </message>
    <message>
        <source>−Σ p ln p / ln(keys with p &gt; 0): 0 is one key, 1 is uniform</source>
        <translation>−Σ p ln p / ln(p &gt; 0 的键数)：0 表示只有一个键，1 表示均匀</translation>
    </message>
    <message>
        <source>p_0</source>
        <translation>p_0</translation>
    </message>
    <message>
        <source>p_t</source>
        <translation>p_t</translation>
    </message>
    <message>
        <source>p_(t−1)</source>
        <translation>p_(t−1)</translation>
    </message>
    <message>
        <source>Σ p_j (t − j) / t</source>
        <translation>Σ p_j (t − j) / t</translation>
    </message>
    <message>
        <source>Σ p_j over the last w keys</source>
        <translation>最后 w 个键上的 Σ p_j</translation>
    </message>
    <message>
        <source>x′ reads, mean over heads, query %1</source>
        <translation>x′ 的读取，各头平均，查询 %1</translation>
    </message>
    <message>
        <source>x reads, mean over heads, query %1</source>
        <translation>x 的读取，各头平均，查询 %1</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Mass of x′ beyond the window, mean over heads</source>
        <translation>x′ 在窗口之外的权重，各头平均</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>%1   read as Orthros, w %2, %3 sinks   %4 tokens   capture C%5   Orthros Studio %6</source>
        <translation>%1   按 Orthros 读取，w %2，%3 个汇点   %4 个词元   捕获级别 C%5   Orthros Studio %6</translation>
    </message>
</context>
<context>
    <name>Example</name>
    <message>
        <source>Mara kept the lighthouse on Gull Island. Each evening she climbed the ninety-one steps, lit the lamp, and wrote the weather in a green notebook. In the morning a fishing boat lay on the rocks below, and in it she found a grey cat, a sack of oranges and a letter. The letter asked her to keep the cat, whose name was Admiral. The carpenter came after nine days and mended the window. The name of the cat was</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FactsText</name>
    <message>
        <source>window %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source> + %1 sinks</source>
        <translation> + %1 个汇点</translation>
    </message>
    <message>
        <source>full attention</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>sliding-window attention, </source>
        <translation>滑动窗口注意力，</translation>
    </message>
    <message>
        <source>Orthros attention, </source>
        <translation>Orthros 注意力，</translation>
    </message>
    <message>
        <source>, scale-offset</source>
        <translation>，缩放-偏移</translation>
    </message>
    <message>
        <source>converted</source>
        <translation>已转换</translation>
    </message>
    <message>
        <source>converted from %1</source>
        <translation>由 %1 转换</translation>
    </message>
    <message>
        <source>, no training since</source>
        <translation>，之后未训练</translation>
    </message>
    <message>
        <source>, trained: %1</source>
        <translation>，训练：%1</translation>
    </message>
    <message>
        <source>as in the GGUF file</source>
        <translation>与 GGUF 文件相同</translation>
    </message>
    <message>
        <source>as in the folder</source>
        <translation>与文件夹相同</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>Sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>Orthros</source>
        <translation>Orthros</translation>
    </message>
    <message>
        <source>layer %1: </source>
        <translation>第 %1 层：</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Prompt length at which full attention costs as much as all matrices: T* = N_linear / (L · d_q)</source>
        <translation>全注意力与全部矩阵运算代价相等的提示长度：T* = N_linear / (L · d_q)</translation>
    </message>
</context>
<context>
    <name>NiahText</name>
    <message>
        <source>effective context: none</source>
        <translation>有效上下文：无</translation>
    </message>
    <message>
        <source>effective context ≥ %1</source>
        <translation>有效上下文 ≥ %1</translation>
    </message>
    <message>
        <source>effective context %1</source>
        <translation>有效上下文 %1</translation>
    </message>
    <message>
        <source>no trial yet</source>
        <translation>还没有试验</translation>
    </message>
    <message>
        <source>%1 of %2 found, %3 (95 %: %4 to %5)</source>
        <translation>找到 %1 / %2，%3（95 %：%4 到 %5）</translation>
    </message>
    <message>
        <source>without needle %1/%2</source>
        <translation>没有针 %1/%2</translation>
    </message>
    <message>
        <source>needle alone %1/%2</source>
        <translation>只有针 %1/%2</translation>
    </message>
    <message>
        <source>attention on the needle %1</source>
        <translation>针上的注意力 %1</translation>
    </message>
    <message>
        <source>no prompt yet that both arms have read</source>
        <translation>还没有两个分支都读过的提示</translation>
    </message>
    <message>
        <source>Same prompts: both %1, only %2 %3, only %4 %5, neither %6</source>
        <translation>相同的提示：两者 %1，仅 %2 %3，仅 %4 %5，都没有 %6</translation>
    </message>
    <message>
        <source>difference %1 (95 %: %2 to %3)</source>
        <translation>差 %1（95 %：%2 到 %3）</translation>
    </message>
    <message>
        <source>exact McNemar p = %1</source>
        <translation>精确 McNemar p = %1</translation>
    </message>
    <message>
        <source>%1 in %2, %3 trials a cell, seed %4 · %5 of %6 trials · spec %7 · %8</source>
        <translation>%1，草堆 %2，每格 %3 次，种子 %4 · %5 / %6 次试验 · 规格 %7 · %8</translation>
    </message>
</context>
<context>
    <name>Options</name>
    <message>
        <source>A laboratory for dual-stream language models.</source>
        <translation>双流语言模型的实验室。</translation>
    </message>
</context>
<context>
    <name>PromptText</name>
    <message>
        <source>ended by itself</source>
        <translation>自行结束</translation>
    </message>
    <message>
        <source>stop string</source>
        <translation>遇到停止串</translation>
    </message>
    <message>
        <source>token limit</source>
        <translation>达到词元上限</translation>
    </message>
    <message>
        <source>cache full</source>
        <translation>缓存已满</translation>
    </message>
    <message>
        <source>%1: prepare</source>
        <translation>%1：准备</translation>
    </message>
    <message>
        <source>%1: keep</source>
        <translation>%1：保存</translation>
    </message>
    <message>
        <source>%1 answers kept</source>
        <translation>已保存 %1 个回答</translation>
    </message>
</context>
<context>
    <name>exportPicture</name>
    <message>
        <source>%1: a picture ends in .svg, .pdf or .png</source>
        <translation>%1：图片须以 .svg、.pdf 或 .png 结尾</translation>
    </message>
    <message>
        <source>cannot write %1</source>
        <translation>无法写入 %1</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Orthros Studio</source>
        <translation>Orthros Studio</translation>
    </message>
</context>
<context>
    <name>orthros::studio::ArmColumn</name>
    <message>
        <source>Answer of %1</source>
        <translation>%1 的回答</translation>
    </message>
    <message>
        <source> tok/s</source>
        <translation> 词元/秒</translation>
    </message>
    <message>
        <source>%1 prompt tokens</source>
        <translation>%1 个提示词元</translation>
    </message>
    <message>
        <source>%1 from the cache</source>
        <translation>%1 个来自缓存</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>Time to first token: from the start of the prefill to the first sampled token</source>
        <translation>首词元时间：从预填充开始到采样出第一个词元</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Prompt tokens read a second</source>
        <translation>每秒读入的提示词元数</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>New tokens a second, after the first</source>
        <translation>首词元之后每秒生成的词元数</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Bytes of keys and values held now</source>
        <translation>当前保存的键和值的字节数</translation>
    </message>
</context>
<context>
    <name>orthros::studio::AttentionForm</name>
    <message>
        <source>Capture: as much as is quick</source>
        <translation>捕获：快速能得到的全部</translation>
    </message>
    <message>
        <source>C0  shares of every row</source>
        <translation>C0  每一行的占比</translation>
    </message>
    <message>
        <source>C1  the last token, all heads</source>
        <translation>C1  末词元，全部头</translation>
    </message>
    <message>
        <source>C2  every row of this layer</source>
        <translation>C2  本层的每一行</translation>
    </message>
    <message>
        <source>C3  every row of every head</source>
        <translation>C3  每个头的每一行</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Reads the prompt once and keeps the rows of attention (Ctrl+Return)</source>
        <translation>读一遍提示并保留注意力的行（Ctrl+Return）</translation>
    </message>
    <message>
        <source>window </source>
        <translation>窗口 </translation>
    </message>
    <message>
        <source>Keys a base row reads, its own included: [t − w + 1, t]</source>
        <translation>基流一行读取的键数，含自身：[t − w + 1, t]</translation>
    </message>
    <message>
        <source>sinks </source>
        <translation>汇点 </translation>
    </message>
    <message>
        <source>First keys that stay visible besides the window</source>
        <translation>窗口之外始终可见的最前面几个键</translation>
    </message>
    <message>
        <source>How much is kept, and the memory it takes</source>
        <translation>保留多少，以及占用多少内存</translation>
    </message>
    <message>
        <source>%1 · %2, too much</source>
        <translation>%1 · %2，太大</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>orthros::studio::AttentionPage</name>
    <message>
        <source>Which tokens the pinned one reads: x′ as tint, x as underline. Click a token to pin it.</source>
        <translation>固定的词元读取哪些词元：底色为 x′，下划线为 x。点击一个词元即可固定它。</translation>
    </message>
    <message>
        <source>Attention: rows of one query</source>
        <translation>注意力：一个查询的行</translation>
    </message>
    <message>
        <source>Attention: all rows of the head</source>
        <translation>注意力：该头的所有行</translation>
    </message>
    <message>
        <source>Attention: KV map</source>
        <translation>注意力：KV 图</translation>
    </message>
    <message>
        <source>Attention: timeline</source>
        <translation>注意力：时间线</translation>
    </message>
    <message>
        <source>Attention: compare</source>
        <translation>注意力：比较</translation>
    </message>
    <message>
        <source>Attention: layer above</source>
        <translation>注意力：上一层</translation>
    </message>
    <message>
        <source>Attention: layer below</source>
        <translation>注意力：下一层</translation>
    </message>
    <message>
        <source>Attention: head before</source>
        <translation>注意力：前一个头</translation>
    </message>
    <message>
        <source>Attention: head after</source>
        <translation>注意力：后一个头</translation>
    </message>
    <message>
        <source>Attention: next strongest head</source>
        <translation>注意力：下一个最强的头</translation>
    </message>
    <message>
        <source>Attention: pin the token before</source>
        <translation>注意力：固定前一个词元</translation>
    </message>
    <message>
        <source>Attention: pin the token after</source>
        <translation>注意力：固定后一个词元</translation>
    </message>
    <message>
        <source>Attention: export the picture as SVG</source>
        <translation>注意力：把图导出为 SVG</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Weights from 2^-16 to 1, or from 0 to the heaviest (L)</source>
        <translation>权重从 2^-16 到 1，或从 0 到最大值（L）</translation>
    </message>
    <message>
        <source>Attention: logarithmic or linear weights</source>
        <translation>注意力：对数或线性权重</translation>
    </message>
    <message>
        <source>Layer %1, head %2: %3</source>
        <translation>第 %1 层，头 %2：%3</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>SVG picture (*.svg)</source>
        <translation>SVG 图片 (*.svg)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Keep the capture</source>
        <translation>保存捕获</translation>
    </message>
    <message>
        <source>Kept. It opens again under Kept, without the model.</source>
        <translation>已保存。无需模型即可在“已存”中再次打开。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Read kept captures</source>
        <translation>读取已存的捕获</translation>
    </message>
    <message>
        <source>Nothing kept yet</source>
        <translation>还没有保存任何内容</translation>
    </message>
    <message>
        <source>%1   %2   %3</source>
        <translation>%1   %2   %3</translation>
    </message>
    <message>
        <source>Reopen the capture</source>
        <translation>重新打开捕获</translation>
    </message>
    <message>
        <source>Kept on %1; shown from the store, without the model.</source>
        <translation>保存于 %1；内容来自运行库，无需模型。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已存</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Keeps this capture in the run store: it opens again without the model</source>
        <translation>把这次捕获存入运行库：以后无需模型即可打开</translation>
    </message>
    <message>
        <source>Captures that were kept</source>
        <translation>已保存的捕获</translation>
    </message>
    <message>
        <source>What is shown, as a picture or as numbers (E)</source>
        <translation>把所见内容导出为图片或数值（E）</translation>
    </message>
    <message>
        <source>Picture as SVG…</source>
        <translation>图片：SVG…</translation>
    </message>
    <message>
        <source>Picture as PDF…</source>
        <translation>图片：PDF…</translation>
    </message>
    <message>
        <source>Picture as PNG…</source>
        <translation>图片：PNG…</translation>
    </message>
    <message>
        <source>Values as CSV…</source>
        <translation>数值：CSV…</translation>
    </message>
    <message>
        <source>Values as NumPy array…</source>
        <translation>数值：NumPy 数组…</translation>
    </message>
    <message>
        <source>What the atlas shows</source>
        <translation>头图集显示的量</translation>
    </message>
    <message>
        <source>Next strongest</source>
        <translation>下一个最强</translation>
    </message>
    <message>
        <source>Goes to the head with the next lower value; the first press finds the strongest (N)</source>
        <translation>转到数值次高的头；第一次按下找到最强的头（N）</translation>
    </message>
    <message>
        <source>Press Look: the model&apos;s weights are read as Orthros, and you see every head of every layer. The base stream x reads the window and the sinks alone; the output stream x′ reads everything and predicts the next token. The rows are the engine&apos;s own softmax.</source>
        <translation>点击“查看”：模型权重按 Orthros 读取，您会看到每一层的每个头。基流 x 只读窗口和汇点；输出流 x′ 读取全部并预测下一个词元。各行就是引擎自己的 softmax。</translation>
    </message>
    <message>
        <source>Look at this prompt</source>
        <translation>查看这段提示</translation>
    </message>
    <message>
        <source>Nothing captured yet</source>
        <translation>尚未捕获</translation>
    </message>
    <message>
        <source>Count tokens</source>
        <translation>计数词元</translation>
    </message>
    <message>
        <source>Capture attention</source>
        <translation>捕获注意力</translation>
    </message>
    <message>
        <source>C%1 of %2 tokens, %3</source>
        <translation>C%1，%2 个词元，%3</translation>
    </message>
    <message>
        <source>All %1 tokens lie within window + sinks (%2): both streams read the same keys.</source>
        <translation>全部 %1 个词元都在窗口 + 汇点（%2）之内：两个流读取相同的键。</translation>
    </message>
    <message>
        <source>Take a smaller window</source>
        <translation>改用更小的窗口</translation>
    </message>
    <message>
        <source>not captured</source>
        <translation>未捕获</translation>
    </message>
    <message>
        <source>rank %1 of %2</source>
        <translation>排名 %1 / %2</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>See which keys x and x′ read, in every head</source>
        <translation>查看每个头中 x 与 x′ 读取哪些键</translation>
    </message>
    <message>
        <source>Attention: make this head A</source>
        <translation>注意力：设此头为 A</translation>
    </message>
    <message>
        <source>Bookmark (*.json)</source>
        <translation>书签 (*.json)</translation>
    </message>
    <message>
        <source>Open a bookmark…</source>
        <translation>打开书签…</translation>
    </message>
    <message>
        <source>Open a bookmark</source>
        <translation>打开书签</translation>
    </message>
    <message>
        <source>Bookmark of this view…</source>
        <translation>此视图的书签…</translation>
    </message>
    <message>
        <source>x lower left, x′ upper right</source>
        <translation>左下为 x，右上为 x′</translation>
    </message>
    <message>
        <source>Write values</source>
        <translation>写入数值</translation>
    </message>
</context>
<context>
    <name>orthros::studio::CompareModels</name>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>Heads / KV heads</source>
        <translation>头数 / KV 头数</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation>训练上下文</translation>
    </message>
    <message>
        <source>Weights in file</source>
        <translation>文件中的权重</translation>
    </message>
    <message>
        <source>Weights held as</source>
        <translation>权重保存为</translation>
    </message>
    <message>
        <source>Compute type</source>
        <translation>计算类型</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>磁盘大小</translation>
    </message>
    <message>
        <source>KV per token</source>
        <translation>每词元 KV</translation>
    </message>
    <message>
        <source>Balance length T*</source>
        <translation>平衡长度 T*</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Compare two models</source>
        <translation>比较两个模型</translation>
    </message>
    <message>
        <source>Property</source>
        <translation>属性</translation>
    </message>
</context>
<context>
    <name>orthros::studio::CompareView</name>
    <message>
        <source>Make this head A</source>
        <translation>设此头为 A</translation>
    </message>
    <message>
        <source>A stays; then choose another head, another window or another model: that is B</source>
        <translation>A 保持不变；再选另一个头、另一个窗口或另一个模型作为 B</translation>
    </message>
    <message>
        <source>layer %1, head %2   w %3, %4 sinks   %5</source>
        <translation>第 %1 层，头 %2   w %3，%4 个汇点   %5</translation>
    </message>
    <message>
        <source>A − B, A: %1, B: %2</source>
        <translation>A − B，A：%1，B：%2</translation>
    </message>
    <message>
        <source>nothing to compare yet</source>
        <translation>还没有可比较的内容</translation>
    </message>
    <message>
        <source>A  %1</source>
        <translation>A  %1</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>B  %1</source>
        <translation>B  %1</translation>
    </message>
    <message>
        <source>Make a head A. Then choose another head in the atlas, or look again with another window or model: the picture is A − B, row by row.</source>
        <translation>先设一个头为 A。然后在图集中选另一个头，或用另一个窗口或模型再次查看：图中逐行显示 A − B。</translation>
    </message>
    <message>
        <source>A and B have different tokens or different rows: a difference would say nothing. Look at the same text with the same capture level.</source>
        <translation>A 与 B 的词元或行不同：差值没有意义。请用相同的捕获级别查看同一段文本。</translation>
    </message>
    <message>
        <source>A and B are the same in every row.</source>
        <translation>A 与 B 的每一行都相同。</translation>
    </message>
    <message>
        <source>Largest difference of one weight: %1</source>
        <translation>单个权重的最大差值：%1</translation>
    </message>
</context>
<context>
    <name>orthros::studio::ConvertDialog</name>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Works at once: 4 sink tokens, no training</source>
        <translation>立即可用：4 个汇点词元，无需训练</translation>
    </message>
    <message>
        <source>As in the paper: 0 sink tokens, needs training</source>
        <translation>与论文一致：0 个汇点词元，需要训练</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Convert %1 to Orthros</source>
        <translation>把 %1 转换为 Orthros</translation>
    </message>
    <message>
        <source>Keys that a base row x reads, its own included: it sees [t − w + 1, t]</source>
        <translation>基流一行 x 读取的键数，含自身：可见 [t − w + 1, t]</translation>
    </message>
    <message>
        <source>First keys that stay visible besides the window; models put much weight there</source>
        <translation>窗口之外始终可见的最前面几个键；模型常把很大权重放在那里</translation>
    </message>
    <message>
        <source>Choose the folder to write into</source>
        <translation>选择写入的文件夹</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Sinks</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>Write to</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>What is exact</source>
        <translation>精确的部分</translation>
    </message>
    <message>
        <source>Every weight is kept as it is. Up to window + sinks tokens the result is the same function as the source. Beyond, the base stream forgets; the output stream still reads every key.</source>
        <translation>每个权重保持不变。词元数不超过窗口 + 汇点时，结果与源模型是同一个函数。超出之后，基流会遗忘；输出流仍读取每个键。</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Convert to Orthros</source>
        <translation>转换为 Orthros</translation>
    </message>
    <message>
        <source>Folder to write into</source>
        <translation>写入的文件夹</translation>
    </message>
    <message>
        <source>About %1 on disk and one pass over the file. In each step one more row of queries is computed: the output stream&apos;s. A prompt of T tokens then costs T · (w + s) base scores and T output scores a head, instead of T² / 2.%2</source>
        <translation>磁盘上约 %1，读文件一遍。每一步多算一行查询：输出流的那一行。T 个词元的提示，每个头需要 T · (w + s) 个基流分数和 T 个输出分数，而不是 T² / 2。%2</translation>
    </message>
    <message>
        <source> Without sinks a model that was not trained for it loses much beyond the window.</source>
        <translation> 没有汇点时，未经相应训练的模型在窗口之外损失很大。</translation>
    </message>
    <message>
        <source>⚠ That folder is there already: choose another name.</source>
        <translation>⚠ 该文件夹已存在：请换一个名称。</translation>
    </message>
</context>
<context>
    <name>orthros::studio::HeadViews</name>
    <message>
        <source>Layer %1, head %2: %3</source>
        <translation>第 %1 层，头 %2：%3</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Both rows of one query on one key axis (1)</source>
        <translation>同一键轴上一个查询的两行（1）</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>Every captured row: the base band unrolled, the output rows in full (2)</source>
        <translation>每一个捕获的行：展开的基流带和完整的输出行（2）</translation>
    </message>
    <message>
        <source>KV map</source>
        <translation>KV 图</translation>
    </message>
    <message>
        <source>Which keys of the cache each layer reads (3)</source>
        <translation>每一层读取缓存中的哪些键（3）</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>How the weight is split at every position (4)</source>
        <translation>每个位置的权重如何分配（4）</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Two heads, or two captures, and their difference (5)</source>
        <translation>两个头或两次捕获及其差值（5）</translation>
    </message>
    <message>
        <source>both rows of query %1</source>
        <translation>查询 %1 的两行</translation>
    </message>
    <message>
        <source>all rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>readers of the cache at query %1</source>
        <translation>查询 %1 时缓存的读者</translation>
    </message>
    <message>
        <source>shares by position</source>
        <translation>各位置的占比</translation>
    </message>
    <message>
        <source>x′ of layer %1, mean over heads</source>
        <translation>第 %1 层的 x′，各头平均</translation>
    </message>
    <message>
        <source>The cache holds %1 keys in each of %2 layers%3. The base stream wrote every entry once; x reads an entry for w = %4 steps (sinks always), x′ reads it for ever and writes none.</source>
        <translation>缓存在 %2 层中的每一层保存 %1 个键%3。每一项由基流写入一次；x 在 w = %4 步内读取它（汇点始终可读），x′ 永远读取它，从不写入。</translation>
    </message>
    <message>
        <source>, %1 in all</source>
        <translation>，共 %1</translation>
    </message>
</context>
<context>
    <name>orthros::studio::JobRunner</name>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>orthros::studio::MainWindow</name>
    <message>
        <source>Orthros Studio</source>
        <translation>Orthros Studio</translation>
    </message>
    <message>
        <source>Drop a model folder or a .gguf file to open it</source>
        <translation>把模型文件夹或 .gguf 文件拖到这里打开</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到%1</translation>
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Open a .gguf file…</source>
        <translation>打开 .gguf 文件…</translation>
    </message>
    <message>
        <source>Stop the newest job</source>
        <translation>停止最新的任务</translation>
    </message>
    <message>
        <source>Search or run a command</source>
        <translation>搜索或运行命令</translation>
    </message>
    <message>
        <source>Show all keys</source>
        <translation>显示所有按键</translation>
    </message>
    <message>
        <source>Theme: as the system</source>
        <translation>主题：跟随系统</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>主题：浅色</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>主题：深色</translation>
    </message>
    <message>
        <source>Restore Default Layout</source>
        <translation>恢复默认布局</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Run what this page does</source>
        <translation>执行本页的操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Every key of the program (?)</source>
        <translation>程序的全部按键（?）</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Close a popup, release a pin, then stop</source>
        <translation>关闭弹出窗，其次取消固定，最后停止</translation>
    </message>
    <message>
        <source>Next or previous token (in the output)</source>
        <translation>下一个或上一个词元（在输出中）</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>Next control</source>
        <translation>下一个控件</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Open a .gguf file</source>
        <translation>打开 .gguf 文件</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf);;All files (*)</source>
        <translation>GGUF 模型 (*.gguf);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>orthros::studio::ModelCard</name>
    <message>
        <source>Prompt it</source>
        <translation>提示它</translation>
    </message>
    <message>
        <source>Convert…</source>
        <translation>转换…</translation>
    </message>
    <message>
        <source>Close this model and free its memory</source>
        <translation>关闭此模型并释放内存</translation>
    </message>
    <message>
        <source>takes ids only: no tokenizer</source>
        <translation>只接受编号：没有分词器</translation>
    </message>
    <message>
        <source>of %1 free</source>
        <translation>可用 %1</translation>
    </message>
    <message>
        <source>but %1 free</source>
        <translation>但只有 %1 可用</translation>
    </message>
    <message>
        <source>%1 needed with %2 tokens of context, %3: weights %4, KV cache %5, activations %6</source>
        <translation>%2 个词元的上下文需要 %1，%3：权重 %4，KV 缓存 %5，激活 %6</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>Ready, held as %1</source>
        <translation>就绪，保存为 %1</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Not opened</source>
        <translation>未打开</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Loading was stopped.</source>
        <translation>加载已停止。</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>All weights; tied embeddings count once</source>
        <translation>全部权重；共享的嵌入只计一次</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Transformer blocks, one tick each above</source>
        <translation>Transformer 块，上方每格一块</translation>
    </message>
    <message>
        <source>Heads / KV heads</source>
        <translation>头数 / KV 头数</translation>
    </message>
    <message>
        <source>Query heads, and the key-value heads that they share in groups</source>
        <translation>查询头，以及它们分组共享的键值头</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>Numbers in one key, query or value</source>
        <translation>一个键、查询或值包含的数</translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation>训练上下文</translation>
    </message>
    <message>
        <source>max_position_embeddings of the config, in tokens</source>
        <translation>配置中的 max_position_embeddings，单位为词元</translation>
    </message>
    <message>
        <source>Weights in file</source>
        <translation>文件中的权重</translation>
    </message>
    <message>
        <source>Type of the file&apos;s tensors</source>
        <translation>文件中张量的类型</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>磁盘大小</translation>
    </message>
    <message>
        <source>All weight files together</source>
        <translation>全部权重文件之和</translation>
    </message>
    <message>
        <source>KV per token</source>
        <translation>每词元 KV</translation>
    </message>
    <message>
        <source>2 · layers · KV heads · head size · bytes of the cache&apos;s type</source>
        <translation>2 · 层数 · KV 头数 · 头维度 · 缓存类型的字节数</translation>
    </message>
    <message>
        <source>Balance length T*</source>
        <translation>平衡长度 T*</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Token ids the model knows</source>
        <translation>模型认识的词元编号</translation>
    </message>
</context>
<context>
    <name>orthros::studio::ModelLibrary</name>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>%1 held, loaded in %2 s</source>
        <translation>保存 %1，加载用时 %2 秒</translation>
    </message>
    <message>
        <source>Load %1</source>
        <translation>加载 %1</translation>
    </message>
    <message>
        <source>Close the model</source>
        <translation>关闭模型</translation>
    </message>
    <message>
        <source>%1 written</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Convert %1</source>
        <translation>转换 %1</translation>
    </message>
</context>
<context>
    <name>orthros::studio::ModelsPage</name>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open .gguf…</source>
        <translation>打开 .gguf…</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Converted: %1</source>
        <translation>已转换：%1</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>Or drop a folder or a .gguf file anywhere.</source>
        <translation>也可以把文件夹或 .gguf 文件拖到任意处。</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>A model is a Hugging Face folder (config.json and .safetensors) or one .gguf file: Llama, Qwen3 or Mistral style, or Orthros. Open one, and run the same weights as Transformer, sliding-window and Orthros model.</source>
        <translation>模型是一个 Hugging Face 文件夹（config.json 和 .safetensors）或一个 .gguf 文件：Llama、Qwen3、Mistral 类，或 Orthros。打开一个，用同一套权重作为 Transformer、滑动窗口和 Orthros 模型运行。</translation>
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Open the sample model (SmolLM2-135M)</source>
        <translation>打开示例模型（SmolLM2-135M）</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开的模型</translation>
    </message>
    <message>
        <source>Open, look at and convert models</source>
        <translation>打开、查看和转换模型</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Two open models&apos; configurations side by side</source>
        <translation>并排显示两个已打开模型的配置</translation>
    </message>
</context>
<context>
    <name>orthros::studio::NiahForm</name>
    <message>
        <source>Add arm</source>
        <translation>添加分支</translation>
    </message>
    <message>
        <source>controls</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>window </source>
        <translation>窗口 </translation>
    </message>
    <message>
        <source>Keys a row of the base stream reads</source>
        <translation>基流一行读取的键数</translation>
    </message>
    <message>
        <source>sinks </source>
        <translation>汇点 </translation>
    </message>
    <message>
        <source>First keys that stay visible besides the window</source>
        <translation>窗口之外始终可见的最前面几个键</translation>
    </message>
    <message>
        <source>trials </source>
        <translation>次数 </translation>
    </message>
    <message>
        <source>Trials of each cell, each with a haystack and a needle of its own</source>
        <translation>每格的试验次数，每次都有各自的草堆和针</translation>
    </message>
    <message>
        <source>seed </source>
        <translation>种子 </translation>
    </message>
    <message>
        <source>The same seed gives the same prompts on every machine</source>
        <translation>相同的种子在每台机器上给出相同的提示</translation>
    </message>
    <message>
        <source>Asks every arm on the same prompts, shortest first (Ctrl+Return)</source>
        <translation>用相同的提示询问每个分支，从最短的开始（Ctrl+Return）</translation>
    </message>
    <message>
        <source>Also asks without a needle (should find none) and with nothing but the needle (should find all)</source>
        <translation>另外在没有针时（应当找不到）和只有针时（应当全找到）各问一遍</translation>
    </message>
    <message>
        <source>Arms</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Model of the arm to add</source>
        <translation>要添加的分支的模型</translation>
    </message>
    <message>
        <source>How the arm to add reads the weights</source>
        <translation>要添加的分支如何读取权重</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>as Transformer</source>
        <translation>作为 Transformer</translation>
    </message>
    <message>
        <source>as SWA</source>
        <translation>作为 SWA</translation>
    </message>
    <message>
        <source>as Orthros</source>
        <translation>作为 Orthros</translation>
    </message>
    <message>
        <source>Up to four arms read the same prompts</source>
        <translation>最多四个分支读取相同的提示</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Lengths, depths and trials at once</source>
        <translation>一次设定长度、深度和次数</translation>
    </message>
    <message>
        <source>Smoke: 3 × 3 × 1</source>
        <translation>冒烟：3 × 3 × 1</translation>
    </message>
    <message>
        <source>Quick: 6 × 6 × 5</source>
        <translation>快速：6 × 6 × 5</translation>
    </message>
    <message>
        <source>Paper-like: 8 × 11 × 10</source>
        <translation>仿论文：8 × 11 × 10</translation>
    </message>
    <message>
        <source>Publication: 8 × 11 × 20</source>
        <translation>发表：8 × 11 × 20</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Kind of needle</source>
        <translation>针的种类</translation>
    </message>
    <message>
        <source>What is hidden and asked for</source>
        <translation>藏什么、问什么</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>名字</translation>
    </message>
    <message>
        <source>Held-out names are in no training data: they ask whether names are matched</source>
        <translation>留出的名字不在任何训练数据中：检验模型是否真的在匹配名字</translation>
    </message>
    <message>
        <source>common names</source>
        <translation>常用名字</translation>
    </message>
    <message>
        <source>held-out names</source>
        <translation>留出的名字</translation>
    </message>
    <message>
        <source>Tokens fed to the model, all of them counted: 256, 512, 1K</source>
        <translation>输入模型的词元数，全部计入：256, 512, 1K</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>A number of depths, or depths in percent: 0, 50, 100. 0 is first, 100 last.</source>
        <translation>深度的个数，或以百分比写出：0, 50, 100。0 在最前，100 在最后。</translation>
    </message>
    <message>
        <source>Depths</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Takes this arm out</source>
        <translation>移除此分支</translation>
    </message>
    <message>
        <source>Take out %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Open a model first</source>
        <translation>请先打开一个模型</translation>
    </message>
    <message>
        <source>%1 cells, %2 controls · %3 trials on %4 arms · %5 prompt tokens</source>
        <translation>%1 格，%2 个对照 · %3 次试验，%4 个分支 · %5 个提示词元</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>orthros::studio::NiahPage</name>
    <message>
        <source>One arm minus another, on the prompts that both have read (D)</source>
        <translation>一个分支减去另一个，只算两者都读过的提示（D）</translation>
    </message>
    <message>
        <source>Which arms are compared</source>
        <translation>比较哪两个分支</translation>
    </message>
    <message>
        <source>Runs what is missing of this run (R)</source>
        <translation>运行此次运行中尚缺的部分（R）</translation>
    </message>
    <message>
        <source>Runs that were kept: finished ones open, others go on with Resume</source>
        <translation>已存的运行：完成的直接打开，其余可继续</translation>
    </message>
    <message>
        <source>The maps as a picture, or their numbers (E)</source>
        <translation>把图导出为图片或数值（E）</translation>
    </message>
    <message>
        <source>Picture as SVG…</source>
        <translation>图片：SVG…</translation>
    </message>
    <message>
        <source>Picture as PDF…</source>
        <translation>图片：PDF…</translation>
    </message>
    <message>
        <source>Picture as PNG…</source>
        <translation>图片：PNG…</translation>
    </message>
    <message>
        <source>Numbers as CSV…</source>
        <translation>数值：CSV…</translation>
    </message>
    <message>
        <source>NIAH: difference of two arms</source>
        <translation>大海捞针：两个分支之差</translation>
    </message>
    <message>
        <source>NIAH: resume the run that is shown</source>
        <translation>大海捞针：继续所示的运行</translation>
    </message>
    <message>
        <source>NIAH: export the maps as SVG</source>
        <translation>大海捞针：将图导出为 SVG</translation>
    </message>
    <message>
        <source>NIAH: export the numbers as CSV</source>
        <translation>大海捞针：将数值导出为 CSV</translation>
    </message>
    <message>
        <source>NIAH: preset Smoke</source>
        <translation>大海捞针：预设“冒烟”</translation>
    </message>
    <message>
        <source>NIAH: preset Quick</source>
        <translation>大海捞针：预设“快速”</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Read kept runs</source>
        <translation>读取已存运行</translation>
    </message>
    <message>
        <source>Nothing kept yet</source>
        <translation>还没有保存任何内容</translation>
    </message>
    <message>
        <source>Write numbers</source>
        <translation>写出数值</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>SVG picture (*.svg)</source>
        <translation>SVG 图片 (*.svg)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已存</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>A number is hidden in a long text, at every depth and length of a grid, and every arm is asked for it on the very same prompts. The map shows where it is found. A sliding window alone finds what it can still see; an Orthros model&apos;s output stream reads everything.</source>
        <translation>在一个网格的每个深度和长度上，把一个数字藏进长文本，并用完全相同的提示询问每个分支。图上显示哪里找得到。只有滑动窗口的模型只能找到它还看得见的；Orthros 模型的输出流读取全部。</translation>
    </message>
    <message>
        <source>Run this grid</source>
        <translation>运行此网格</translation>
    </message>
    <message>
        <source>No map yet</source>
        <translation>还没有图</translation>
    </message>
    <message>
        <source>%1, up to %2 tokens</source>
        <translation>%1，最长 %2 个词元</translation>
    </message>
    <message>
        <source>The store does not know where this run&apos;s text folder lies. Resume it with orthros niah --resume %1 --haystack FOLDER.</source>
        <translation>运行库不知道此次运行的文本文件夹在哪里。请用 orthros niah --resume %1 --haystack FOLDER 继续。</translation>
    </message>
    <message>
        <source>%1 trials kept</source>
        <translation>已保存 %1 次试验</translation>
    </message>
    <message>
        <source>Needle in a haystack</source>
        <translation>大海捞针</translation>
    </message>
    <message>
        <source>Read the maps</source>
        <translation>读取图</translation>
    </message>
    <message>
        <source>Point at a cell, or walk with the arrow keys; click to hold it.</source>
        <translation>指向一格，或用方向键移动；单击可固定。</translation>
    </message>
    <message>
        <source>Stopped. %1 of %2 trials are kept; Resume goes on with the others.</source>
        <translation>已停止。%1 / %2 次试验已保存；“继续”会运行其余部分。</translation>
    </message>
    <message numerus="yes">
        <source>%n cells have no result: point at a hatched one to see why.</source>
        <translation><numerusform>有 %n 格没有结果：指向带阴影线的格子可看到原因。</numerusform></translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>not finished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>NIAH</source>
        <translation>大海捞针</translation>
    </message>
    <message>
        <source>Hide a needle in a long text and see who finds it, where</source>
        <translation>在长文本中藏一根针，看谁在哪里找得到</translation>
    </message>
</context>
<context>
    <name>orthros::studio::PromptForm</name>
    <message>
        <source>What should the model read?</source>
        <translation>模型应该读什么？</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>System prompt (optional)</source>
        <translation>系统提示（可选）</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Feeds the same ids to every arm (Ctrl+Return)</source>
        <translation>把相同的编号交给每个分支（Ctrl+Return）</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>The text as it is, continued</source>
        <translation>原样续写文本</translation>
    </message>
    <message>
        <source>The text as a user&apos;s turn in the model&apos;s own chat template; turns add up</source>
        <translation>把文本作为用户的一轮，套用模型自己的对话模板；各轮累加</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>Sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>Orthros</source>
        <translation>Orthros</translation>
    </message>
    <message>
        <source>Every token reads all before it</source>
        <translation>每个词元读取它之前的全部</translation>
    </message>
    <message>
        <source>Every token reads the window and the sinks alone</source>
        <translation>每个词元只读窗口和汇点</translation>
    </message>
    <message>
        <source>The base stream reads the window; the output stream reads everything</source>
        <translation>基流读窗口；输出流读全部</translation>
    </message>
    <message>
        <source>Run the same weights as</source>
        <translation>同一套权重运行为</translation>
    </message>
    <message>
        <source>Keys a base row reads, its own included</source>
        <translation>基流一行读取的键数，含自身</translation>
    </message>
    <message>
        <source>First keys that stay visible besides</source>
        <translation>另外始终可见的最前面几个键</translation>
    </message>
    <message>
        <source>New tokens at most</source>
        <translation>最多生成的词元数</translation>
    </message>
    <message>
        <source>0 takes the most probable token; else logits are divided by it</source>
        <translation>0 取概率最高的词元；否则 logits 除以它</translation>
    </message>
    <message>
        <source>Keep the k best tokens; 0 keeps all</source>
        <translation>保留最好的 k 个词元；0 全部保留</translation>
    </message>
    <message>
        <source>Keep the smallest set with this probability; 1 keeps all</source>
        <translation>保留达到此概率的最小集合；1 全部保留</translation>
    </message>
    <message>
        <source>Drop tokens below this share of the best; 0 keeps all</source>
        <translation>舍去低于最佳者此比例的词元；0 全部保留</translation>
    </message>
    <message>
        <source>The same seed gives the same tokens on every machine</source>
        <translation>相同的种子在任何机器上给出相同的词元</translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation>新词元</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Min p</source>
        <translation>Min p</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Stop strings, split by |</source>
        <translation>停止串，以 | 分隔</translation>
    </message>
    <message>
        <source>Text that ends the answer and is not part of it; \n is a new line</source>
        <translation>结束回答且不属于回答的文本；\n 表示换行</translation>
    </message>
    <message>
        <source>This model has no chat template</source>
        <translation>此模型没有对话模板</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
</context>
<context>
    <name>orthros::studio::PromptPage</name>
    <message>
        <source>See what it reads</source>
        <translation>看它读了什么</translation>
    </message>
    <message>
        <source>Underline: probability under the model itself. Warm: the model was unsure. Hover, click or ← → for the top 10.</source>
        <translation>下划线：模型自己给出的概率。暖色：模型不确定。悬停、点击或按 ← → 查看前 10 个。</translation>
    </message>
    <message>
        <source>Opens prompt and answer on the Attention page: which keys x and x′ read, head by head</source>
        <translation>在“注意力”页打开提示和回答：逐头查看 x 与 x′ 读取哪些键</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新运行</translation>
    </message>
    <message>
        <source>Kept runs</source>
        <translation>已存运行</translation>
    </message>
    <message>
        <source>Click to reopen. With Ctrl or Shift up to 3 runs side by side.</source>
        <translation>点击重新打开。按住 Ctrl 或 Shift 可并排最多 3 个。</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>The same text, arms, sampling and seed, with the model that is open now</source>
        <translation>相同的文本、分支、采样和种子，用现在打开的模型</translation>
    </message>
    <message>
        <source>Copy to form</source>
        <translation>复制到表单</translation>
    </message>
    <message>
        <source>Puts text, arms and sampling into the form, to be changed</source>
        <translation>把文本、分支和采样放入表单以便修改</translation>
    </message>
    <message>
        <source>the same tokens as %1</source>
        <translation>与 %1 的词元相同</translation>
    </message>
    <message>
        <source>parts from %1 after %2 tokens; %3 of %4 shared (dashed: not)</source>
        <translation>在 %2 个词元后与 %1 分开；共有 %3 / %4（虚线：不共有）</translation>
    </message>
    <message>
        <source>reading the prompt…</source>
        <translation>正在读提示…</translation>
    </message>
    <message>
        <source>writing…</source>
        <translation>正在写…</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>All %1 tokens lie within window + sinks (%2): here the arms are the same function. Take a longer prompt or a smaller window to see them part.</source>
        <translation>全部 %1 个词元都在窗口 + 汇点（%2）之内：此时各分支是同一个函数。换更长的提示或更小的窗口，便能看到区别。</translation>
    </message>
    <message>
        <source>This model takes ids only: %1</source>
        <translation>此模型只接受编号：%1</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Run the prompt (Ctrl+Return) and the answer appears here, token by token.</source>
        <translation>运行提示（Ctrl+Return），回答会逐词元出现在这里。</translation>
    </message>
    <message>
        <source>The model is loading…</source>
        <translation>模型正在加载…</translation>
    </message>
    <message>
        <source>Open a model first: Ctrl+O, or drop one anywhere.</source>
        <translation>请先打开一个模型：Ctrl+O，或拖到任意处。</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Read kept runs</source>
        <translation>读取已存运行</translation>
    </message>
    <message>
        <source>Reopen runs</source>
        <translation>重新打开运行</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Run one prompt as Transformer, sliding-window and Orthros model</source>
        <translation>把一段提示作为 Transformer、滑动窗口和 Orthros 模型运行</translation>
    </message>
</context>
<context>
    <name>orthros::studio::PromptRunner</name>
    <message>
        <source>Prompt %1</source>
        <translation>提示 %1</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
</context>
<context>
    <name>orthros::studio::RowInspector</name>
    <message>
        <source>Layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
    </message>
    <message>
        <source>query %1  %2   ·   KV head %3</source>
        <translation>查询 %1  %2   ·   KV 头 %3</translation>
    </message>
    <message>
        <source>This row was not captured. Take level C3, or C2 with this layer, and look again.</source>
        <translation>这一行没有捕获。选择 C3，或在本层选择 C2，再查看一次。</translation>
    </message>
    <message>
        <source>x′ puts %1 of its weight on keys that x cannot see.</source>
        <translation>x′ 把 %1 的权重放在 x 看不到的键上。</translation>
    </message>
    <message>
        <source>x′ reads no key that x could not see.</source>
        <translation>x′ 没有读取 x 看不到的键。</translation>
    </message>
    <message>
        <source>Invariants hold in %1 rows</source>
        <translation>%1 行中不变量成立</translation>
    </message>
    <message>
        <source>An invariant is broken in these %1 rows</source>
        <translation>这 %1 行中有不变量不成立</translation>
    </message>
    <message>
        <source>rows sum to 1 ± %1
row · V = o ± %2 (%3: at most %4)
weights outside the support: %5%6</source>
        <translation>各行之和为 1 ± %1
行 · V = o ± %2（%3：至多 %4）
支持之外的权重：%5%6</translation>
    </message>
    <message>
        <source>x of the last layer: not used by the model</source>
        <translation>末层的 x：模型不使用</translation>
    </message>
    <message>
        <source>All captured rows of this head, both streams: double-precision sum of each row; each row times V against the engine&apos;s own attention output o; x reads the sinks and the last w keys alone, x′ keys 0 to its own.</source>
        <translation>此头全部捕获的行，两个流：各行的双精度和；各行乘 V 与引擎自己的注意力输出 o 比较；x 只读汇点和最后 w 个键，x′ 读键 0 到自身。</translation>
    </message>
</context>
<context>
    <name>orthros::studio::Screenshot</name>
    <message>
        <source>there is no page %1: %2</source>
        <translation>没有 %1 页：%2</translation>
    </message>
    <message>
        <source>cannot write %1</source>
        <translation>无法写入 %1</translation>
    </message>
</context>
<context>
    <name>orthros::studio::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>In force at the next start</source>
        <translation>下次启动时生效</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>all cores (%1)</source>
        <translation>全部核心（%1）</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>What models run on. A GPU is offered where this build has the plug-in for it.</source>
        <translation>模型在何处运行。构建带有插件时会提供 GPU。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Compute type</source>
        <translation>计算类型</translation>
    </message>
    <message>
        <source>Of products and sums; auto takes bfloat16 where the CPU has it</source>
        <translation>乘积与求和的类型；CPU 支持时 auto 取 bfloat16</translation>
    </message>
    <message>
        <source>Weights held as</source>
        <translation>权重保存为</translation>
    </message>
    <message>
        <source>auto never goes below what the file has</source>
        <translation>auto 不会低于文件的精度</translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation>KV 缓存类型</translation>
    </message>
    <message>
        <source>bfloat16 halves the cache</source>
        <translation>bfloat16 使缓存减半</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Context to plan for</source>
        <translation>计划的上下文</translation>
    </message>
    <message>
        <source>In force for models that are opened from now on. A model that does not fit with this context is refused before it is loaded, with the numbers.</source>
        <translation>对此后打开的模型生效。按此上下文放不下的模型在加载前即被拒绝，并给出数字。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Choose another folder</source>
        <translation>选择另一个文件夹</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Holds runs.sqlite, with every run, and the models converted here. A change takes effect at the next start.</source>
        <translation>保存 runs.sqlite（含每次运行）和在此转换的模型。更改在下次启动时生效。</translation>
    </message>
    <message>
        <source>Theme, threads, types, folders</source>
        <translation>主题、线程、类型、文件夹</translation>
    </message>
</context>
<context>
    <name>orthros::studio::TitleBar</name>
    <message>
        <source>Search or run a command</source>
        <translation>搜索或运行命令</translation>
    </message>
    <message>
        <source>The model that the pages work on</source>
        <translation>各页使用的模型</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>cpu · %1</source>
        <translation>cpu · %1</translation>
    </message>
    <message>
        <source>Weights held as %1</source>
        <translation>权重保存为 %1</translation>
    </message>
    <message>
        <source>Open a model…</source>
        <translation>打开模型…</translation>
    </message>
</context>
<context>
    <name>orthros::studio::TopKeys</name>
    <message>
        <source>Heaviest keys</source>
        <translation>权重最大的键</translation>
    </message>
    <message>
        <source>key %1 %2: x %3, x′ %4</source>
        <translation>键 %1 %2：x %3，x′ %4</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>unseen</source>
        <translation>不可见</translation>
    </message>
    <message>
        <source>not kept</source>
        <translation>未保存</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::AlternativesPopup</name>
    <message>
        <source>id %1 · after %2</source>
        <translation>编号 %1 · 用时 %2</translation>
    </message>
    <message>
        <source>click: go on from it</source>
        <translation>点击：由此继续</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::CommandPalette</name>
    <message>
        <source>Type what you want to do</source>
        <translation>输入您想做的事</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::GridMap</name>
    <message>
        <source>not captured</source>
        <translation>未捕获</translation>
    </message>
    <message>
        <source>%1 ↓   %2 →</source>
        <translation>%1 ↓   %2 →</translation>
    </message>
    <message>
        <source>unseen</source>
        <translation>不可见</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::HeadAtlas</name>
    <message>
        <source>Head atlas: layers down, heads across</source>
        <translation>头图集：纵向为层，横向为头</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
    </message>
    <message>
        <source>layer %1, head %2
x: %3</source>
        <translation>第 %1 层，头 %2
x：%3</translation>
    </message>
    <message>
        <source>
x′: %1</source>
        <translation>
x′：%1</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::JobBar</name>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Progress of the job</source>
        <translation>任务进度</translation>
    </message>
    <message>
        <source>All jobs of this session, newest first</source>
        <translation>本次会话的所有任务，最新在前</translation>
    </message>
    <message>
        <source>Ends this job within one step (Esc or Ctrl+.)</source>
        <translation>在一步之内结束此任务（Esc 或 Ctrl+.）</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation><numerusform>另有 %n 个</numerusform></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::MassBar</name>
    <message>
        <source>Sum of the weights of the sink keys, of the keys in the window, and of all keys before it</source>
        <translation>汇点键、窗口内的键、以及窗口之前所有键的权重之和</translation>
    </message>
    <message>
        <source>sink %1, window %2, beyond %3</source>
        <translation>汇点 %1，窗口 %2，之外 %3</translation>
    </message>
    <message>
        <source>sink %1  window %2  beyond %3</source>
        <translation>汇点 %1  窗口 %2  之外 %3</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::MemoryBar</name>
    <message>
        <source>weights %1 + KV cache %2 + activations %3 = %4; free %5</source>
        <translation>权重 %1 + KV 缓存 %2 + 激活 %3 = %4；可用 %5</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::MixerStrip</name>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::NeedleMap</name>
    <message>
        <source>not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>out of time</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>all lengths</source>
        <translation>所有长度</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>all depths</source>
        <translation>所有深度</translation>
    </message>
    <message>
        <source>depth %1</source>
        <translation>深度 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>difference %1 (95 %: %2 to %3) over %4 pairs</source>
        <translation>差 %1（95 %：%2 到 %3），%4 对</translation>
    </message>
    <message>
        <source>%1 of %2 found, %3 (95 %: %4 to %5)</source>
        <translation>找到 %1 / %2，%3（95 %：%4 到 %5）</translation>
    </message>
    <message>
        <source>placed at %1</source>
        <translation>放置于 %1</translation>
    </message>
    <message>
        <source>placed at %1 to %2</source>
        <translation>放置于 %1 到 %2</translation>
    </message>
    <message>
        <source>attention on the needle %1, even would be %2</source>
        <translation>针上的注意力 %1，均匀时为 %2</translation>
    </message>
    <message>
        <source>%1 cut by the budget</source>
        <translation>%1 个被预算截断</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>needle&apos;s depth ↓   context, tokens →</source>
        <translation>针的深度 ↓   上下文，词元 →</translation>
    </message>
    <message>
        <source>+1 difference</source>
        <translation>+1 差</translation>
    </message>
    <message>
        <source>1 found</source>
        <translation>1 找到</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::Notice</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::PairView</name>
    <message>
        <source>All rows of one head: base band left, output rows right</source>
        <translation>一个头的所有行：左为基流带，右为输出行</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>query %1</source>
        <translation>查询 %1</translation>
    </message>
    <message>
        <source>  →  key %1</source>
        <translation>  →  键 %1</translation>
    </message>
    <message>
        <source>   not captured</source>
        <translation>   未捕获</translation>
    </message>
    <message>
        <source>   x %1</source>
        <translation>   x %1</translation>
    </message>
    <message>
        <source>unseen</source>
        <translation>不可见</translation>
    </message>
    <message>
        <source>   x′ %1</source>
        <translation>   x′ %1</translation>
    </message>
    <message>
        <source>base rows x</source>
        <translation>基流行 x</translation>
    </message>
    <message>
        <source>x: sinks, last %1</source>
        <translation>x：汇点与最后 %1 个</translation>
    </message>
    <message>
        <source>x: last %1 keys</source>
        <translation>x：最后 %1 个键</translation>
    </message>
    <message>
        <source>output rows x′: every key</source>
        <translation>输出行 x′：每个键</translation>
    </message>
    <message>
        <source>asks (query) ↓</source>
        <translation>提问（查询）↓</translation>
    </message>
    <message>
        <source>is read (key) →</source>
        <translation>被读（键）→</translation>
    </message>
    <message>
        <source>oldest</source>
        <translation>最旧</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>A − B</source>
        <translation>A − B</translation>
    </message>
    <message>
        <source>log₂</source>
        <translation>log₂</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>   heaviest of %1 × %2, sum %3</source>
        <translation>   %1 × %2 中最大者，和 %3</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::RowPlot</name>
    <message>
        <source>Attention rows of both streams</source>
        <translation>两个流的注意力行</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>is read (key) →</source>
        <translation>被读（键）→</translation>
    </message>
    <message>
        <source>key %1  %2   x %3</source>
        <translation>键 %1  %2   x %3</translation>
    </message>
    <message>
        <source>   x′ %1</source>
        <translation>   x′ %1</translation>
    </message>
    <message>
        <source>↑ output stream x′</source>
        <translation>↑ 输出流 x′</translation>
    </message>
    <message>
        <source>↓ base stream x</source>
        <translation>↓ 基流 x</translation>
    </message>
    <message>
        <source>↓ base stream x (not used in the last layer)</source>
        <translation>↓ 基流 x（末层不使用）</translation>
    </message>
    <message>
        <source>base stream x: not captured</source>
        <translation>基流 x：未捕获</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::ShareTimeline</name>
    <message>
        <source>query %1   sink %2   window %3   beyond %4</source>
        <translation>查询 %1   汇点 %2   窗口 %3   之外 %4</translation>
    </message>
    <message>
        <source>query (position) →</source>
        <translation>查询（位置）→</translation>
    </message>
    <message>
        <source>sinks</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>beyond</source>
        <translation>之外</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::ShortcutOverlay</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::TokenChips</name>
    <message>
        <source>Generated tokens</source>
        <translation>生成的词元</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::TokenHeat</name>
    <message>
        <source>The prompt, tinted by attention</source>
        <translation>按注意力着色的提示</translation>
    </message>
</context>
</TS>
