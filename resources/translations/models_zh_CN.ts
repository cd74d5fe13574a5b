<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
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
        <source>%1 held, %2 more expanded for prefill, loaded in %3 s</source>
        <translation>占用 %1，另有 %2 为预填充展开，%3 秒内加载完毕</translation>
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
        <source>Sample models</source>
        <translation>示例模型</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
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
    <name>SampleModels</name>
    <message>
        <source>A small chat model of 2024, 4-bit</source>
        <translation>2024 年的小型对话模型，4 位</translation>
    </message>
    <message>
        <source>Retrieves digits; two streams, w = 32</source>
        <translation>检索数字；双流，w = 32</translation>
    </message>
    <message>
        <source>Retrieves digits; full attention</source>
        <translation>检索数字；全注意力</translation>
    </message>
    <message>
        <source>Fails beyond its window of 32</source>
        <translation>在 32 的窗口之外失败</translation>
    </message>
    <message>
        <source>Retrieves digits; without scale-offset</source>
        <translation>检索数字；无缩放偏移</translation>
    </message>
    <message>
        <source>Two layers, w = 4: the model of the lessons</source>
        <translation>两层，w = 4：课程所用的模型</translation>
    </message>
    <message>
        <source>Random weights, to time and not to read</source>
        <translation>随机权重，用于计时，不用于阅读</translation>
    </message>
</context>
<context>
    <name>orthros::studio::NextSteps</name>
    <message>
        <source>What to do with it</source>
        <translation>可以做什么</translation>
    </message>
</context>
</TS>
