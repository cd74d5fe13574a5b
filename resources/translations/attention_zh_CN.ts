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
</TS>
