<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RecipeText</name>
    <message>
        <source>needles</source>
        <translation>找针</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>回忆</translation>
    </message>
    <message>
        <source>repetition</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>%1, %2 tokens, at most %3 steps</source>
        <translation>%1，%2 个词元，最多 %3 步</translation>
    </message>
    <message>
        <source>%1, w=%2 s=%3, from %4</source>
        <translation>%1，w=%2 s=%3，来自 %4</translation>
    </message>
    <message>
        <source>The model %1 is not where this recipe looks for it: sample_models/smollm2.sh puts it and its texts there.</source>
        <translation>模型 %1 不在这个配方所找的地方：sample_models/smollm2.sh 会把它和所用文本放到那里。</translation>
    </message>
    <message>
        <source>%1, %2 layers, width %3</source>
        <translation>%1，%2 层，宽度 %3</translation>
    </message>
</context>
<context>
    <name>orthros::studio::AnswerList</name>
    <message>
        <source>Answers while learning</source>
        <translation>学习中的回答</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>While a training runs, some of what the model is asked stands here, with what it says. Each batch is new to it.</source>
        <translation>训练运行时，这里显示模型被问到的部分内容和它的回答。每个批次对它都是新的。</translation>
    </message>
    <message>
        <source>%1 of the answers of step %2 are right as a whole</source>
        <translation>第 %2 步的回答中有 %1 完全正确</translation>
    </message>
</context>
<context>
    <name>orthros::studio::AnswerModel</name>
    <message>
        <source>%1   right: %2</source>
        <translation>%1   正确：%2</translation>
    </message>
    <message>
        <source>Step %1
Asked: … %2
Right: %3
Said: %4 (%5)</source>
        <translation>第 %1 步
问：… %2
正确：%3
回答：%4（%5）</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>orthros::studio::TrainingPage</name>
    <message>
        <source>cannot run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1
%2, %3 steps kept</source>
        <translation>%1
%2，已存 %3 步</translation>
    </message>
    <message>
        <source>The recipe of this training is not here: choose it with "Other recipe…".</source>
        <translation>此训练的配方不在这里：请用“其他配方…”选择。</translation>
    </message>
    <message>
        <source>The folder with the checkpoints of this training is not in the data folder any more: it cannot go on.</source>
        <translation>此训练的检查点文件夹已不在数据文件夹中：无法继续。</translation>
    </message>
    <message>
        <source>Stage %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
    <message>
        <source>Checkpoint of step %1</source>
        <translation>第 %1 步的检查点</translation>
    </message>
    <message>
        <source>%1, %2 steps kept</source>
        <translation>%1，已存 %2 步</translation>
    </message>
    <message>
        <source>%1 trainings compared</source>
        <translation>比较 %1 次训练</translation>
    </message>
    <message>
        <source>Choose a recipe or a training on the left.</source>
        <translation>在左侧选择一个配方或训练。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>%1: preparing…</source>
        <translation>%1：准备中…</translation>
    </message>
    <message>
        <source>%1 · %2 · step %3 · loss %4 nats</source>
        <translation>%1 · %2 · 第 %3 步 · 损失 %4 奈特</translation>
    </message>
    <message>
        <source>Choose a recipe</source>
        <translation>选择配方</translation>
    </message>
    <message>
        <source>Training recipe (*.json);;All files (*)</source>
        <translation>训练配方 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Where the training writes</source>
        <translation>训练写入的位置</translation>
    </message>
    <message>
        <source>Write points</source>
        <translation>写出数据点</translation>
    </message>
    <message>
        <source>%1, run %2, %3 steps</source>
        <translation>%1，运行 %2，%3 步</translation>
    </message>
    <message>
        <source>Look for recipes</source>
        <translation>查找配方</translation>
    </message>
    <message>
        <source>Read the curves</source>
        <translation>读取曲线</translation>
    </message>
    <message>
        <source>Say in which folder the training writes, with its whole path.</source>
        <translation>请用完整路径说明训练写入哪个文件夹。</translation>
    </message>
    <message>
        <source>The recipe of this training is not where it was. Choose it with "Other recipe…", give it this folder, and resume there.</source>
        <translation>此训练的配方已不在原处。请用“其他配方…”选择它，指定此文件夹，然后在那里继续。</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>stopped after step %1</source>
        <translation>在第 %1 步后停止</translation>
    </message>
    <message>
        <source>Train %1</source>
        <translation>训练 %1</translation>
    </message>
    <message>
        <source>%1 · step %2 of %3 · stage %4 · loss %5 nats · %6 tok/s · answers right %7</source>
        <translation>%1 · 第 %2 / %3 步 · 阶段 %4 · 损失 %5 奈特 · %6 词元/秒 · 回答正确 %7</translation>
    </message>
    <message>
        <source>%1 holds an unfinished training: resume it from the list, or choose another folder.</source>
        <translation>%1 中有未完成的训练：请从列表中继续，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Trained: %1 steps in %2, loss %3 nats, answers right %4. The model is ready.</source>
        <translation>训练完成：%1 步，用时 %2，损失 %3 奈特，回答正确 %4。模型已就绪。</translation>
    </message>
    <message>
        <source>Open the model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Stopped after step %1, with a checkpoint. It can go on at any time.</source>
        <translation>在第 %1 步后停止，已写检查点。随时可以继续。</translation>
    </message>
    <message>
        <source>Log loss</source>
        <translation>对数损失</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Recipes and trainings</source>
        <translation>配方和训练</translation>
    </message>
    <message>
        <source>Recipes</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Can go on</source>
        <translation>可继续</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>已存</translation>
    </message>
    <message>
        <source>Other recipe…</source>
        <translation>其他配方…</translation>
    </message>
    <message>
        <source>A recipe file (.json) of your own</source>
        <translation>您自己的配方文件（.json）</translation>
    </message>
    <message>
        <source>With Ctrl or Shift several kept ones are compared.</source>
        <translation>按住 Ctrl 或 Shift 可比较多个已存的训练。</translation>
    </message>
    <message>
        <source>Trains, goes on, or stops with a checkpoint (Ctrl+Return)</source>
        <translation>训练、继续，或写检查点后停止（Ctrl+Return）</translation>
    </message>
    <message>
        <source>The trained model, on the Models page (O)</source>
        <translation>在“模型”页上打开训练好的模型（O）</translation>
    </message>
    <message>
        <source>Loss on a logarithmic axis (L)</source>
        <translation>损失使用对数轴（L）</translation>
    </message>
    <message>
        <source>The plots as a picture, or their points (E)</source>
        <translation>把曲线图导出为图片或数据点（E）</translation>
    </message>
    <message>
        <source>Picture as SVG…</source>
        <translation>图片为 SVG…</translation>
    </message>
    <message>
        <source>Picture as PDF…</source>
        <translation>图片为 PDF…</translation>
    </message>
    <message>
        <source>Picture as PNG…</source>
        <translation>图片为 PNG…</translation>
    </message>
    <message>
        <source>Points as CSV…</source>
        <translation>数据点为 CSV…</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Checkpoints and the finished model are written here</source>
        <translation>检查点和完成的模型写入此处</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Steps at most</source>
        <translation>最多步数</translation>
    </message>
    <message>
        <source>all steps</source>
        <translation>全部步数</translation>
    </message>
    <message>
        <source> steps</source>
        <translation> 步</translation>
    </message>
    <message>
        <source>Stops after so many steps of this start, with a checkpoint; 0: goes to the end</source>
        <translation>本次启动后达到此步数即停止并写检查点；0：直到结束</translation>
    </message>
    <message>
        <source>into</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>A recipe says which model is trained on which task. Choose one on the left and press Train: loss, learning rate, gradient norm and speed are drawn while it learns, with some of its answers. Stop it at any time; it goes on where it was. The lesson recipe takes a few minutes.</source>
        <translation>配方说明用哪个任务训练哪个模型。在左侧选择一个并按“训练”：学习过程中会绘出损失、学习率、梯度范数和速度，以及它的部分回答。可随时停止，之后从原处继续。lesson 配方只需几分钟。</translation>
    </message>
    <message>
        <source>Train the lesson model</source>
        <translation>训练课程模型</translation>
    </message>
    <message>
        <source>No training yet</source>
        <translation>还没有训练</translation>
    </message>
    <message>
        <source>Point at a curve, or walk along it with the arrow keys.</source>
        <translation>指向曲线，或用方向键沿曲线移动。</translation>
    </message>
    <message>
        <source>Training: open the trained model</source>
        <translation>训练：打开训练好的模型</translation>
    </message>
    <message>
        <source>Training: loss on a logarithmic axis</source>
        <translation>训练：损失使用对数轴</translation>
    </message>
    <message>
        <source>Training: choose a recipe file</source>
        <translation>训练：选择配方文件</translation>
    </message>
    <message>
        <source>Training: export the plots as SVG</source>
        <translation>训练：将曲线图导出为 SVG</translation>
    </message>
    <message>
        <source>Training: export the points as CSV</source>
        <translation>训练：将数据点导出为 CSV</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Train a small model and watch it learn</source>
        <translation>训练一个小模型并观察它的学习</translation>
    </message>
</context>
<context>
    <name>orthros::studio::TrainingPlots</name>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>奈特</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>No step yet</source>
        <translation>还没有步</translation>
    </message>
</context>
</TS>
