<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Options</name>
    <message>
        <source>A laboratory for dual-stream language models.</source>
        <translation>双流语言模型的实验室。</translation>
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
    <name>orthros::studio::JobRunner</name>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>orthros::studio::MainWindow</name>
    <message>
        <source>Look after the run store</source>
        <translation>照看运行库</translation>
    </message>
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
        <source>Motion</source>
        <translation>动效</translation>
    </message>
    <message>
        <source>Reduce motion: moves and pulses become cuts</source>
        <translation>减少动效：移动和脉动改为直接切换</translation>
    </message>
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
        <source>What models run on. Without the CUDA plug-in or a GPU, opening a model says which is missing.</source>
        <translation>模型运行的设备。没有 CUDA 插件或 GPU 时，打开模型会说明缺少哪一个。</translation>
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
        <source>Samples</source>
        <translation>示例</translation>
    </message>
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
    <name>orthros::widgets::Notice</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
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
    <name>ExportText</name>
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
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Bookmark (*.json)</source>
        <translation>书签 (*.json)</translation>
    </message>
</context>
<context>
    <name>KeptText</name>
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
        <translation>尚无保存的运行</translation>
    </message>
</context>
</TS>
