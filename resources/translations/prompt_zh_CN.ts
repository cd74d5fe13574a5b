<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Example</name>
    <message>
        <source>Mara kept the lighthouse on Gull Island. Each evening she climbed the ninety-one steps, lit the lamp, and wrote the weather in a green notebook. In the morning a fishing boat lay on the rocks below, and in it she found a grey cat, a sack of oranges and a letter. The letter asked her to keep the cat, whose name was Admiral. The carpenter came after nine days and mended the window. The name of the cat was</source>
        <translation type="unfinished"></translation>
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
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 is not open: open it on the Models page, then look again.</source>
        <translation>%1 没有打开：请在“模型”页打开它，然后再看。</translation>
    </message>
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
