<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
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
        <source>%1 in %2, %3 trials a cell, seed %4 · n = %5 of %6 trials · spec %7 · build %8 · %9</source>
        <translation>%1，草堆 %2，每格 %3 次，种子 %4 · n = %5 / %6 次试验 · 规格 %7 · 版本 %8 · %9</translation>
    </message>
</context>
<context>
    <name>orthros::studio::NiahColumn</name>
    <message>
        <source>attention on the needle</source>
        <translation>针上的注意力</translation>
    </message>
    <message>
        <source>log-probability of the answer</source>
        <translation>答案的对数概率</translation>
    </message>
</context>
<context>
    <name>orthros::studio::NiahForm</name>
    <message>
        <source>Takes this arm out</source>
        <translation>移除此分支</translation>
    </message>
    <message>
        <source>Take out %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>text folder…</source>
        <translation>文本文件夹…</translation>
    </message>
    <message>
        <source>folder %1…</source>
        <translation>文件夹 %1…</translation>
    </message>
    <message>
        <source>Folder of text files to hide needles in</source>
        <translation>用来藏针的文本文件夹</translation>
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
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source> (more than is free)</source>
        <translation>（超过可用内存）</translation>
    </message>
    <message>
        <source>roughly %1</source>
        <translation>大约 %1</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>%1 · %2 free · %3</source>
        <translation>%1 · 可用 %2 · %3</translation>
    </message>
    <message>
        <source>Fold the set-up away</source>
        <translation>收起设置</translation>
    </message>
    <message>
        <source>Add arm</source>
        <translation>添加分支</translation>
    </message>
    <message>
        <source>controls</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Arms</source>
        <translation>分支</translation>
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
        <source>Also asks without a needle (should find none) and with nothing but the needle (should find all)</source>
        <translation>另外在没有针时（应当找不到）和只有针时（应当全找到）各问一遍</translation>
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
        <source>Haystack</source>
        <translation>草堆</translation>
    </message>
    <message>
        <source>What the needle is hidden in</source>
        <translation>针藏在什么里面</translation>
    </message>
    <message>
        <source>filler prose</source>
        <translation>填充文本</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>key-value lines</source>
        <translation>键值行</translation>
    </message>
    <message>
        <source>Scorer</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>How an answer is judged. Others can be added later: outputs are kept.</source>
        <translation>如何评判答案。之后还可加入其他评分：输出都已保存。</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Tokens fed to the model, all of them counted: 256, 512, 1K</source>
        <translation>输入模型的词元数，全部计入：256, 512, 1K</translation>
    </message>
    <message>
        <source>Depths</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>A number of depths, or depths in percent: 0, 50, 100. 0 is first, 100 last.</source>
        <translation>深度的个数，或以百分比写出：0, 50, 100。0 在最前，100 在最后。</translation>
    </message>
    <message>
        <source>Time from the trials that are kept; where there are none, roughly from the arithmetic. Memory as the engine predicts it at the longest length.</source>
        <translation>时间取自已保存的试验；没有时由运算量粗略估算。内存为引擎在最长长度下的预测。</translation>
    </message>
    <message>
        <source>No trial begins after the present one, until you go on (P)</source>
        <translation>当前试验之后不再开始新的试验，直到继续（P）</translation>
    </message>
    <message>
        <source>Asks every arm on the same prompts, shortest first (Ctrl+Return)</source>
        <translation>用相同的提示询问每个分支，从最短的开始（Ctrl+Return）</translation>
    </message>
    <message>
        <source>Show the whole set-up</source>
        <translation>显示全部设置</translation>
    </message>
    <message>
        <source>no model open</source>
        <translation>没有打开的模型</translation>
    </message>
</context>
<context>
    <name>orthros::studio::NiahInspector</name>
    <message>
        <source>Open in the attention explorer</source>
        <translation>在注意力浏览器中打开</translation>
    </message>
    <message>
        <source>Arm whose trials are shown</source>
        <translation>显示哪个分支的试验</translation>
    </message>
    <message>
        <source>Trials of the cell</source>
        <translation>此格的试验</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>log-prob., nats</source>
        <translation>对数概率，nat</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>The prompt around the needle</source>
        <translation>针附近的提示</translation>
    </message>
    <message>
        <source>Every head at the row that answers, on the very same ids</source>
        <translation>在完全相同的词元上，作答那一行的每个头</translation>
    </message>
    <message>
        <source>Close the inspector (Esc)</source>
        <translation>关闭检视面板（Esc）</translation>
    </message>
    <message>
        <source>%1 tokens, depth %2</source>
        <translation>%1 个词元，深度 %2</translation>
    </message>
    <message>
        <source>Read the trials</source>
        <translation>读取试验</translation>
    </message>
    <message>
        <source>found</source>
        <translation>找到</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>No trial of this cell yet.</source>
        <translation>此格还没有试验。</translation>
    </message>
    <message>
        <source>expected %1 · score %2 (%3) · %4</source>
        <translation>期望 %1 · 得分 %2（%3）· %4</translation>
    </message>
    <message>
        <source>ended by itself</source>
        <translation>自行结束</translation>
    </message>
    <message>
        <source>ended by the budget</source>
        <translation>因预算结束</translation>
    </message>
    <message>
        <source>right answer %1 nats an id, %2 of its ids most probable</source>
        <translation>正确答案每个词元 %1 nat，其中 %2 的词元概率最高</translation>
    </message>
    <message>
        <source>attention on the needle %1, even would be %2</source>
        <translation>针上的注意力 %1，均匀时为 %2</translation>
    </message>
    <message>
        <source>; most in layer %1, head %2: %3</source>
        <translation>；最多的在第 %1 层第 %2 头：%3</translation>
    </message>
    <message>
        <source>prefill %1, answer %2</source>
        <translation>预填充 %1，作答 %2</translation>
    </message>
    <message>
        <source>Read the prompt</source>
        <translation>读取提示</translation>
    </message>
    <message>
        <source>%1: %2, ids %3 to %4 of %5</source>
        <translation>%1：%2，第 %3 到 %4 个词元，共 %5 个</translation>
    </message>
</context>
<context>
    <name>orthros::studio::NiahPage</name>
    <message>
        <source>Axes</source>
        <translation>坐标轴</translation>
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
        <source>Run the needle models</source>
        <translation>运行找针模型</translation>
    </message>
    <message>
        <source>Opens the three small models that came with the program, a Transformer, one with a window alone and Orthros, and runs the quick preset on them: a few minutes</source>
        <translation>打开随程序附带的三个小模型（Transformer、只有窗口的模型和 Orthros），并用快速预设运行：几分钟</translation>
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
        <source>Point at a cell, or walk with the arrow keys; click for its trials.</source>
        <translation>指向一格，或用方向键移动；点击查看其中的试验。</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>not finished</source>
        <translation>未完成</translation>
    </message>
    <message numerus="yes">
        <source>done, %n cells without a result</source>
        <translation><numerusform>完成，%n 格没有结果</numerusform></translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Retry failed</source>
        <translation>重试失败的</translation>
    </message>
    <message>
        <source>Runs the cells without a result once more (R)</source>
        <translation>再次运行没有结果的格子（R）</translation>
    </message>
    <message>
        <source>Runs what is missing of this run (R)</source>
        <translation>运行此次运行中尚缺的部分（R）</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>Read kept runs</source>
        <translation>读取已存运行</translation>
    </message>
    <message>
        <source>%1, up to %2 tokens</source>
        <translation>%1，最长 %2 个词元</translation>
    </message>
    <message>
        <source>%1 is not here: it comes with the program, in sample_models</source>
        <translation>这里没有 %1：它随程序附带，在 sample_models 中</translation>
    </message>
    <message>
        <source>A needle model was closed before it could run</source>
        <translation>一个找针模型在运行之前被关闭了</translation>
    </message>
    <message>
        <source>The text folder of this run</source>
        <translation>此次运行的文本文件夹</translation>
    </message>
    <message>
        <source>This run hid its needles in a folder of texts: choose it in the list of haystacks, then resume.</source>
        <translation>此次运行把针藏在一个文本文件夹里：请在草堆列表中选择它，然后继续。</translation>
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
        <source>Read how long trials took</source>
        <translation>读取试验用时</translation>
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
        <source>Lengths and depths to scale</source>
        <translation>长度与深度按比例</translation>
    </message>
    <message>
        <source>Tokens from the end, with window and reach</source>
        <translation>距末尾的词元数，含窗口与可达范围</translation>
    </message>
    <message>
        <source>Pink, amber, green</source>
        <translation>粉、琥珀、绿</translation>
    </message>
    <message>
        <source>What the maps show</source>
        <translation>图上显示什么</translation>
    </message>
    <message>
        <source>What was found, alone or above what the model attended to or held likely</source>
        <translation>找到了什么：单独显示，或与模型的注意力或其认为的概率上下并列</translation>
    </message>
    <message>
        <source>found</source>
        <translation>找到</translation>
    </message>
    <message>
        <source>found + attention</source>
        <translation>找到 + 注意力</translation>
    </message>
    <message>
        <source>found + log-probability</source>
        <translation>找到 + 对数概率</translation>
    </message>
    <message>
        <source>How axes and colours are drawn</source>
        <translation>坐标轴与颜色的画法</translation>
    </message>
    <message>
        <source>One arm minus another, on the prompts that both have read (D)</source>
        <translation>一个分支减去另一个，只算两者都读过的提示（D）</translation>
    </message>
    <message>
        <source>Which arms are compared</source>
        <translation>比较哪两个分支</translation>
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
        <source>NIAH: pause, or go on</source>
        <translation>大海捞针：暂停或继续</translation>
    </message>
    <message>
        <source>NIAH: found, attention, log-probability in turn</source>
        <translation>大海捞针：依次显示找到、注意力、对数概率</translation>
    </message>
    <message>
        <source>NIAH: run the needle models that came with the program</source>
        <translation>大海捞针：运行随程序附带的找针模型</translation>
    </message>
    <message>
        <source>NIAH: fold the set-up away, or show it</source>
        <translation>大海捞针：收起或显示设置</translation>
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
        <source>Write numbers</source>
        <translation>写出数值</translation>
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
    <name>orthros::widgets::NeedleMap</name>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>needle&apos;s depth ↓   context, tokens, to scale →</source>
        <translation>针的深度 ↓   上下文，词元，按比例 →</translation>
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
        <source>1 attention, √</source>
        <translation>1 注意力，√</translation>
    </message>
    <message>
        <source>1 probability; nats</source>
        <translation>1 概率；nat</translation>
    </message>
    <message>
        <source>1 found</source>
        <translation>1 找到</translation>
    </message>
    <message>
        <source>window %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>reach %1</source>
        <translation>可达 %1</translation>
    </message>
    <message>
        <source>pale: n &lt; 5</source>
        <translation>淡色：n &lt; 5</translation>
    </message>
    <message>
        <source>• cut</source>
        <translation>• 被截断</translation>
    </message>
    <message>
        <source>to end
of %1</source>
        <translation>距末尾
长 %1</translation>
    </message>
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
        <source>%1 tokens from the end</source>
        <translation>距末尾 %1 个词元</translation>
    </message>
    <message>
        <source>attention on the needle %1, even would be %2</source>
        <translation>针上的注意力 %1，均匀时为 %2</translation>
    </message>
    <message>
        <source>right answer %1 nats an id</source>
        <translation>正确答案每个词元 %1 nat</translation>
    </message>
    <message>
        <source>%1 cut by the budget</source>
        <translation>%1 个被预算截断</translation>
    </message>
</context>
</TS>
