<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>CaptureText</name>
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
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>Orthros, w %1, %2 sinks</source>
        <translation>Orthros，w %1，%2 个汇点</translation>
    </message>
    <message>
        <source>SWA, w %1, %2 sinks</source>
        <translation>SWA，w %1，%2 个汇点</translation>
    </message>
    <message>
        <source>%1   read as %2   %3 tokens   capture C%4   Orthros Studio %5</source>
        <translation>%1   按 %2 读取   %3 个词元   捕获级别 C%4   Orthros Studio %5</translation>
    </message>
    <message>
        <source>Induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>Σ p_j over offsets w − 8 to w − 1: the oldest keys that x can see</source>
        <translation>偏移 w − 8 到 w − 1 上的 Σ p_j：x 能看到的最旧的键</translation>
    </message>
    <message>
        <source>Σ p_j over keys whose token before is the one that asks: token(j − 1) = token(t)</source>
        <translation>前一词元等于提问词元的键上的 Σ p_j：token(j − 1) = token(t)</translation>
    </message>
    <message>
        <source>max_j p_j</source>
        <translation>max_j p_j</translation>
    </message>
    <message>
        <source>Jensen-Shannon distance of x and x′ over the last w keys, each brought to sum 1: 0 alike, 1 on different keys</source>
        <translation>x 与 x′ 在最后 w 个键上（各归一）的 Jensen-Shannon 距离：0 为相同，1 为完全不同的键</translation>
    </message>
    <message>
        <source>What the row mostly does; the farthest above its threshold:</source>
        <translation>这一行主要在做什么；取超出阈值最多者：</translation>
    </message>
    <message>
        <source>Beyond the window</source>
        <translation>窗口之外</translation>
    </message>
    <message>
        <source>Entropy / ln(n)</source>
        <translation>熵 / ln(n)</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>Itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>Mean distance</source>
        <translation>平均距离</translation>
    </message>
    <message>
        <source>In the window</source>
        <translation>窗口之内</translation>
    </message>
    <message>
        <source>Window edge</source>
        <translation>窗口边缘</translation>
    </message>
    <message>
        <source>Heaviest key</source>
        <translation>最大的键</translation>
    </message>
    <message>
        <source>x against x′</source>
        <translation>x 与 x′ 之差</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>x′ − Transformer</source>
        <translation>x′ − Transformer</translation>
    </message>
</context>
<context>
    <name>LabelText</name>
    <message>
        <source>first token</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>beyond the window</source>
        <translation>窗口之外</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>unlabelled</source>
        <translation>无标签</translation>
    </message>
    <message>
        <source>entropy / ln(support)</source>
        <translation>熵 / ln(支持数)</translation>
    </message>
    <message>
        <source>mass</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1  %2: %3 at least %4</source>
        <translation>%1  %2：%3 至少 %4</translation>
    </message>
    <message>
        <source>%1  unlabelled: below every threshold</source>
        <translation>%1  无标签：低于所有阈值</translation>
    </message>
</context>
<context>
    <name>PinText</name>
    <message>
        <source>this query</source>
        <translation>此查询</translation>
    </message>
    <message>
        <source>mean of pins</source>
        <translation>固定项均值</translation>
    </message>
    <message>
        <source>heaviest of pins</source>
        <translation>固定项最大</translation>
    </message>
    <message>
        <source>sum of pins</source>
        <translation>固定项之和</translation>
    </message>
    <message>
        <source>mean of %1 queries</source>
        <translation>%1 个查询的均值</translation>
    </message>
    <message>
        <source>heaviest of %1 queries</source>
        <translation>%1 个查询的最大</translation>
    </message>
    <message>
        <source>sum of %1 queries</source>
        <translation>%1 个查询之和</translation>
    </message>
</context>
<context>
    <name>ScaleText</name>
    <message>
        <source>log₂</source>
        <translation>log₂</translation>
    </message>
    <message>
        <source>lift</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>row max</source>
        <translation>行内最大</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>log₂ p, from 2⁻¹⁶ to 1</source>
        <translation>log₂ p，从 2⁻¹⁶ 到 1</translation>
    </message>
    <message>
        <source>p × visible keys: 1 is a row of equal weights, in x as in x′</source>
        <translation>p × 可见键数：1 表示等权的一行，x 与 x′ 相同</translation>
    </message>
    <message>
        <source>p, from 0 to the heaviest</source>
        <translation>p，从 0 到最大</translation>
    </message>
    <message>
        <source>p / the heaviest weight of its row</source>
        <translation>p / 本行最大权重</translation>
    </message>
    <message>
        <source>share of the row&apos;s visible keys that weigh less</source>
        <translation>本行可见键中权重更小者所占比例</translation>
    </message>
</context>
<context>
    <name>UnitText</name>
    <message>
        <source>token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>tokens %1 to %2</source>
        <translation>词元 %1 到 %2</translation>
    </message>
    <message>
        <source>%1: bytes %2</source>
        <translation>%1：字节 %2</translation>
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
        <source>A capture is running: stop it, then ask again.</source>
        <translation>正在捕获：请先停止，再重新请求。</translation>
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
        <source>Layer %1, head %2: %3</source>
        <translation>第 %1 层，头 %2：%3</translation>
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
    <message>
        <source>x′ as tint, x as underline; tab: has x′; corner: the keys of 70 % of x′. Click pins, Shift+click adds.</source>
        <translation>x′ 为底色，x 为下划线；小签：有 x′；角标：占 x′ 70 % 的键。单击固定，Shift+单击添加。</translation>
    </message>
    <message>
        <source>→ next</source>
        <translation>→ 预测</translation>
    </message>
    <message>
        <source>After each token that predicts: the likeliest next token and its probability</source>
        <translation>在每个作预测的词元之后：最可能的下一个词元及其概率</translation>
    </message>
    <message>
        <source>Show what each token predicts</source>
        <translation>显示每个词元的预测</translation>
    </message>
    <message>
        <source>Find a token  /</source>
        <translation>查找词元  /</translation>
    </message>
    <message>
        <source>Find a token</source>
        <translation>查找词元</translation>
    </message>
    <message>
        <source>Attention: next scale of the weights</source>
        <translation>注意力：权重的下一种标度</translation>
    </message>
    <message>
        <source>Attention: heaviest or sum of a bin</source>
        <translation>注意力：分箱取最大或求和</translation>
    </message>
    <message>
        <source>Attention: sink lane</source>
        <translation>注意力：汇点道</translation>
    </message>
    <message>
        <source>Attention: base stream x alone</source>
        <translation>注意力：只看基流 x</translation>
    </message>
    <message>
        <source>Attention: output stream x′ alone</source>
        <translation>注意力：只看输出流 x′</translation>
    </message>
    <message>
        <source>Attention: both streams</source>
        <translation>注意力：两个流</translation>
    </message>
    <message>
        <source>Attention: to the head atlas</source>
        <translation>注意力：转到头图集</translation>
    </message>
    <message>
        <source>Attention: pin the query under the cursor</source>
        <translation>注意力：固定光标处的查询</translation>
    </message>
    <message>
        <source>Attention: add that query to the pins</source>
        <translation>注意力：把该查询加入固定项</translation>
    </message>
    <message>
        <source>Attention: find a token</source>
        <translation>注意力：查找词元</translation>
    </message>
    <message>
        <source>Attention: next pin</source>
        <translation>注意力：下一个固定项</translation>
    </message>
    <message>
        <source>Tokens as CSV…</source>
        <translation>词元：CSV…</translation>
    </message>
    <message>
        <source>Order of the heads</source>
        <translation>头的次序</translation>
    </message>
    <message>
        <source>No token has this text</source>
        <translation>没有词元含此文本</translation>
    </message>
    <message>
        <source>Enter: the next one (/)</source>
        <translation>回车：下一个（/）</translation>
    </message>
    <message>
        <source>one stream</source>
        <translation>一个流</translation>
    </message>
    <message>
        <source>The model of this capture is not open: open it, then compare with the Transformer.</source>
        <translation>这次捕获的模型没有打开：先打开它，再与 Transformer 比较。</translation>
    </message>
    <message>
        <source>Read as a Transformer</source>
        <translation>按 Transformer 读取</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>原位</translation>
    </message>
    <message>
        <source>by layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>by value</source>
        <translation>按值</translation>
    </message>
    <message>
        <source>Heads in place with their KV groups; the strongest of each layer first; the strongest of all first</source>
        <translation>头按原位并显示 KV 组；或每层最强的在前；或全部最强的在前</translation>
    </message>
    <message>
        <source>mostly %1: scores shown</source>
        <translation>多为%1：显示分数</translation>
    </message>
    <message>
        <source>In the views: query and key</source>
        <translation>视图中：查询与键</translation>
    </message>
    <message>
        <source>Shift+arrows</source>
        <translation>Shift+方向键</translation>
    </message>
    <message>
        <source>In the views: by 10</source>
        <translation>视图中：每次 10 个</translation>
    </message>
    <message>
        <source>Ctrl+arrows</source>
        <translation>Ctrl+方向键</translation>
    </message>
    <message>
        <source>In the views: by paragraph</source>
        <translation>视图中：按段落</translation>
    </message>
    <message>
        <source>All rows: zoom</source>
        <translation>所有行：缩放</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>All rows: everything</source>
        <translation>所有行：全部显示</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>All rows: pin the query</source>
        <translation>所有行：固定查询</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Ctrl+C</translation>
    </message>
    <message>
        <source>In the strip: copy the exact bytes</source>
        <translation>词元条中：复制确切字节</translation>
    </message>
    <message>
        <source>Query vectors as CSV…</source>
        <translation>查询向量存为 CSV…</translation>
    </message>
    <message>
        <source>Query vectors as NumPy array…</source>
        <translation>查询向量存为 NumPy 数组…</translation>
    </message>
    <message>
        <source>Attention: keys or query vectors in the inspector</source>
        <translation>注意力：检查器中显示键或查询向量</translation>
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
        <source>A and B are the same in every row.</source>
        <translation>A 与 B 的每一行都相同。</translation>
    </message>
    <message>
        <source>Largest difference of one weight: %1</source>
        <translation>单个权重的最大差值：%1</translation>
    </message>
    <message>
        <source>Against the Transformer</source>
        <translation>与 Transformer 比较</translation>
    </message>
    <message>
        <source>x′ of this head minus the row of the same head when the same weights read the same tokens as a Transformer: one pass more</source>
        <translation>此头的 x′ 减去相同权重按 Transformer 读相同词元时同一头的行：多一次前向</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>w %1, %2 sinks</source>
        <translation>w %1，%2 个汇点</translation>
    </message>
    <message>
        <source>Aligned by tokens: %1 of %2 in A and of %3 in B. Weight on the others, left out: A %4, B %5 of a row. </source>
        <translation>按词元对齐：A 的 %2 个与 B 的 %3 个中有 %1 个。其余词元上的权重未计入：A 每行 %4，B 每行 %5。</translation>
    </message>
    <message>
        <source>The same weights read these tokens as a Transformer…</source>
        <translation>相同权重正按 Transformer 读取这些词元…</translation>
    </message>
    <message>
        <source>Make a head A. Then choose another head in the atlas, or look again with another window, model or text: the picture is A − B, row by row, aligned by tokens.</source>
        <translation>先把一个头设为 A。再在图集中选另一个头，或换窗口、模型或文本后再查看：图为逐行的 A − B，按词元对齐。</translation>
    </message>
    <message>
        <source>A and B have no captured row of the same token: a difference would say nothing. Look at texts that share tokens, with the same capture level.</source>
        <translation>A 与 B 没有同一词元的已捕获行：相减没有意义。请用相同捕获级别查看有共同词元的文本。</translation>
    </message>
</context>
<context>
    <name>orthros::studio::HeadViews</name>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>KV map</source>
        <translation>KV 图</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
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
    <message>
        <source>Both rows of one query on one key axis (R)</source>
        <translation>一个查询的两行，共用一个键轴（R）</translation>
    </message>
    <message>
        <source>Every captured row: the base band unrolled, the output rows in full (A)</source>
        <translation>所有捕获的行：展开的基流带与完整的输出行（A）</translation>
    </message>
    <message>
        <source>Which keys of the cache each layer reads (V)</source>
        <translation>各层读取缓存中的哪些键（V）</translation>
    </message>
    <message>
        <source>How the weight is split at every position (T)</source>
        <translation>每个位置上权重如何划分（T）</translation>
    </message>
    <message>
        <source>Two heads, or two captures, and their difference (C)</source>
        <translation>两个头或两次捕获，以及它们的差（C）</translation>
    </message>
    <message>
        <source>bins: sum</source>
        <translation>分箱：求和</translation>
    </message>
    <message>
        <source>sink lane: key %1</source>
        <translation>汇点道：键 %1</translation>
    </message>
    <message>
        <source>rows, %1</source>
        <translation>行，%1</translation>
    </message>
</context>
<context>
    <name>orthros::studio::RowInspector</name>
    <message>
        <source>Layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
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
    <message>
        <source>KV head %1</source>
        <translation>KV 头 %1</translation>
    </message>
    <message>
        <source>query %1  %2</source>
        <translation>查询 %1  %2</translation>
    </message>
    <message>
        <source>predicts %1 with %2</source>
        <translation>预测 %1，概率 %2</translation>
    </message>
    <message>
        <source>label: unlabelled, below every threshold</source>
        <translation>标签：无，低于所有阈值</translation>
    </message>
    <message>
        <source>label: %1, %2 (threshold %3)</source>
        <translation>标签：%1，%2（阈值 %3）</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Where the rows&apos; weight goes (Q)</source>
        <translation>各行的权重去向（Q）</translation>
    </message>
    <message>
        <source>The query before and after scale-offset (Q)</source>
        <translation>缩放偏移前后的查询（Q）</translation>
    </message>
    <message>
        <source>The smallest set of keys whose weights add up to 70 % of the row, at most %1, and what is left. Those of x′ have a corner in the strip above.</source>
        <translation>权重之和达到该行 70 % 的最小键集合（至多 %1 个），以及其余部分。x′ 的这些键在上方条带中带有角标。</translation>
    </message>
    <message>
        <source>1 key</source>
        <translation>1 个键</translation>
    </message>
    <message>
        <source>%1 keys</source>
        <translation>%1 个键</translation>
    </message>
    <message>
        <source>%1: %2 reach %3, rest %4 %5</source>
        <translation>%1：%2达到 %3，其余 %4 %5</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>在 %1</translation>
    </message>
    <message>
        <source>in the kept bins</source>
        <translation>在保存的分段中</translation>
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
    <message>
        <source>key %1</source>
        <translation>键 %1</translation>
    </message>
</context>
<context>
    <name>orthros::studio::ViewTools</name>
    <message>
        <source>Σ bins</source>
        <translation>Σ 分箱</translation>
    </message>
    <message>
        <source>Sink lane</source>
        <translation>汇点道</translation>
    </message>
    <message>
        <source>Scale of the weights</source>
        <translation>权重的标度</translation>
    </message>
    <message>
        <source>Where a pixel stands for several cells: their sum in place of the heaviest (S)</source>
        <translation>一个像素代表多个单元时：以和代替最大值（S）</translation>
    </message>
    <message>
        <source>Leaves key 0, and keys with more than 0.30 of the mean row (at most 4), out of the colour range. Numbers stay as they are (K)</source>
        <translation>把键 0 以及平均行中占比超过 0.30 的键（至多 4 个）排除在颜色范围之外。数值不变（K）</translation>
    </message>
    <message>
        <source>The base stream x alone (B); both streams (X)</source>
        <translation>只看基流 x（B）；两个流（X）</translation>
    </message>
    <message>
        <source>The output stream x′ alone (O); both streams (X)</source>
        <translation>只看输出流 x′（O）；两个流（X）</translation>
    </message>
    <message>
        <source>Show the base stream</source>
        <translation>显示基流</translation>
    </message>
    <message>
        <source>Show the output stream</source>
        <translation>显示输出流</translation>
    </message>
    <message>
        <source>Rows of the pinned queries</source>
        <translation>固定查询的行</translation>
    </message>
    <message>
        <source>What is shown of several pinned queries: one of them (Tab goes on), or all as one row</source>
        <translation>多个固定查询如何显示：其中一个（Tab 换下一个），或合成一行</translation>
    </message>
    <message>
        <source>%1 (L goes on)</source>
        <translation>%1（L 换下一种）</translation>
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
        <source>
x′: %1</source>
        <translation>
x′：%1</translation>
    </message>
    <message>
        <source>rank of all heads, strongest first</source>
        <translation>全部头的排名，最强在前</translation>
    </message>
    <message>
        <source>strongest head of each layer first</source>
        <translation>每层最强的头在前</translation>
    </message>
    <message>
        <source>not captured</source>
        <translation>未捕获</translation>
    </message>
    <message>
        <source>layer %1, head %2, KV head %3
x: %4</source>
        <translation>第 %1 层，头 %2，KV 头 %3
x：%4</translation>
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
        <source>   heaviest of %1 × %2, sum %3</source>
        <translation>   %1 × %2 中最大者，和 %3</translation>
    </message>
    <message>
        <source>, bins: sum</source>
        <translation>，分箱：求和</translation>
    </message>
    <message>
        <source>, bins: heaviest</source>
        <translation>，分箱：最大</translation>
    </message>
    <message>
        <source>key %1 %2</source>
        <translation>键 %1 %2</translation>
    </message>
    <message>
        <source>  x %1</source>
        <translation>  x %1</translation>
    </message>
    <message>
        <source>  x′ %1</source>
        <translation>  x′ %1</translation>
    </message>
    <message>
        <source>, tick: uniform row</source>
        <translation>，刻线：均匀的行</translation>
    </message>
    <message>
        <source>Sink lane, left out of the colour range (query %1):</source>
        <translation>汇点道，不计入颜色范围（查询 %1）：</translation>
    </message>
    <message>
        <source>Sink lane (query %1):</source>
        <translation>汇点道（查询 %1）：</translation>
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
    <message>
        <source>1 (uniform)</source>
        <translation>1（均匀）</translation>
    </message>
    <message>
        <source>1/%1 (uniform)</source>
        <translation>1/%1（均匀）</translation>
    </message>
    <message>
        <source>, bins: sum</source>
        <translation>，分箱：求和</translation>
    </message>
    <message>
        <source>, bins: heaviest</source>
        <translation>，分箱：最大</translation>
    </message>
    <message>
        <source>sink %1: %2</source>
        <translation>汇点 %1：%2</translation>
    </message>
    <message>
        <source>unseen</source>
        <translation>不可见</translation>
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
    <name>orthros::widgets::TokenHeat</name>
    <message>
        <source>The prompt, tinted by attention</source>
        <translation>按注意力着色的提示</translation>
    </message>
    <message>
        <source>x %1</source>
        <translation>x %1</translation>
    </message>
    <message>
        <source>x %1, x′ %2</source>
        <translation>x %1，x′ %2</translation>
    </message>
    <message>
        <source>then predicts %1 with %2</source>
        <translation>随后预测 %1，概率 %2</translation>
    </message>
    <message>
        <source>sink lane: not tinted</source>
        <translation>汇点道：不着色</translation>
    </message>
    <message>
        <source>corner: %1 of the %2 heaviest keys, which hold %3 of %4</source>
        <translation>角标：%2 个最重的键中的 %1 个，它们共占 %4 的 %3</translation>
    </message>
</context>
<context>
    <name>orthros::studio::QueryPanel</name>
    <message>
        <source>Copy values</source>
        <translation>复制数值</translation>
    </message>
    <message>
        <source>Copies both streams&apos; vectors as a table of full floats (Ctrl+C in the picture)</source>
        <translation>把两个流的向量复制为完整浮点数的表格（在图中按 Ctrl+C）</translation>
    </message>
    <message>
        <source>This capture was kept without the queries: look again to see them.</source>
        <translation>此捕获保存时没有查询向量：重新查看即可看到。</translation>
    </message>
    <message>
        <source>This layer has no scale-offset: q is x W_Q and q′ is x′ W_Q, the same up to the input.</source>
        <translation>本层没有缩放偏移：q 为 x W_Q，q′ 为 x′ W_Q，除输入外相同。</translation>
    </message>
    <message>
        <source>This layer has no scale-offset: q is x W_Q.</source>
        <translation>本层没有缩放偏移：q 为 x W_Q。</translation>
    </message>
    <message>
        <source>The query of this row was not captured. Take level C3, or C2 with this layer, and look again.</source>
        <translation>这一行的查询没有捕获。选择 C3，或在本层选择 C2，再查看一次。</translation>
    </message>
    <message>
        <source>Query %1. W_Q is shared, α and β are not.</source>
        <translation>查询 %1。W_Q 共用，α 和 β 各不相同。</translation>
    </message>
    <message>
        <source>The engine&apos;s own vectors of this head, by dimension: the product of the normed row and W_Q, and what scale-offset makes of it, before query norm (where the model has one) and rotation.</source>
        <translation>引擎自己的此头向量，按维度：归一化后的行与 W_Q 之积，以及缩放偏移之后的结果，在查询归一化（若模型有）和旋转之前。</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::QueryBars</name>
    <message>
        <source>The query before and after scale-offset, by dimension</source>
        <translation>缩放偏移前后的查询，按维度</translation>
    </message>
    <message>
        <source>|q| %1 → %2   cosine %3</source>
        <translation>|q| %1 → %2   余弦 %3</translation>
    </message>
    <message>
        <source>dimension %1: %2 → %3</source>
        <translation>维度 %1：%2 → %3</translation>
    </message>
    <message>
        <source>before: x W_Q</source>
        <translation>之前：x W_Q</translation>
    </message>
    <message>
        <source>after: α ⊙ x W_Q + β</source>
        <translation>之后：α ⊙ x W_Q + β</translation>
    </message>
    <message>
        <source>dimension 0 to %1</source>
        <translation>维度 0 至 %1</translation>
    </message>
</context>
</TS>
