<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RunText</name>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Share of needles found, over the whole map</source>
        <translation>整张图中找到的针的比例</translation>
    </message>
    <message>
        <source>ms at %1</source>
        <translation>毫秒（%1）</translation>
    </message>
    <message>
        <source>Median prefill of %1 tokens</source>
        <translation>%1 个词元的预填充中位数</translation>
    </message>
    <message>
        <source>ms a step at %1</source>
        <translation>毫秒/步（%1）</translation>
    </message>
    <message>
        <source>Median time of one decode step after %1 tokens</source>
        <translation>%1 个词元之后一个解码步的时间中位数</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Decoding speed</source>
        <translation>解码速度</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Length of the text</source>
        <translation>文本长度</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>奈特</translation>
    </message>
    <message>
        <source>Loss, mean over the last steps up to step %1</source>
        <translation>损失，到第 %1 步为止最后若干步的平均</translation>
    </message>
    <message>
        <source>NIAH</source>
        <translation>大海捞针</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Conversion</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>%1 trials</source>
        <translation>%1 次试验</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 个样本</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>%1 results</source>
        <translation>%1 个结果</translation>
    </message>
</context>
<context>
    <name>orthros::studio::LatencyPage</name>
    <message>
        <source>A sweep is running: stop it or wait for its end first.</source>
        <translation>正在运行一次测量：请先停止它或等待结束。</translation>
    </message>
</context>
<context>
    <name>orthros::studio::NiahPage</name>
    <message>
        <source>A map is running: stop it or wait for its end first.</source>
        <translation>正在运行一张图：请先停止它或等待结束。</translation>
    </message>
</context>
<context>
    <name>orthros::studio::PromptPage</name>
    <message>
        <source>Open a model first, then run it again.</source>
        <translation>请先打开一个模型，再重新运行。</translation>
    </message>
</context>
<context>
    <name>orthros::studio::RunComparison</name>
    <message>
        <source>Spec, models and environment are the same.</source>
        <translation>规格、模型和环境都相同。</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已存</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Arm %1</source>
        <translation>分支 %1</translation>
    </message>
    <message>
        <source>Compare runs</source>
        <translation>比较运行</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
</context>
<context>
    <name>orthros::studio::RunDetails</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Tags, separated by commas</source>
        <translation>标签，用逗号分隔</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Arm %1</source>
        <translation>分支 %1</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已存</translation>
    </message>
    <message>
        <source>Cells</source>
        <translation>格</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>完成 %1 / %2</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>标识</translation>
    </message>
</context>
<context>
    <name>orthros::studio::RunTableModel</name>
    <message>
        <source>starred</source>
        <translation>已加星</translation>
    </message>
    <message>
        <source>not starred</source>
        <translation>未加星</translation>
    </message>
    <message>
        <source>Starred: click to take the star away</source>
        <translation>已加星：点击取消</translation>
    </message>
    <message>
        <source>Click to star</source>
        <translation>点击加星</translation>
    </message>
    <message>
        <source>%1 of %2 cells done</source>
        <translation>完成 %1 / %2 格</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>星标</translation>
    </message>
    <message>
        <source>What was run</source>
        <translation>运行的内容</translation>
    </message>
    <message>
        <source>Name, and the models it was run on</source>
        <translation>名称，以及所用的模型</translation>
    </message>
    <message>
        <source>How far it is</source>
        <translation>进行到哪里</translation>
    </message>
    <message>
        <source>When it was begun, local time</source>
        <translation>开始的时间（本地时间）</translation>
    </message>
    <message>
        <source>Time at work, pauses left out</source>
        <translation>工作时间，不含暂停</translation>
    </message>
    <message>
        <source>Trials, samples, tokens or steps that are kept</source>
        <translation>已存的试验、样本、词元或步数</translation>
    </message>
    <message>
        <source>The run's main figure, one value an arm</source>
        <translation>此次运行的主要指标，每个分支一个值</translation>
    </message>
    <message>
        <source>Needles: share found by length. Latency: time by length, both logarithmic. Training: loss by step</source>
        <translation>找针：按长度的找到比例。延迟：按长度的时间，均为对数。训练：按步的损失</translation>
    </message>
</context>
<context>
    <name>orthros::studio::RunsPage</name>
    <message>
        <source>Write to the run</source>
        <translation>写入运行</translation>
    </message>
    <message>
        <source>Delete runs</source>
        <translation>删除运行</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Deleted: %1. A bundle of it is kept for 30 days.</source>
        <translation>已删除：%1。其运行包保留 30 天。</translation>
    </message>
    <message>
        <source>%1 runs deleted. Bundles of them are kept for 30 days.</source>
        <translation>已删除 %1 次运行。其运行包保留 30 天。</translation>
    </message>
    <message>
        <source>Undo the deletion</source>
        <translation>撤销删除</translation>
    </message>
    <message>
        <source>It is back: %1</source>
        <translation>已恢复：%1</translation>
    </message>
    <message>
        <source>%1 runs are back</source>
        <translation>已恢复 %1 次运行</translation>
    </message>
    <message>
        <source>Import runs</source>
        <translation>导入运行</translation>
    </message>
    <message>
        <source>Nothing was added: the store has this run already.</source>
        <translation>没有添加：运行库中已有此运行。</translation>
    </message>
    <message>
        <source>Nothing was added: the store has these %1 runs already.</source>
        <translation>没有添加：运行库中已有这 %1 次运行。</translation>
    </message>
    <message>
        <source>Runs added: %1, there already: %2, results added: %3</source>
        <translation>添加的运行：%1，已有：%2，添加的结果：%3</translation>
    </message>
    <message>
        <source>Run bundles (*.sqlite);;All files (*)</source>
        <translation>运行包 (*.sqlite);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Export a run</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export runs</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>%1 files written to %2</source>
        <translation>已将 %1 个文件写入 %2</translation>
    </message>
    <message>
        <source>Export runs to a folder</source>
        <translation>将运行导出到文件夹</translation>
    </message>
    <message>
        <source>Run bundle (*.sqlite)</source>
        <translation>运行包 (*.sqlite)</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>JSON lines (*.jsonl)</source>
        <translation>JSON 行 (*.jsonl)</translation>
    </message>
    <message>
        <source>Read the runs</source>
        <translation>读取运行</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Compare the first %1 of %2 runs</source>
        <translation>比较 %2 次运行中的前 %1 次</translation>
    </message>
    <message>
        <source>Compare %1 runs</source>
        <translation>比较 %1 次运行</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 次运行</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 次运行</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 / %2 次运行</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Ask the run store yourself (Q)</source>
        <translation>自己查询运行库（Q）</translation>
    </message>
    <message>
        <source>Search name, model, tag, note</source>
        <translation>搜索名称、模型、标签、备注</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>搜索运行</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>所有种类</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Any state</source>
        <translation>任何状态</translation>
    </message>
    <message>
        <source>can go on</source>
        <translation>可继续</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Any tag</source>
        <translation>任何标签</translation>
    </message>
    <message>
        <source>Only starred</source>
        <translation>仅加星</translation>
    </message>
    <message>
        <source>Only starred runs</source>
        <translation>仅加星的运行</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Adds the runs of a bundle (.sqlite); dropping it on the window does the same</source>
        <translation>添加运行包（.sqlite）中的运行；拖放到窗口上效果相同</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Shows the run on its own page (Return)</source>
        <translation>在其页面上显示此运行（回车）</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Runs what is missing of it (R)</source>
        <translation>运行其中尚缺的部分（R）</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>The same again, as a new run (Ctrl+R)</source>
        <translation>同样的内容作为新的运行（Ctrl+R）</translation>
    </message>
    <message>
        <source>Copy to form</source>
        <translation>复制到表单</translation>
    </message>
    <message>
        <source>Fills the page's form with its spec (C)</source>
        <translation>用其规格填写页面的表单（C）</translation>
    </message>
    <message>
        <source>As a bundle, or its numbers (E)</source>
        <translation>作为运行包，或其数值（E）</translation>
    </message>
    <message>
        <source>Bundle (.sqlite)…</source>
        <translation>运行包 (.sqlite)…</translation>
    </message>
    <message>
        <source>Numbers as CSV…</source>
        <translation>数值为 CSV…</translation>
    </message>
    <message>
        <source>Numbers as JSONL…</source>
        <translation>数值为 JSONL…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Can be undone (Del)</source>
        <translation>可以撤销（Del）</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>What is known of the run; of two or more, what differs (D)</source>
        <translation>此运行的已知信息；两次或更多时显示不同之处（D）</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>No run fits the search and the filters. Esc clears them.</source>
        <translation>没有运行符合搜索和筛选。按 Esc 清除。</translation>
    </message>
    <message>
        <source>Run a prompt</source>
        <translation>运行一个提示</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>还没有运行</translation>
    </message>
    <message>
        <source>What you run on the pages Prompt, Attention, NIAH, Latency and Training is kept here when it ends, and while it runs. Runs of others come in by dropping their bundle (.sqlite) on this window.</source>
        <translation>在“提示”“注意力”“大海捞针”“延迟”和“训练”页上运行的内容，在运行中和结束后都保存在这里。把他人的运行包（.sqlite）拖放到此窗口即可加入其运行。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Runs: open</source>
        <translation>运行：打开</translation>
    </message>
    <message>
        <source>Runs: resume</source>
        <translation>运行：继续</translation>
    </message>
    <message>
        <source>Runs: run again</source>
        <translation>运行：再次运行</translation>
    </message>
    <message>
        <source>Runs: copy to the form</source>
        <translation>运行：复制到表单</translation>
    </message>
    <message>
        <source>Runs: star, or take it away</source>
        <translation>运行：加星或取消</translation>
    </message>
    <message>
        <source>Runs: export a bundle</source>
        <translation>运行：导出运行包</translation>
    </message>
    <message>
        <source>Runs: delete</source>
        <translation>运行：删除</translation>
    </message>
    <message>
        <source>Runs: undo the last deletion</source>
        <translation>运行：撤销上次删除</translation>
    </message>
    <message>
        <source>Runs: import a bundle</source>
        <translation>运行：导入运行包</translation>
    </message>
    <message>
        <source>Runs: details or comparison</source>
        <translation>运行：详情或比较</translation>
    </message>
    <message>
        <source>Runs: search</source>
        <translation>运行：搜索</translation>
    </message>
    <message>
        <source>Runs: ask in SQL</source>
        <translation>运行：用 SQL 查询</translation>
    </message>
    <message>
        <source>Everything that was run: find it, compare it, take it along</source>
        <translation>所有运行过的内容：查找、比较、带走</translation>
    </message>
    <message>
        <source>Drop the bundle to add its runs to the store</source>
        <translation>放下运行包，将其运行加入运行库</translation>
    </message>
</context>
<context>
    <name>orthros::studio::SqlPane</name>
    <message>
        <source>Accuracy by length</source>
        <translation>按长度的准确率</translation>
    </message>
    <message>
        <source>Median prefill by architecture and T</source>
        <translation>按架构和 T 的预填充中位数</translation>
    </message>
    <message>
        <source>Table 4 of the newest latency run</source>
        <translation>最新延迟运行的表 4</translation>
    </message>
    <message>
        <source>Last loss of every training</source>
        <translation>每次训练的最后损失</translation>
    </message>
    <message>
        <source>Do all arms of each map read the same prompts? (0: yes)</source>
        <translation>每张图的所有分支是否读取相同的提示？（0：是）</translation>
    </message>
    <message>
        <source>What is running, and its last sign of life</source>
        <translation>正在运行的内容及其最后的活动迹象</translation>
    </message>
    <message>
        <source>Tables and views</source>
        <translation>表和视图</translation>
    </message>
    <message>
        <source>Run query</source>
        <translation>执行查询</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Question in SQL</source>
        <translation>SQL 查询</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Reads only; shows at most %1 rows</source>
        <translation>只读；最多显示 %1 行</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Questions to begin with: choosing one puts it into the field</source>
        <translation>入门查询：选择后放入输入框</translation>
    </message>
    <message>
        <source>Asks the run store (Ctrl+Return). The connection only reads.</source>
        <translation>查询运行库（Ctrl+Return）。此连接只读。</translation>
    </message>
    <message>
        <source>The whole answer, with its headers</source>
        <translation>全部结果，含表头</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Question to the run store</source>
        <translation>查询运行库</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在执行…</translation>
    </message>
    <message>
        <source>Stopped. Nothing was changed.</source>
        <translation>已停止。没有任何更改。</translation>
    </message>
    <message>
        <source>There is no run store yet: the first run that is kept makes it.</source>
        <translation>还没有运行库：保存第一次运行时会创建。</translation>
    </message>
    <message>
        <source>The first %1 rows (the limit), %2</source>
        <translation>前 %1 行（上限），%2</translation>
    </message>
    <message>
        <source>%1 rows, %2</source>
        <translation>%1 行，%2</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
</TS>
