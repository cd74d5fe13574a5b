<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>LatencyPaper</name>
    <message>
        <source>Paper, %1: %2</source>
        <translation>论文，%1：%2</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 个取自 %2</translation>
    </message>
    <message>
        <source>Paper, %1: %2. Values: %3. Another protocol than this run&apos;s.</source>
        <translation>论文，%1：%2。数值：%3。测法与此次运行不同。</translation>
    </message>
</context>
<context>
    <name>LatencyText</name>
    <message>
        <source>context T, tokens</source>
        <translation>上下文 T，词元</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>n %1</source>
        <translation>n %1</translation>
    </message>
    <message>
        <source>MAD %1</source>
        <translation>MAD %1</translation>
    </message>
    <message>
        <source>first call of the program %1, not counted</source>
        <translation>程序首次调用 %1，不计入</translation>
    </message>
    <message>
        <source>%1 excluded</source>
        <translation>排除 %1 个</translation>
    </message>
    <message>
        <source>model, %1</source>
        <translation>模型，%1</translation>
    </message>
    <message>
        <source>model, beyond what was measured</source>
        <translation>模型，超出测量范围</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>%1 pairs</source>
        <translation>%1 对</translation>
    </message>
    <message>
        <source>FLOP ratio %1</source>
        <translation>FLOP 比 %1</translation>
    </message>
    <message>
        <source>FLOP ratio, %1</source>
        <translation>FLOP 比，%1</translation>
    </message>
    <message>
        <source>FLOP ratio</source>
        <translation>FLOP 比</translation>
    </message>
    <message>
        <source>what the FLOP alone would give</source>
        <translation>仅按 FLOP 计算的结果</translation>
    </message>
    <message>
        <source>ratio of the fitted curves: a model</source>
        <translation>拟合曲线之比：模型</translation>
    </message>
    <message>
        <source>%1, median and 95 %</source>
        <translation>%1，中位数与 95 %</translation>
    </message>
    <message>
        <source>No sample yet</source>
        <translation>尚无样本</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>A second arm gives a speed-up</source>
        <translation>有第二个分支才有加速比</translation>
    </message>
    <message>
        <source>No prefill is timed in this mode</source>
        <translation>此模式不为预填充计时</translation>
    </message>
    <message>
        <source>×, %1 of %2 / arm</source>
        <translation>×，%2 的 %1 / 分支</translation>
    </message>
    <message>
        <source>as fast</source>
        <translation>同样快</translation>
    </message>
    <message>
        <source>No pair of samples yet</source>
        <translation>尚无成对样本</translation>
    </message>
    <message>
        <source>KV from the config, %1</source>
        <translation>按配置计算的 KV，%1</translation>
    </message>
    <message>
        <source>KV from the config</source>
        <translation>按配置计算的 KV</translation>
    </message>
    <message>
        <source>counted from the config</source>
        <translation>按配置计算</translation>
    </message>
    <message>
        <source>%1 of the FLOP/s, %2 of the bytes/s that this machine reached by itself; %3</source>
        <translation>达到本机自身 FLOP/s 的 %1、字节/s 的 %2；%3</translation>
    </message>
    <message>
        <source>bound by FLOP</source>
        <translation>受限于 FLOP</translation>
    </message>
    <message>
        <source>bound by reading</source>
        <translation>受限于读取</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>most the whole program took meanwhile</source>
        <translation>其间整个程序占用的最大值</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>peak of the program</source>
        <translation>程序峰值</translation>
    </message>
    <message>
        <source>peak, %1</source>
        <translation>峰值，%1</translation>
    </message>
    <message>
        <source>KV, %1</source>
        <translation>KV，%1</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>% of the machine&apos;s ceiling</source>
        <translation>占本机上限的 %</translation>
    </message>
    <message>
        <source>This run has no ceilings of its machine</source>
        <translation>此次运行没有本机上限的数据</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>to the first token</source>
        <translation>到首个词元</translation>
    </message>
    <message>
        <source>the others</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>An in/out sweep shows where the time of a reply goes</source>
        <translation>输入/输出扫描显示回复的时间花在何处</translation>
    </message>
    <message>
        <source>As in: %1</source>
        <translation>同：%1</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>待运行</translation>
    </message>
    <message>
        <source>T in / N out × B</source>
        <translation>输入 T / 输出 N × B</translation>
    </message>
    <message>
        <source>Prompt tokens, output tokens, sequences at once</source>
        <translation>提示词元数、输出词元数、同时处理的序列数</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Model and how it is read</source>
        <translation>模型及其读法</translation>
    </message>
    <message>
        <source>speed-up
×</source>
        <translation>加速比
×</translation>
    </message>
    <message>
        <source>median(%1) of the baseline / median of the arm, paired samples of one point; 95 % bootstrap interval</source>
        <translation>基准的 median(%1) / 该分支的中位数，同一点的成对样本；95 % 自助法区间</translation>
    </message>
    <message>
        <source>KV cache
MB</source>
        <translation>KV 缓存
MB</translation>
    </message>
    <message>
        <source>Bytes of the cache for B × (T + N) positions</source>
        <translation>B × (T + N) 个位置的缓存字节数</translation>
    </message>
    <message>
        <source>peak
MB</source>
        <translation>峰值
MB</translation>
    </message>
    <message>
        <source>Most resident memory of the program during the point</source>
        <translation>该点期间程序常驻内存的最大值</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Samples that count; warm-ups are left out</source>
        <translation>计入的样本；不含预热</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Why there is no figure</source>
        <translation>为何没有数值</translation>
    </message>
    <message>
        <source>, %1 threads</source>
        <translation>，%1 线程</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Paper, %1: %2</source>
        <translation>论文，%1：%2</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>取自 %1</translation>
    </message>
    <message>
        <source>reaches %1 ×</source>
        <translation>达到 %1 ×</translation>
    </message>
    <message>
        <source>before %1 tokens</source>
        <translation>在 %1 词元之前</translation>
    </message>
    <message>
        <source>not up to %1 tokens</source>
        <translation>至 %1 词元仍未达到</translation>
    </message>
    <message>
        <source>at %1 tokens</source>
        <translation>在 %1 词元处</translation>
    </message>
    <message>
        <source>before the first</source>
        <translation>最短之前</translation>
    </message>
    <message>
        <source>95 %: %1 to %2</source>
        <translation>95 %：%1 到 %2</translation>
    </message>
    <message>
        <source>beyond the last</source>
        <translation>最长之后</translation>
    </message>
    <message>
        <source>faster than %1</source>
        <translation>快于 %1</translation>
    </message>
    <message>
        <source>no pair yet</source>
        <translation>尚无成对样本</translation>
    </message>
    <message>
        <source>nowhere measured</source>
        <translation>测量范围内没有</translation>
    </message>
    <message>
        <source>from %1 tokens</source>
        <translation>从 %1 词元起</translation>
    </message>
    <message>
        <source>the 95 % interval excludes 1</source>
        <translation>95 % 区间不含 1</translation>
    </message>
    <message>
        <source>but not at every longer length</source>
        <translation>但并非在所有更长处</translation>
    </message>
    <message>
        <source>T* of the FLOP</source>
        <translation>按 FLOP 的 T*</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>at %1: %2 × %3 FLOP ratio %4</source>
        <translation>%1 处：%2 × %3 FLOP 比 %4</translation>
    </message>
    <message>
        <source>time against length</source>
        <translation>时间与长度</translation>
    </message>
    <message>
        <source>three lengths needed</source>
        <translation>需要三种长度</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>grows with T²</source>
        <translation>随 T² 增长</translation>
    </message>
    <message>
        <source>c %1 to %2 ns/token²</source>
        <translation>c %1 到 %2 ns/词元²</translation>
    </message>
    <message>
        <source>c %1 ns/token²</source>
        <translation>c %1 ns/词元²</translation>
    </message>
    <message>
        <source>prefill = a + b T + c T², fitted to the medians; 95 % of c. Linear: c may be 0, and cannot be more than 25 % of the time at the longest T</source>
        <translation>预填充 = a + b T + c T²，按中位数拟合；c 的 95 % 区间。线性：c 可以为 0，且在最长的 T 处不会超过时间的 25 %</translation>
    </message>
    <message>
        <source>too noisy to tell</source>
        <translation>噪声太大，无法判断</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>equal bytes</source>
        <translation>字节数相等</translation>
    </message>
    <message>
        <source>in all %1 cells</source>
        <translation>全部 %1 个单元</translation>
    </message>
    <message>
        <source>not equal</source>
        <translation>不相等</translation>
    </message>
    <message>
        <source>in %1 of %2 cells</source>
        <translation>%2 个单元中的 %1 个</translation>
    </message>
    <message>
        <source>equal work</source>
        <translation>等量工作</translation>
    </message>
    <message>
        <source>logits agree</source>
        <translation>logit 一致</translation>
    </message>
    <message>
        <source>logits differ</source>
        <translation>logit 不一致</translation>
    </message>
    <message>
        <source>within %1 of %2, %3</source>
        <translation>相差不超过 %1（最大 %2），%3</translation>
    </message>
    <message>
        <source>Read with a window that holds all %1 tokens and no scale-offset, the weights must give the Transformer&apos;s logits, to the rounding of the type that they compute in.</source>
        <translation>以容纳全部 %1 个词元的窗口且不带 scale-offset 读取时，权重须给出 Transformer 的 logit，误差不超过其计算类型的舍入。</translation>
    </message>
    <message>
        <source>end to end below %1 ×</source>
        <translation>端到端低于 %1 ×</translation>
    </message>
    <message>
        <source>from %1 out</source>
        <translation>从输出 %1 起</translation>
    </message>
    <message>
        <source>after %1 in: a model</source>
        <translation>输入 %1 之后：模型</translation>
    </message>
    <message>
        <source>prefill sweep</source>
        <translation>预填充扫描</translation>
    </message>
    <message>
        <source>in/out sweep</source>
        <translation>输入/输出扫描</translation>
    </message>
    <message>
        <source>decode at depth</source>
        <translation>深处解码</translation>
    </message>
    <message>
        <source>grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Prefill latency</source>
        <translation>预填充延迟</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首词元时间</translation>
    </message>
    <message>
        <source>End-to-end latency</source>
        <translation>端到端延迟</translation>
    </message>
    <message>
        <source>Output throughput</source>
        <translation>输出吞吐</translation>
    </message>
    <message>
        <source>Decode-only throughput</source>
        <translation>仅解码吞吐</translation>
    </message>
    <message>
        <source>Time per output token</source>
        <translation>每输出词元时间</translation>
    </message>
    <message>
        <source>Prefill throughput</source>
        <translation>预填充吞吐</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>E2E</source>
        <translation>E2E</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>decode-only</source>
        <translation>仅解码</translation>
    </message>
    <message>
        <source>decode, all N</source>
        <translation>解码，全部 N</translation>
    </message>
    <message>
        <source>decode, median step</source>
        <translation>解码，中位步</translation>
    </message>
    <message>
        <source>TPOT</source>
        <translation>TPOT</translation>
    </message>
    <message>
        <source>prefill rate</source>
        <translation>预填充速率</translation>
    </message>
    <message>
        <source>%1 out</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批 %1</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 线程</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>took longer than allowed</source>
        <translation>超出时限</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>%1 of %2 cells, %3 samples</source>
        <translation>%2 个单元中的 %1 个，%3 个样本</translation>
    </message>
    <message>
        <source>medians with 95 % intervals</source>
        <translation>中位数与 95 % 区间</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>spec %1</source>
        <translation>规格 %1</translation>
    </message>
</context>
<context>
    <name>orthros::studio::LatencyForm</name>
    <message>
        <source>Takes this arm out: %1</source>
        <translation>移除此分支：%1</translation>
    </message>
    <message>
        <source>Take out %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Open a model first</source>
        <translation>请先打开一个模型</translation>
    </message>
    <message numerus="yes">
        <source>%n cells</source>
        <translation>
            <numerusform>%n 个单元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 or more pairs each, arms in turns</source>
        <translation>每个单元至少 %1 对，各分支轮流</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>%1 of %2 free memory at most</source>
        <translation>最多占用 %1，可用内存 %2</translation>
    </message>
    <message>
        <source>points that do not fit are recorded as out of memory</source>
        <translation>放不下的点将记为内存不足</translation>
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
        <source>Show or hide what is asked</source>
        <translation>显示或隐藏设置</translation>
    </message>
    <message>
        <source>Add arm</source>
        <translation>添加分支</translation>
    </message>
    <message>
        <source>Waits after the sample that runs; the model stays in memory (Ctrl+P)</source>
        <translation>在当前样本之后等待；模型留在内存中（Ctrl+P）</translation>
    </message>
    <message>
        <source>Times every arm on the same prompts, shortest first (Ctrl+Return)</source>
        <translation>用相同的提示为每个分支计时，由短到长（Ctrl+Return）</translation>
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
        <source>Open models</source>
        <translation>已打开的模型</translation>
    </message>
    <message>
        <source>How the arm to add reads the weights</source>
        <translation>要添加的分支如何读取权重</translation>
    </message>
    <message>
        <source>The same weights, read in another way</source>
        <translation>相同的权重，另一种读法</translation>
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
        <source>Type that the arm to add computes in</source>
        <translation>要添加的分支的计算类型</translation>
    </message>
    <message>
        <source>Another type than the model was loaded with is loaded once more for the run</source>
        <translation>若与模型载入时的类型不同，运行时会再载入一次</translation>
    </message>
    <message>
        <source>as loaded</source>
        <translation>与载入时相同</translation>
    </message>
    <message>
        <source>window </source>
        <translation>窗口 </translation>
    </message>
    <message>
        <source>Keys a row of the base stream reads</source>
        <translation>基础流每一行读取的键数</translation>
    </message>
    <message>
        <source>sinks </source>
        <translation>汇点 </translation>
    </message>
    <message>
        <source>First keys that stay visible besides the window</source>
        <translation>窗口之外始终可见的最初的键</translation>
    </message>
    <message>
        <source>Up to four arms are timed in turns; the first Transformer is the baseline</source>
        <translation>最多四个分支轮流计时；第一个 Transformer 为基准</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>What is timed</source>
        <translation>计时的内容</translation>
    </message>
    <message>
        <source>Prefill sweep: T in, 1 out</source>
        <translation>预填充扫描：输入 T，输出 1</translation>
    </message>
    <message>
        <source>In/out sweep: T in, N out</source>
        <translation>输入/输出扫描：输入 T，输出 N</translation>
    </message>
    <message>
        <source>Decode at depth: N steps after T</source>
        <translation>深处解码：T 之后 N 步</translation>
    </message>
    <message>
        <source>Grid of T, N, B and threads</source>
        <translation>T、N、B 与线程数的网格</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Points and pairs at once</source>
        <translation>一次设定各点与对数</translation>
    </message>
    <message>
        <source>Smoke</source>
        <translation>冒烟</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Paper-like</source>
        <translation>近似论文</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>自定</translation>
    </message>
    <message>
        <source>pairs </source>
        <translation>对数 </translation>
    </message>
    <message>
        <source>Samples of every arm in turns, A B B A; up to twice as many until medians are known within 2 %</source>
        <translation>各分支轮流取样，A B B A；中位数精确到 2 % 之前最多取两倍</translation>
    </message>
    <message>
        <source>warm-up </source>
        <translation>预热 </translation>
    </message>
    <message>
        <source>At most this many runs first that do not count, until two in a row differ by less than 5 %</source>
        <translation>先运行至多这么多次，不计入，直到连续两次相差小于 5 %</translation>
    </message>
    <message>
        <source>limit s </source>
        <translation>时限 s </translation>
    </message>
    <message>
        <source>Seconds that one run may take; 0: no limit</source>
        <translation>一次运行允许的秒数；0：不限</translation>
    </message>
    <message>
        <source>T in</source>
        <translation>输入 T</translation>
    </message>
    <message>
        <source>Prompt tokens: 256, 512, 1K</source>
        <translation>提示的词元数：256, 512, 1K</translation>
    </message>
    <message>
        <source>N out</source>
        <translation>输出 N</translation>
    </message>
    <message>
        <source>Tokens to generate; end tokens are ignored, so that N is exact</source>
        <translation>要生成的词元数；忽略结束词元，因此 N 是精确的</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Sequences at once</source>
        <translation>同时处理的序列数</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Thread counts to compare; empty: as in the settings</source>
        <translation>要比较的线程数；留空：按设置</translation>
    </message>
</context>
<context>
    <name>orthros::studio::LatencyPage</name>
    <message>
        <source>What the big plot shows</source>
        <translation>大图显示的内容</translation>
    </message>
    <message>
        <source>What the big plot shows; its formula stands in the table&apos;s head</source>
        <translation>大图显示的内容；公式见表头</translation>
    </message>
    <message>
        <source>Logarithmic axes (L)</source>
        <translation>对数坐标轴（L）</translation>
    </message>
    <message>
        <source>The fitted curves, and beyond what was measured: a model (M)</source>
        <translation>拟合曲线及其向测量范围之外的延伸：模型（M）</translation>
    </message>
    <message>
        <source>What the paper reports on the same axis, with its protocol (P)</source>
        <translation>论文在同一坐标轴上报告的数值及其测法（P）</translation>
    </message>
    <message>
        <source>All figures in the layout of the paper&apos;s Table 4 (T)</source>
        <translation>按论文表 4 的版式列出全部数值（T）</translation>
    </message>
    <message>
        <source>Runs what is missing of this run (R)</source>
        <translation>运行此次尚缺的部分（R）</translation>
    </message>
    <message>
        <source>Runs that were kept: finished ones open, others go on with Resume</source>
        <translation>已保存的运行：完成的可打开，其余可用“继续”接着运行</translation>
    </message>
    <message>
        <source>The curves as a picture, or their numbers (E)</source>
        <translation>将曲线存为图片，或存其数值（E）</translation>
    </message>
    <message>
        <source>Picture as SVG…</source>
        <translation>SVG 图片…</translation>
    </message>
    <message>
        <source>Picture as PDF…</source>
        <translation>PDF 图片…</translation>
    </message>
    <message>
        <source>Picture as PNG…</source>
        <translation>PNG 图片…</translation>
    </message>
    <message>
        <source>Numbers as CSV…</source>
        <translation>CSV 数值…</translation>
    </message>
    <message>
        <source>One plot alone</source>
        <translation>单独一幅图</translation>
    </message>
    <message>
        <source>The chosen quantity…</source>
        <translation>所选的量…</translation>
    </message>
    <message>
        <source>Speed-up…</source>
        <translation>加速比…</translation>
    </message>
    <message>
        <source>Memory…</source>
        <translation>内存…</translation>
    </message>
    <message>
        <source>Roofline…</source>
        <translation>屋顶线…</translation>
    </message>
    <message>
        <source>Parts of a reply…</source>
        <translation>回复的组成…</translation>
    </message>
    <message>
        <source>Every arm reads the same prompts in turns, A B B A, at growing lengths. A Transformer&apos;s prefill grows with the square of the length, Orthros&apos; with the length: the plot shows from where on, and by how much.</source>
        <translation>各分支按 A B B A 轮流读取相同的、越来越长的提示。Transformer 的预填充时间随长度的平方增长，Orthros 则随长度增长：图中显示从何处开始，以及相差多少。</translation>
    </message>
    <message>
        <source>latency-256 is a model to time and not to read: random weights, and a shape whose attention weighs as much at 4 096 tokens as an 8B model&apos;s at 47 000.</source>
        <translation>latency-256 是用来计时而非阅读的模型：权重随机，其形状使注意力在 4 096 个词元时的分量与 8B 模型在 47 000 个词元时相同。</translation>
    </message>
    <message>
        <source>Sweep latency-256 up to 8K tokens</source>
        <translation>扫描 latency-256，至 8K 词元</translation>
    </message>
    <message>
        <source>Make latency-256 (17 MB) and sweep it</source>
        <translation>生成 latency-256（17 MB）并扫描</translation>
    </message>
    <message>
        <source>Nothing timed yet</source>
        <translation>尚未计时</translation>
    </message>
    <message>
        <source>All figures of the run</source>
        <translation>此次运行的全部数值</translation>
    </message>
    <message>
        <source>Latency: logarithmic axes</source>
        <translation>延迟：对数坐标轴</translation>
    </message>
    <message>
        <source>Latency: fitted curves</source>
        <translation>延迟：拟合曲线</translation>
    </message>
    <message>
        <source>Latency: what the paper reports</source>
        <translation>延迟：论文报告的数值</translation>
    </message>
    <message>
        <source>Latency: table of all figures</source>
        <translation>延迟：全部数值的表格</translation>
    </message>
    <message>
        <source>Latency: pause or go on</source>
        <translation>延迟：暂停或继续</translation>
    </message>
    <message>
        <source>Latency: resume the run that is shown</source>
        <translation>延迟：接着运行所示的实验</translation>
    </message>
    <message>
        <source>Latency: export the curves as SVG</source>
        <translation>延迟：将曲线导出为 SVG</translation>
    </message>
    <message>
        <source>Latency: export the numbers as CSV</source>
        <translation>延迟：将数值导出为 CSV</translation>
    </message>
    <message>
        <source>Latency: preset Smoke</source>
        <translation>延迟：预设“冒烟”</translation>
    </message>
    <message>
        <source>Latency: preset Quick</source>
        <translation>延迟：预设“快速”</translation>
    </message>
    <message>
        <source>Latency: sweep latency-256</source>
        <translation>延迟：扫描 latency-256</translation>
    </message>
    <message>
        <source>Make latency-256</source>
        <translation>生成 latency-256</translation>
    </message>
    <message>
        <source>Read kept runs</source>
        <translation>读取已保存的运行</translation>
    </message>
    <message>
        <source>Write numbers</source>
        <translation>写入数值</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>%1, up to %2 tokens</source>
        <translation>%1，至 %2 词元</translation>
    </message>
    <message>
        <source>%1 points timed</source>
        <translation>已为 %1 个点计时</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Read the samples</source>
        <translation>读取样本</translation>
    </message>
    <message>
        <source>Stopped. %1 samples are kept, %2 of %3 cells are done; Resume goes on with the others.</source>
        <translation>已停止。已保存 %1 个样本，%3 个单元中完成 %2 个；“继续”将运行其余部分。</translation>
    </message>
    <message numerus="yes">
        <source>%n cells have no result: the table and the crosses in the plot say why.</source>
        <translation>
            <numerusform>%n 个单元没有结果：表格和图中的叉号说明了原因。</numerusform>
        </translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>正在准备…</translation>
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
        <source>Measure the machine</source>
        <translation>测量本机</translation>
    </message>
    <message>
        <source>Time prompts and replies by length, several models in turns</source>
        <translation>按长度为提示和回复计时，多个模型轮流</translation>
    </message>
</context>
<context>
    <name>orthros::studio::LatencyPanels</name>
    <message>
        <source>Where the arms overtake the baseline</source>
        <translation>各分支从何处超过基准</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::CurvePlot</name>
    <message>
        <source> (95 %: %1 to %2)</source>
        <translation>（95 %：%1 到 %2）</translation>
    </message>
</context>
<context>
    <name>orthros::widgets::StackBars</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 %3 (%4)</source>
        <translation>%1 %2 %3（%4）</translation>
    </message>
    <message>
        <source>%1 %2 %3</source>
        <translation>%1 %2 %3</translation>
    </message>
</context>
</TS>
