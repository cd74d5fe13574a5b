<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Formula</name>
    <message>
        <source> more</source>
        <comment>after a number of products</comment>
        <translation> 项</translation>
    </message>
</context>
<context>
    <name>LessonText</name>
    <message>
        <source>Questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>both streams are normed</source>
        <translation>两条流归一化</translation>
    </message>
    <message>
        <source>keys and values from x</source>
        <translation>由 x 得到键和值</translation>
    </message>
    <message>
        <source>keys and values go on the shelf</source>
        <translation>键和值放上书架</translation>
    </message>
    <message>
        <source>x asks: q by α and β</source>
        <translation>x 提问：q 经 α 和 β</translation>
    </message>
    <message>
        <source>x reads its window</source>
        <translation>x 读自己的窗口</translation>
    </message>
    <message>
        <source>x′ asks: q′ by α′ and β′</source>
        <translation>x′ 提问：q′ 经 α′ 和 β′</translation>
    </message>
    <message>
        <source>x′ reads the whole shelf</source>
        <translation>x′ 读整个书架</translation>
    </message>
    <message>
        <source>W_O, and added to the row</source>
        <translation>W_O，并加到这一行</translation>
    </message>
    <message>
        <source>feed-forward, and added</source>
        <translation>前馈网络，并相加</translation>
    </message>
    <message>
        <source>on to the next layer</source>
        <translation>进入下一层</translation>
    </message>
    <message>
        <source>x is dropped</source>
        <translation>丢掉 x</translation>
    </message>
    <message>
        <source>LM head on x′ alone</source>
        <translation>LM 头只读 x′</translation>
    </message>
    <message>
        <source>the next word</source>
        <translation>下一个词</translation>
    </message>
    <message>
        <source>End %1 of 3 · %2</source>
        <translation>结尾 %1/3 · %2</translation>
    </message>
    <message>
        <source>Layer %1, step %2 of 11 · %3</source>
        <translation>第 %1 层，第 %2/11 步 · %3</translation>
    </message>
    <message>
        <source>base stream x</source>
        <translation>基础流 x</translation>
    </message>
    <message>
        <source>One row a token, in every layer. It alone makes keys and values.</source>
        <translation>每层每个词元一行。只有它产生键和值。</translation>
    </message>
    <message>
        <source>output stream x′</source>
        <translation>输出流 x′</translation>
    </message>
    <message>
        <source>One row at each position where the next word is predicted. It starts as a copy of x and only reads.</source>
        <translation>在每个预测下一个词的位置有一行。开始时是 x 的副本，只读。</translation>
    </message>
    <message>
        <source>key, value</source>
        <translation>键、值</translation>
    </message>
    <message>
        <source>Two vectors of a token: the key says what is there, the value is what a reader takes.</source>
        <translation>词元的两个向量：键说明那里有什么，值是读者取走的内容。</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>The vector a row asks with; it is compared with every key.</source>
        <translation>一行用来提问的向量；它与每个键比较。</translation>
    </message>
    <message>
        <source>KV shelf</source>
        <translation>KV 书架</translation>
    </message>
    <message>
        <source>The KV cache: keys and values of all tokens of a layer. Nothing is evicted.</source>
        <translation>KV 缓存：一层中全部词元的键和值。什么也不丢。</translation>
    </message>
    <message>
        <source>window w</source>
        <translation>窗口 w</translation>
    </message>
    <message>
        <source>How many keys a row of x may read: its own and w − 1 before. Storing is not limited.</source>
        <translation>一行 x 可以读多少个键：自己的和之前 w − 1 个。存储不受限制。</translation>
    </message>
    <message>
        <source>scale-offset</source>
        <translation>缩放平移</translation>
    </message>
    <message>
        <source>Vectors α, β for x and α′, β′ for x′ that stretch and shift the query.</source>
        <translation>x 的 α、β 和 x′ 的 α′、β′，用来拉伸和平移查询。</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>One of several attentions side by side, each with its own part of the vectors.</source>
        <translation>并列的几个注意力之一，各用向量的一部分。</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>Turns scores into weights between 0 and 1 that sum to 1.</source>
        <translation>把分数变成 0 到 1 之间、总和为 1 的权重。</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>The row itself, to which every step adds its result.</source>
        <translation>这一行本身，每一步都把结果加上去。</translation>
    </message>
    <message>
        <source>RoPE</source>
        <translation>RoPE</translation>
    </message>
    <message>
        <source>Turns query and key by an angle that grows with the position.</source>
        <translation>把查询和键转一个随位置增大的角度。</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Reading a prompt in one pass; one prediction, at its end.</source>
        <translation>一遍读完提示；只在结尾预测一次。</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Writing: one new token a step, through the cache.</source>
        <translation>写：每步一个新词元，经过缓存。</translation>
    </message>
    <message>
        <source>PT, SFT</source>
        <translation>PT、SFT</translation>
    </message>
    <message>
        <source>Pre-training predicts everywhere; supervised fine-tuning on answers alone.</source>
        <translation>预训练处处预测；监督微调只在答案上预测。</translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>A multiplication or an addition of two numbers.</source>
        <translation>两个数的一次乘法或加法。</translation>
    </message>
    <message>
        <source>x′ starts as a copy of x</source>
        <translation>x′ 开始时是 x 的副本</translation>
    </message>
</context>
<context>
    <name>orthros::studio::CardPanel</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课</translation>
    </message>
    <message>
        <source>Idea</source>
        <translation>思路</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>Esc leaves this view, Space goes on</source>
        <translation>Esc 退出此视图，空格键继续</translation>
    </message>
    <message>
        <source>Esc leaves this view, Return checks</source>
        <translation>Esc 退出此视图，回车键检查</translation>
    </message>
</context>
<context>
    <name>orthros::studio::LessonLibrary</name>
    <message>
        <source>Read the lessons</source>
        <translation>读取课程</translation>
    </message>
</context>
<context>
    <name>orthros::studio::LessonsPage</name>
    <message>
        <source>the lesson model: 2 layers, w = 4</source>
        <translation>课程模型：2 层，w = 4</translation>
    </message>
    <message>
        <source>Pre-training</source>
        <translation>预训练</translation>
    </message>
    <message>
        <source>x′ at every position (1)</source>
        <translation>每个位置都有 x′（1）</translation>
    </message>
    <message>
        <source>Tuning</source>
        <translation>微调</translation>
    </message>
    <message>
        <source>SFT: x′ where an answer is predicted (2)</source>
        <translation>SFT：在预测答案处有 x′（2）</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>x′ at the last token of the prompt (3)</source>
        <translation>提示的最后一个词元处有 x′（3）</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>One new token: one row of x, one of x′ (4)</source>
        <translation>一个新词元：一行 x，一行 x′（4）</translation>
    </message>
    <message>
        <source>Output copies</source>
        <translation>输出副本</translation>
    </message>
    <message>
        <source>Switch x′ off and on: the shelf stays as it is (O)</source>
        <translation>关闭和打开 x′：书架不变（O）</translation>
    </message>
    <message>
        <source>Scale-offset</source>
        <translation>缩放平移</translation>
    </message>
    <message>
        <source>With and without α, β, α′, β′ (S)</source>
        <translation>有或没有 α、β、α′、β′（S）</translation>
    </message>
    <message>
        <source>Your model</source>
        <translation>你的模型</translation>
    </message>
    <message>
        <source>The same needle on the current model, w = 128</source>
        <translation>在当前模型上找同样的针，w = 128</translation>
    </message>
    <message>
        <source>Speed of moves</source>
        <translation>动画速度</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>词汇表</translation>
    </message>
    <message>
        <source>What the words mean (G)</source>
        <translation>词语的意思（G）</translation>
    </message>
    <message>
        <source>Export (E)</source>
        <translation>导出（E）</translation>
    </message>
    <message>
        <source>Presenter view (P or F11)</source>
        <translation>演示视图（P 或 F11）</translation>
    </message>
    <message>
        <source>This step as SVG…</source>
        <translation>这一步导出为 SVG…</translation>
    </message>
    <message>
        <source>This step as PNG…</source>
        <translation>这一步导出为 PNG…</translation>
    </message>
    <message>
        <source>This step as PDF…</source>
        <translation>这一步导出为 PDF…</translation>
    </message>
    <message>
        <source>The whole lesson as PDF…</source>
        <translation>整课导出为 PDF…</translation>
    </message>
    <message>
        <source>Next card</source>
        <translation>下一张卡片</translation>
    </message>
    <message>
        <source>Card before</source>
        <translation>上一张卡片</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Step before</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>Token before</source>
        <translation>上一个词元</translation>
    </message>
    <message>
        <source>Regime: pre-training</source>
        <translation>方式：预训练</translation>
    </message>
    <message>
        <source>Regime: tuning</source>
        <translation>方式：微调</translation>
    </message>
    <message>
        <source>Regime: prefill</source>
        <translation>方式：预填充</translation>
    </message>
    <message>
        <source>Regime: decode</source>
        <translation>方式：解码</translation>
    </message>
    <message>
        <source>Output copies off and on</source>
        <translation>关闭和打开输出副本</translation>
    </message>
    <message>
        <source>Scale-offset off and on</source>
        <translation>关闭和打开缩放平移</translation>
    </message>
    <message>
        <source>Deeper: idea, shapes, numbers</source>
        <translation>更深：思路、形状、数字</translation>
    </message>
    <message>
        <source>Next head</source>
        <translation>下一个头</translation>
    </message>
    <message>
        <source>Head before</source>
        <translation>上一个头</translation>
    </message>
    <message>
        <source>Next layer, same step</source>
        <translation>下一层，同一步</translation>
    </message>
    <message>
        <source>Layer before, same step</source>
        <translation>上一层，同一步</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>Lesson before</source>
        <translation>上一课</translation>
    </message>
    <message>
        <source>Presenter view</source>
        <translation>演示视图</translation>
    </message>
    <message>
        <source>Presenter view (full screen)</source>
        <translation>演示视图（全屏）</translation>
    </message>
    <message>
        <source>Export this step…</source>
        <translation>导出这一步…</translation>
    </message>
    <message>
        <source>Export the lesson as PDF…</source>
        <translation>把这一课导出为 PDF…</translation>
    </message>
    <message>
        <source>Output copies %1: the shelf of layer %2 is the same bit for bit, sha256 %3</source>
        <translation>输出副本%1：第 %2 层的书架逐位相同，sha256 %3</translation>
    </message>
    <message>
        <source>Output copies %1: the shelf of layer %2 differs, sha256 %3</source>
        <translation>输出副本%1：第 %2 层的书架不同，sha256 %3</translation>
    </message>
    <message>
        <source>on</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The needle on %1</source>
        <translation>%1 上的针</translation>
    </message>
    <message>
        <source>Lesson model, %1, shelf sha256 %2</source>
        <translation>课程模型，%1，书架 sha256 %2</translation>
    </message>
    <message>
        <source>Open the lesson model</source>
        <translation>打开课程模型</translation>
    </message>
    <message>
        <source>Trace the lesson&apos;s passes</source>
        <translation>记录这一课的过程</translation>
    </message>
    <message>
        <source>Ledger up to here</source>
        <translation>到此为止的账本</translation>
    </message>
    <message>
        <source>rows of x, x′</source>
        <translation>x、x′ 的行</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>x has read</source>
        <translation>x 读了</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>x′ has read</source>
        <translation>x′ 读了</translation>
    </message>
    <message>
        <source>full attention</source>
        <translation>完整注意力</translation>
    </message>
    <message>
        <source>work so far</source>
        <translation>到此的工作</translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>Transformer, whole</source>
        <translation>Transformer 全部</translation>
    </message>
    <message>
        <source>Point at x, x′, the shelf, the weights in turn</source>
        <translation>依次指向 x、x′、书架、权重</translation>
    </message>
    <message>
        <source>Point at the one before</source>
        <translation>指向上一个</translation>
    </message>
    <message>
        <source>Next number of what is pointed at</source>
        <translation>所指处的下一个数</translation>
    </message>
    <message>
        <source>Number before</source>
        <translation>上一个数</translation>
    </message>
    <message>
        <source>Number below</source>
        <translation>下方的数</translation>
    </message>
    <message>
        <source>Number above</source>
        <translation>上方的数</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>See step by step how two streams read one shelf</source>
        <translation>一步一步看两条流怎样读同一个书架</translation>
    </message>
    <message>
        <source>Question %1 of %2 · %3 right</source>
        <translation>第 %1 题，共 %2 题 · 答对 %3 题</translation>
    </message>
    <message>
        <source>Card %1 of %2, then %3 questions</source>
        <translation>第 %1 张卡片，共 %2 张，之后 %3 题</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>To the first lesson</source>
        <translation>回到第一课</translation>
    </message>
    <message>
        <source>The stage and the numbers wait for: %1. Ctrl+. stops it.</source>
        <translation>舞台和数字在等待：%1。按 Ctrl+. 可停止它。</translation>
    </message>
    <message>
        <source>The engine is at work</source>
        <translation>引擎正忙</translation>
    </message>
    <message>
        <source>The picture is at layer %1, step %2.</source>
        <translation>图在第 %1 层第 %2 步。</translation>
    </message>
    <message>
        <source>The picture is at the end, step %1.</source>
        <translation>图在结尾第 %1 步。</translation>
    </message>
    <message>
        <source>Back to the question (Home)</source>
        <translation>回到本题（Home）</translation>
    </message>
    <message>
        <source>Back to the card (Home)</source>
        <translation>回到卡片（Home）</translation>
    </message>
    <message>
        <source>This card has no shapes to show.</source>
        <translation>这张卡片没有形状可说。</translation>
    </message>
    <message>
        <source>This card has no numbers to show.</source>
        <translation>这张卡片没有数字可说。</translation>
    </message>
    <message>
        <source>Back to the step of the card</source>
        <translation>回到卡片的那一步</translation>
    </message>
</context>
<context>
    <name>orthros::studio::QuestionPanel</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Your number</source>
        <translation>你的数</translation>
    </message>
    <message>
        <source>Position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>Write a number first.</source>
        <translation>先写一个数。</translation>
    </message>
    <message>
        <source>Choose something first.</source>
        <translation>先选一个。</translation>
    </message>
    <message>
        <source>✓ Right. %1</source>
        <translation>✓ 对。%1</translation>
    </message>
    <message>
        <source>✗ Not yet. Look at the stage and try again.</source>
        <translation>✗ 还不对。看看舞台，再试一次。</translation>
    </message>
</context>
<context>
    <name>orthros::studio::YourModelView</name>
    <message>
        <source>needle</source>
        <translation>针</translation>
    </message>
    <message>
        <source>The same on %1</source>
        <translation>在 %1 上同样如此</translation>
    </message>
    <message>
        <source>%1 as Orthros, w = %2, reads %3 tokens; the needle lies far outside the window.</source>
        <translation>%1 作为 Orthros（w = %2）读 %3 个词元；针远在窗口之外。</translation>
    </message>
    <message>
        <source>x′ of the last token reads all %1 keys. Of its weight in layer %2, head %3, %4 lies on the needle (keys %5 to %6; all counted from 0, as in the explorer).</source>
        <translation>最后一个词元的 x′ 读全部 %1 个键。在第 %2 层第 %3 头，它的权重有 %4 在针上（键 %5 到 %6；与浏览器一样都从 0 数起）。</translation>
    </message>
    <message>
        <source>x reads %1 keys; of the weight of any of its heads at most %2 lies on the needle.</source>
        <translation>x 读 %1 个键；它任何一个头的权重至多有 %2 在针上。</translation>
    </message>
    <message>
        <source>Both rows of layer %1, head %2</source>
        <translation>第 %1 层第 %2 头的两行</translation>
    </message>
    <message>
        <source>Point at a bar, or walk along the keys with the arrow keys.</source>
        <translation>指向一根条，或用方向键沿各键移动。</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>This text in the attention explorer, at this head</source>
        <translation>在注意力浏览器中看这段文本、这个头</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::EquationView</name>
    <message>
        <source>Equations of this step</source>
        <translation>这一步的公式</translation>
    </message>
    <message>
        <source>This step</source>
        <translation>这一步</translation>
    </message>
    <message>
        <source>This number</source>
        <translation>这个数</translation>
    </message>
    <message>
        <source>Point at a square of a cell or at a place of the shelf.</source>
        <translation>指向格子中的小方块，或书架上的一格。</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::LessonStage</name>
    <message>
        <source>Stage: the lanes of x and x′, the shared weights and the KV shelf</source>
        <translation>舞台：x 和 x′ 的两条道、共用权重和 KV 书架</translation>
    </message>
    <message>
        <source>shared weights</source>
        <translation>共用权重</translation>
    </message>
    <message>
        <source>KV shelf</source>
        <translation>KV 书架</translation>
    </message>
    <message>
        <source>layer %1 · head %2</source>
        <translation>第 %1 层 · 第 %2 头</translation>
    </message>
    <message>
        <source>only x writes here</source>
        <translation>只有 x 在这里写</translation>
    </message>
    <message>
        <source>not used by the model: nothing reads it</source>
        <translation>模型不用它：没有人读</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::StepBar</name>
    <message>
        <source>Steps of the pass</source>
        <translation>过程的各步</translation>
    </message>
    <message>
        <source>layer %1, step %2: %3</source>
        <translation>第 %1 层，第 %2 步：%3</translation>
    </message>
    <message>
        <source>end: %1</source>
        <translation>结尾：%1</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结尾</translation>
    </message>
</context>
</TS>
