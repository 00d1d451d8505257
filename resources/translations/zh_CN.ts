<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source> and older ones</source>
        <translation>，还有更早的</translation>
    </message>
    <message>
        <source> of the latest {number}</source>
        <translation>（最近 {number} 次）</translation>
    </message>
    <message numerus="yes">
        <source>%Ln (clash|clashes) left: choose, and delete the marks.</source>
        <translation>
            <numerusform>还有 %Ln 处冲突：请选择，并删除标记。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln (fades|fade) out within 7 days</source>
        <translation>
            <numerusform>%Ln 条将在 7 天内淡出</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln (place clashes|places clash)</source>
        <translation>
            <numerusform>%Ln 处冲突</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln about it</source>
        <translation>
            <numerusform>关于它的有 %Ln 条</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln agent(s)</source>
        <translation>
            <numerusform>%Ln 个智能体</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln backup(s), {size} · {free} free on the disk</source>
        <translation>
            <numerusform>%Ln 个备份，共 {size} · 磁盘剩余 {free}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln by the clock</source>
        <translation>
            <numerusform>%Ln 个定时任务</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln by the clock · next {job} {when}</source>
        <translation>
            <numerusform>%Ln 个定时任务 · 下一个：{job}，{when}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln call(s)</source>
        <translation>
            <numerusform>%Ln 次调用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln change(s)</source>
        <translation>
            <numerusform>%Ln 项更改</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln change(s): {change}</source>
        <translation>
            <numerusform>%Ln 项更改：{change}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln changed</source>
        <translation>
            <numerusform>已更改 %Ln 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln changes as one run, any time</source>
        <translation>
            <numerusform>%Ln 项更改作为一次运行，随时可行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln channel(s)</source>
        <translation>
            <numerusform>%Ln 个频道</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln 个字符</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln character(s) fewer</source>
        <translation>
            <numerusform>少 %Ln 个字符</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln character(s) more</source>
        <translation>
            <numerusform>多 %Ln 个字符</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chosen</source>
        <translation>
            <numerusform>已选 %Ln 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln clash(es) of texts wait in Identity files</source>
        <translation>
            <numerusform>身份文件中有 %Ln 处文本冲突待处理</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compaction(s)</source>
        <translation>
            <numerusform>%Ln 次压缩</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln connection(s) not shown</source>
        <translation>
            <numerusform>还有 %Ln 个关联未显示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln contradiction(s)</source>
        <translation>
            <numerusform>%Ln 个矛盾</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln conversation(s)</source>
        <translation>
            <numerusform>%Ln 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln conversation(s) of {needed}</source>
        <translation>
            <numerusform>%Ln / {needed} 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln correction(s)</source>
        <translation>
            <numerusform>%Ln 个更正</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln d</source>
        <translation>
            <numerusform>%Ln 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln d</source>
        <comment>days</comment>
        <translation>
            <numerusform>%Ln 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln d ago</source>
        <comment>days</comment>
        <translation>
            <numerusform>%Ln 天前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) ago</source>
        <translation>
            <numerusform>%Ln 天前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) left</source>
        <translation>
            <numerusform>还剩 %Ln 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) with entries</source>
        <translation>
            <numerusform>%Ln 天有记录</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln days ago</source>
        <translation>
            <numerusform>%Ln 天前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln doubtful fact(s)</source>
        <translation>
            <numerusform>%Ln 条存疑的事实</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln duplicate(s)</source>
        <translation>
            <numerusform>%Ln 个重复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln edit(s)</source>
        <translation>
            <numerusform>%Ln 次编辑</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entit(y|ies)</source>
        <translation>
            <numerusform>%Ln 个实体</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entr(y|ies)</source>
        <translation>
            <numerusform>%Ln 条记录</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entr(y|ies), the same in every channel</source>
        <translation>
            <numerusform>%Ln 个条目，在所有频道中相同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s)</source>
        <translation>
            <numerusform>%Ln 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) since {day}</source>
        <translation>
            <numerusform>自 {day} 起 %Ln 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) written to {file}</source>
        <translation>
            <numerusform>%Ln 个事件已写入 {file}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s); a click hides them</source>
        <translation>
            <numerusform>%Ln 个事件；点击隐藏</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s); a click shows them</source>
        <translation>
            <numerusform>%Ln 个事件；点击显示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln evicted</source>
        <translation>
            <numerusform>%Ln 个被淘汰</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln fact(s)</source>
        <translation>
            <numerusform>%Ln 条事实</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln fact(s) read from its lines</source>
        <translation>
            <numerusform>从中读取 %Ln 条事实</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed</source>
        <translation>
            <numerusform>%Ln 次失败</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln field(s)</source>
        <translation>
            <numerusform>%Ln 个字段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file clash(es)</source>
        <translation>
            <numerusform>%Ln 个文件冲突</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln finding(s); nothing was imported.</source>
        <translation>
            <numerusform>%Ln 项发现；没有导入任何内容。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folder(s)</source>
        <translation>
            <numerusform>%Ln 个文件夹</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln goal(s)</source>
        <translation>
            <numerusform>%Ln 个目标</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln h</source>
        <translation>
            <numerusform>%Ln 小时</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln h ago</source>
        <translation>
            <numerusform>%Ln 小时前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln hit(s)</source>
        <translation>
            <numerusform>%Ln 条命中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln imported</source>
        <translation>
            <numerusform>导入 %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln kept question(s)</source>
        <translation>
            <numerusform>%Ln 个保留的问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s)</source>
        <translation>
            <numerusform>%Ln 个键</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln learned</source>
        <translation>
            <numerusform>学到 %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln learning(s)</source>
        <translation>
            <numerusform>%Ln 条经验教训</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln left alone</source>
        <translation>
            <numerusform>%Ln 条不动</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln left as (it was|they were)</source>
        <translation>
            <numerusform>%Ln 个保持原样</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln left, riskiest first</source>
        <translation>
            <numerusform>还剩 %Ln 项，风险最大的在前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) added</source>
        <translation>
            <numerusform>增 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) changed</source>
        <translation>
            <numerusform>改 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) of a profile</source>
        <translation>
            <numerusform>%Ln 条用户档案</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) removed</source>
        <translation>
            <numerusform>删 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln masked</source>
        <translation>
            <numerusform>已遮蔽 %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln member(s)</source>
        <translation>
            <numerusform>%Ln 个成员</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memor(y|ies)</source>
        <translation>
            <numerusform>%Ln 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memor(y|ies) of the set (was|were) not tried.</source>
        <translation>
            <numerusform>该集合中有 %Ln 条记忆未试算。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memor(y|ies) would go.</source>
        <translation>
            <numerusform>将有 %Ln 条记忆被移除。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln 条消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln min</source>
        <translation>
            <numerusform>%Ln 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln min ago</source>
        <translation>
            <numerusform>%Ln 分钟前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>另有 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more (moves|move) along</source>
        <translation>
            <numerusform>另有 %Ln 条随之变动</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more (stays|stay) too.</source>
        <translation>
            <numerusform>另有 %Ln 项也保持原样。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more finding(s) are told by `memdesk verify`.</source>
        <translation>
            <numerusform>`memdesk verify` 还会列出另外 %Ln 项发现。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more line(s) differ</source>
        <translation>
            <numerusform>另有 %Ln 行不同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more tool call(s)</source>
        <translation>
            <numerusform>另有 %Ln 次工具调用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln name(s)</source>
        <translation>
            <numerusform>%Ln 个名称</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new</source>
        <translation>
            <numerusform>%Ln 条新内容</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new question(s) about what _global holds</source>
        <translation>
            <numerusform>%Ln 个关于 _global 内容的新问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln not consolidated yet</source>
        <translation>
            <numerusform>%Ln 个尚未巩固</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s)</source>
        <translation>
            <numerusform>%Ln 条笔记</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s) of a scratchpad</source>
        <translation>
            <numerusform>%Ln 条便笺</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln older event(s) not indexed yet</source>
        <translation>
            <numerusform>另有 %Ln 个较早的事件尚未建立索引</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln open goal(s)</source>
        <translation>
            <numerusform>%Ln 个未完成目标</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln open part(s) too</source>
        <translation>
            <numerusform>连同 %Ln 个未结束的子目标</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln other file(s) that are no memory</source>
        <translation>
            <numerusform>另有 %Ln 个非记忆文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln other name(s)</source>
        <translation>
            <numerusform>%Ln 个别名</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln other question(s)</source>
        <translation>
            <numerusform>另外 %Ln 个问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln outcome(s)</source>
        <translation>
            <numerusform>%Ln 个结果</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln overdue</source>
        <translation>
            <numerusform>%Ln 个逾期</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s)</source>
        <translation>
            <numerusform>%Ln 个子目标</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s) of it (is|are) on this desk already, and left out.</source>
        <translation>
            <numerusform>其中 %Ln 部分已在本记忆台上，不再导入。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s), folded</source>
        <translation>
            <numerusform>%Ln 个子目标，已折叠</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passage(s)</source>
        <translation>
            <numerusform>%Ln 个段落</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passage(s) (waits|wait) for a vector</source>
        <translation>
            <numerusform>%Ln 个段落在等待向量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln project(s)</source>
        <translation>
            <numerusform>%Ln 个项目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln promoted</source>
        <translation>
            <numerusform>提升 %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln promotion(s)</source>
        <translation>
            <numerusform>%Ln 个提升</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln quarantined memor(y|ies)</source>
        <translation>
            <numerusform>%Ln 条隔离的记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln question(s)</source>
        <translation>
            <numerusform>%Ln 个问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln question(s) (waits|wait) for your review.</source>
        <translation>
            <numerusform>有 %Ln 个问题等待您审阅。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln question(s) about what fades</source>
        <translation>
            <numerusform>%Ln 个关于淡忘内容的问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln question(s) of the review</source>
        <translation>
            <numerusform>%Ln 个审阅问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln recall(s)</source>
        <translation>
            <numerusform>%Ln 次召回</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln record(s) would go out.</source>
        <translation>
            <numerusform>将导出 %Ln 条记录。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln relation(s)</source>
        <translation>
            <numerusform>%Ln 个关系</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln retired</source>
        <translation>
            <numerusform>停用 %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runtime(s) connected</source>
        <translation>
            <numerusform>已连接 %Ln 个运行环境</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln s</source>
        <translation>
            <numerusform>%Ln 秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sentence(s)</source>
        <translation>
            <numerusform>%Ln 句</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln session(s)</source>
        <translation>
            <numerusform>%Ln 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln setting(s)</source>
        <translation>
            <numerusform>%Ln 项设置</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln shown</source>
        <translation>
            <numerusform>显示 %Ln 条</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln shown, {sorted}</source>
        <translation>
            <numerusform>显示 %Ln 条，{sorted}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln source(s) with secrets</source>
        <translation>
            <numerusform>%Ln 个含机密的来源</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln statement(s), in no summary or fact</source>
        <translation>
            <numerusform>%Ln 条陈述，不在摘要或事实中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln strateg(y|ies)</source>
        <translation>
            <numerusform>%Ln 个策略</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tag(s)</source>
        <translation>
            <numerusform>%Ln 个标签</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln taken back</source>
        <translation>
            <numerusform>已撤回 %Ln 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln text(s) clashed with a file</source>
        <translation>
            <numerusform>%Ln 份文本与文件冲突</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln text(s) not indexed yet</source>
        <translation>
            <numerusform>%Ln 份文本尚未索引</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln thing(s)</source>
        <translation>
            <numerusform>%Ln 件事</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln thing(s) (stays|stay) out</source>
        <translation>
            <numerusform>%Ln 项不导入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln thought(s)</source>
        <translation>
            <numerusform>%Ln 个想法</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s)</source>
        <translation>
            <numerusform>%Ln 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) of {needed}</source>
        <translation>
            <numerusform>%Ln / {needed} 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tool call(s)</source>
        <translation>
            <numerusform>%Ln 次工具调用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tool(s)</source>
        <translation>
            <numerusform>%Ln 个工具</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln turn(s)</source>
        <translation>
            <numerusform>%Ln 条发言</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln turn(s) above gave way to a summary</source>
        <translation>
            <numerusform>以上 %Ln 条发言已由摘要代替</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln turn(s) after these</source>
        <translation>
            <numerusform>之后还有 %Ln 条发言</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln turn(s) before these</source>
        <translation>
            <numerusform>之前还有 %Ln 条发言</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln undone</source>
        <translation>
            <numerusform>撤销 %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln updated</source>
        <translation>
            <numerusform>更新 %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln value(s) gave way to newer ones</source>
        <translation>
            <numerusform>%Ln 个值让位于更新的值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln version(s)</source>
        <translation>
            <numerusform>%Ln 个版本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln version(s) of a file</source>
        <translation>
            <numerusform>%Ln 个文件版本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln will be</source>
        <translation>
            <numerusform>%Ln 条将执行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln with a token</source>
        <translation>
            <numerusform>%Ln 个有令牌</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln workspace(s)</source>
        <translation>
            <numerusform>%Ln 个工作区</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln write(s)</source>
        <translation>
            <numerusform>%Ln 次写入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>(%Ln characters more)</source>
        <translation>
            <numerusform>（还有 %Ln 个字符）</numerusform>
        </translation>
    </message>
    <message>
        <source>+ number answers all alike</source>
        <translation>+ 数字：对所有同类一并答复</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>0 to {most}</source>
        <translation>0 至 {most}</translation>
    </message>
    <message>
        <source>0.50 to 0.85</source>
        <translation>0.50 至 0.85</translation>
    </message>
    <message>
        <source>0.85 or more</source>
        <translation>0.85 及以上</translation>
    </message>
    <message>
        <source>1 channel</source>
        <translation>1 个频道</translation>
    </message>
    <message>
        <source>1 compaction</source>
        <translation>1 次压缩</translation>
    </message>
    <message>
        <source>1 conversation</source>
        <translation>1 个对话</translation>
    </message>
    <message>
        <source>1 day</source>
        <translation>1 天</translation>
    </message>
    <message>
        <source>1 entity</source>
        <translation>1 个实体</translation>
    </message>
    <message>
        <source>1 fact</source>
        <translation>1 条事实</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <source>1 goal</source>
        <translation>1 个目标</translation>
    </message>
    <message>
        <source>1 grant</source>
        <translation>1 项授权</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>1 is the least, 5 comes first</source>
        <translation>1 最低，5 最优先</translation>
    </message>
    <message>
        <source>1 kept question</source>
        <translation>1 个保留的问题</translation>
    </message>
    <message>
        <source>1 memory</source>
        <translation>1 条记忆</translation>
    </message>
    <message>
        <source>1 other name</source>
        <translation>1 个别名</translation>
    </message>
    <message>
        <source>1 outcome</source>
        <translation>1 个结果</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 个段落</translation>
    </message>
    <message>
        <source>1 profile entry</source>
        <translation>1 条画像条目</translation>
    </message>
    <message>
        <source>1 project</source>
        <translation>1 个项目</translation>
    </message>
    <message>
        <source>1 proposal</source>
        <translation>1 个提议</translation>
    </message>
    <message>
        <source>1 relation</source>
        <translation>1 条关系</translation>
    </message>
    <message>
        <source>1 secret</source>
        <translation>1 个机密</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 个会话</translation>
    </message>
    <message>
        <source>1 standing decision</source>
        <translation>1 个长期决定</translation>
    </message>
    <message>
        <source>1 strategy</source>
        <translation>1 个策略</translation>
    </message>
    <message>
        <source>1 tag</source>
        <translation>1 个标签</translation>
    </message>
    <message>
        <source>1 tool call</source>
        <translation>1 次工具调用</translation>
    </message>
    <message>
        <source>1 turn</source>
        <translation>1 条发言</translation>
    </message>
    <message>
        <source>1 workspace</source>
        <translation>1 个工作区</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 天</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 天</translation>
    </message>
    <message>
        <source>90 days</source>
        <translation>90 天</translation>
    </message>
    <message>
        <source>95th</source>
        <translation>95 分位</translation>
    </message>
    <message>
        <source>A Hindsight archive (`.zip`, `schema_version` 1): documents as conversations, facts with entities and causes, observations</source>
        <translation>Hindsight 归档（`.zip`，`schema_version` 1）：文档作为对话，事实带实体与因果，以及观察</translation>
    </message>
    <message>
        <source>A MemDesk archive (`.zip`): everything back as it was</source>
        <translation>MemDesk 归档（`.zip`）：一切原样带回</translation>
    </message>
    <message>
        <source>A against the conditions of promotion</source>
        <translation>A 与提升条件的对照</translation>
    </message>
    <message>
        <source>A call that succeeded has no error_message.</source>
        <translation>成功的调用没有 error_message。</translation>
    </message>
    <message>
        <source>A category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>A change of {count} edits; {most} at most.</source>
        <translation>这次更改有 {count} 处编辑；最多 {most} 处。</translation>
    </message>
    <message>
        <source>A channel&apos;s name</source>
        <translation>频道名</translation>
    </message>
    <message>
        <source>A claim</source>
        <translation>陈述</translation>
    </message>
    <message>
        <source>A claim needs words.</source>
        <translation>陈述不能为空。</translation>
    </message>
    <message>
        <source>A context pattern</source>
        <translation>情境模式</translation>
    </message>
    <message>
        <source>A conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>A description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>A description has {count} characters; {most} at most.</source>
        <translation>描述有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>A desk is a folder, a PostgreSQL database or a service, not {scheme}.</source>
        <translation>记忆台是文件夹、PostgreSQL 数据库或服务，不是 {scheme}。</translation>
    </message>
    <message>
        <source>A desk is served to other computers with TLS only.</source>
        <translation>记忆台只通过 TLS 向其他电脑提供服务。</translation>
    </message>
    <message>
        <source>A desk needs 3.43: install pysqlite3 or sqlean.py beside MemDesk.</source>
        <translation>记忆台需要 3.43：请在 MemDesk 旁安装 pysqlite3 或 sqlean.py。</translation>
    </message>
    <message>
        <source>A fact goes to _global by promotion, which keeps where it was learned.</source>
        <translation>事实通过提升进入 _global，提升会保留它是在哪里习得的。</translation>
    </message>
    <message>
        <source>A fact needs a claim.</source>
        <translation>事实需要一条陈述。</translation>
    </message>
    <message>
        <source>A fact this sure may go to _global (AgentX).</source>
        <translation>置信度达到此值的事实可以进入 _global（AgentX）。</translation>
    </message>
    <message>
        <source>A file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>A file in {parts} was changed in this very moment; it stays.</source>
        <translation>{parts} 中的一个文件恰在此刻被改动；它保持原样。</translation>
    </message>
    <message>
        <source>A file is put back from its own versions.</source>
        <translation>文件请从它自己的版本中恢复。</translation>
    </message>
    <message>
        <source>A file or folder that is not there yet</source>
        <translation>一个尚不存在的文件或文件夹</translation>
    </message>
    <message>
        <source>A file that this is read from is written all the time by another program.</source>
        <translation>它所读自的一个文件正被另一个程序不断写入。</translation>
    </message>
    <message>
        <source>A folder is registered only with your yes.</source>
        <translation>只有您同意，文件夹才会登记。</translation>
    </message>
    <message>
        <source>A folder of markdown</source>
        <translation>Markdown 文件夹</translation>
    </message>
    <message>
        <source>A folder of markdown as AgenticX, OpenLegion, OpenClaw, agnx, duragent, Agentix, Claude Code, Codex, Cursor, Hermes, Cline, Letta, Agent Zero, Basic Memory or Obsidian keep it, or of no system, with the exports below in it</source>
        <translation>由 AgenticX、OpenLegion、OpenClaw、agnx、duragent、Agentix、Claude Code、Codex、Cursor、Hermes、Cline、Letta、Agent Zero、Basic Memory 或 Obsidian 存放的 Markdown 文件夹，或不属于任何系统的文件夹，其中可含下列导出</translation>
    </message>
    <message>
        <source>A folder of markdown as {name} keeps it</source>
        <translation>像 {name} 那样存放的 Markdown 文件夹</translation>
    </message>
    <message>
        <source>A folder of packages or caches.</source>
        <translation>软件包或缓存文件夹。</translation>
    </message>
    <message>
        <source>A folder or file, by its whole path</source>
        <translation>文件夹或文件的完整路径</translation>
    </message>
    <message>
        <source>A folder, a file or an export</source>
        <translation>文件夹、文件或导出</translation>
    </message>
    <message>
        <source>A folder, by its whole path</source>
        <translation>文件夹的完整路径</translation>
    </message>
    <message>
        <source>A fork begins a conversation of its own.</source>
        <translation>分支会开始自己的对话。</translation>
    </message>
    <message>
        <source>A form is open; finish it first.</source>
        <translation>有表单未完成；请先完成它。</translation>
    </message>
    <message>
        <source>A gives way</source>
        <translation>A 让位</translation>
    </message>
    <message>
        <source>A goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>A goal cannot be a part of itself.</source>
        <translation>目标不能是自身的一部分。</translation>
    </message>
    <message>
        <source>A goal cannot wait for itself.</source>
        <translation>目标不能等待自身。</translation>
    </message>
    <message>
        <source>A goal needs words.</source>
        <translation>目标需要文字说明。</translation>
    </message>
    <message>
        <source>A goal of {count} blockers; {most} at most.</source>
        <translation>这个目标有 {count} 个阻塞项；最多 {most} 个。</translation>
    </message>
    <message>
        <source>A grant comes in only with your yes.</source>
        <translation>只有您同意，授权才会带入。</translation>
    </message>
    <message>
        <source>A grant to {birth}</source>
        <translation>给 {birth} 的授权</translation>
    </message>
    <message>
        <source>A guest: anyone who gives this name signs as it. With a token, nobody else does.</source>
        <translation>访客：任何报出此名字的程序都以它署名。有了令牌，就只有它自己能署名。</translation>
    </message>
    <message>
        <source>A hidden folder.</source>
        <translation>隐藏文件夹。</translation>
    </message>
    <message>
        <source>A is surer.</source>
        <translation>A 更可信。</translation>
    </message>
    <message>
        <source>A job learns them from work that went well, and agents tell them.</source>
        <translation>任务会从顺利的工作中学到策略，智能体也会告知。</translation>
    </message>
    <message>
        <source>A job learns them from work that went well.</source>
        <translation>任务从顺利完成的工作中学得。</translation>
    </message>
    <message>
        <source>A job would have taken away {kept}, which a person pinned or wrote.</source>
        <translation>任务本会移除 {kept}，而它由人固定或写下。</translation>
    </message>
    <message>
        <source>A kept question lost its answer: “{question}” no longer tells “{answer}”.</source>
        <translation>一个保留的问题失去了答案：“{question}”不再答出“{answer}”。</translation>
    </message>
    <message>
        <source>A key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>A larger file is refused by name when a folder is imported.</source>
        <translation>导入文件夹时，更大的文件会被点名拒绝。</translation>
    </message>
    <message>
        <source>A link leads to or from an entity</source>
        <translation>关联的一端必须是实体</translation>
    </message>
    <message>
        <source>A link leads to or from an entity.</source>
        <translation>关联的一端必须是实体。</translation>
    </message>
    <message>
        <source>A link lies on the way to the folder.</source>
        <translation>通往该文件夹的路径上有链接。</translation>
    </message>
    <message>
        <source>A link that leads nowhere.</source>
        <translation>失效的链接。</translation>
    </message>
    <message>
        <source>A link that leads out of this folder.</source>
        <translation>指向此文件夹之外的链接。</translation>
    </message>
    <message>
        <source>A link to something in this folder, which is taken where it lies.</source>
        <translation>指向此文件夹内部的链接，其内容已在原处计入。</translation>
    </message>
    <message>
        <source>A log is a file a day, as memory/2026-11-20.md in the agent&apos;s folder. Bring that folder in.</source>
        <translation>日志是每天一个文件，例如智能体文件夹中的 memory/2026-11-20.md。请导入该文件夹。</translation>
    </message>
    <message>
        <source>A member&apos;s name</source>
        <translation>成员名称</translation>
    </message>
    <message>
        <source>A member&apos;s request without its users.</source>
        <translation>成员的请求没有其用户。</translation>
    </message>
    <message>
        <source>A memory cannot be merged into itself.</source>
        <translation>记忆不能合并到自身。</translation>
    </message>
    <message>
        <source>A memory cannot be related to itself.</source>
        <translation>记忆不能与自身关联。</translation>
    </message>
    <message>
        <source>A name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>A name in its path ends with a space or a full stop.</source>
        <translation>其路径中有名称以空格或句点结尾。</translation>
    </message>
    <message>
        <source>A name in the path is longer than {count} bytes.</source>
        <translation>路径中有一个名称超过 {count} 字节。</translation>
    </message>
    <message>
        <source>A name needs words.</source>
        <translation>名称不能为空。</translation>
    </message>
    <message>
        <source>A newer fact took its place.</source>
        <translation>已被更新的事实取代。</translation>
    </message>
    <message>
        <source>A note of a session&apos;s scratchpad lives this long after its last use; 0 for ever, as in AgenticX.</source>
        <translation>会话便笺中的一条在最后使用后保留这么久；0 表示永久，与 AgenticX 相同。</translation>
    </message>
    <message>
        <source>A parameter holds bytes that are not UTF-8.</source>
        <translation>有一个参数含有不是 UTF-8 的字节。</translation>
    </message>
    <message>
        <source>A person</source>
        <translation>人</translation>
    </message>
    <message>
        <source>A person pinned or wrote the item {key} of {list}; it is kept.</source>
        <translation>{list} 的条目 {key} 由人固定或撰写；予以保留。</translation>
    </message>
    <message>
        <source>A person set the goal “{description}”.</source>
        <translation>目标“{description}”是由人设定的。</translation>
    </message>
    <message>
        <source>A person set {name} in the profile.</source>
        <translation>画像中的 {name} 是由人设定的。</translation>
    </message>
    <message>
        <source>A person who also corrects, promotes, answers questions and takes changes back.</source>
        <translation>还可以更正、提升、回答问题和撤回更改的人。</translation>
    </message>
    <message>
        <source>A person who may do all, except what is done on the desk&apos;s own computer.</source>
        <translation>可以做一切的人，只有在记忆台自己的计算机上做的事除外。</translation>
    </message>
    <message>
        <source>A person who reads and recalls.</source>
        <translation>可以阅读和召回的人。</translation>
    </message>
    <message>
        <source>A pinned memory does not fade.</source>
        <translation>固定的记忆不会淡忘。</translation>
    </message>
    <message>
        <source>A place for each question</source>
        <translation>每个问题都有其位置</translation>
    </message>
    <message>
        <source>A process works on the desk {folder}, and does not answer.</source>
        <translation>有一个进程正在使用记忆台 {folder}，但没有回应。</translation>
    </message>
    <message>
        <source>A project comes in only with your yes: it says which memory a folder uses.</source>
        <translation>只有您同意，项目才会带入：它决定文件夹使用哪些记忆。</translation>
    </message>
    <message>
        <source>A query names {count} tags and {most} categories at most.</source>
        <translation>查询指定了 {count} 个标签，类别最多 {most} 个。</translation>
    </message>
    <message>
        <source>A quote of {count} characters; {most} at most.</source>
        <translation>引文有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>A reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>A recall changes nothing that could be taken back; it stays in the log.</source>
        <translation>召回不更改任何内容，无需撤销；它留在记录中。</translation>
    </message>
    <message>
        <source>A recall whose best hit is less relevant than this answers with nothing, or with what was told by or about someone it names; 0 for whatever comes nearest.</source>
        <translation>最佳结果的相关度低于此值时，回忆返回空，或返回问题中点名的人所说或与其有关的内容；0 表示总是返回最接近的内容。</translation>
    </message>
    <message>
        <source>A relation of type {type} is not written by hand.</source>
        <translation>类型为 {type} 的关系不能手写。</translation>
    </message>
    <message>
        <source>A relation&apos;s type</source>
        <translation>关系类型</translation>
    </message>
    <message>
        <source>A request from {name} is not answered: only this machine&apos;s own may call.</source>
        <translation>来自 {name} 的请求不予回应：只有本机的程序可以调用。</translation>
    </message>
    <message>
        <source>A result of {count} characters; {most} at most.</source>
        <translation>结果有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>A retired memory is not linked.</source>
        <translation>已停用的记忆不能建立关联。</translation>
    </message>
    <message>
        <source>A retired or past fact is not promoted.</source>
        <translation>已停用或已过去的事实不能提升。</translation>
    </message>
    <message>
        <source>A run of a job stops before it spends more tokens of a model.</source>
        <translation>任务在耗用更多模型 token 之前停下。</translation>
    </message>
    <message>
        <source>A run of a job stops cleanly after this long; the next goes on.</source>
        <translation>任务运行到此时长后会妥善停下；下一次接着进行。</translation>
    </message>
    <message numerus="yes">
        <source>A run of {author}: %Ln change(s).</source>
        <translation>
            <numerusform>{author} 的一个批次：%Ln 次更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>A secret ({named})</source>
        <translation>机密（{named}）</translation>
    </message>
    <message>
        <source>A secret ({named}) came with {label}. Agents, exports and logs see placeholders.</source>
        <translation>一个机密（{named}）随{label}而来。智能体、导出和日志只看到占位符。</translation>
    </message>
    <message>
        <source>A sequence of tools is a strategy once this many conversations succeeded with it.</source>
        <translation>一串工具在这么多段对话中成功后即成为策略。</translation>
    </message>
    <message>
        <source>A service of an older MemDesk has this desk&apos;s database open.</source>
        <translation>旧版 MemDesk 的服务正打开着此记忆台的数据库。</translation>
    </message>
    <message>
        <source>A session begins with {count:,} characters at most</source>
        <translation>会话开头最多 {count:,} 个字符</translation>
    </message>
    <message>
        <source>A session comes in only with your yes: an agent would continue it.</source>
        <translation>只有您同意，会话才会带入：智能体会接着它继续。</translation>
    </message>
    <message>
        <source>A session to continue: {id}</source>
        <translation>可继续的会话：{id}</translation>
    </message>
    <message>
        <source>A session&apos;s id</source>
        <translation>会话 id</translation>
    </message>
    <message numerus="yes">
        <source>A shortest way, of %Ln step(s).</source>
        <translation>
            <numerusform>一条最短路径，共 %Ln 步。</numerusform>
        </translation>
    </message>
    <message>
        <source>A source is one of {sources}, with its name.</source>
        <translation>来源是 {sources} 之一，并带上名称。</translation>
    </message>
    <message>
        <source>A standby that is further behind is passed over until it has caught up.</source>
        <translation>落后更多的备库不再被读，直到它赶上为止。</translation>
    </message>
    <message>
        <source>A standing decision comes in only with your yes.</source>
        <translation>只有您同意，长期有效的决定才会带入。</translation>
    </message>
    <message>
        <source>A stands</source>
        <translation>A 不变</translation>
    </message>
    <message>
        <source>A strategy needs words.</source>
        <translation>策略需要文字说明。</translation>
    </message>
    <message>
        <source>A strategy of {count} tools; 1 to {most} are welcome.</source>
        <translation>策略有 {count} 个工具；应为 1 到 {most} 个。</translation>
    </message>
    <message>
        <source>A streaming standby of the desk&apos;s PostgreSQL database that recalls read, postgresql://USER@HOST/DATABASE; empty for none.</source>
        <translation>召回所读的、记忆台 PostgreSQL 数据库的流复制备库，形如 postgresql://USER@HOST/DATABASE；留空表示没有。</translation>
    </message>
    <message>
        <source>A table (`.csv`, `.tsv`), a fact a row; the preview says how each column is read</source>
        <translation>表格（`.csv`、`.tsv`），每行一条事实；预览会说明每一列如何读取</translation>
    </message>
    <message>
        <source>A table may hold anything; it comes in where it is imported by itself.</source>
        <translation>表格可能含有任何内容；请单独导入。</translation>
    </message>
    <message>
        <source>A table of this kind is sorted by one of {list}.</source>
        <translation>这种表格按 {list} 之一排序。</translation>
    </message>
    <message>
        <source>A tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>A text in {table} ({name}) is not what its hash says; it is not shown.</source>
        <translation>{table} 中的一段文本（{name}）与其哈希不符，不予显示。</translation>
    </message>
    <message>
        <source>A thought</source>
        <translation>想法</translation>
    </message>
    <message>
        <source>A token opens the desk for 1 to {days} days.</source>
        <translation>令牌可用 1 到 {days} 天。</translation>
    </message>
    <message>
        <source>A tool&apos;s {what} of {count} characters as JSON; {most} at most.</source>
        <translation>工具的 {what} 作为 JSON 有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>A turn</source>
        <translation>发言</translation>
    </message>
    <message>
        <source>A turn of {count} characters; {most} at most.</source>
        <translation>发言有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>A turn without content cannot be stored.</source>
        <translation>没有内容的发言无法存储。</translation>
    </message>
    <message>
        <source>A turn without content says nothing.</source>
        <translation>没有内容的发言什么也没说。</translation>
    </message>
    <message>
        <source>A type of task</source>
        <translation>任务类型</translation>
    </message>
    <message>
        <source>A until B began</source>
        <translation>A 至 B 开始为止</translation>
    </message>
    <message>
        <source>A value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>A view of the running system, not a folder of files.</source>
        <translation>这是运行中系统的视图,不是存放文件的文件夹。</translation>
    </message>
    <message>
        <source>A web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>A window of {folder} is open and does not answer.</source>
        <translation>{folder} 已有一个打开的窗口，但没有响应。</translation>
    </message>
    <message>
        <source>A year</source>
        <translation>一年</translation>
    </message>
    <message>
        <source>A {kind} was not asked for.</source>
        <translation>没有要求召回{kind}。</translation>
    </message>
    <message>
        <source>A {label} cannot be retired on its own.</source>
        <translation>{label}不能单独停用。</translation>
    </message>
    <message>
        <source>A {label} carries no tags.</source>
        <translation>{label}不带标签。</translation>
    </message>
    <message>
        <source>A {label} does not fade; only facts and entities do.</source>
        <translation>{label}不会淡忘；只有事实和实体会。</translation>
    </message>
    <message>
        <source>A {label} does not move by itself.</source>
        <translation>{label}不能自行移动。</translation>
    </message>
    <message>
        <source>A {label} has no graph; name a fact or an entity.</source>
        <translation>{label}没有图谱；请指定一条事实或一个实体。</translation>
    </message>
    <message>
        <source>A {label} is never recalled; ask about a {searched}.</source>
        <translation>{label}从不被召回；请询问 {searched} 之一。</translation>
    </message>
    <message>
        <source>A {label} is not held out of recall.</source>
        <translation>{label}不会被挡在召回之外。</translation>
    </message>
    <message>
        <source>A {label} is not restored on its own.</source>
        <translation>{label}不能单独恢复。</translation>
    </message>
    <message>
        <source>A {label} is not told to agents, so it needs no trust.</source>
        <translation>{label}不会提供给智能体，因此无需信任。</translation>
    </message>
    <message>
        <source>A {label} of change {change} by {author} depends on it.</source>
        <translation>{author} 的更改 {change} 中的{label}依赖它。</translation>
    </message>
    <message>
        <source>A {type} is answered by {takes}.</source>
        <translation>“{type}”的答复可以是 {takes}。</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>Abandon</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Abandon the goal</source>
        <translation>放弃目标</translation>
    </message>
    <message>
        <source>Abandoned “{title}”</source>
        <translation>已放弃“{title}”</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>About MemDesk</source>
        <translation>关于 MemDesk</translation>
    </message>
    <message>
        <source>About {entity}: {claim}</source>
        <translation>关于 {entity}：{claim}</translation>
    </message>
    <message>
        <source>About: {text}</source>
        <translation>关于：{text}</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Accept all, or some of: {declarations}.</source>
        <translation>全部接受，或接受其中一些：{declarations}。</translation>
    </message>
    <message>
        <source>Act on a set of memories</source>
        <translation>对一组记忆执行操作</translation>
    </message>
    <message>
        <source>Act on a set of memories in words</source>
        <translation>用文字对一组记忆执行操作</translation>
    </message>
    <message>
        <source>Active goal</source>
        <translation>当前目标</translation>
    </message>
    <message>
        <source>Acts are: past, retire, quarantine, restore, pin, unpin, promote, to a channel, tag a word. Examples: {examples}.</source>
        <translation>可用的操作：past、retire、quarantine、restore、pin、unpin、promote、to 某频道、tag 某个词。示例：{examples}。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add --certificate FILE and --key FILE; or listen on 127.0.0.1, behind a server that has them.</source>
        <translation>加上 --certificate FILE 和 --key FILE；或在 127.0.0.1 监听，由有证书的服务器转发。</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Add an agent’s folder</source>
        <translation>添加智能体的文件夹</translation>
    </message>
    <message>
        <source>Add an entry</source>
        <translation>添加条目</translation>
    </message>
    <message>
        <source>Add the folder an agent keeps its memory in. It stays where it is, and MemDesk watches it there.</source>
        <translation>添加智能体存放记忆的文件夹。它留在原处，MemDesk 会在那里监视它。</translation>
    </message>
    <message>
        <source>Add this folder</source>
        <translation>添加此文件夹</translation>
    </message>
    <message>
        <source>Added to the day: “{text}”</source>
        <translation>已添加到当天：“{text}”</translation>
    </message>
    <message>
        <source>Added to {path}</source>
        <translation>追加到 {path}</translation>
    </message>
    <message>
        <source>After so long the gain of recency is half (AgentX).</source>
        <translation>过这么久，新近加分减半（AgentX）。</translation>
    </message>
    <message>
        <source>Afterwards</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Agent reads per minute</source>
        <translation>智能体每分钟读取次数</translation>
    </message>
    <message>
        <source>Agent writes per minute</source>
        <translation>智能体每分钟写入次数</translation>
    </message>
    <message>
        <source>AgentX export</source>
        <translation>AgentX 导出</translation>
    </message>
    <message>
        <source>AgentX&apos;s export (`schema_version` 1): conversations, entities, facts with what superseded them, goals, strategies, tool calls</source>
        <translation>AgentX 的导出（`schema_version` 1）：对话、实体、事实及其取代者、目标、策略、工具调用</translation>
    </message>
    <message>
        <source>AgentX’s export, one JSON object</source>
        <translation>AgentX 的导出，一个 JSON 对象</translation>
    </message>
    <message>
        <source>AgenticX also compacts when the model&apos;s window less a margin is full (later AgenticX: on).</source>
        <translation>模型窗口减去余量已满时，AgenticX 也会压缩（后来的 AgenticX：开）。</translation>
    </message>
    <message>
        <source>AgenticX compacts past so many messages; never under 8 (later AgenticX: 200).</source>
        <translation>消息超过此数时 AgenticX 压缩；不少于 8（后来的 AgenticX：200）。</translation>
    </message>
    <message>
        <source>AgenticX keeps its memory in {backend} by {file}, not in files.</source>
        <translation>根据 {file}，AgenticX 把记忆存放在 {backend} 中，而不是文件中。</translation>
    </message>
    <message>
        <source>AgenticX sessions</source>
        <translation>AgenticX 会话</translation>
    </message>
    <message>
        <source>AgenticX&apos;s `sessions.sqlite`: messages, summaries as facts, todos as goals, scratchpads</source>
        <translation>AgenticX 的 `sessions.sqlite`：消息，摘要作为事实，待办作为目标，便笺</translation>
    </message>
    <message>
        <source>Agenticx characters</source>
        <translation>AgenticX 字符数</translation>
    </message>
    <message>
        <source>Agenticx cooldown</source>
        <translation>AgenticX 间隔</translation>
    </message>
    <message>
        <source>Agenticx fallback</source>
        <translation>AgenticX 后备</translation>
    </message>
    <message>
        <source>Agenticx messages</source>
        <translation>AgenticX 消息数</translation>
    </message>
    <message>
        <source>Agenticx retain</source>
        <translation>AgenticX 保留数</translation>
    </message>
    <message>
        <source>Agenticx tokens</source>
        <translation>AgenticX 按 token</translation>
    </message>
    <message>
        <source>Agentix agents have their Memories tool without asking for it (Agentix&apos;s memories_enabled).</source>
        <translation>Agentix 智能体无需请求即有 Memories 工具（Agentix 的 memories_enabled）。</translation>
    </message>
    <message>
        <source>Agentix compacts past so many tokens (Agentix).</source>
        <translation>token 超过此数时 Agentix 压缩（Agentix）。</translation>
    </message>
    <message>
        <source>Agentix memories</source>
        <translation>Agentix 记忆工具</translation>
    </message>
    <message>
        <source>Agentix summarises older messages; off drops them into the archive (Agentix).</source>
        <translation>Agentix 为较早的消息写摘要；关闭则直接放入归档（Agentix）。</translation>
    </message>
    <message>
        <source>Agentix summarization</source>
        <translation>Agentix 摘要</translation>
    </message>
    <message>
        <source>Agentix tokens</source>
        <translation>Agentix token 数</translation>
    </message>
    <message>
        <source>Agentix window</source>
        <translation>Agentix 窗口</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Agents and exports never see it, and you still can.</source>
        <translation>智能体和导出永远看不到它，而您仍然可以看到。</translation>
    </message>
    <message>
        <source>Agents asked lately:</source>
        <translation>智能体最近问过：</translation>
    </message>
    <message>
        <source>Agents at work</source>
        <translation>工作中的智能体</translation>
    </message>
    <message>
        <source>Agents cannot reach this desk until it is opened or served again.</source>
        <translation>在再次打开或启动服务之前，智能体无法访问此记忆台。</translation>
    </message>
    <message>
        <source>Agents keep turns, values and thoughts of the session at hand here; each goes by itself in time.</source>
        <translation>智能体在这里存放当前会话的发言、值和想法；到时会自行消失。</translation>
    </message>
    <message>
        <source>Agents keep what they did before there were grants</source>
        <translation>智能体保留引入授权之前所能做的事</translation>
    </message>
    <message>
        <source>Agents learn them as they work. To begin, bring in a chat or a folder.</source>
        <translation>智能体在工作中学到它们。请先导入一段对话或一个文件夹。</translation>
    </message>
    <message>
        <source>Agents may rewrite {files}</source>
        <translation>智能体可改写 {files}</translation>
    </message>
    <message>
        <source>Agents set goals as they plan, and so can you.</source>
        <translation>智能体在规划时设立目标，你也可以。</translation>
    </message>
    <message>
        <source>Agents set them as they plan.</source>
        <translation>智能体在计划时设定。</translation>
    </message>
    <message>
        <source>Agents&apos; tools</source>
        <translation>智能体的工具</translation>
    </message>
    <message>
        <source>Agent’s view</source>
        <translation>智能体视角</translation>
    </message>
    <message>
        <source>Alike</source>
        <translation>相似</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message numerus="yes">
        <source>All %Ln thing(s) of today are done.</source>
        <translation>
            <numerusform>今天的 %Ln 件事都已完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>所有智能体</translation>
    </message>
    <message>
        <source>All calls</source>
        <translation>全部调用</translation>
    </message>
    <message>
        <source>All categories</source>
        <translation>所有类别</translation>
    </message>
    <message>
        <source>All channels</source>
        <translation>所有频道</translation>
    </message>
    <message>
        <source>All in the timeline</source>
        <translation>时间线中的全部</translation>
    </message>
    <message>
        <source>All is well with this desk</source>
        <translation>此记忆台一切正常</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>All of</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All of it is here already.</source>
        <translation>全部内容都已在这里。</translation>
    </message>
    <message>
        <source>All of it was used, pinned or retired since this was asked.</source>
        <translation>自提出此问题以来，其中的内容都已被使用、固定或停用。</translation>
    </message>
    <message>
        <source>All of them are so already, or cannot be changed.</source>
        <translation>它们都已如此，或无法更改。</translation>
    </message>
    <message>
        <source>All pages</source>
        <translation>所有页面</translation>
    </message>
    <message>
        <source>All read</source>
        <translation>已全部读取</translation>
    </message>
    <message>
        <source>All sessions</source>
        <translation>所有会话</translation>
    </message>
    <message>
        <source>All sources</source>
        <translation>所有来源</translation>
    </message>
    <message>
        <source>All tags</source>
        <translation>所有标签</translation>
    </message>
    <message>
        <source>All that comes from it</source>
        <translation>由它而来的一切</translation>
    </message>
    <message>
        <source>All that it is connected to is shown.</source>
        <translation>与它相连的都已显示。</translation>
    </message>
    <message>
        <source>All that surrounds it</source>
        <translation>周围的全部内容</translation>
    </message>
    <message>
        <source>All turns</source>
        <translation>全部发言</translation>
    </message>
    <message>
        <source>All {count}</source>
        <translation>全部 {count}</translation>
    </message>
    <message>
        <source>All {turns} are kept in the conversation; nothing was deleted.</source>
        <translation>全部 {turns}都保留在对话中，没有删除任何内容。</translation>
    </message>
    <message>
        <source>All; or such as shop, garden</source>
        <translation>全部；或例如 shop, garden</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message numerus="yes">
        <source>Allow %Ln turn(s) a conversation</source>
        <translation>
            <numerusform>每个对话允许 %Ln 条发言</numerusform>
        </translation>
    </message>
    <message>
        <source>Allow any number of turns</source>
        <translation>发言数不限</translation>
    </message>
    <message>
        <source>Also called</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>Also known as</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>Also search paraphrases of the query.</source>
        <translation>同时搜索查询的改写。</translation>
    </message>
    <message>
        <source>Also search the query&apos;s own paraphrases (AgentX).</source>
        <translation>同时搜索查询的改写（AgentX）。</translation>
    </message>
    <message>
        <source>Also searched: {ways}.</source>
        <translation>还搜索了：{ways}。</translation>
    </message>
    <message numerus="yes">
        <source>Altered or missing: %Ln change(s).</source>
        <translation>
            <numerusform>被改动或缺失：%Ln 次更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>An OpenClaw session (`.jsonl`, up to version 3): the branch that counts</source>
        <translation>OpenClaw 会话（`.jsonl`，至版本 3）：有效的分支</translation>
    </message>
    <message>
        <source>An act in words has at most {count} characters.</source>
        <translation>用文字描述的操作最多 {count} 个字符。</translation>
    </message>
    <message>
        <source>An agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>An agent file&apos;s {name} are no memory</source>
        <translation>智能体文件的 {name} 不是记忆</translation>
    </message>
    <message>
        <source>An agent learned it in the place of the other.</source>
        <translation>智能体习得了它，以取代另一条。</translation>
    </message>
    <message>
        <source>An agent of your own</source>
        <translation>您自己的智能体</translation>
    </message>
    <message>
        <source>An agent proposes a promotion or a correction.</source>
        <translation>智能体可以提议提升或更正。</translation>
    </message>
    <message>
        <source>An agent that is connected keeps each turn as it is said. To begin, bring in a chat or an agent&apos;s folder.</source>
        <translation>已连接的智能体会即时保存每条发言。请先导入一段对话或智能体的文件夹。</translation>
    </message>
    <message>
        <source>An agent that is connected records each call as it makes it.</source>
        <translation>已连接的智能体会在每次调用时记录下来。</translation>
    </message>
    <message>
        <source>An agent&apos;s name</source>
        <translation>智能体的名称</translation>
    </message>
    <message>
        <source>An agent: it also stores, and proposes what is for all.</source>
        <translation>智能体：还可以存储，并提议给所有人的内容。</translation>
    </message>
    <message>
        <source>An answer, a delivery</source>
        <translation>一个答复、一次交付</translation>
    </message>
    <message>
        <source>An earlier MemDesk wrote this desk; the next start brings it to today&apos;s.</source>
        <translation>这个记忆台由较早的 MemDesk 写成；下次启动会将其升级。</translation>
    </message>
    <message>
        <source>An edit with neither before nor after.</source>
        <translation>一处既无之前也无之后的编辑。</translation>
    </message>
    <message>
        <source>An encrypted desk needs the package {missing}, which is not installed.</source>
        <translation>加密的记忆台需要软件包 {missing}，但未安装。</translation>
    </message>
    <message>
        <source>An entry of the journal is damaged on the disk.</source>
        <translation>日志中的一条记录在磁盘上已损坏。</translation>
    </message>
    <message>
        <source>An entry of your profile comes in only with your yes.</source>
        <translation>只有您同意，您的画像条目才会带入。</translation>
    </message>
    <message>
        <source>An entry of {count} characters; {most} at most.</source>
        <translation>条目有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>An error message of {count} characters; {most} at most.</source>
        <translation>错误消息有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>An import</source>
        <translation>一次导入</translation>
    </message>
    <message>
        <source>An import reads files on the computer of this desk.</source>
        <translation>导入会读取此记忆台所在计算机上的文件。</translation>
    </message>
    <message>
        <source>An import reads it again.</source>
        <translation>可以重新导入。</translation>
    </message>
    <message>
        <source>An item has a namespace of labels, and a key.</source>
        <translation>条目有由标签组成的命名空间和一个键。</translation>
    </message>
    <message>
        <source>An item&apos;s value is not JSON.</source>
        <translation>条目的值不是 JSON。</translation>
    </message>
    <message>
        <source>An observation has {count} characters; {most} at most.</source>
        <translation>一条观察有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>An owner has all users and channels.</source>
        <translation>所有者可用全部用户和频道。</translation>
    </message>
    <message>
        <source>And {count} more.</source>
        <translation>另外还有 {count} 个。</translation>
    </message>
    <message>
        <source>Another</source>
        <translation>再导出一份</translation>
    </message>
    <message>
        <source>Another fact contradicts it; open the question</source>
        <translation>另一条事实与它矛盾；打开该问题</translation>
    </message>
    <message>
        <source>Another program</source>
        <translation>另一个程序</translation>
    </message>
    <message>
        <source>Another project has channel {channel}.</source>
        <translation>频道 {channel} 属于另一个项目。</translation>
    </message>
    <message>
        <source>Another run is reading this conversation.</source>
        <translation>另一次运行正在读取此对话。</translation>
    </message>
    <message>
        <source>Another run is still extracting facts from this conversation.</source>
        <translation>另一次运行仍在从这个对话中抽取事实。</translation>
    </message>
    <message>
        <source>Another service (process {holder}) holds the desk {folder}.</source>
        <translation>另一个服务（进程 {holder}）占用着记忆台 {folder}。</translation>
    </message>
    <message>
        <source>Another service holds the desk {folder}.</source>
        <translation>另一个服务占用着记忆台 {folder}。</translation>
    </message>
    <message>
        <source>Another service of this desk does it.</source>
        <translation>此记忆台的另一个服务正在执行。</translation>
    </message>
    <message>
        <source>Another token…</source>
        <translation>再要一个令牌…</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答复</translation>
    </message>
    <message>
        <source>Answer them first.</source>
        <translation>请先回答它们。</translation>
    </message>
    <message>
        <source>Answer them in parts.</source>
        <translation>请分批答复。</translation>
    </message>
    <message>
        <source>Answered with {count} characters.</source>
        <translation>回答了 {count} 个字符。</translation>
    </message>
    <message>
        <source>Answered with {count} dimensions.</source>
        <translation>回答的向量有 {count} 维。</translation>
    </message>
    <message>
        <source>Answered {count}.</source>
        <translation>已答复 {count} 项。</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>答复</translation>
    </message>
    <message>
        <source>Any age</source>
        <translation>任意时间</translation>
    </message>
    <message>
        <source>Any confidence</source>
        <translation>任意置信度</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>不限时间</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Archive after days</source>
        <translation>归档天数</translation>
    </message>
    <message>
        <source>Archive old conversations, delete what was retired long ago</source>
        <translation>归档旧对话，删除早已停用的内容</translation>
    </message>
    <message>
        <source>Archive: everything, to bring back or to keep</source>
        <translation>归档：全部内容，可恢复、可留存</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Archived conversations still answer recalls.</source>
        <translation>已归档的对话仍参与召回。</translation>
    </message>
    <message>
        <source>Archiving conversations</source>
        <translation>正在归档对话</translation>
    </message>
    <message>
        <source>As</source>
        <translation>身份</translation>
    </message>
    <message>
        <source>As JSON</source>
        <translation>以 JSON 书写</translation>
    </message>
    <message>
        <source>As a plugin…</source>
        <translation>作为插件…</translation>
    </message>
    <message>
        <source>As a table  T</source>
        <translation>以表格显示  T</translation>
    </message>
    <message>
        <source>As long again</source>
        <translation>同样时长</translation>
    </message>
    <message>
        <source>As saved</source>
        <translation>恢复为已保存</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>As this desk&apos;s settings say: messages, characters, or a share of the model&apos;s window.</source>
        <translation>按本记忆台的设置：消息数、字符数，或模型窗口的份额。</translation>
    </message>
    <message>
        <source>As told</source>
        <translation>告知的内容</translation>
    </message>
    <message>
        <source>As told before a turn</source>
        <translation>发言前告知的内容</translation>
    </message>
    <message>
        <source>Ask a question to see what an agent would recall.</source>
        <translation>提一个问题，看看智能体会召回什么。</translation>
    </message>
    <message>
        <source>Ask a question, or name what it is about.</source>
        <translation>请提出问题，或指明所关于的对象。</translation>
    </message>
    <message>
        <source>Ask about memories that may be one</source>
        <translation>询问可能重复的记忆</translation>
    </message>
    <message>
        <source>Ask as an agent would</source>
        <translation>像智能体那样提问</translation>
    </message>
    <message>
        <source>Ask as it</source>
        <translation>以它的身份提问</translation>
    </message>
    <message>
        <source>Ask as this agent in the recall lab</source>
        <translation>在召回实验室中以此智能体的身份提问</translation>
    </message>
    <message>
        <source>Ask as this runtime would</source>
        <translation>像此运行环境那样提问</translation>
    </message>
    <message numerus="yes">
        <source>Ask for %Ln hit(s)</source>
        <translation>
            <numerusform>请求 %Ln 条命中</numerusform>
        </translation>
    </message>
    <message>
        <source>Ask for a {kind} too</source>
        <translation>也查询{kind}</translation>
    </message>
    <message>
        <source>Ask for facts, or without tiers.</source>
        <translation>请询问事实，或不用层级。</translation>
    </message>
    <message>
        <source>Ask for that again to finish it, or take its run back.</source>
        <translation>再次发出同一请求以完成它，或撤回它的那次运行。</translation>
    </message>
    <message>
        <source>Ask in every channel</source>
        <translation>在所有频道中查询</translation>
    </message>
    <message>
        <source>Ask in other words, or find the memory that you miss under Why not.</source>
        <translation>请换种说法提问，或在“为什么没有”下查找您想要的记忆。</translation>
    </message>
    <message>
        <source>Ask in the recall lab: {text}</source>
        <translation>在召回实验室中提问：{text}</translation>
    </message>
    <message>
        <source>Ask in {channel}</source>
        <translation>在 {channel} 中查询</translation>
    </message>
    <message>
        <source>Ask it again after every change, and say if the answer is lost</source>
        <translation>每次更改后再次提问，并在答案丢失时说明</translation>
    </message>
    <message>
        <source>Ask it here</source>
        <translation>在此提问</translation>
    </message>
    <message>
        <source>Ask of any time</source>
        <translation>不限时间</translation>
    </message>
    <message>
        <source>Ask one of the desk&apos;s owners, or for another role.</source>
        <translation>请找记忆台的一位所有者，或请求另一个角色。</translation>
    </message>
    <message>
        <source>Ask the desk&apos;s owner for a token that may: `memdesk team invite`.</source>
        <translation>请所有者生成有此权限的令牌：`memdesk team invite`。</translation>
    </message>
    <message>
        <source>Ask the desk&apos;s owner: `memdesk agents grant {agent} {scope}`.</source>
        <translation>请记忆台的所有者执行：`memdesk agents grant {agent} {scope}`。</translation>
    </message>
    <message>
        <source>Ask them to change it, or keep this under another key.</source>
        <translation>请让对方更改，或以另一个键存放。</translation>
    </message>
    <message>
        <source>Ask whoever runs the database: the page on PostgreSQL in the documentation says how.</source>
        <translation>请询问数据库的管理者：文档中关于 PostgreSQL 的一页说明了做法。</translation>
    </message>
    <message>
        <source>Asked about possible duplicates</source>
        <translation>已询问可能的重复</translation>
    </message>
    <message>
        <source>Asked about {count} likely contradictions and duplicates</source>
        <translation>就 {count} 处可能的矛盾和重复提问</translation>
    </message>
    <message>
        <source>Asked about {count} possible duplicates</source>
        <translation>就 {count} 处可能的重复提出了询问</translation>
    </message>
    <message>
        <source>Asked about {first}{rest} of {label}</source>
        <translation>就 {label} 的 {first}{rest} 提出了询问</translation>
    </message>
    <message>
        <source>Asked about “{found}”</source>
        <translation>就“{found}”提出了询问</translation>
    </message>
    <message>
        <source>Asked again: {reason}</source>
        <translation>再次询问：{reason}</translation>
    </message>
    <message>
        <source>Asked again: “{title}”</source>
        <translation>重新询问：“{title}”</translation>
    </message>
    <message>
        <source>Asked for.</source>
        <translation>应要求而做。</translation>
    </message>
    <message>
        <source>Asked: {says}</source>
        <translation>已询问：{says}</translation>
    </message>
    <message>
        <source>Asked: “{query}”</source>
        <translation>提问：“{query}”</translation>
    </message>
    <message>
        <source>Asking about what fades</source>
        <translation>正在询问正在淡忘的内容</translation>
    </message>
    <message>
        <source>Asking recent recalls again…</source>
        <translation>正在重新提问最近的召回…</translation>
    </message>
    <message>
        <source>At any time</source>
        <translation>任何时候</translation>
    </message>
    <message numerus="yes">
        <source>At most %Ln at once. Narrow the table, or choose fewer.</source>
        <translation>
            <numerusform>一次最多 %Ln 条。请缩小表格范围，或少选一些。</numerusform>
        </translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>Audit level</source>
        <translation>审计级别</translation>
    </message>
    <message>
        <source>Audit of {days}</source>
        <translation>审计：{days}</translation>
    </message>
    <message>
        <source>Audit partitions</source>
        <translation>审计分段</translation>
    </message>
    <message>
        <source>Audit partitions minutes</source>
        <translation>审计分段间隔</translation>
    </message>
    <message>
        <source>Audit retention days</source>
        <translation>审计保留天数</translation>
    </message>
    <message>
        <source>Audit sample rate</source>
        <translation>审计抽样率</translation>
    </message>
    <message>
        <source>Audit timeline</source>
        <translation>审计时间线</translation>
    </message>
    <message>
        <source>Authors</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>B gives way</source>
        <translation>B 让位</translation>
    </message>
    <message>
        <source>B goes into A</source>
        <translation>B 并入 A</translation>
    </message>
    <message>
        <source>B is newer and at least as sure.</source>
        <translation>B 更新，且至少同样可信。</translation>
    </message>
    <message>
        <source>B replaces A</source>
        <translation>B 取代 A</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Back</source>
        <comment>step</comment>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Back after {found} was revoked: {count} facts</source>
        <translation>撤销 {found} 之后恢复：{count} 条事实</translation>
    </message>
    <message>
        <source>Back everything up</source>
        <translation>备份全部</translation>
    </message>
    <message>
        <source>Back to the desk</source>
        <translation>返回记忆台</translation>
    </message>
    <message>
        <source>Back to the drawing</source>
        <translation>回到图形</translation>
    </message>
    <message>
        <source>Back to the folders</source>
        <translation>返回文件夹</translation>
    </message>
    <message>
        <source>Back to the queue</source>
        <translation>返回队列</translation>
    </message>
    <message>
        <source>Back up before a large import, an act on many memories, and an erasure, which fail where that fails.</source>
        <translation>在大型导入、对许多记忆的操作和抹除之前先备份；备份失败则这些操作也不进行。</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>立即备份</translation>
    </message>
    <message>
        <source>Back up the desk, test the copy, and let old copies go</source>
        <translation>备份记忆台，检验副本，并清除旧副本</translation>
    </message>
    <message>
        <source>Backing up</source>
        <translation>正在备份</translation>
    </message>
    <message>
        <source>Backup</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Backup before</source>
        <translation>事前备份</translation>
    </message>
    <message>
        <source>Backup days</source>
        <translation>备份天数</translation>
    </message>
    <message>
        <source>Backup minutes</source>
        <translation>备份间隔</translation>
    </message>
    <message>
        <source>Backup weeks</source>
        <translation>备份周数</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Backups kept: the newest of each of so many days, and as many made before something large.</source>
        <translation>保留的备份：最近这么多天每天最新的一份，以及同样数量的大型操作之前的备份。</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>早于</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>前后对比</translation>
    </message>
    <message>
        <source>Before {moment}:</source>
        <translation>{moment}之前：</translation>
    </message>
    <message>
        <source>Began {file} of {owner}</source>
        <translation>已新建 {owner} 的 {file}</translation>
    </message>
    <message>
        <source>Below 0.30</source>
        <translation>低于 0.30</translation>
    </message>
    <message>
        <source>Below 0.50</source>
        <translation>低于 0.50</translation>
    </message>
    <message>
        <source>Below this salience a memory counts as faded (AgentX).</source>
        <translation>显著度低于此值的记忆视为已淡忘（AgentX）。</translation>
    </message>
    <message>
        <source>Beside the turns</source>
        <translation>发言旁</translation>
    </message>
    <message>
        <source>Bind</source>
        <translation>绑定</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>阻塞</translation>
    </message>
    <message>
        <source>Block the goal</source>
        <translation>阻塞目标</translation>
    </message>
    <message>
        <source>Blocked “{title}”</source>
        <translation>已阻塞“{title}”</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Both changed the same lines: choose between the texts marked with {mark} first.</source>
        <translation>双方改动了相同的行：请先在标有 {mark} 的文本之间做出选择。</translation>
    </message>
    <message>
        <source>Both in time</source>
        <translation>先后皆真</translation>
    </message>
    <message>
        <source>Bring in a folder or an export, connect an agent, or look around on the sample desk.</source>
        <translation>导入文件夹或导出，连接智能体，或在示例记忆台上看看。</translation>
    </message>
    <message>
        <source>Bring in its folder, or let it connect: then this page says who it is.</source>
        <translation>导入它的文件夹，或让它连接：此页随后会说明它是谁。</translation>
    </message>
    <message>
        <source>Bring in the folder that an agent keeps its memory in.</source>
        <translation>请导入智能体存放记忆的文件夹。</translation>
    </message>
    <message>
        <source>Bring in…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Bring it back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Bring it back first.</source>
        <translation>请先把它带回来。</translation>
    </message>
    <message>
        <source>Bring it back with undo first.</source>
        <translation>请先用撤销把它带回来。</translation>
    </message>
    <message>
        <source>Bring it back with undo, or learn another.</source>
        <translation>用撤销把它带回来，或习得另一个。</translation>
    </message>
    <message>
        <source>Bring it in</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Bring them in</source>
        <translation>显示它们</translation>
    </message>
    <message>
        <source>Brings back {list}.</source>
        <translation>带回 {list}。</translation>
    </message>
    <message>
        <source>Brought back</source>
        <translation>已恢复</translation>
    </message>
    <message numerus="yes">
        <source>Brought back: %Ln change(s)</source>
        <translation>
            <numerusform>已恢复：%Ln 处更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Brought in from {name}: {counts}.</source>
        <translation>已从 {name} 导入：{counts}。</translation>
    </message>
    <message>
        <source>Browse its facts</source>
        <translation>浏览它的事实</translation>
    </message>
    <message>
        <source>Build another beside it of every row that can be read and is what was written.</source>
        <translation>在旁边用所有可读且与写入一致的行另建一个。</translation>
    </message>
    <message>
        <source>Busiest day</source>
        <translation>最忙的一天</translation>
    </message>
    <message>
        <source>By</source>
        <translation>操作者</translation>
    </message>
    <message>
        <source>By shares of the model&apos;s window: facts are stored ahead, then a summary and the last messages.</source>
        <translation>按模型窗口的份额：先行存下事实，然后是摘要和最近的消息。</translation>
    </message>
    <message>
        <source>CONTEXT WARNING: the context is at {count} of its window. Save what matters with memory_save, and finish or shorten the task.</source>
        <translation>上下文警告：上下文已占窗口的 {count}。请用 memory_save 保存要紧的内容，并完成或缩短任务。</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Calls of the tool</source>
        <translation>该工具的调用</translation>
    </message>
    <message>
        <source>Came with</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancelled before it started.</source>
        <translation>开始之前已取消。</translation>
    </message>
    <message>
        <source>Cancelled; what was finished stays.</source>
        <translation>已取消；已完成的部分保留。</translation>
    </message>
    <message>
        <source>Cannot update {path}. Agents can only update: {only}</source>
        <translation>不能更新 {path}。智能体只能更新：{only}</translation>
    </message>
    <message>
        <source>Captured the fact “{text}”</source>
        <translation>已记录事实“{text}”</translation>
    </message>
    <message>
        <source>Captured the note “{text}”</source>
        <translation>已记录便条“{text}”</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation>确定程度</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Change #{number}</source>
        <translation>更改 #{number}</translation>
    </message>
    <message>
        <source>Change something, or leave it as it is.</source>
        <translation>改动些什么，或保持原样。</translation>
    </message>
    <message>
        <source>Change the link</source>
        <translation>更改关联</translation>
    </message>
    <message>
        <source>Change the link to {title}</source>
        <translation>更改与 {title} 的关联</translation>
    </message>
    <message>
        <source>Change {change} belongs to no run.</source>
        <translation>更改 {change} 不属于任何运行。</translation>
    </message>
    <message>
        <source>Change {change} moved nothing, so there is nothing to undo.</source>
        <translation>更改 {change} 没有移动任何东西，因此无可撤销。</translation>
    </message>
    <message>
        <source>Change {change} was undone already, by change {count}.</source>
        <translation>更改 {change} 已被更改 {count} 撤销。</translation>
    </message>
    <message>
        <source>Change {last} moved it last; take that back first.</source>
        <translation>最后移动它的是变更 {last}；请先撤销该变更。</translation>
    </message>
    <message>
        <source>Change {what} does not continue what came before it: its time, its author or a change before it is another.</source>
        <translation>更改 {what} 与之前的不相接：它的时间、作者或之前的某个更改不同。</translation>
    </message>
    <message>
        <source>Change {what} is missing.</source>
        <translation>更改 {what} 缺失。</translation>
    </message>
    <message>
        <source>Change {what} is not the one that closed its day in the audit log.</source>
        <translation>更改 {what} 不是审计日志中结束其当日的那一个。</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Changed a learning in {path}</source>
        <translation>更改了 {path} 中的一条经验教训</translation>
    </message>
    <message>
        <source>Changed nothing.</source>
        <translation>没有更改。</translation>
    </message>
    <message>
        <source>Changed since by {author} (change {change}).</source>
        <translation>此后 {author} 改动过它（更改 {change}）。</translation>
    </message>
    <message>
        <source>Changed since {when}</source>
        <translation>自 {when} 以来的变化</translation>
    </message>
    <message>
        <source>Changed “{title}”</source>
        <translation>更改了“{title}”</translation>
    </message>
    <message>
        <source>Changed: {what}.</source>
        <translation>已变化：{what}。</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Changes over time</source>
        <translation>随时间的更改</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>频道</translation>
    </message>
    <message>
        <source>Channel {channel} holds memory.</source>
        <translation>频道 {channel} 中有记忆。</translation>
    </message>
    <message>
        <source>Channel {channel} holds the same already, as {id}.</source>
        <translation>频道 {channel} 已有相同内容：{id}。</translation>
    </message>
    <message>
        <source>Channel {channel} is archived already, or on its way into another.</source>
        <translation>频道 {channel} 已归档，或正在并入另一个频道。</translation>
    </message>
    <message>
        <source>Channel {channel} is not archived.</source>
        <translation>频道 {channel} 没有归档。</translation>
    </message>
    <message>
        <source>Channel {channel} leads to {target}</source>
        <translation>频道 {channel} 指向 {target}</translation>
    </message>
    <message>
        <source>Channel {channel} went into {moved_to}.</source>
        <translation>频道 {channel} 已并入 {moved_to}。</translation>
    </message>
    <message>
        <source>Channel {into} is archived, or went into another.</source>
        <translation>频道 {into} 已归档，或已并入另一个频道。</translation>
    </message>
    <message>
        <source>Channel {name}</source>
        <translation>频道 {name}</translation>
    </message>
    <message>
        <source>Channel {name} is {verb} {to}</source>
        <translation>频道 {name} 正{verb} {to}</translation>
    </message>
    <message>
        <source>Channel {name} {verb} {to}.</source>
        <translation>频道 {name} 已{verb} {to}。</translation>
    </message>
    <message>
        <source>Channel {other} is on its way into {source}.</source>
        <translation>频道 {other} 正在并入 {source}。</translation>
    </message>
    <message>
        <source>Channel {source} is archived.</source>
        <translation>频道 {source} 已归档。</translation>
    </message>
    <message>
        <source>Channel {source} is being {verb} {to}</source>
        <translation>频道 {source} 正在{verb} {to}</translation>
    </message>
    <message>
        <source>Channel {source} {verb} {to}</source>
        <translation>频道 {source} {verb} {to}</translation>
    </message>
    <message>
        <source>Channel {source} {verb} {to}: {count} {kind}</source>
        <translation>频道 {source} {verb} {to}：{count} 项{kind}</translation>
    </message>
    <message>
        <source>Channel {standing} is back: it was written to</source>
        <translation>频道 {standing} 回来了：有人向它写入</translation>
    </message>
    <message>
        <source>Channel {to} is called so already.</source>
        <translation>频道已经叫 {to}。</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>频道</translation>
    </message>
    <message>
        <source>Channels and kinds</source>
        <translation>频道与类型</translation>
    </message>
    <message>
        <source>Channels with its facts: {count}; {facts} facts are in {channel}.</source>
        <translation>有它的事实的频道：{count} 个；{channel} 中有 {facts} 条事实。</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>字符数</translation>
    </message>
    <message>
        <source>Chat transcript</source>
        <translation>聊天记录</translation>
    </message>
    <message>
        <source>Chats with a role and a content (`.json`, `.jsonl`): Claude Code, ChatGPT, AgenticX&apos;s `messages.json` and others</source>
        <translation>带角色与内容的聊天（`.json`、`.jsonl`）：Claude Code、ChatGPT、AgenticX 的 `messages.json` 等</translation>
    </message>
    <message>
        <source>Check model_url and model_name in the settings, or leave them empty to go without.</source>
        <translation>检查设置中的 model_url 和 model_name，或留空以不使用模型。</translation>
    </message>
    <message>
        <source>Check new facts and a share of the others, and ask about those that may not be right</source>
        <translation>检查新的事实和其余事实中的一部分，并询问其中可能不对的</translation>
    </message>
    <message>
        <source>Check the address after --desk, and that the database runs.</source>
        <translation>请检查 --desk 后的地址，并确认数据库正在运行。</translation>
    </message>
    <message>
        <source>Check the name.</source>
        <translation>请检查名称。</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>请检查路径。</translation>
    </message>
    <message>
        <source>Check without importing</source>
        <translation>只检查，不导入</translation>
    </message>
    <message>
        <source>Checking facts</source>
        <translation>正在检查事实</translation>
    </message>
    <message>
        <source>Checkup</source>
        <translation>体检</translation>
    </message>
    <message>
        <source>Checkup minutes</source>
        <translation>体检间隔</translation>
    </message>
    <message>
        <source>Checkup questions</source>
        <translation>体检问题数</translation>
    </message>
    <message>
        <source>Choose a conversation, a session, an agent, a tool, a file or an import. You see everything that was stored by it, read from it, promoted or summarised before anything happens. One undo brings it back, and what went is not learned again.</source>
        <translation>选择一段对话、一个会话、一个智能体、一个工具、一个文件或一次导入。在发生任何改变之前，您会看到由它存入、从它读取、由此提升或摘要的一切。撤销一次即可恢复，被移除的内容也不会再次学到。</translation>
    </message>
    <message>
        <source>Choose a desk&apos;s folder, or an empty one for a new desk</source>
        <translation>选择记忆台的文件夹，或选择空文件夹新建记忆台</translation>
    </message>
    <message>
        <source>Choose a desk&apos;s folder, or an empty one for a new desk.</source>
        <translation>请选择一个记忆台的文件夹，或为新记忆台选择一个空文件夹。</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose a goal or say in words what it waits for, one of the two.</source>
        <translation>选择一个目标，或用文字说明它在等待什么，二者择一。</translation>
    </message>
    <message>
        <source>Choose a grant.</source>
        <translation>请选择一项授权。</translation>
    </message>
    <message>
        <source>Choose a hit or what nearly came, or find any memory above: its path through the recall stands here.</source>
        <translation>选择一条命中或险些命中的记忆，或在上方查找任意记忆：它在召回中的路径会显示在这里。</translation>
    </message>
    <message>
        <source>Choose a memory or a change to see where it comes from and what can be done.</source>
        <translation>选择一条记忆或一项更改，查看它的来源和可做的操作。</translation>
    </message>
    <message>
        <source>Choose a row and press I: a pinned memory does not fade.</source>
        <translation>选择一行并按 I：固定的记忆不会淡忘。</translation>
    </message>
    <message>
        <source>Choose a row: the inspector tells where it comes from, to the very turn, and what you can do.</source>
        <translation>选择一行：详情栏会说明它来自哪一条发言，以及你能做什么。</translation>
    </message>
    <message>
        <source>Choose a run to see what it did, or run a job dry to see what it would do.</source>
        <translation>选择一次运行查看它做了什么，或试运行一个任务查看它会做什么。</translation>
    </message>
    <message>
        <source>Choose a shorter folder with --desk, or a shorter XDG_RUNTIME_DIR.</source>
        <translation>用 --desk 选择更短的文件夹，或使用更短的 XDG_RUNTIME_DIR。</translation>
    </message>
    <message>
        <source>Choose a version to restore.</source>
        <translation>请选择要恢复的版本。</translation>
    </message>
    <message>
        <source>Choose another place, or make room on the disk.</source>
        <translation>请选择其他位置，或清理磁盘空间。</translation>
    </message>
    <message>
        <source>Choose nothing</source>
        <translation>取消选择</translation>
    </message>
    <message>
        <source>Choose one that was.</source>
        <translation>请选择一份检验过的。</translation>
    </message>
    <message>
        <source>Choose one to read it whole and to correct it.</source>
        <translation>选择一条，即可查看全文并更正。</translation>
    </message>
    <message>
        <source>Choose one to see its days and its calls.</source>
        <translation>选中一个，即可看到它逐日的使用和各次调用。</translation>
    </message>
    <message>
        <source>Choose one to see its tokens and to revoke it.</source>
        <translation>选择一个成员，查看它的令牌或吊销它。</translation>
    </message>
    <message>
        <source>Choose one to see its tools and where it worked.</source>
        <translation>选中一个，即可看到它的工具以及在何处有效。</translation>
    </message>
    <message>
        <source>Choose one to see what it holds.</source>
        <translation>选中一个，即可看到它的内容。</translation>
    </message>
    <message>
        <source>Choose one to see what it waits for and what is part of it.</source>
        <translation>选中一个，即可看到它在等待什么、包含什么。</translation>
    </message>
    <message>
        <source>Choose one.</source>
        <translation>请选择一个。</translation>
    </message>
    <message>
        <source>Choose the one that stays.</source>
        <translation>请选择保留的那个。</translation>
    </message>
    <message>
        <source>Choose the other end.</source>
        <translation>请选择另一端。</translation>
    </message>
    <message>
        <source>Choose the same one here; or stop the other services of this desk first.</source>
        <translation>请在此选择同一个嵌入模型，或先停止此记忆台的其他服务。</translation>
    </message>
    <message>
        <source>Choose what the graph should be around.</source>
        <translation>选择图谱的中心。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Claim</source>
        <translation>陈述</translation>
    </message>
    <message>
        <source>Cleanup</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>Cleanup minutes</source>
        <translation>清理间隔</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Click there.</source>
        <translation>请在那里点击。</translation>
    </message>
    <message>
        <source>Click to copy</source>
        <translation>点击复制</translation>
    </message>
    <message>
        <source>Click to hide</source>
        <translation>点击隐藏</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close  W</source>
        <translation>关闭  W</translation>
    </message>
    <message>
        <source>Close anyway</source>
        <translation>仍然关闭</translation>
    </message>
    <message>
        <source>Close it, or end its process, and try again.</source>
        <translation>请关闭它或结束其进程，然后重试。</translation>
    </message>
    <message>
        <source>Close the program it belongs to, and import it again.</source>
        <translation>关闭它所属的程序，然后再次导入。</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>不保存并关闭</translation>
    </message>
    <message>
        <source>Close, Esc</source>
        <translation>关闭，Esc</translation>
    </message>
    <message>
        <source>Closing days of the audit log</source>
        <translation>正在结束审计日志的各日</translation>
    </message>
    <message>
        <source>Closing now loses what you wrote: {what}.</source>
        <translation>现在关闭会丢失您写的内容：{what}。</translation>
    </message>
    <message>
        <source>Codex asks you to trust the hooks when it starts next.</source>
        <translation>Codex 下次启动时会请您信任这些钩子。</translation>
    </message>
    <message>
        <source>Comes back at place {place}.</source>
        <translation>召回，位列第 {place}。</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Communication style</source>
        <translation>沟通风格</translation>
    </message>
    <message>
        <source>Compacted {gone} turns of “{talk}”: {before} messages are {after}</source>
        <translation>压缩了“{talk}”的 {gone} 条发言：{before} 条消息变为 {after} 条</translation>
    </message>
    <message>
        <source>Compaction</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Compaction {id} took in the summary of this one.</source>
        <translation>压缩 {id} 已收纳了这次的摘要。</translation>
    </message>
    <message>
        <source>Compaction {id} was taken back already.</source>
        <translation>压缩 {id} 已经撤回。</translation>
    </message>
    <message>
        <source>Compactions</source>
        <translation>压缩记录</translation>
    </message>
    <message>
        <source>Compare every file with what the desk knows of it</source>
        <translation>将每个文件与记忆台已知的内容比较</translation>
    </message>
    <message>
        <source>Compare facts also by the model of the extra `facts`, where that is installed.</source>
        <translation>也用附加包 `facts` 的模型比较事实（若已安装）。</translation>
    </message>
    <message>
        <source>Compare two</source>
        <translation>比较两版</translation>
    </message>
    <message>
        <source>Compare with before this, and put facts back</source>
        <translation>与此前比较，并把事实放回</translation>
    </message>
    <message>
        <source>Compare with the one before</source>
        <translation>与前一版比较</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>对比时刻</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Complete the goal</source>
        <translation>完成目标</translation>
    </message>
    <message>
        <source>Completed “{title}”</source>
        <translation>已完成“{title}”</translation>
    </message>
    <message>
        <source>Compute the vectors of texts that have none</source>
        <translation>为没有向量的文字计算向量</translation>
    </message>
    <message>
        <source>Computing vectors</source>
        <translation>正在计算向量</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>Confidence left of an inferred fact after a week without recall; slower than salience (AgentX).</source>
        <translation>推断出的事实一周未被召回后剩余的置信度；比显著度慢（AgentX）。</translation>
    </message>
    <message>
        <source>Connect an agent with `memdesk mcp`, or bring in a chat or an agent&apos;s folder.</source>
        <translation>用 `memdesk mcp` 连接智能体，或导入一段对话或智能体的文件夹。</translation>
    </message>
    <message>
        <source>Connect one: memdesk install claude-code --apply</source>
        <translation>连接一个：memdesk install claude-code --apply</translation>
    </message>
    <message>
        <source>Connect the runtime with `memdesk mcp`, or name localhost.</source>
        <translation>请用 `memdesk mcp` 连接该运行环境，或使用 localhost。</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Consolidate</source>
        <translation>巩固</translation>
    </message>
    <message>
        <source>Consolidate minutes</source>
        <translation>巩固间隔</translation>
    </message>
    <message>
        <source>Consolidated “{talk}” in {channel}: {list}</source>
        <translation>巩固了 {channel} 中的“{talk}”：{list}</translation>
    </message>
    <message>
        <source>Consolidated “{talk}”: {list}</source>
        <translation>巩固了“{talk}”：{list}</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Context policy</source>
        <translation>压缩方案</translation>
    </message>
    <message>
        <source>Context value</source>
        <translation>上下文值</translation>
    </message>
    <message>
        <source>Context window</source>
        <translation>上下文窗口</translation>
    </message>
    <message>
        <source>Context: {text}</source>
        <translation>上下文：{text}</translation>
    </message>
    <message>
        <source>Contradicted: {title}</source>
        <translation>有矛盾：{title}</translation>
    </message>
    <message>
        <source>Contradiction</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>Contradictions</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>Contradictions found</source>
        <translation>发现的矛盾</translation>
    </message>
    <message>
        <source>Contradictions: {count}. Both sides are told until you answer.</source>
        <translation>矛盾：{count} 个。在您答复之前，双方都会告知。</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Conversation without a title</source>
        <translation>无标题的对话</translation>
    </message>
    <message>
        <source>Conversation {conversation_id} has no turn {turn_index}.</source>
        <translation>对话 {conversation_id} 没有第 {turn_index} 条发言。</translation>
    </message>
    <message>
        <source>Conversation {id}</source>
        <translation>对话 {id}</translation>
    </message>
    <message>
        <source>Conversation {id} belongs to channel {channel}.</source>
        <translation>对话 {id} 属于频道 {channel}。</translation>
    </message>
    <message>
        <source>Conversation, session or user</source>
        <translation>对话、会话或用户</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Conversations that began longer ago are archived; 0 for never (AgentX).</source>
        <translation>开始时间早于此的对话会被归档；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>Conversations, what links one memory to another, and where a fact comes from stay.</source>
        <translation>对话、记忆之间的联系和事实的来源不会带走。</translation>
    </message>
    <message>
        <source>Convert the file to UTF-8 first.</source>
        <translation>请先把文件转换为 UTF-8。</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copied {rows} rows; made {restored} memories again; lost {lost}.</source>
        <translation>复制了 {rows} 行；重建了 {restored} 条记忆；丢失 {lost} 条。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy onto the desk</source>
        <translation>复制到记忆台</translation>
    </message>
    <message>
        <source>Copy the hash</source>
        <translation>复制哈希</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copying rows</source>
        <translation>正在复制各行</translation>
    </message>
    <message>
        <source>Copying the database</source>
        <translation>正在复制数据库</translation>
    </message>
    <message>
        <source>Copying what can be read</source>
        <translation>正在复制可读的内容</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>Correct embedder and what it needs in the settings.</source>
        <translation>请在设置中更正 embedder 及其所需。</translation>
    </message>
    <message>
        <source>Correct it, or name another with --file.</source>
        <translation>请更正它，或用 --file 指定另一个。</translation>
    </message>
    <message>
        <source>Correct {path} or remove it.</source>
        <translation>更正 {path} 或删除它。</translation>
    </message>
    <message>
        <source>Correct {path}.</source>
        <translation>更正 {path}。</translation>
    </message>
    <message>
        <source>Corrected to “{b}”</source>
        <translation>已更正为“{b}”</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>Corrections</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>Could not be looked at: {error}.</source>
        <translation>无法查看：{error}。</translation>
    </message>
    <message>
        <source>Count what fades, and ask about what has faded and is unused</source>
        <translation>统计正在淡忘的内容，并询问已淡忘且无人使用的内容</translation>
    </message>
    <message>
        <source>Ctrl+K searches every memory and every command. F1 explains the panel you are at.</source>
        <translation>Ctrl+K 搜索每条记忆和每个命令。F1 说明你所在的面板。</translation>
    </message>
    <message>
        <source>Curated notes and strategies</source>
        <translation>整理的笔记与策略</translation>
    </message>
    <message>
        <source>Curator</source>
        <translation>管理者</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Cursor lists the server under Settings, MCP.</source>
        <translation>Cursor 在“设置 → MCP”下列出该服务器。</translation>
    </message>
    <message>
        <source>Custom characters</source>
        <translation>自定义字符数</translation>
    </message>
    <message>
        <source>Custom compact</source>
        <translation>自定义压缩</translation>
    </message>
    <message>
        <source>Custom flush</source>
        <translation>自定义预存</translation>
    </message>
    <message>
        <source>Custom messages</source>
        <translation>自定义消息数</translation>
    </message>
    <message>
        <source>Custom retain</source>
        <translation>自定义保留数</translation>
    </message>
    <message>
        <source>Custom summary</source>
        <translation>自定义摘要</translation>
    </message>
    <message>
        <source>Daily log of {day}</source>
        <translation>{day}的日志</translation>
    </message>
    <message>
        <source>Daily logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Damage of the disk was found in {named}, and what is damaged is left out of every answer. `memdesk verify` says what else is; a backup may have it whole.</source>
        <translation>在 {named} 发现磁盘损坏，受损内容不会出现在任何回答中。`memdesk verify` 会列出其余损坏；备份中可能有完整的内容。</translation>
    </message>
    <message>
        <source>Damaged: {said} ({list}).</source>
        <translation>损坏：{said}（{list}）。</translation>
    </message>
    <message>
        <source>Damaged: {said}.</source>
        <translation>损坏：{said}。</translation>
    </message>
    <message>
        <source>Damping of rank fusion (Cormack, Clarke and Buettcher 2009).</source>
        <translation>排名融合的阻尼（Cormack、Clarke 与 Buettcher，2009）。</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Day and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>Day {told}: {list}</source>
        <translation>日志 {told}：{list}</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Days in {folder}/, by {clock}</source>
        <translation>日志位于 {folder}/，按{clock}</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>截止时间</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>Decay minutes</source>
        <translation>衰减间隔</translation>
    </message>
    <message>
        <source>Decay per day</source>
        <translation>每日衰减</translation>
    </message>
    <message>
        <source>Decide for good</source>
        <translation>就此决定</translation>
    </message>
    <message>
        <source>Decide them with `memdesk review`.</source>
        <translation>用 `memdesk review` 决定。</translation>
    </message>
    <message>
        <source>Decided for good no more: {says}</source>
        <translation>不再长期决定：{says}</translation>
    </message>
    <message>
        <source>Decided for good: {says}</source>
        <translation>长期决定：{says}</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Delete after days</source>
        <translation>删除天数</translation>
    </message>
    <message>
        <source>Delete it if nobody needs it.</source>
        <translation>如果没有人需要，请删除。</translation>
    </message>
    <message>
        <source>Delete it, or write down what is true today.</source>
        <translation>请删除，或写下现在的实际情况。</translation>
    </message>
    <message>
        <source>Delete one, or write to one there is.</source>
        <translation>删除一条，或写入已有的一条。</translation>
    </message>
    <message>
        <source>Delete the backups that hold them too</source>
        <translation>同时删除含有该用户内容的备份</translation>
    </message>
    <message>
        <source>Deleting what was retired: {label}</source>
        <translation>正在删除已停用的：{label}</translation>
    </message>
    <message>
        <source>Demote</source>
        <translation>降级</translation>
    </message>
    <message>
        <source>Demoted “{title}”</source>
        <translation>降级了“{title}”</translation>
    </message>
    <message>
        <source>Demoted: {claim}</source>
        <translation>已降级：{claim}</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Desk {folder}</source>
        <translation>记忆台 {folder}</translation>
    </message>
    <message>
        <source>Did you mean `{close}`?</source>
        <translation>你是指 `{close}` 吗？</translation>
    </message>
    <message>
        <source>Did you mean {close}?</source>
        <translation>你是指 {close} 吗？</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Difference by</source>
        <translation>差异粒度</translation>
    </message>
    <message>
        <source>Different now: {what}.</source>
        <translation>现在不同：{what}。</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
    <message>
        <source>Dismiss the question.</source>
        <translation>驳回这个问题。</translation>
    </message>
    <message>
        <source>Dismissed a {type}: “{record}”</source>
        <translation>驳回了{type}：“{record}”</translation>
    </message>
    <message>
        <source>Divider</source>
        <translation>分隔条</translation>
    </message>
    <message>
        <source>Do it</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>Do it on the desk&apos;s own computer.</source>
        <translation>请在记忆台所在的电脑上操作。</translation>
    </message>
    <message>
        <source>Do it there: in a window, or with memdesk import.</source>
        <translation>请在那台计算机上进行：在窗口中，或用 memdesk import。</translation>
    </message>
    <message>
        <source>Do not let an agent read it. Delete the line unless you wrote it, and find out who did.</source>
        <translation>不要让智能体读到它。除非是您写的，否则请删除该行，并查明是谁写的。</translation>
    </message>
    <message>
        <source>Do this there, or ask whoever runs it.</source>
        <translation>请在那里操作，或联系其管理者。</translation>
    </message>
    <message>
        <source>Does not come back.</source>
        <translation>没有被召回。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Done again</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Done again: {what}</source>
        <translation>已重做：{what}</translation>
    </message>
    <message>
        <source>Done again: “{title}”</source>
        <translation>已重做：“{title}”</translation>
    </message>
    <message>
        <source>Doubt</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>Doubtful</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>Drop whole days of the audit log that are past their time</source>
        <translation>丢弃过期的整天审计日志</translation>
    </message>
    <message numerus="yes">
        <source>Dropped as repeated: %Ln.</source>
        <translation>
            <numerusform>因重复而丢弃：%Ln 条。</numerusform>
        </translation>
    </message>
    <message>
        <source>Dropping days of the audit log</source>
        <translation>正在丢弃审计日志的若干日</translation>
    </message>
    <message>
        <source>Dry: {says}</source>
        <translation>试运行：{says}</translation>
    </message>
    <message>
        <source>Due</source>
        <translation>截止</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Duplicate cosine</source>
        <translation>重复界限</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Each of these needs a yes of its own: a box takes all of its kind, Enter takes one or leaves it out.</source>
        <translation>每一项都需要单独同意：勾选框接受该类的全部，Enter 接受或略去一项。</translation>
    </message>
    <message>
        <source>Each run as one row</source>
        <translation>每次运行显示为一行</translation>
    </message>
    <message>
        <source>Earlier day with entries</source>
        <translation>更早的有记录的一天</translation>
    </message>
    <message>
        <source>Earlier differences are not read; choose a later moment.</source>
        <translation>更早的差异没有读取；请选择较晚的时刻。</translation>
    </message>
    <message>
        <source>Earlier weeks</source>
        <translation>更早的几周</translation>
    </message>
    <message>
        <source>Edges</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit goal</source>
        <translation>编辑目标</translation>
    </message>
    <message>
        <source>Edit strategy</source>
        <translation>编辑策略</translation>
    </message>
    <message>
        <source>Edit the entry</source>
        <translation>编辑条目</translation>
    </message>
    <message>
        <source>Edit the fact instead.</source>
        <translation>请改为编辑事实。</translation>
    </message>
    <message>
        <source>Edit the file</source>
        <translation>编辑文件</translation>
    </message>
    <message>
        <source>Edit “{key}”</source>
        <translation>编辑“{key}”</translation>
    </message>
    <message>
        <source>Edit “{name}”</source>
        <translation>编辑“{name}”</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edited outside: {path}</source>
        <translation>在外部编辑：{path}</translation>
    </message>
    <message>
        <source>Edited {file}</source>
        <translation>已编辑 {file}</translation>
    </message>
    <message>
        <source>Edited {path}</source>
        <translation>编辑了 {path}</translation>
    </message>
    <message>
        <source>Edited “{title}”</source>
        <translation>编辑了“{title}”</translation>
    </message>
    <message>
        <source>Effect on recent recalls</source>
        <translation>对最近召回的影响</translation>
    </message>
    <message>
        <source>Else a folder stays where it is, and is watched there</source>
        <translation>否则文件夹留在原处，并在原处监视</translation>
    </message>
    <message>
        <source>Embedder</source>
        <translation>嵌入模型</translation>
    </message>
    <message>
        <source>Embedder day tokens</source>
        <translation>嵌入每日 token</translation>
    </message>
    <message>
        <source>Embedder folder</source>
        <translation>嵌入模型文件夹</translation>
    </message>
    <message>
        <source>Embedder name</source>
        <translation>嵌入模型名称</translation>
    </message>
    <message>
        <source>Embedder seconds</source>
        <translation>嵌入等待时长</translation>
    </message>
    <message>
        <source>Embedder url</source>
        <translation>嵌入模型地址</translation>
    </message>
    <message>
        <source>Embedder {name}</source>
        <translation>嵌入模型 {name}</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Encrypt the desk with the same passphrase first: `memdesk encrypt`.</source>
        <translation>请先用同一口令加密记忆台：`memdesk encrypt`。</translation>
    </message>
    <message>
        <source>Encrypted at rest</source>
        <translation>静态加密</translation>
    </message>
    <message>
        <source>End it with `memdesk stop` and try again.</source>
        <translation>用 `memdesk stop` 结束它，然后重试。</translation>
    </message>
    <message>
        <source>End the subgoals first, branch by branch.</source>
        <translation>请先逐支结束子目标。</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Enter opens it first, F at once</source>
        <translation>Enter 先打开，F 立即生成</translation>
    </message>
    <message>
        <source>Entities</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Entities and facts</source>
        <translation>实体与事实</translation>
    </message>
    <message>
        <source>Entities go as the names of relations; their descriptions, and the sources of facts, stay.</source>
        <translation>实体只作为关系中的名称带走；其描述以及事实的来源不会带走。</translation>
    </message>
    <message>
        <source>Entity</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>Entity similarity</source>
        <translation>实体相似度</translation>
    </message>
    <message>
        <source>Entity that nothing else speaks of</source>
        <translation>没有其他内容提及的实体</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Entries of the profile</source>
        <translation>画像的条目</translation>
    </message>
    <message>
        <source>Entries per day</source>
        <translation>每日记录数</translation>
    </message>
    <message>
        <source>Entries per day, 0 to {most}</source>
        <translation>每日记录数，0 至 {most}</translation>
    </message>
    <message>
        <source>Entries per day, {days} days</source>
        <translation>每日记录数，{days} 天</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Entry for {day}</source>
        <translation>{day}的条目</translation>
    </message>
    <message>
        <source>Episodic</source>
        <translation>情景</translation>
    </message>
    <message>
        <source>Erase a user</source>
        <translation>清除用户</translation>
    </message>
    <message>
        <source>Erase for good</source>
        <translation>永久清除</translation>
    </message>
    <message>
        <source>Erase for good…</source>
        <translation>永久抹除…</translation>
    </message>
    <message>
        <source>Erase this one</source>
        <translation>抹除这一条</translation>
    </message>
    <message>
        <source>Erased</source>
        <translation>已抹除</translation>
    </message>
    <message>
        <source>Erased the secrets of “{a}” for good</source>
        <translation>已永久抹除“{a}”中的机密</translation>
    </message>
    <message>
        <source>Erased {count} rows for good.</source>
        <translation>已永久擦除 {count} 行。</translation>
    </message>
    <message>
        <source>Erased {count} rows for good. No backup was made: dumps, replicas and archived WAL of the database have the user until you delete them. Files in workspaces are not touched.{left}</source>
        <translation>已永久擦除 {count} 行。没有做备份：数据库的转储、副本和归档的 WAL 仍含有该用户，直到您删除它们。工作区中的文件未触及。{left}</translation>
    </message>
    <message>
        <source>Erased {count} rows for good. Not touched, and yours to judge:{left}</source>
        <translation>已永久擦除 {count} 行。未触及、由你判断：{left}</translation>
    </message>
    <message>
        <source>Erased {secrets}. Searched {count} files</source>
        <translation>抹除了 {secrets}。搜索了 {count} 个文件</translation>
    </message>
    <message>
        <source>Erases everything of {user}.</source>
        <translation>将清除 {user} 的全部内容。</translation>
    </message>
    <message>
        <source>Erasing</source>
        <translation>正在擦除</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Every agent</source>
        <translation>每个智能体</translation>
    </message>
    <message>
        <source>Every agent reads _global.</source>
        <translation>每个智能体都会读取 _global。</translation>
    </message>
    <message>
        <source>Every call is in /openapi.json.</source>
        <translation>每个调用都在 /openapi.json 中。</translation>
    </message>
    <message>
        <source>Every call needs exactly one answer: {wrong}.</source>
        <translation>每个调用需要恰好一个应答：{wrong}。</translation>
    </message>
    <message>
        <source>Every change and every recall will stand here. To begin, bring in a chat or an agent&apos;s folder.</source>
        <translation>每次更改和召回都会显示在这里。请先导入一段对话或智能体的文件夹。</translation>
    </message>
    <message>
        <source>Every change and recall too, for reading; an import leaves it</source>
        <translation>连同每次变更和召回，仅供查阅；导入时会略过</translation>
    </message>
    <message>
        <source>Every channel</source>
        <translation>所有频道</translation>
    </message>
    <message>
        <source>Every kind</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Every memory here was learned or recalled not long ago.</source>
        <translation>这里的每条记忆都是不久前学到或召回的。</translation>
    </message>
    <message>
        <source>Every page of the database is whole.</source>
        <translation>数据库的每一页都完好。</translation>
    </message>
    <message>
        <source>Every recall that returns a memory lifts it.</source>
        <translation>每次召回都会提高被召回的记忆。</translation>
    </message>
    <message>
        <source>Every row is what was written.</source>
        <translation>每一行都与写入时一致。</translation>
    </message>
    <message>
        <source>Every setting is in `memdesk settings`.</source>
        <translation>所有设置都在 `memdesk settings` 中。</translation>
    </message>
    <message>
        <source>Every standing file is there.</source>
        <translation>常备文件都已齐全。</translation>
    </message>
    <message>
        <source>Everyone</source>
        <translation>所有人</translation>
    </message>
    <message>
        <source>Everything is in</source>
        <translation>全部已导入</translation>
    </message>
    <message>
        <source>Everything learned</source>
        <translation>学到的一切</translation>
    </message>
    <message>
        <source>Everything of one user, erased for good</source>
        <translation>一位用户的一切，永久擦除</translation>
    </message>
    <message>
        <source>Everything of {user} was erased.</source>
        <translation>{user} 的全部内容已清除。</translation>
    </message>
    <message>
        <source>Everything that happened</source>
        <translation>发生过的一切</translation>
    </message>
    <message>
        <source>Everything that is believed</source>
        <translation>所相信的一切</translation>
    </message>
    <message>
        <source>Everything that is kept of one user goes for good: what was said, what was learned, history and logs. Exports, and files in folders of agents, are not touched. No undo brings it back.</source>
        <translation>某个用户的所有内容将被永久删除：说过的话、学到的内容、历史与日志。导出文件以及智能体文件夹中的文件不受影响。无法撤销。</translation>
    </message>
    <message>
        <source>Everything that it moved stays as it is.</source>
        <translation>它改动过的内容全部保持原样。</translation>
    </message>
    <message>
        <source>Expansion</source>
        <translation>扩展</translation>
    </message>
    <message>
        <source>Expertise</source>
        <translation>专长</translation>
    </message>
    <message>
        <source>Explain one of these</source>
        <translation>解释其中一条</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message numerus="yes">
        <source>Export %Ln event(s)</source>
        <translation>
            <numerusform>导出 %Ln 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Export %Ln event(s)…</source>
        <translation>
            <numerusform>导出 %Ln 个事件…</numerusform>
        </translation>
    </message>
    <message>
        <source>Export it again.</source>
        <translation>请重新导出。</translation>
    </message>
    <message>
        <source>Export memory</source>
        <translation>导出记忆</translation>
    </message>
    <message>
        <source>Export the agent again.</source>
        <translation>请重新导出该智能体。</translation>
    </message>
    <message>
        <source>Export the graph</source>
        <translation>导出图谱</translation>
    </message>
    <message>
        <source>Export the picture…</source>
        <translation>导出图片…</translation>
    </message>
    <message numerus="yes">
        <source>Exporting: {written} of %Ln event(s)</source>
        <translation>
            <numerusform>正在导出：%Ln 个事件中的 {written} 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Extract facts from new turns now</source>
        <translation>立即从新发言中抽取事实</translation>
    </message>
    <message>
        <source>Extract facts, entities and relations from new turns</source>
        <translation>从新发言中抽取事实、实体和关系</translation>
    </message>
    <message>
        <source>Extraction</source>
        <translation>抽取</translation>
    </message>
    <message>
        <source>Extraction enabled</source>
        <translation>启用抽取</translation>
    </message>
    <message>
        <source>Extraction model</source>
        <translation>用模型抽取</translation>
    </message>
    <message>
        <source>Extraction model name</source>
        <translation>抽取模型名称</translation>
    </message>
    <message>
        <source>Extraction prompt</source>
        <translation>抽取提示</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>Fact decay per week</source>
        <translation>事实每周衰减</translation>
    </message>
    <message>
        <source>Fact from {day}: “{claim}”</source>
        <translation>来自{day}的事实：“{claim}”</translation>
    </message>
    <message>
        <source>Fact {id} claims that already.</source>
        <translation>事实 {id} 已有同样的陈述。</translation>
    </message>
    <message>
        <source>Fact {id} is in channel {channel}; a fact supersedes one of its own channel.</source>
        <translation>事实 {id} 在频道 {channel}；事实只能取代同一频道的事实。</translation>
    </message>
    <message>
        <source>Fact {id} was superseded already, by {superseded_by}.</source>
        <translation>事实 {id} 已被 {superseded_by} 取代。</translation>
    </message>
    <message>
        <source>Fact: {text}, {note}</source>
        <translation>事实：{text}，{note}</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>Facts about it: {count}, the surest first.</source>
        <translation>关于它的事实：{count} 条，最可靠的在前。</translation>
    </message>
    <message>
        <source>Facts and entities</source>
        <translation>事实与实体</translation>
    </message>
    <message>
        <source>Facts and entities appear as agents talk. Bring in a chat, or the folder that an agent keeps its memory in.</source>
        <translation>事实和实体会随着智能体的对话出现。请导入一段对话，或智能体存放记忆的文件夹。</translation>
    </message>
    <message>
        <source>Facts and entities fade; in these channels there are none of this kind.</source>
        <translation>事实和实体会淡忘；这些频道中没有这一类。</translation>
    </message>
    <message>
        <source>Facts become observations of the entities they are about; times, confidence and sources stay.</source>
        <translation>事实成为相关实体的观察；时间、置信度和来源不会带走。</translation>
    </message>
    <message>
        <source>Facts kept</source>
        <translation>保留的事实</translation>
    </message>
    <message>
        <source>Facts model</source>
        <translation>事实模型</translation>
    </message>
    <message>
        <source>Facts of this conversation</source>
        <translation>此对话的事实</translation>
    </message>
    <message>
        <source>Facts read from it</source>
        <translation>由此读出的事实</translation>
    </message>
    <message>
        <source>Facts this near in meaning, with the same telling words, are one (AgentX).</source>
        <translation>含义如此接近且关键词相同的事实视为同一条（AgentX）。</translation>
    </message>
    <message>
        <source>Facts were extracted in part.</source>
        <translation>事实只抽取了一部分。</translation>
    </message>
    <message>
        <source>Fade below</source>
        <translation>淡忘界限</translation>
    </message>
    <message>
        <source>Faded memory unused for so long is proposed to be retired; 0 for never (AgentX).</source>
        <translation>淡忘的记忆这么久未被使用时，会提议停用；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>Fades</source>
        <translation>淡忘</translation>
    </message>
    <message>
        <source>Fades in 7 days</source>
        <translation>7 天内淡忘</translation>
    </message>
    <message>
        <source>Fades in {days} days</source>
        <translation>{days} 天内淡忘</translation>
    </message>
    <message>
        <source>Fades soonest</source>
        <translation>最快淡忘</translation>
    </message>
    <message>
        <source>Fading</source>
        <translation>淡忘</translation>
    </message>
    <message>
        <source>Fading and tidying</source>
        <translation>淡忘与整理</translation>
    </message>
    <message>
        <source>Fading soonest</source>
        <translation>最快淡出</translation>
    </message>
    <message>
        <source>Fading this week</source>
        <translation>本周淡忘</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Fetch it in parts: one channel, type or time each.</source>
        <translation>请分部分获取：每次一个频道、类型或时段。</translation>
    </message>
    <message>
        <source>Fewer than {count} messages.</source>
        <translation>少于 {count} 条消息。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File clash</source>
        <translation>文件冲突</translation>
    </message>
    <message>
        <source>File clashes</source>
        <translation>文件冲突</translation>
    </message>
    <message>
        <source>File {document_id} has no version {content_hash}.</source>
        <translation>文件 {document_id} 没有版本 {content_hash}。</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Files above {limit:g} MB are left out</source>
        <translation>略过大于 {limit:g} MB 的文件</translation>
    </message>
    <message>
        <source>Files in workspaces and the settings stay as they are.</source>
        <translation>工作区中的文件和设置保持不变。</translation>
    </message>
    <message>
        <source>Files of workspaces are as they were last seen.</source>
        <translation>工作区的文件与上次所见一致。</translation>
    </message>
    <message>
        <source>Files that are removed: {files}</source>
        <translation>将移除的文件：{files}</translation>
    </message>
    <message>
        <source>Files that were read: {count}.</source>
        <translation>读取的文件：{count} 个。</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Fill: confidence</source>
        <translation>填充：置信度</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter entities</source>
        <translation>筛选实体</translation>
    </message>
    <message>
        <source>Filter events</source>
        <translation>筛选事件</translation>
    </message>
    <message>
        <source>Filter facts</source>
        <translation>筛选事实</translation>
    </message>
    <message>
        <source>Filter files</source>
        <translation>筛选文件</translation>
    </message>
    <message>
        <source>Filter goals</source>
        <translation>筛选目标</translation>
    </message>
    <message>
        <source>Filter keys</source>
        <translation>筛选键</translation>
    </message>
    <message>
        <source>Filter learnings</source>
        <translation>筛选经验教训</translation>
    </message>
    <message>
        <source>Filter strategies</source>
        <translation>筛选策略</translation>
    </message>
    <message>
        <source>Filter the profile</source>
        <translation>筛选画像</translation>
    </message>
    <message>
        <source>Filter this panel</source>
        <translation>筛选此面板</translation>
    </message>
    <message>
        <source>Filter titles</source>
        <translation>按标题筛选</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find a memory to explain</source>
        <translation>查找要解释的记忆</translation>
    </message>
    <message>
        <source>Find a memory to put in the middle</source>
        <translation>查找一条记忆作为中心</translation>
    </message>
    <message>
        <source>Find a way to…</source>
        <translation>查找路径…</translation>
    </message>
    <message>
        <source>Find a way, export the picture</source>
        <translation>查找路径、导出图片</translation>
    </message>
    <message>
        <source>Find agents on this machine</source>
        <translation>查找本机上的智能体</translation>
    </message>
    <message>
        <source>Find an entity or a fact</source>
        <translation>查找实体或事实</translation>
    </message>
    <message>
        <source>Find another</source>
        <translation>另找一个</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>查找一切</translation>
    </message>
    <message>
        <source>Find duplicates</source>
        <translation>查找重复</translation>
    </message>
    <message>
        <source>Find in conversation</source>
        <translation>在对话中查找</translation>
    </message>
    <message>
        <source>Find in the logs</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Find in this file</source>
        <translation>在此文件中查找</translation>
    </message>
    <message>
        <source>Find out which of the two is true, and delete or date the other.</source>
        <translation>请查明两者中哪一条是真的，并删除另一条或为其注明日期。</translation>
    </message>
    <message>
        <source>Find the other end of a way from the centre</source>
        <translation>查找从中心出发的路径的另一端</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>Flushed {count} facts ahead, at {usage} of the context</source>
        <translation>在上下文占用 {usage} 时先行存下 {count} 条事实</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folders of AgenticX, OpenLegion, OpenClaw, agnx, Agentix, Claude Code and plain markdown; transcripts of conversations; exports of AgentX, mem0, Letta, Hindsight, the MCP memory server and ChatGPT; tables of facts; and archives of MemDesk.</source>
        <translation>AgenticX、OpenLegion、OpenClaw、agnx、Agentix、Claude Code 的文件夹和普通 Markdown 文件夹；对话记录；AgentX、mem0、Letta、Hindsight、MCP 记忆服务器和 ChatGPT 的导出；事实表格；以及 MemDesk 归档。</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Follow the graph from entities that the query names (AgentX).</source>
        <translation>从查询提到的实体出发沿图谱查找（AgentX）。</translation>
    </message>
    <message>
        <source>Follow the graph from entities the query names.</source>
        <translation>从查询提到的实体沿图谱查找。</translation>
    </message>
    <message>
        <source>Followed {names}.</source>
        <translation>沿着 {names} 查找。</translation>
    </message>
    <message>
        <source>For</source>
        <translation>对于</translation>
    </message>
    <message>
        <source>For every agent</source>
        <translation>对所有智能体</translation>
    </message>
    <message>
        <source>For example: {examples}.</source>
        <translation>例如：{examples}。</translation>
    </message>
    <message>
        <source>For reasons like these.</source>
        <translation>原因与以上类似。</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘掉</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>忘掉</translation>
    </message>
    <message>
        <source>Forget one with `memdesk questions forget ID`.</source>
        <translation>用 `memdesk questions forget ID` 删除一个。</translation>
    </message>
    <message>
        <source>Forget “{key}”?</source>
        <translation>忘掉“{key}”？</translation>
    </message>
    <message>
        <source>Forgot the kept question “{title}”</source>
        <translation>已不再保留问题“{title}”</translation>
    </message>
    <message>
        <source>Forgot what holds “{query}”</source>
        <translation>遗忘了含有“{query}”的内容</translation>
    </message>
    <message>
        <source>Forgot “{title}”</source>
        <translation>已忘掉“{title}”</translation>
    </message>
    <message>
        <source>Forgot: {claim}</source>
        <translation>已遗忘：{claim}</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Found by any of them</source>
        <translation>任一方式找到</translation>
    </message>
    <message>
        <source>Found in the help</source>
        <translation>在帮助中找到</translation>
    </message>
    <message>
        <source>Found on this machine</source>
        <translation>在本机上找到</translation>
    </message>
    <message>
        <source>Found {path}</source>
        <translation>发现 {path}</translation>
    </message>
    <message>
        <source>Free some disk space or check the folder&apos;s permissions, then try again.</source>
        <translation>腾出一些磁盘空间或检查文件夹的权限，然后重试。</translation>
    </message>
    <message>
        <source>Free some disk space, or name a folder you may write to in TMPDIR.</source>
        <translation>请腾出一些磁盘空间，或在 TMPDIR 中指定一个可写的文件夹。</translation>
    </message>
    <message>
        <source>Free some disk space, or remove old backups in {folder}.</source>
        <translation>请腾出磁盘空间，或删除 {folder} 中的旧备份。</translation>
    </message>
    <message>
        <source>Free some disk space.</source>
        <translation>请腾出磁盘空间。</translation>
    </message>
    <message>
        <source>From</source>
        <translation>自</translation>
    </message>
    <message>
        <source>From now on for every agent: {said}</source>
        <translation>从现在起对所有智能体：{said}</translation>
    </message>
    <message>
        <source>From now on, and again after each use:</source>
        <translation>从现在起，以及每次使用之后：</translation>
    </message>
    <message>
        <source>From then on {name} is answered no more, and what they have open ends. What they wrote stays. Undo does not bring a token back: invite them again.</source>
        <translation>此后不再应答 {name}，对方打开的连接也会终止。对方写的内容保留。撤销不会恢复令牌：请再次邀请。</translation>
    </message>
    <message>
        <source>From this day</source>
        <translation>从这一天起</translation>
    </message>
    <message>
        <source>From this share of the window OpenLegion stores facts ahead (OpenLegion).</source>
        <translation>占窗口达到此比例时，OpenLegion 预先保存事实（OpenLegion）。</translation>
    </message>
    <message>
        <source>From {moment} to {later}:</source>
        <translation>从 {moment} 到 {later}：</translation>
    </message>
    <message>
        <source>From {time}</source>
        <translation>自 {time}</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Give 0 days for a token without an end.</source>
        <translation>天数为 0 表示令牌没有期限。</translation>
    </message>
    <message>
        <source>Give a claim, a category, a confidence or a time.</source>
        <translation>请给出陈述、类别、置信度或时间。</translation>
    </message>
    <message>
        <source>Give a description, a context pattern or a sequence of tools.</source>
        <translation>请给出描述、情境模式或工具序列。</translation>
    </message>
    <message>
        <source>Give a description, a priority, a deadline or a parent.</source>
        <translation>请给出描述、优先级、期限或上级。</translation>
    </message>
    <message>
        <source>Give a description, or add the goal first.</source>
        <translation>请给出描述，或先添加目标。</translation>
    </message>
    <message>
        <source>Give a text.</source>
        <translation>请给出文本。</translation>
    </message>
    <message>
        <source>Give an earlier `since` or a later `until`.</source>
        <translation>请给出更早的 `since` 或更晚的 `until`。</translation>
    </message>
    <message>
        <source>Give another time.</source>
        <translation>请给出另一个时间。</translation>
    </message>
    <message>
        <source>Give both, or tell the claim alone.</source>
        <translation>两者都给，或只写陈述。</translation>
    </message>
    <message>
        <source>Give both, or the turn_id.</source>
        <translation>两者都给，或给出 turn_id。</translation>
    </message>
    <message>
        <source>Give each message its `role`.</source>
        <translation>给每条消息加上 `role`。</translation>
    </message>
    <message>
        <source>Give it in MEMDESK_PASSPHRASE or X-MemDesk-Passphrase, or do it in the window.</source>
        <translation>请通过 MEMDESK_PASSPHRASE 或 X-MemDesk-Passphrase 提供，或在窗口中操作。</translation>
    </message>
    <message>
        <source>Give it once.</source>
        <translation>只给一次。</translation>
    </message>
    <message>
        <source>Give that passphrase with --passphrase, or remove {what} and them.</source>
        <translation>请用 --passphrase 提供该口令，或移除{what}及其内容。</translation>
    </message>
    <message>
        <source>Give the fork an id of its own.</source>
        <translation>请给分支一个自己的编号。</translation>
    </message>
    <message>
        <source>Give the whole chain in PEM, and with --key its key without a passphrase.</source>
        <translation>请给出 PEM 格式的完整证书链，并用 --key 给出无口令的私钥。</translation>
    </message>
    <message>
        <source>Give values by name, or names to reset.</source>
        <translation>按名称给出值，或给出要重置的名称。</translation>
    </message>
    <message>
        <source>Give what is to change.</source>
        <translation>请给出要更改的内容。</translation>
    </message>
    <message>
        <source>Given by</source>
        <translation>授予者</translation>
    </message>
    <message>
        <source>Go to a day</source>
        <translation>前往某天</translation>
    </message>
    <message>
        <source>Go to the next region</source>
        <translation>转到下一区域</translation>
    </message>
    <message>
        <source>Go to {place}</source>
        <translation>前往{place}</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Goal changed: {description}</source>
        <translation>目标已更改：{description}</translation>
    </message>
    <message>
        <source>Goal reopened: {description}</source>
        <translation>目标已重开：{description}</translation>
    </message>
    <message>
        <source>Goal {status}: {description}</source>
        <translation>目标（{status}）：{description}</translation>
    </message>
    <message>
        <source>Goal: {description}</source>
        <translation>目标：{description}</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Goals and strategies</source>
        <translation>目标与策略</translation>
    </message>
    <message>
        <source>Goals to choose from</source>
        <translation>可选的目标</translation>
    </message>
    <message>
        <source>Goes along: {moves}.</source>
        <translation>一并移动：{moves}。</translation>
    </message>
    <message>
        <source>Goes back to {when}, with {then}. The database as it is now is kept first.</source>
        <translation>回到 {when}，含 {then}。会先保留现在的数据库。</translation>
    </message>
    <message>
        <source>Goes back to {when}: {then}, in place of {now}. What is there now is backed up first.</source>
        <translation>回到 {when}：{then}，取代现有的 {now}。会先备份现有内容。</translation>
    </message>
    <message>
        <source>Goes out</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Going through the backups</source>
        <translation>正在处理备份</translation>
    </message>
    <message>
        <source>Gone from the disk: {path}</source>
        <translation>已从磁盘消失：{path}</translation>
    </message>
    <message>
        <source>Gone from the disk: {path} and {count} more</source>
        <translation>已从磁盘消失：{path} 及另外 {count} 个</translation>
    </message>
    <message>
        <source>Grant</source>
        <translation>授权</translation>
    </message>
    <message>
        <source>Granted {agent}: {scope}</source>
        <translation>授予 {agent}：{scope}</translation>
    </message>
    <message>
        <source>Granted {agent}: {what}</source>
        <translation>授予 {agent}：{what}</translation>
    </message>
    <message>
        <source>Grants</source>
        <translation>授权</translation>
    </message>
    <message>
        <source>Grants of agents</source>
        <translation>智能体的授权</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图谱</translation>
    </message>
    <message>
        <source>Graph around {title}, {counted}. T shows it as a table.</source>
        <translation>围绕 {title} 的图谱，{counted}。按 T 以表格显示。</translation>
    </message>
    <message>
        <source>Graph as a table</source>
        <translation>图谱表格</translation>
    </message>
    <message>
        <source>Graph depth</source>
        <translation>图谱深度</translation>
    </message>
    <message>
        <source>Graph nodes</source>
        <translation>图谱节点数</translation>
    </message>
    <message>
        <source>GraphML, for Gephi, yEd and networkx</source>
        <translation>GraphML，供 Gephi、yEd 和 networkx 使用</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Has words of it</source>
        <translation>含有它的话</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>状况</translation>
    </message>
    <message>
        <source>Held out of recall by hand.</source>
        <translation>手动挡在召回之外。</translation>
    </message>
    <message>
        <source>Held out of recall: {claim}</source>
        <translation>挡在召回之外：{claim}</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Help for this panel</source>
        <translation>此面板的帮助</translation>
    </message>
    <message>
        <source>Here, without a network.</source>
        <translation>就在本机，无需网络。</translation>
    </message>
    <message>
        <source>Hidden from recall</source>
        <translation>不再参与召回</translation>
    </message>
    <message>
        <source>Hidden.</source>
        <translation>隐藏文件。</translation>
    </message>
    <message>
        <source>Hide that text</source>
        <translation>隐藏原文</translation>
    </message>
    <message>
        <source>Hide the turns around it</source>
        <translation>隐藏前后发言</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>High makes quiet text, lines and the edges of controls stronger.</source>
        <translation>“高”会加强次要文字、线条和控件边缘。</translation>
    </message>
    <message>
        <source>Hindsight archive</source>
        <translation>Hindsight 归档</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中</translation>
    </message>
    <message>
        <source>Hits a recall returns unless asked otherwise (AgentX).</source>
        <translation>未另行要求时，一次召回返回的结果数（AgentX）。</translation>
    </message>
    <message>
        <source>Holding facts against the conditions of promotion</source>
        <translation>正在对照提升条件检查事实</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Holds an answer</source>
        <translation>含有答案</translation>
    </message>
    <message>
        <source>Holds now</source>
        <translation>现在有效</translation>
    </message>
    <message>
        <source>Holds up</source>
        <translation>阻挡着</translation>
    </message>
    <message>
        <source>Hop</source>
        <translation>跳数</translation>
    </message>
    <message>
        <source>Hops</source>
        <translation>跳数</translation>
    </message>
    <message>
        <source>Hops from the centre</source>
        <translation>离中心的跳数</translation>
    </message>
    <message>
        <source>How far the graph is followed (AgentX: 2 to 3).</source>
        <translation>沿图谱走多远（AgentX：2 至 3）。</translation>
    </message>
    <message>
        <source>How it went</source>
        <translation>效果如何</translation>
    </message>
    <message>
        <source>How large text, rows and icons are drawn. The window closes and comes back in this size.</source>
        <translation>文字、行和图标的大小。窗口会关闭，并以此大小重新打开。</translation>
    </message>
    <message>
        <source>How long</source>
        <translation>多久</translation>
    </message>
    <message>
        <source>How long a summary of a context may be (AgenticX).</source>
        <translation>上下文摘要最长多少（AgenticX）。</translation>
    </message>
    <message>
        <source>How long the same recall may be answered from memory while nothing changed (AgentX).</source>
        <translation>内容未变时，相同的召回可由缓存回答多久（AgentX）。</translation>
    </message>
    <message>
        <source>How long the token opens the desk</source>
        <translation>令牌的有效期</translation>
    </message>
    <message>
        <source>How long to wait for the embedder, which every recall does.</source>
        <translation>等待嵌入模型多久；每次召回都要等。</translation>
    </message>
    <message>
        <source>How long to wait for the language model, further tries among it.</source>
        <translation>等待语言模型多久，含重试。</translation>
    </message>
    <message>
        <source>How long to wait for the reranker.</source>
        <translation>等待重排器多久。</translation>
    </message>
    <message>
        <source>How many days</source>
        <translation>多少天</translation>
    </message>
    <message>
        <source>How near an entity must be to the query to be followed (AgentX).</source>
        <translation>实体与查询要多接近才会沿它查找（AgentX）。</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>How often facts are checked: the new ones, and 20,000 of the others in turn; 0 for never (AgentX).</source>
        <translation>多久检查一次事实：新的事实，以及轮流检查其余的 20,000 条；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>How often facts are extracted from new turns; 0 for never (AgentX).</source>
        <translation>多久从新发言中抽取一次事实；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>How often faded memory is asked about; 0 for never (AgentX).</source>
        <translation>多久询问一次已淡忘的记忆；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>How often old conversations are archived and retired memory is deleted; 0 for never (AgentX).</source>
        <translation>多久归档一次旧对话并删除已停用的记忆；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>How often old segments of the audit log are dropped; 0 for never (AgentX).</source>
        <translation>多久丢弃一次审计日志的旧分段；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>How often project facts are held against the conditions of promotion; 0 for never (AgentX).</source>
        <translation>多久按提升条件检查一次项目事实；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>How often strategies are learned from successful conversations; 0 for never (AgentX).</source>
        <translation>多久从成功的对话中学习一次策略；0 表示从不（AgentX）。</translation>
    </message>
    <message>
        <source>How often the desk is backed up; 0 for never.</source>
        <translation>多久备份一次记忆台；0 表示从不。</translation>
    </message>
    <message>
        <source>How strong it is now</source>
        <translation>现在的强度</translation>
    </message>
    <message>
        <source>How the contexts of sessions that name no policy are compacted.</source>
        <translation>未指定方案的会话如何压缩上下文。</translation>
    </message>
    <message>
        <source>How words and meaning become one ranking: a weighted sum, AgentX&apos;s rank fusion, or AgentX&apos;s base retriever.</source>
        <translation>词语与含义如何合为一个排名：加权和、AgentX 的排名融合，或 AgentX 的基础检索器。</translation>
    </message>
    <message>
        <source>HyDE</source>
        <translation>HyDE</translation>
    </message>
    <message>
        <source>Hybrid</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>I have it</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Id, name or path</source>
        <translation>编号、名称或路径</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>身份</translation>
    </message>
    <message>
        <source>Identity files</source>
        <translation>身份文件</translation>
    </message>
    <message>
        <source>If A stands</source>
        <translation>如果保留 A</translation>
    </message>
    <message>
        <source>If B goes into A</source>
        <translation>如果 B 并入 A</translation>
    </message>
    <message>
        <source>If B stands</source>
        <translation>如果保留 B</translation>
    </message>
    <message>
        <source>If all of it is kept</source>
        <translation>如果全部保留</translation>
    </message>
    <message>
        <source>If all of it is retired</source>
        <translation>如果全部停用</translation>
    </message>
    <message>
        <source>If both are left</source>
        <translation>如果两者都留</translation>
    </message>
    <message>
        <source>If each is true in its time</source>
        <translation>如果各在其时为真</translation>
    </message>
    <message>
        <source>If it is held out of recall</source>
        <translation>如果隔离它</translation>
    </message>
    <message>
        <source>If it is kept out</source>
        <translation>如果不放行</translation>
    </message>
    <message>
        <source>If it is let in</source>
        <translation>如果放行</translation>
    </message>
    <message>
        <source>If it is not corrected</source>
        <translation>如果不更正</translation>
    </message>
    <message>
        <source>If it is not promoted</source>
        <translation>如果不提升</translation>
    </message>
    <message>
        <source>If it is promoted</source>
        <translation>如果提升</translation>
    </message>
    <message>
        <source>If it is retired</source>
        <translation>如果停用它</translation>
    </message>
    <message>
        <source>If it stays</source>
        <translation>如果保留它</translation>
    </message>
    <message>
        <source>If one claim takes their place</source>
        <translation>如果用一条陈述取代两者</translation>
    </message>
    <message>
        <source>If the correction is applied</source>
        <translation>如果采用更正</translation>
    </message>
    <message>
        <source>If the file stays as it is</source>
        <translation>如果文件保持原样</translation>
    </message>
    <message>
        <source>If the other text goes in</source>
        <translation>如果写入另一文本</translation>
    </message>
    <message>
        <source>If they are erased</source>
        <translation>如果抹除它们</translation>
    </message>
    <message>
        <source>If they are shown again</source>
        <translation>如果重新显示它们</translation>
    </message>
    <message>
        <source>If they are two</source>
        <translation>如果是两个</translation>
    </message>
    <message>
        <source>If they stay masked</source>
        <translation>如果继续遮蔽它们</translation>
    </message>
    <message>
        <source>If you undo</source>
        <translation>如果撤销</translation>
    </message>
    <message>
        <source>If you write it yourself</source>
        <translation>如果由你来写</translation>
    </message>
    <message>
        <source>Imagined: “{text}”</source>
        <translation>设想：“{text}”</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Import a folder of markdown, or a file of a format that the documentation lists.</source>
        <translation>请导入 Markdown 文件夹，或文档所列格式的文件。</translation>
    </message>
    <message>
        <source>Import and export</source>
        <translation>导入与导出</translation>
    </message>
    <message>
        <source>Import file megabytes</source>
        <translation>导入文件大小</translation>
    </message>
    <message>
        <source>Import it by itself; it comes back as it was.</source>
        <translation>请单独导入它；它会原样回来。</translation>
    </message>
    <message>
        <source>Import its folder first.</source>
        <translation>请先导入它的文件夹。</translation>
    </message>
    <message>
        <source>Import memory</source>
        <translation>导入记忆</translation>
    </message>
    <message>
        <source>Import or job</source>
        <translation>导入或任务</translation>
    </message>
    <message>
        <source>Import the ZIP it comes from, as a whole.</source>
        <translation>请整体导入它所来自的 ZIP。</translation>
    </message>
    <message>
        <source>Import the files; the desk indexes them itself.</source>
        <translation>请导入文件；记忆台会自己建立索引。</translation>
    </message>
    <message>
        <source>Import the markdown folder or the transcripts it was made from.</source>
        <translation>请导入它所来自的 Markdown 文件夹或聊天记录。</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Imported a knowledge graph: {count} lines</source>
        <translation>导入了知识图谱：{count} 行</translation>
    </message>
    <message>
        <source>Imported {parcel}, {count} records</source>
        <translation>导入了 {parcel}，{count} 条记录</translation>
    </message>
    <message>
        <source>Imported {path}</source>
        <translation>导入了 {path}</translation>
    </message>
    <message>
        <source>Imported {place}, of {what}</source>
        <translation>导入了 {place}，属于{what}</translation>
    </message>
    <message>
        <source>Imported {place}, still empty</source>
        <translation>导入了 {place}，仍为空</translation>
    </message>
    <message>
        <source>Imported “{chat}”, {span}</source>
        <translation>导入了“{chat}”，{span}</translation>
    </message>
    <message>
        <source>Imported “{title}”</source>
        <translation>导入了“{title}”</translation>
    </message>
    <message>
        <source>In _global</source>
        <translation>在 _global 中</translation>
    </message>
    <message>
        <source>In clear</source>
        <translation>明文</translation>
    </message>
    <message>
        <source>In clear at rest</source>
        <translation>以明文存放</translation>
    </message>
    <message>
        <source>In clear in {files}</source>
        <translation>以明文存在于 {files}</translation>
    </message>
    <message>
        <source>In the graph</source>
        <translation>在图谱中</translation>
    </message>
    <message>
        <source>Index current</source>
        <translation>索引为最新</translation>
    </message>
    <message>
        <source>Indexed</source>
        <translation>已索引</translation>
    </message>
    <message>
        <source>Indexes are made anew from the rows by `memdesk doctor`.</source>
        <translation>`memdesk doctor` 会根据各行重建索引。</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>详情栏</translation>
    </message>
    <message>
        <source>Install MemDesk again.</source>
        <translation>请重新安装 MemDesk。</translation>
    </message>
    <message>
        <source>Install a newer MemDesk, or bring in a file of version {known}.</source>
        <translation>请安装更新的 MemDesk，或导入版本 {known} 的文件。</translation>
    </message>
    <message>
        <source>Install it: pip install &apos;memdesk[team]&apos;.</source>
        <translation>请安装：pip install &apos;memdesk[team]&apos;。</translation>
    </message>
    <message>
        <source>Install it: {command}</source>
        <translation>安装：{command}</translation>
    </message>
    <message>
        <source>Install pysqlite3 or sqlean.py beside MemDesk.</source>
        <translation>请在 MemDesk 旁安装 pysqlite3 或 sqlean.py。</translation>
    </message>
    <message>
        <source>Install the newer MemDesk, or open another desk with --desk.</source>
        <translation>请安装更新的 MemDesk，或用 --desk 打开另一个记忆台。</translation>
    </message>
    <message>
        <source>Install the package pysqlite3 or sqlean.py beside MemDesk, or use a newer Python.</source>
        <translation>请在 MemDesk 旁安装 pysqlite3 或 sqlean.py，或使用更新的 Python。</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>已安装</translation>
    </message>
    <message>
        <source>Install…</source>
        <translation>安装…</translation>
    </message>
    <message>
        <source>Instruction to the agent</source>
        <translation>给智能体的指令</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Into MEMORY.md, M</source>
        <translation>写入 MEMORY.md，M</translation>
    </message>
    <message>
        <source>Into channel {channel}, for {agent}.</source>
        <translation>导入频道 {channel}，归 {agent}。</translation>
    </message>
    <message>
        <source>Into which? Search</source>
        <translation>合并到哪个？搜索</translation>
    </message>
    <message>
        <source>Into {file}: “{claim}”</source>
        <translation>写入 {file}：“{claim}”</translation>
    </message>
    <message>
        <source>Invite a curator, or leave the users and channels out.</source>
        <translation>请邀请 curator，或不要指定用户和频道。</translation>
    </message>
    <message>
        <source>Invite a person or an agent</source>
        <translation>邀请一个人或智能体</translation>
    </message>
    <message>
        <source>Invite the member again: `memdesk team invite`.</source>
        <translation>请重新邀请该成员：`memdesk team invite`。</translation>
    </message>
    <message>
        <source>Invited {name} as {role}</source>
        <translation>已邀请 {name}，角色 {role}</translation>
    </message>
    <message>
        <source>Invite…</source>
        <translation>邀请…</translation>
    </message>
    <message>
        <source>Is left alone since it {reason}.</source>
        <translation>暂不再询问它，因为它{reason}。</translation>
    </message>
    <message>
        <source>It</source>
        <translation>它</translation>
    </message>
    <message>
        <source>It asks for a false report</source>
        <translation>它要求作虚假的报告</translation>
    </message>
    <message>
        <source>It asks to keep something from the person</source>
        <translation>它要求对人隐瞒某事</translation>
    </message>
    <message>
        <source>It came in with {file}.</source>
        <translation>它随 {file} 而来。</translation>
    </message>
    <message>
        <source>It cannot be true together with:</source>
        <translation>它与以下内容不能同时为真：</translation>
    </message>
    <message numerus="yes">
        <source>It changes on %Ln memory(s).</source>
        <translation>
            <numerusform>将在 %Ln 条记忆上更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>It changes where programs come from</source>
        <translation>它改变程序的来源</translation>
    </message>
    <message>
        <source>It changes who is paid, or who gets a password</source>
        <translation>它改变收款人或获得密码的人</translation>
    </message>
    <message>
        <source>It comes back whole by an import.</source>
        <translation>导入后可完整恢复。</translation>
    </message>
    <message>
        <source>It did not</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>It does not fade.</source>
        <translation>它不会淡忘。</translation>
    </message>
    <message>
        <source>It does not name {name}.</source>
        <translation>它没有提到 {name}。</translation>
    </message>
    <message>
        <source>It does not say what it is about.</source>
        <translation>它没有说明是关于什么的。</translation>
    </message>
    <message>
        <source>It expired, or somebody forgot it; look again.</source>
        <translation>它已过期或已被忘掉；请重新查看。</translation>
    </message>
    <message>
        <source>It falls short in {what}; your word goes over that.</source>
        <translation>{what} 未达标；以您的决定为准。</translation>
    </message>
    <message>
        <source>It gave way to another fact.</source>
        <translation>它已让位于另一条事实。</translation>
    </message>
    <message>
        <source>It gives a signal a hidden meaning</source>
        <translation>它赋予某个信号隐藏的含义</translation>
    </message>
    <message>
        <source>It gives the agent another role</source>
        <translation>它给智能体换了角色</translation>
    </message>
    <message>
        <source>It has another source.</source>
        <translation>它另有来源。</translation>
    </message>
    <message>
        <source>It has no channel of its own; {facts} facts are in {channel}.</source>
        <translation>它没有自己的频道；{channel} 中有 {facts} 条事实。</translation>
    </message>
    <message>
        <source>It has no link.</source>
        <translation>它没有连接。</translation>
    </message>
    <message>
        <source>It has no vector yet; the background job makes one.</source>
        <translation>它还没有向量；后台任务会生成。</translation>
    </message>
    <message>
        <source>It has not been read yet; it comes in at the next look.</source>
        <translation>尚未读取；下次查看时会加入。</translation>
    </message>
    <message>
        <source>It has {known}.</source>
        <translation>它有 {known}。</translation>
    </message>
    <message>
        <source>It has: {names}.</source>
        <translation>它有：{names}。</translation>
    </message>
    <message>
        <source>It hides characters that nobody sees</source>
        <translation>它藏有看不见的字符</translation>
    </message>
    <message>
        <source>It holds a password or a key.</source>
        <translation>它含有密码或密钥。</translation>
    </message>
    <message>
        <source>It holds a password or a key; the review queue asks about it.</source>
        <translation>它含有密码或密钥；审阅队列会询问。</translation>
    </message>
    <message>
        <source>It holds none of {wanted}.</source>
        <translation>它不含 {wanted} 中的任何一个。</translation>
    </message>
    <message>
        <source>It holds words near {akin} ({list}).</source>
        <translation>它含有 {akin} 的近义词（{list}）。</translation>
    </message>
    <message>
        <source>It holds {held} of {wanted}, and words near {akin}.</source>
        <translation>它含有 {wanted} 中的 {held}，以及 {akin} 的近义词。</translation>
    </message>
    <message>
        <source>It holds {held} of {wanted}.</source>
        <translation>它含有 {wanted} 中的 {held}。</translation>
    </message>
    <message>
        <source>It is</source>
        <translation>它是</translation>
    </message>
    <message>
        <source>It is a drawing of entities: facts, conversations and files stay, and it does not come back.</source>
        <translation>这是一张实体图：事实、对话和文件不会带走，也不能再导入。</translation>
    </message>
    <message>
        <source>It is about memory that does not come in with this archive.</source>
        <translation>它所涉及的记忆不会随此归档带入。</translation>
    </message>
    <message>
        <source>It is among the {count} that come back.</source>
        <translation>它在返回的 {count} 条之中。</translation>
    </message>
    <message>
        <source>It is another user&apos;s.</source>
        <translation>它属于另一位用户。</translation>
    </message>
    <message>
        <source>It is as strong as a rescue would make it.</source>
        <translation>它已经和挽救后一样强。</translation>
    </message>
    <message>
        <source>It is being counted.</source>
        <translation>正在统计。</translation>
    </message>
    <message>
        <source>It is being saved.</source>
        <translation>正在保存。</translation>
    </message>
    <message>
        <source>It is being written.</source>
        <translation>正在写入。</translation>
    </message>
    <message>
        <source>It is current and in {channel}, which is searched.</source>
        <translation>它是当前的，且在被搜索的 {channel} 中。</translation>
    </message>
    <message>
        <source>It is dealt with</source>
        <translation>已处理</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>It is gone from the disk; it leaves at the next look.</source>
        <translation>已不在磁盘上；下次查看时会移除。</translation>
    </message>
    <message>
        <source>It is gone then, and no undo brings it back. Turns that were stored stay stored.</source>
        <translation>忘掉后无法撤销。已存储的发言仍然保留。</translation>
    </message>
    <message>
        <source>It is held out of recall already.</source>
        <translation>它已被挡在召回之外。</translation>
    </message>
    <message>
        <source>It is https://HOST:PORT; http only on this computer.</source>
        <translation>应为 https://HOST:PORT；http 只用于本机。</translation>
    </message>
    <message>
        <source>It is in _global already.</source>
        <translation>它已在 _global 中。</translation>
    </message>
    <message>
        <source>It is in channel {channel} already.</source>
        <translation>它已在频道 {channel} 中。</translation>
    </message>
    <message>
        <source>It is in {channel}; searched are {channels}.</source>
        <translation>它在 {channel} 中；搜索的是 {channels}。</translation>
    </message>
    <message>
        <source>It is kept in {channel}, which this question does not ask. Asked there, it needs other words too.</source>
        <translation>它保存在 {channel} 中，而此提问没有查询该频道。即使在那里查询，也还需要其他词语。</translation>
    </message>
    <message>
        <source>It is larger than {count} MB; import_file_megabytes in Settings says so.</source>
        <translation>它大于 {count} MB；由设置中的 import_file_megabytes 规定。</translation>
    </message>
    <message>
        <source>It is looked at again when its folder is.</source>
        <translation>下次查看其文件夹时会再次查看它。</translation>
    </message>
    <message>
        <source>It is no part of an archive.</source>
        <translation>它不是归档的一部分。</translation>
    </message>
    <message>
        <source>It is none already.</source>
        <translation>它本来就不是。</translation>
    </message>
    <message>
        <source>It is not among the nearest {count}.</source>
        <translation>它不在最近的 {count} 条之中。</translation>
    </message>
    <message>
        <source>It is not known where this comes from.</source>
        <translation>来源不详。</translation>
    </message>
    <message>
        <source>It is not of the time asked for.</source>
        <translation>它不在所要求的时间内。</translation>
    </message>
    <message>
        <source>It is not of the time that the query names.</source>
        <translation>它不在查询所指的时间内。</translation>
    </message>
    <message>
        <source>It is not on the desk; undo the change that removed it.</source>
        <translation>它不在记忆台上；请撤销删除它的更改。</translation>
    </message>
    <message>
        <source>It is not recalled.</source>
        <translation>它没有被召回。</translation>
    </message>
    <message>
        <source>It is not recalled. It falls at {fell}: {says}</source>
        <translation>它没有被召回。它落选于 {fell}：{says}</translation>
    </message>
    <message>
        <source>It is not under way.</source>
        <translation>它没有在进行。</translation>
    </message>
    <message>
        <source>It is of none of the {what} asked for.</source>
        <translation>它不属于所要求的任何 {what}。</translation>
    </message>
    <message>
        <source>It is past and faded (salience {count}).</source>
        <translation>它已过去并淡忘（显著度 {count}）。</translation>
    </message>
    <message>
        <source>It is recalled at place {place}.</source>
        <translation>它在第 {place} 位被召回。</translation>
    </message>
    <message>
        <source>It is retired.</source>
        <translation>它已停用。</translation>
    </message>
    <message>
        <source>It is retired; restore it first.</source>
        <translation>它已停用；请先恢复。</translation>
    </message>
    <message>
        <source>It is right</source>
        <translation>它没有错</translation>
    </message>
    <message>
        <source>It is shown once</source>
        <translation>只显示一次</translation>
    </message>
    <message>
        <source>It is so already.</source>
        <translation>已经如此。</translation>
    </message>
    <message>
        <source>It is the question itself.</source>
        <translation>它就是问题本身。</translation>
    </message>
    <message>
        <source>It is trusted already.</source>
        <translation>它已受信任。</translation>
    </message>
    <message>
        <source>It is under way.</source>
        <translation>它正在进行。</translation>
    </message>
    <message>
        <source>It knows no person by name yet.</source>
        <translation>它还不知道任何人的名字。</translation>
    </message>
    <message>
        <source>It lacks the constraint “{text}”.</source>
        <translation>它缺少约束“{text}”。</translation>
    </message>
    <message>
        <source>It meets every condition, and _global says nothing to the contrary.</source>
        <translation>满足全部条件，_global 中也没有相反的内容。</translation>
    </message>
    <message>
        <source>It names a time, which counts as a hint.</source>
        <translation>它提到了时间，作为线索参考。</translation>
    </message>
    <message>
        <source>It names {target}, which is not there.</source>
        <translation>它指向不存在的 {target}。</translation>
    </message>
    <message>
        <source>It needs words.</source>
        <translation>内容不能为空。</translation>
    </message>
    <message>
        <source>It orders a lasting act</source>
        <translation>它命令持续做某事</translation>
    </message>
    <message>
        <source>It orders a lasting act toward an address</source>
        <translation>它命令向某个地址持续做某事</translation>
    </message>
    <message>
        <source>It orders an act</source>
        <translation>它命令做某事</translation>
    </message>
    <message>
        <source>It permits something without asking</source>
        <translation>它允许不经询问就做某事</translation>
    </message>
    <message>
        <source>It poses as the system or another voice of the prompt</source>
        <translation>它冒充系统或提示中的另一个声音</translation>
    </message>
    <message>
        <source>It puts its own words above the person&apos;s</source>
        <translation>它把自己的话置于人的话之上</translation>
    </message>
    <message>
        <source>It ranks at place {place} of {count}: {parts}.</source>
        <translation>它在 {count} 条中排第 {place}：{parts}。</translation>
    </message>
    <message>
        <source>It reads like an instruction to agents that no person gave</source>
        <translation>它读起来像是对智能体的指令，但没有人下达过</translation>
    </message>
    <message>
        <source>It reads like an instruction to the agent.</source>
        <translation>它读起来像是给智能体的指令。</translation>
    </message>
    <message>
        <source>It sends secrets away</source>
        <translation>它把机密发送出去</translation>
    </message>
    <message>
        <source>It speaks to the agents that read it</source>
        <translation>它对读到它的智能体喊话</translation>
    </message>
    <message>
        <source>It stays out with its folder.</source>
        <translation>它随其文件夹一起留在外面。</translation>
    </message>
    <message>
        <source>It stops at its next step.</source>
        <translation>将在下一步停止。</translation>
    </message>
    <message>
        <source>It tells to set instructions aside</source>
        <translation>它要求把指令放到一边</translation>
    </message>
    <message>
        <source>It tells what memory shall trust</source>
        <translation>它规定记忆应当信任什么</translation>
    </message>
    <message>
        <source>It was begun {tries} times, and the service ended each time; it was given up.</source>
        <translation>它已开始 {tries} 次，每次服务都随之中止；现已放弃。</translation>
    </message>
    <message>
        <source>It was found beside what the search reached.</source>
        <translation>它在搜索所及之处的近旁被找到。</translation>
    </message>
    <message>
        <source>It was found by {ways}.</source>
        <translation>它由 {ways} 找到。</translation>
    </message>
    <message>
        <source>It was given no standing rule yet.</source>
        <translation>还没有给过它长期规则。</translation>
    </message>
    <message>
        <source>It was not changed. Try again; or `memdesk copy` it into a folder with the older MemDesk, and back with this one.</source>
        <translation>它未被改动。请再试一次；或者用较旧的 MemDesk 以 `memdesk copy` 复制到文件夹，再用这个版本复制回去。</translation>
    </message>
    <message>
        <source>It was only inferred, and nothing asked for it in {count} days.</source>
        <translation>它只是推断出来的，{count} 天来从未被问及。</translation>
    </message>
    <message>
        <source>It was refused in the window.</source>
        <translation>它在窗口中被拒绝。</translation>
    </message>
    <message>
        <source>It was taken back by change #{number}.</source>
        <translation>它已被更改 #{number} 撤销。</translation>
    </message>
    <message>
        <source>It was true only until before now.</source>
        <translation>它只在此前为真。</translation>
    </message>
    <message>
        <source>It was written anew meanwhile. Save again to put yours in its place.</source>
        <translation>其间它已被改写。再次保存即以你的内容取代。</translation>
    </message>
    <message>
        <source>It worked</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>Items: {keys}</source>
        <translation>条目：{keys}</translation>
    </message>
    <message>
        <source>Its confidence {confidence} is under the {least} asked for.</source>
        <translation>它的置信度 {confidence} 低于所要求的 {least}。</translation>
    </message>
    <message>
        <source>Its conversation is archived.</source>
        <translation>它的对话已归档。</translation>
    </message>
    <message>
        <source>Its conversation takes no more than its turns.</source>
        <translation>它的对话没有超过应得的发言数。</translation>
    </message>
    <message>
        <source>Its files, and what was learned from them, stay; it can be undone</source>
        <translation>其文件和从中学到的内容都会保留；可以撤销</translation>
    </message>
    <message>
        <source>Its meaning is near the query&apos;s by {count}.</source>
        <translation>它的含义与查询的相近度为 {count}。</translation>
    </message>
    <message>
        <source>Its name differs from {other} in letter case only.</source>
        <translation>其名称与 {other} 只有大小写不同。</translation>
    </message>
    <message>
        <source>Its original or its promoted copy comes back instead.</source>
        <translation>返回的是它的原件或提升后的副本。</translation>
    </message>
    <message>
        <source>Its passphrase opens {folder} until the service ends.</source>
        <translation>在服务结束之前，其口令可打开 {folder}。</translation>
    </message>
    <message>
        <source>Its path is too long.</source>
        <translation>其路径过长。</translation>
    </message>
    <message>
        <source>Its place is taken by {id}: “{holder}”.</source>
        <translation>它的位置已被 {id} 占据：“{holder}”。</translation>
    </message>
    <message>
        <source>Its relevance of {count} is enough.</source>
        <translation>它的相关度 {count} 足够。</translation>
    </message>
    <message>
        <source>Its relevance {relevance} is under {least}.</source>
        <translation>它的相关度 {relevance} 低于 {least}。</translation>
    </message>
    <message>
        <source>Its run is among the job&apos;s runs; wait until it has ended.</source>
        <translation>该次运行列在此任务的运行记录中；请等待它结束。</translation>
    </message>
    <message numerus="yes">
        <source>Its run made %Ln change(s).</source>
        <translation>
            <numerusform>所在批次共有 %Ln 项更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>Its settings call this desk</source>
        <translation>它的设置指向此记忆台</translation>
    </message>
    <message>
        <source>Its source turn is gone; you can still decide.</source>
        <translation>来源发言已不在；你仍然可以决定。</translation>
    </message>
    <message>
        <source>Its time does not stand against it.</source>
        <translation>它的时间没有妨碍。</translation>
    </message>
    <message>
        <source>Its token opens the desk</source>
        <translation>它的令牌能打开记忆台</translation>
    </message>
    <message>
        <source>Its turn</source>
        <translation>来源发言</translation>
    </message>
    <message>
        <source>Its value was erased.</source>
        <translation>其值已被抹除。</translation>
    </message>
    <message>
        <source>Its versions are kept; put the file back, or look at them in the audit timeline.</source>
        <translation>它的版本都保留着；把文件放回，或在审计时间线中查看。</translation>
    </message>
    <message>
        <source>Its words are those of {other}, not of {channel}.</source>
        <translation>它的用词属于 {other}，而不是 {channel}。</translation>
    </message>
    <message>
        <source>Its words count as trusted, and are told to agents as plain text</source>
        <translation>其内容视为可信，并以普通文本提供给智能体</translation>
    </message>
    <message>
        <source>Its words stand here.</source>
        <translation>它的文字就在这里。</translation>
    </message>
    <message>
        <source>J and K move through the queue.</source>
        <translation>用 J 和 K 在队列中移动。</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Job seconds</source>
        <translation>任务时限</translation>
    </message>
    <message>
        <source>Job tokens</source>
        <translation>任务 token 上限</translation>
    </message>
    <message>
        <source>Job {job} paused</source>
        <translation>任务 {job} 已暂停</translation>
    </message>
    <message>
        <source>Job {job} resumed</source>
        <translation>任务 {job} 已恢复</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Jobs and agents ask here before they promote, correct or merge.</source>
        <translation>任务和智能体在提升、更正或合并之前会在这里询问。</translation>
    </message>
    <message>
        <source>Jobs enabled</source>
        <translation>启用任务</translation>
    </message>
    <message>
        <source>Joining what both hold</source>
        <translation>正在合并两边都有的内容</translation>
    </message>
    <message>
        <source>Journal</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Judged by {reranker}.</source>
        <translation>由 {reranker} 评判。</translation>
    </message>
    <message>
        <source>Judged {count} texts.</source>
        <translation>评判了 {count} 段文本。</translation>
    </message>
    <message>
        <source>Judgement model name</source>
        <translation>判断模型名称</translation>
    </message>
    <message>
        <source>Judgement prompt</source>
        <translation>判断提示</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Keep A</source>
        <translation>保留 A</translation>
    </message>
    <message>
        <source>Keep B</source>
        <translation>保留 B</translation>
    </message>
    <message>
        <source>Keep a copy of the file, then restore a backup.</source>
        <translation>请先保留该文件的副本，再恢复备份。</translation>
    </message>
    <message>
        <source>Keep a copy of the file, then restore the desk&apos;s folder from a backup.</source>
        <translation>请保留该文件的副本，然后从备份恢复记忆台的文件夹。</translation>
    </message>
    <message>
        <source>Keep as a test</source>
        <translation>保留为测试</translation>
    </message>
    <message>
        <source>Keep it from fading  I</source>
        <translation>防止淡忘  I</translation>
    </message>
    <message>
        <source>Keep it in several files.</source>
        <translation>请分成几个文件保存。</translation>
    </message>
    <message>
        <source>Keep it only if you know that it is true.</source>
        <translation>只有确知它属实时才保留。</translation>
    </message>
    <message>
        <source>Keep it out</source>
        <translation>不放行</translation>
    </message>
    <message>
        <source>Keep it.</source>
        <translation>保留它。</translation>
    </message>
    <message>
        <source>Keep long texts in a turn or a file, and name that.</source>
        <translation>把长文本放在发言或文件中，并指明它。</translation>
    </message>
    <message>
        <source>Keep longer</source>
        <translation>延长保留</translation>
    </message>
    <message>
        <source>Keep masked</source>
        <translation>继续遮蔽</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Keep one of the two.</source>
        <translation>保留两者之一。</translation>
    </message>
    <message>
        <source>Keep the database as it is in {backups}.</source>
        <translation>将数据库原样保存在 {backups}。</translation>
    </message>
    <message>
        <source>Keep the text in a file, and its place in the item.</source>
        <translation>请把文本存入文件，在条目中记下其位置。</translation>
    </message>
    <message>
        <source>Keep the whole in a file or a turn, and its place here.</source>
        <translation>把全文放在文件或发言中，这里只记位置。</translation>
    </message>
    <message>
        <source>Keep what agents were told before a turn, as long as the audit log (audit_retention_days).</source>
        <translation>保存发言前告知智能体的内容，期限与审计日志相同（audit_retention_days）。</translation>
    </message>
    <message>
        <source>Keeping what is there</source>
        <translation>正在保存现有内容</translation>
    </message>
    <message>
        <source>Kept as you said it; facts are extracted from it as from any conversation.</source>
        <translation>按您说的保存；像其他对话一样从中抽取事实。</translation>
    </message>
    <message>
        <source>Kept beside {path}: a text that clashes with it</source>
        <translation>保存在 {path} 旁：与之冲突的文本</translation>
    </message>
    <message>
        <source>Kept of {user}: {counts}.</source>
        <translation>{user} 的内容：{counts}。</translation>
    </message>
    <message>
        <source>Kept out of _global: “{a}”</source>
        <translation>未进入 _global：“{a}”</translation>
    </message>
    <message>
        <source>Kept out of recall: {subject}</source>
        <translation>挡在召回之外：{subject}</translation>
    </message>
    <message>
        <source>Kept out of recall: “{a}”</source>
        <translation>不再召回：“{a}”</translation>
    </message>
    <message>
        <source>Kept question</source>
        <translation>保留的问题</translation>
    </message>
    <message>
        <source>Kept question: “{text}”</source>
        <translation>保留的问题：“{text}”</translation>
    </message>
    <message>
        <source>Kept questions answered: {count}</source>
        <translation>得到答复的保留问题：{count}</translation>
    </message>
    <message>
        <source>Kept questions that find what they must: {passing} of {count}.</source>
        <translation>找到应有答案的保留问题：{passing} / {count}。</translation>
    </message>
    <message>
        <source>Kept questions that lost their answer: {texts}</source>
        <translation>丢失答案的保留问题：{texts}</translation>
    </message>
    <message>
        <source>Kept what had faded</source>
        <translation>保留了已淡忘的内容</translation>
    </message>
    <message>
        <source>Kept {count} facts of a context in MEMORY.md</source>
        <translation>在 MEMORY.md 中保存了上下文的 {count} 条事实</translation>
    </message>
    <message>
        <source>Kept {count} lines of a session</source>
        <translation>保存了会话的 {count} 行</translation>
    </message>
    <message>
        <source>Kept {count} lines of a session in MEMORY.md</source>
        <translation>在 MEMORY.md 中保存了会话的 {count} 行</translation>
    </message>
    <message>
        <source>Kept {group} that had faded</source>
        <translation>保留了 {group}（已淡忘）</translation>
    </message>
    <message>
        <source>Kept {path} as it is</source>
        <translation>{path} 保持原样</translation>
    </message>
    <message>
        <source>Kept “{a}” over “{b}”</source>
        <translation>保留了“{a}”，而非“{b}”</translation>
    </message>
    <message>
        <source>Kept “{b}” over “{a}”</source>
        <translation>保留了“{b}”，而非“{a}”</translation>
    </message>
    <message>
        <source>Kept “{claim}” over “{other}”</source>
        <translation>保留“{claim}”，舍弃“{other}”</translation>
    </message>
    <message>
        <source>Kept “{title}”</source>
        <translation>已保存“{title}”</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Keys and passwords are masked before they are stored; a search looks at what is there.</source>
        <translation>密钥和密码在存入之前就会被遮蔽；搜索会检查已有的内容。</translation>
    </message>
    <message>
        <source>Keys belong into the environment or the keyring; `memdesk models` says where each is looked for.</source>
        <translation>密钥应放在环境变量或钥匙串中；`memdesk models` 说明各自在哪里查找。</translation>
    </message>
    <message>
        <source>Keys of working memory</source>
        <translation>工作记忆的键</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Knowledge graph of the MCP memory server</source>
        <translation>MCP 记忆服务器的知识图谱</translation>
    </message>
    <message>
        <source>Known fields: {what}.</source>
        <translation>已知字段：{what}。</translation>
    </message>
    <message>
        <source>Known since {when}</source>
        <translation>自 {when} 起已知</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>Language of the system</source>
        <translation>跟随系统语言</translation>
    </message>
    <message>
        <source>Language: {language}</source>
        <translation>语言：{language}</translation>
    </message>
    <message>
        <source>Last 24 hours</source>
        <translation>最近 24 小时</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last 90 days</source>
        <translation>最近 90 天</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>最近一天</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>最近错误</translation>
    </message>
    <message>
        <source>Last run</source>
        <translation>上次运行</translation>
    </message>
    <message>
        <source>Last seen</source>
        <translation>最近出现</translation>
    </message>
    <message>
        <source>Last time it {reason}.</source>
        <translation>上一次它{reason}。</translation>
    </message>
    <message>
        <source>Last told to agents</source>
        <translation>最近告诉智能体的内容</translation>
    </message>
    <message>
        <source>Last turns of the conversation under way that a recall brings along (later AgentX: 3).</source>
        <translation>召回时附带当前对话最近的发言数（后来的 AgentX：3）。</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>上次使用</translation>
    </message>
    <message>
        <source>Last used: {when}</source>
        <translation>最近使用：{when}</translation>
    </message>
    <message>
        <source>Last week</source>
        <translation>最近一周</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>Later day with entries</source>
        <translation>更晚的有记录的一天</translation>
    </message>
    <message>
        <source>Later weeks</source>
        <translation>更晚的几周</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Laying out an empty desk</source>
        <translation>正在建立空记忆台</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Learn strategies from conversations that succeeded with tools</source>
        <translation>从使用工具成功的对话中学习策略</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>学到</translation>
    </message>
    <message>
        <source>Learned from a correction: {list}</source>
        <translation>从更正中学到：{list}</translation>
    </message>
    <message>
        <source>Learned from an error: {list}</source>
        <translation>从错误中学到：{list}</translation>
    </message>
    <message>
        <source>Learned from corrections</source>
        <translation>从更正中学到</translation>
    </message>
    <message>
        <source>Learned from errors</source>
        <translation>从错误中学到</translation>
    </message>
    <message>
        <source>Learned of the world: {path}</source>
        <translation>了解到的世界：{path}</translation>
    </message>
    <message>
        <source>Learned “{title}”</source>
        <translation>学到了“{title}”</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>经验教训</translation>
    </message>
    <message>
        <source>Learning a fact about somebody or something makes one.</source>
        <translation>学到关于某人或某物的事实便会产生实体。</translation>
    </message>
    <message>
        <source>Learning a fact or an entity gives it salience, and every recall that returns it raises it. A day without recall takes {lost}; below {least} it has faded. To begin, bring in a chat or an agent&apos;s folder.</source>
        <translation>学到事实或实体会赋予它显著度，每次召回都会使其升高。没有召回的一天会减少 {lost}；低于 {least} 即已淡忘。请先导入一段对话或智能体的文件夹。</translation>
    </message>
    <message>
        <source>Learnings</source>
        <translation>经验教训</translation>
    </message>
    <message>
        <source>Least confidence</source>
        <translation>最低置信度</translation>
    </message>
    <message>
        <source>Leave `messages` out, and put what comes back where it belongs.</source>
        <translation>省去 `messages`，并把取回的内容放到该放的位置。</translation>
    </message>
    <message>
        <source>Leave agent_id out, or name yourself in it.</source>
        <translation>请省略 agent_id，或填写您自己。</translation>
    </message>
    <message>
        <source>Leave both</source>
        <translation>两者都留</translation>
    </message>
    <message>
        <source>Leave channel and agent out; move what belongs elsewhere afterwards.</source>
        <translation>省去频道和智能体；属于别处的之后再移动。</translation>
    </message>
    <message>
        <source>Leave fork_of or conversation_id out.</source>
        <translation>请省略 fork_of 或 conversation_id。</translation>
    </message>
    <message>
        <source>Leave history out, or export everything.</source>
        <translation>请省去历史，或导出全部。</translation>
    </message>
    <message>
        <source>Leave history out.</source>
        <translation>请省去历史。</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>不改</translation>
    </message>
    <message>
        <source>Leave it out of ids.</source>
        <translation>请从 ids 中去掉它。</translation>
    </message>
    <message>
        <source>Leave out {technique}</source>
        <translation>不用{technique}</translation>
    </message>
    <message>
        <source>Leave the header X-MemDesk-Agent out, or use the token of that agent.</source>
        <translation>请省略标头 X-MemDesk-Agent，或使用该智能体的令牌。</translation>
    </message>
    <message>
        <source>Leave the layout out.</source>
        <translation>请省去布局。</translation>
    </message>
    <message>
        <source>Leave the types out.</source>
        <translation>请省去类型。</translation>
    </message>
    <message>
        <source>Leave the user out, and it comes back as whose it was.</source>
        <translation>请省去用户，它会按原来的归属回来。</translation>
    </message>
    <message>
        <source>Leave with_subgoals out.</source>
        <translation>请省去 with_subgoals。</translation>
    </message>
    <message>
        <source>Left alone</source>
        <translation>不作处理</translation>
    </message>
    <message>
        <source>Left alone, fades</source>
        <translation>不作处理，淡忘于</translation>
    </message>
    <message>
        <source>Left alone, fades in</source>
        <translation>不作处理，淡忘于</translation>
    </message>
    <message>
        <source>Left alone, it faded</source>
        <translation>不作处理，已淡忘</translation>
    </message>
    <message>
        <source>Left as it is: “{a}”</source>
        <translation>保持原样：“{a}”</translation>
    </message>
    <message>
        <source>Left both: “{a}” and “{b}”</source>
        <translation>两者都留：“{a}”与“{b}”</translation>
    </message>
    <message>
        <source>Left off: one more backup is made first (not in PostgreSQL), from which alone this user can come back; an older one, when it is restored, erases them again. Switched on: no backup is made first, and every backup that holds anything of theirs is deleted whole, with all that others have in it.</source>
        <translation>关闭时：先做一份备份（PostgreSQL 中没有），只有从这份备份才能找回该用户；恢复更早的备份时会再次清除该用户。开启时：不先做备份，凡含有该用户内容的备份都会整个删除，包括其中其他人的内容。</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>已略过</translation>
    </message>
    <message>
        <source>Legend: {said}; size is salience, fill is confidence</source>
        <translation>图例：{said}；大小表示显著度，填充表示置信度</translation>
    </message>
    <message>
        <source>Let a reranker judge the best hits again; every recall then waits for its answer.</source>
        <translation>让重排器再次评判最佳结果；每次召回都要等它回答。</translation>
    </message>
    <message>
        <source>Let a reranker judge the best hits again; needs one.</source>
        <translation>让重排器重新评判最佳命中；需要重排器。</translation>
    </message>
    <message>
        <source>Let in: “{a}”</source>
        <translation>已放行：“{a}”</translation>
    </message>
    <message>
        <source>Let into recall: {subject}</source>
        <translation>放行：{subject}</translation>
    </message>
    <message>
        <source>Let it fade again  I</source>
        <translation>允许再次淡忘  I</translation>
    </message>
    <message>
        <source>Let it in</source>
        <translation>放行</translation>
    </message>
    <message>
        <source>Let jobs run</source>
        <translation>允许任务运行</translation>
    </message>
    <message>
        <source>Let the language model extract where one is set; otherwise, and where it fails, rules do.</source>
        <translation>设有语言模型时由它抽取；没有或失败时由规则抽取。</translation>
    </message>
    <message>
        <source>Let the language model read the query too; every recall then waits for its answer.</source>
        <translation>让语言模型也解析查询；每次召回都要等它回答。</translation>
    </message>
    <message>
        <source>Let the language model summarise where one is set; otherwise, and where it fails, extracts do.</source>
        <translation>设有语言模型时由它写摘要；没有或失败时用摘录。</translation>
    </message>
    <message>
        <source>Let the language model write the recap of a user&apos;s history; every recap then waits for its answer (AgentX).</source>
        <translation>让语言模型撰写用户历史的回顾；每次回顾都要等它回答（AgentX）。</translation>
    </message>
    <message>
        <source>Letta agent file</source>
        <translation>Letta 智能体文件</translation>
    </message>
    <message>
        <source>Letta agent files (`.af`), also those encoded twice and older ones: blocks as facts under keys, messages as a conversation</source>
        <translation>Letta 智能体文件（`.af`），包括两次编码的和较旧的：块作为带键的事实，消息作为对话</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light or dark; “As the system” follows your desktop while it changes.</source>
        <translation>浅色或深色；“跟随系统”会随桌面即时变化。</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Line numbers and authors</source>
        <translation>行号与作者</translation>
    </message>
    <message>
        <source>Line {count} {why}.</source>
        <translation>第 {count} 行{why}。</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Lines beside a knowledge graph: {kept}</source>
        <translation>知识图谱之外的行：{kept}</translation>
    </message>
    <message>
        <source>Lines of profiles</source>
        <translation>用户档案</translation>
    </message>
    <message>
        <source>Lines of the files</source>
        <translation>文件中的行</translation>
    </message>
    <message>
        <source>Lines that say who it is: {count}.</source>
        <translation>说明它是谁的行：{count} 行。</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>关联</translation>
    </message>
    <message>
        <source>Link and unlink facts and entities instead.</source>
        <translation>请改为关联事实与实体，或取消其关联。</translation>
    </message>
    <message>
        <source>Link to</source>
        <translation>关联到</translation>
    </message>
    <message>
        <source>Link to another</source>
        <translation>关联到另一个</translation>
    </message>
    <message>
        <source>Link to “{title}”</source>
        <translation>关联到“{title}”</translation>
    </message>
    <message>
        <source>Link to…</source>
        <translation>关联到…</translation>
    </message>
    <message>
        <source>Link “{title}”: choose the other end, Enter links, Esc ends.</source>
        <translation>关联“{title}”：选择另一端，按 Enter 关联，按 Esc 结束。</translation>
    </message>
    <message>
        <source>Linked</source>
        <translation>关联</translation>
    </message>
    <message>
        <source>List what it would change, and change nothing</source>
        <translation>列出会更改的内容，不做任何更改</translation>
    </message>
    <message>
        <source>Live test</source>
        <translation>实时测试</translation>
    </message>
    <message>
        <source>LoCoMo conversation files (`.json`)</source>
        <translation>LoCoMo 对话文件（`.json`）</translation>
    </message>
    <message>
        <source>LoCoMo conversations</source>
        <translation>LoCoMo 对话</translation>
    </message>
    <message>
        <source>Load this panel anew</source>
        <translation>重新加载此面板</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Loading was stopped.</source>
        <translation>加载已停止。</translation>
    </message>
    <message>
        <source>Long-term</source>
        <translation>长期</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Look at both versions and decide again.</source>
        <translation>查看两个版本，然后重新决定。</translation>
    </message>
    <message>
        <source>Look at the address, and whether the service was started with --listen.</source>
        <translation>请检查地址，以及服务启动时是否带 --listen。</translation>
    </message>
    <message>
        <source>Look at the change again.</source>
        <translation>请重新查看此更改。</translation>
    </message>
    <message>
        <source>Look at the learnings again.</source>
        <translation>请重新查看经验教训。</translation>
    </message>
    <message>
        <source>Look first at what would come in.</source>
        <translation>请先查看会导入什么。</translation>
    </message>
    <message>
        <source>Look first at what would go.</source>
        <translation>请先查看哪些内容会被移除。</translation>
    </message>
    <message>
        <source>Look for contradictions, secrets and instructions in it; nothing changes</source>
        <translation>在其中查找矛盾、机密和指令；不作任何改动</translation>
    </message>
    <message>
        <source>Look for duplicates</source>
        <translation>查找重复</translation>
    </message>
    <message>
        <source>Look for it with memory.find, or with `memdesk facts` and `memdesk log`.</source>
        <translation>用 memory.find 查找，或用 `memdesk facts` 和 `memdesk log`。</translation>
    </message>
    <message>
        <source>Look into {log}, or end process {pid}.</source>
        <translation>查看 {log}，或结束进程 {pid}。</translation>
    </message>
    <message>
        <source>Look into {log}.</source>
        <translation>查看 {log}。</translation>
    </message>
    <message>
        <source>Look this desk through for damage</source>
        <translation>检查此记忆台是否损坏</translation>
    </message>
    <message>
        <source>Looked at a secret: {kind}</source>
        <translation>查看了一个机密：{kind}</translation>
    </message>
    <message>
        <source>Looked at and well</source>
        <translation>已检查，正常</translation>
    </message>
    <message>
        <source>Looked for and not there: {names}</source>
        <translation>已查找但没有：{names}</translation>
    </message>
    <message>
        <source>Looking for the service</source>
        <translation>正在寻找服务</translation>
    </message>
    <message>
        <source>Looking the desk through</source>
        <translation>正在检查记忆台</translation>
    </message>
    <message>
        <source>Looking this desk through</source>
        <translation>正在检查此记忆台</translation>
    </message>
    <message>
        <source>Looking what it touches…</source>
        <translation>正在查看牵涉的内容…</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>Lost: {text}, {note}. Enter restores it as a fact.</source>
        <translation>丢失：{text}，{note}。按 Enter 将其恢复为事实。</translation>
    </message>
    <message>
        <source>Lower the floor to {floor}</source>
        <translation>把下限降到 {floor}</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>MCP is installed.</source>
        <translation>MCP 已安装。</translation>
    </message>
    <message>
        <source>MCP is not installed.</source>
        <translation>MCP 未安装。</translation>
    </message>
    <message>
        <source>MEMORY.md was left as it is: {says}</source>
        <translation>MEMORY.md 保持原样：{says}</translation>
    </message>
    <message>
        <source>MMM</source>
        <translation>M 月</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Made 1 change.</source>
        <translation>1 处更改。</translation>
    </message>
    <message>
        <source>Made the entity “{name}”</source>
        <translation>已创建实体“{name}”</translation>
    </message>
    <message>
        <source>Made {count} changes.</source>
        <translation>{count} 处更改。</translation>
    </message>
    <message>
        <source>Made {made}, {end} · {users} · {channels}</source>
        <translation>{made} 创建，{end} · {users} · {channels}</translation>
    </message>
    <message>
        <source>Make a fact</source>
        <translation>生成事实</translation>
    </message>
    <message>
        <source>Make a fact: Enter opens it first, F at once</source>
        <translation>生成事实：Enter 先打开，F 立即生成</translation>
    </message>
    <message>
        <source>Make it a new one: `memdesk agents add {agent}`, or set it up anew.</source>
        <translation>请为它生成新令牌：`memdesk agents add {agent}`，或重新安装。</translation>
    </message>
    <message>
        <source>Make it a new one: `memdesk team invite {agent}`.</source>
        <translation>重新生成：`memdesk team invite {agent}`。</translation>
    </message>
    <message>
        <source>Make it first, or check the path.</source>
        <translation>请先创建它，或检查路径。</translation>
    </message>
    <message>
        <source>Make it first.</source>
        <translation>请先创建它。</translation>
    </message>
    <message>
        <source>Make it shorter.</source>
        <translation>请缩短。</translation>
    </message>
    <message>
        <source>Make it with context.create_session.</source>
        <translation>请用 context.create_session 创建。</translation>
    </message>
    <message>
        <source>Make records that are missing again from the journal, else from {good}.</source>
        <translation>缺失的记录依日志重建，否则取自 {good}。</translation>
    </message>
    <message>
        <source>Make records that are missing again from the journal.</source>
        <translation>缺失的记录依日志重建。</translation>
    </message>
    <message>
        <source>Make the entity “{name}”</source>
        <translation>创建实体“{name}”</translation>
    </message>
    <message>
        <source>Make the indexes of words and vectors, the counters and the chain of hashes anew from the rows.</source>
        <translation>依各行重建词和向量的索引、计数和哈希链。</translation>
    </message>
    <message>
        <source>Make the token</source>
        <translation>创建令牌</translation>
    </message>
    <message>
        <source>Make this change</source>
        <translation>作此更改</translation>
    </message>
    <message>
        <source>Mark all as seen</source>
        <translation>全部标为已读</translation>
    </message>
    <message>
        <source>Mark as past</source>
        <translation>标为已过去</translation>
    </message>
    <message>
        <source>Markdown as {list} and {named} keep it</source>
        <translation>由 {list} 和 {named} 存放的 Markdown</translation>
    </message>
    <message>
        <source>Markdown as {named} keeps it</source>
        <translation>由 {named} 存放的 Markdown</translation>
    </message>
    <message>
        <source>Markdown file</source>
        <translation>Markdown 文件</translation>
    </message>
    <message>
        <source>Marked 1 conversation as read</source>
        <translation>已将 1 个对话标为已读</translation>
    </message>
    <message>
        <source>Marked {count} as past.</source>
        <translation>已将 {count} 条标为已过去。</translation>
    </message>
    <message>
        <source>Marked {count} conversations as read</source>
        <translation>已将 {count} 个对话标为已读</translation>
    </message>
    <message>
        <source>Marked {what} as past</source>
        <translation>已将 {what} 标为已过去</translation>
    </message>
    <message>
        <source>Masked</source>
        <translation>已遮蔽</translation>
    </message>
    <message>
        <source>Masked {secrets}. Searched {count} files</source>
        <translation>遮蔽了 {secrets}。搜索了 {count} 个文件</translation>
    </message>
    <message>
        <source>May</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Mem0 failed: {name}: {wrong}.</source>
        <translation>Mem0 失败：{name}：{wrong}。</translation>
    </message>
    <message>
        <source>Mem0 is not installed.</source>
        <translation>没有安装 Mem0。</translation>
    </message>
    <message>
        <source>Mem0&apos;s store {place} cannot be opened: {wrong}.</source>
        <translation>无法打开 Mem0 的存储 {place}：{wrong}。</translation>
    </message>
    <message>
        <source>Mem0&apos;s store {place} could not be removed: {strerror}.</source>
        <translation>无法移除 Mem0 的存储 {place}：{strerror}。</translation>
    </message>
    <message>
        <source>MemDesk archive</source>
        <translation>MemDesk 归档</translation>
    </message>
    <message>
        <source>MemDesk failed at the job {state}; this is a bug.</source>
        <translation>MemDesk 在任务 {state} 上出错；这是一个程序缺陷。</translation>
    </message>
    <message>
        <source>MemDesk failed at {name}; this is a bug.</source>
        <translation>MemDesk 在 {name} 上出错；这是一个程序缺陷。</translation>
    </message>
    <message>
        <source>MemDesk failed here; this is a bug, and the desk&apos;s log has the details.</source>
        <translation>MemDesk 在这里出错；这是一个程序缺陷，详情见记忆台的日志。</translation>
    </message>
    <message>
        <source>MemDesk waits in the system tray after you log in; without a tray its window opens.</source>
        <translation>登录后 MemDesk 在系统托盘中等待；没有托盘时打开窗口。</translation>
    </message>
    <message>
        <source>Member</source>
        <translation>成员</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>成员</translation>
    </message>
    <message>
        <source>Memories</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memories as of a moment</source>
        <translation>某一时刻的记忆</translation>
    </message>
    <message>
        <source>Memories of two users are not linked.</source>
        <translation>不同用户的记忆不能关联。</translation>
    </message>
    <message>
        <source>Memories of two users are not merged.</source>
        <translation>不同用户的记忆不能合并。</translation>
    </message>
    <message>
        <source>Memories that were deleted there</source>
        <translation>在那边已删除的记忆</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory folder of {name}</source>
        <translation>{name} 的记忆文件夹</translation>
    </message>
    <message>
        <source>Memory layers</source>
        <translation>记忆层</translation>
    </message>
    <message>
        <source>Memory of the agent {agent}</source>
        <translation>智能体 {agent} 的记忆</translation>
    </message>
    <message>
        <source>Memory of the channel _global, which every agent reads</source>
        <translation>频道 _global 的记忆，每个智能体都会读取</translation>
    </message>
    <message>
        <source>Memory of the user</source>
        <translation>用户的记忆</translation>
    </message>
    <message>
        <source>Memory refused some of what came of it; the turns are kept.</source>
        <translation>记忆拒绝了其中一些；发言已保留。</translation>
    </message>
    <message>
        <source>Memory that nobody recalls fades, day by day. Rescue with R what should stay, or pin it with I.</source>
        <translation>无人召回的记忆会一天天淡忘。该留下的用 R 挽救，或用 I 固定。</translation>
    </message>
    <message>
        <source>Memory tool dialect</source>
        <translation>记忆工具措辞</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Merge both</source>
        <translation>合并双方</translation>
    </message>
    <message>
        <source>Merge into</source>
        <translation>合并到</translation>
    </message>
    <message>
        <source>Merge into another</source>
        <translation>合并到另一个</translation>
    </message>
    <message>
        <source>Merge into “{title}”</source>
        <translation>合并到“{title}”</translation>
    </message>
    <message>
        <source>Merge the two instead.</source>
        <translation>请改为合并两者。</translation>
    </message>
    <message>
        <source>Merge the two, and dismiss this.</source>
        <translation>请合并两者，并驳回此项。</translation>
    </message>
    <message>
        <source>Merge “{title}” into “{into}”?</source>
        <translation>将“{title}”合并到“{into}”？</translation>
    </message>
    <message>
        <source>Merged into “{kept}”</source>
        <translation>合并到“{kept}”</translation>
    </message>
    <message>
        <source>Merged {count}.</source>
        <translation>已合并 {count} 条。</translation>
    </message>
    <message>
        <source>Merged {what}</source>
        <translation>已合并 {what}</translation>
    </message>
    <message>
        <source>Merged “{b}” into “{a}”</source>
        <translation>已将“{b}”并入“{a}”</translation>
    </message>
    <message>
        <source>Merged “{lost}” into “{kept}”</source>
        <translation>把“{lost}”合并到“{kept}”</translation>
    </message>
    <message>
        <source>Merged “{title}”</source>
        <translation>合并了“{title}”</translation>
    </message>
    <message>
        <source>Merged “{title}” into “{into}”</source>
        <translation>已将“{title}”合并到“{into}”</translation>
    </message>
    <message>
        <source>Merging a contradiction needs the claim that takes the place of both.</source>
        <translation>合并矛盾需要一条取代两者的陈述。</translation>
    </message>
    <message>
        <source>Messages Agentix leaves as they are (Agentix).</source>
        <translation>Agentix 原样保留的消息数（Agentix）。</translation>
    </message>
    <message>
        <source>Messages OpenLegion leaves as they are (OpenLegion).</source>
        <translation>OpenLegion 原样保留的消息数（OpenLegion）。</translation>
    </message>
    <message>
        <source>Messages of which memories may come are none yet</source>
        <translation>可能成为记忆的消息，目前还不是</translation>
    </message>
    <message>
        <source>Messages on branches that were left behind</source>
        <translation>留在旧分支上的消息</translation>
    </message>
    <message>
        <source>Messages that sub-agents sent each other</source>
        <translation>子智能体之间互发的消息</translation>
    </message>
    <message>
        <source>Mine, unsaved</source>
        <translation>我的，未保存</translation>
    </message>
    <message>
        <source>Model day tokens</source>
        <translation>模型每日 token</translation>
    </message>
    <message>
        <source>Model name</source>
        <translation>模型名称</translation>
    </message>
    <message>
        <source>Model protocol</source>
        <translation>模型协议</translation>
    </message>
    <message>
        <source>Model seconds</source>
        <translation>模型等待时长</translation>
    </message>
    <message>
        <source>Model url</source>
        <translation>模型地址</translation>
    </message>
    <message>
        <source>Moment</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>更多筛选条件</translation>
    </message>
    <message>
        <source>More in the help</source>
        <translation>查看帮助中的更多内容</translation>
    </message>
    <message>
        <source>Most questions that a checkup asks in a day: as many as a person answers.</source>
        <translation>一天的体检最多提出的问题数：以一个人答得完为限。</translation>
    </message>
    <message>
        <source>Most recalled</source>
        <translation>召回最多</translation>
    </message>
    <message>
        <source>Most talked of</source>
        <translation>谈论最多</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Move it elsewhere and try again.</source>
        <translation>请把它移到别处，然后重试。</translation>
    </message>
    <message>
        <source>Move it to a password manager, change it if others saw this file, and delete the line.</source>
        <translation>请移入密码管理器；如有他人看过此文件，请更换它；然后删除该行。</translation>
    </message>
    <message>
        <source>Move it to the project that it is about.</source>
        <translation>请移到它所属的项目。</translation>
    </message>
    <message>
        <source>Move one of them first.</source>
        <translation>请先移动其中之一。</translation>
    </message>
    <message>
        <source>Move the folder away to begin anew.</source>
        <translation>把该文件夹移走以重新开始。</translation>
    </message>
    <message>
        <source>Move to {channel}</source>
        <translation>移到 {channel}</translation>
    </message>
    <message>
        <source>Moved program</source>
        <translation>程序已移动</translation>
    </message>
    <message>
        <source>Moved to {channel}: {record}</source>
        <translation>移到 {channel}：{record}</translation>
    </message>
    <message>
        <source>Moved {count}.</source>
        <translation>已移动 {count} 条。</translation>
    </message>
    <message>
        <source>Moved {what}</source>
        <translation>已移动 {what}</translation>
    </message>
    <message>
        <source>Moved “{title}” to {channel}</source>
        <translation>将“{title}”移到了 {channel}</translation>
    </message>
    <message>
        <source>Moving {kind}</source>
        <translation>正在移动{kind}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name 1 to {count} memories.</source>
        <translation>请指定 1 到 {count} 条记忆。</translation>
    </message>
    <message>
        <source>Name 1 to {count} questions.</source>
        <translation>请指定 1 到 {count} 个问题。</translation>
    </message>
    <message>
        <source>Name 1 to {count} tags.</source>
        <translation>请指定 1 到 {count} 个标签。</translation>
    </message>
    <message>
        <source>Name a backup, or a moment.</source>
        <translation>请指定一份备份或一个时刻。</translation>
    </message>
    <message>
        <source>Name a channel that none has.</source>
        <translation>请给出一个尚未使用的频道名。</translation>
    </message>
    <message>
        <source>Name a file such as notes/tea.md.</source>
        <translation>请指定像 notes/tea.md 这样的文件。</translation>
    </message>
    <message>
        <source>Name a folder of its own with --desk, or close it: chmod 700 {folder}</source>
        <translation>请用 --desk 指定专用文件夹，或收紧权限：chmod 700 {folder}</translation>
    </message>
    <message>
        <source>Name a folder of your own with --desk, or set XDG_RUNTIME_DIR to one.</source>
        <translation>用 --desk 指定你自己的文件夹，或把 XDG_RUNTIME_DIR 设为这样的文件夹。</translation>
    </message>
    <message>
        <source>Name a folder or a file that holds memory, or drop it here.</source>
        <translation>请输入存有记忆的文件夹或文件，或拖到这里。</translation>
    </message>
    <message>
        <source>Name a folder, postgresql://USER@HOST/DATABASE, or https://HOST:PORT.</source>
        <translation>请指定文件夹、postgresql://USER@HOST/DATABASE 或 https://HOST:PORT。</translation>
    </message>
    <message>
        <source>Name a line with words in it.</source>
        <translation>请指定有文字的一行。</translation>
    </message>
    <message>
        <source>Name a standby of the desk&apos;s own server as recall_replica, with the same database.</source>
        <translation>请将 recall_replica 设为记忆台所在服务器的备库，且为同一个数据库。</translation>
    </message>
    <message>
        <source>Name a streaming standby as recall_replica; one that was promoted is none.</source>
        <translation>请将 recall_replica 设为一个流复制备库；被提升的备库不再是备库。</translation>
    </message>
    <message>
        <source>Name an empty database.</source>
        <translation>请指明一个空数据库。</translation>
    </message>
    <message>
        <source>Name an empty folder or an empty database.</source>
        <translation>请指定一个空文件夹或一个空数据库。</translation>
    </message>
    <message>
        <source>Name another channel.</source>
        <translation>请指定另一个频道。</translation>
    </message>
    <message>
        <source>Name another file, or move that one away.</source>
        <translation>请指定另一个文件，或把那个移走。</translation>
    </message>
    <message>
        <source>Name another folder with --desk, or bring what it holds into a desk with `memdesk import`.</source>
        <translation>请用 --desk 指定另一个文件夹,或用 `memdesk import` 把其中的内容导入记忆台。</translation>
    </message>
    <message>
        <source>Name another folder with --desk.</source>
        <translation>请用 --desk 指定另一个文件夹。</translation>
    </message>
    <message>
        <source>Name another port, or an address of this computer.</source>
        <translation>请换一个端口，或本机的地址。</translation>
    </message>
    <message>
        <source>Name another with --desk, or make one with `memdesk open`.</source>
        <translation>用 --desk 指定另一张，或用 `memdesk open` 新建。</translation>
    </message>
    <message>
        <source>Name at least one tool.</source>
        <translation>请至少写出一个工具。</translation>
    </message>
    <message>
        <source>Name both, none of them empty.</source>
        <translation>两者都要给出，且不能为空。</translation>
    </message>
    <message>
        <source>Name fewer entities or other names at once.</source>
        <translation>请一次少指定一些实体或别名。</translation>
    </message>
    <message>
        <source>Name its workspace with --cwd, or set memory.backend to {agenticx_backends}.</source>
        <translation>请用 --cwd 指定其工作区，或把 memory.backend 设为 {agenticx_backends}。</translation>
    </message>
    <message>
        <source>Name one as MEMORY.md:12.</source>
        <translation>请像 MEMORY.md:12 这样指定一行。</translation>
    </message>
    <message>
        <source>Name one as cwd.</source>
        <translation>请把其中一个指定为 cwd。</translation>
    </message>
    <message>
        <source>Name one as workspace_id.</source>
        <translation>请用 workspace_id 指定其中之一。</translation>
    </message>
    <message>
        <source>Name one of these channels: {list}.</source>
        <translation>请指定其中一个频道：{list}。</translation>
    </message>
    <message>
        <source>Name the agent or the channel instead.</source>
        <translation>请改为指定智能体或频道。</translation>
    </message>
    <message>
        <source>Name the column one of these: {names}.</source>
        <translation>请把该列命名为其中之一：{names}。</translation>
    </message>
    <message>
        <source>Name the conversation too.</source>
        <translation>请同时指定对话。</translation>
    </message>
    <message>
        <source>Name the conversation_id that turns share, or send fewer at once.</source>
        <translation>请指定这些发言共有的 conversation_id，或一次少发一些。</translation>
    </message>
    <message>
        <source>Name the file from the root on.</source>
        <translation>请从根目录起写出文件路径。</translation>
    </message>
    <message>
        <source>Name the file of your own authority in SSL_CERT_FILE, or correct the address.</source>
        <translation>在 SSL_CERT_FILE 中指定你自己的证书颁发机构文件，或更正地址。</translation>
    </message>
    <message>
        <source>Name the folder inside it.</source>
        <translation>请指定它里面的文件夹。</translation>
    </message>
    <message>
        <source>Name the folder or file from the root on.</source>
        <translation>请从根目录起写出文件夹或文件路径。</translation>
    </message>
    <message>
        <source>Name the folder that an agent keeps its memory in, or drop it here.</source>
        <translation>请输入智能体存放记忆的文件夹，或拖到这里。</translation>
    </message>
    <message>
        <source>Name the folder your agents keep their files in.</source>
        <translation>请指定你的智能体存放文件的文件夹。</translation>
    </message>
    <message>
        <source>Name the session otherwise.</source>
        <translation>请给会话换一个名称。</translation>
    </message>
    <message>
        <source>Name the tools in the order of their use.</source>
        <translation>请按使用顺序列出工具。</translation>
    </message>
    <message>
        <source>Name the user in both.</source>
        <translation>请在两处都写上用户。</translation>
    </message>
    <message>
        <source>Name two memories of one kind.</source>
        <translation>请指定同一种类的两条记忆。</translation>
    </message>
    <message>
        <source>Name {count} facts at most.</source>
        <translation>最多指定 {count} 条事实。</translation>
    </message>
    <message>
        <source>Names in the rail</source>
        <translation>侧栏名称</translation>
    </message>
    <message>
        <source>Names, numbers</source>
        <translation>名称、数字</translation>
    </message>
    <message>
        <source>Names, with commas between</source>
        <translation>名称，用逗号分隔</translation>
    </message>
    <message>
        <source>Narrow it by a channel, an agent, a time or more words.</source>
        <translation>请用频道、智能体、时间或更多词语缩小范围。</translation>
    </message>
    <message>
        <source>Narrow the list by kind, channel or filter, or sort it otherwise.</source>
        <translation>按种类、频道或筛选缩小列表，或换一种排序。</translation>
    </message>
    <message>
        <source>Narrow to one conversation, export, verify</source>
        <translation>限定到一个对话、导出、验证</translation>
    </message>
    <message>
        <source>Nearest categories: {near}.</source>
        <translation>最近的类别：{near}。</translation>
    </message>
    <message>
        <source>Nearly</source>
        <translation>险些命中</translation>
    </message>
    <message>
        <source>Nearly full</source>
        <translation>快满了</translation>
    </message>
    <message>
        <source>Needs a yes of its own</source>
        <translation>需要单独同意</translation>
    </message>
    <message>
        <source>Neither its words nor its meaning have to do with the query.</source>
        <translation>它的词和含义都与查询无关。</translation>
    </message>
    <message>
        <source>Neither markdown nor a transcript.</source>
        <translation>既不是 Markdown，也不是对话记录。</translation>
    </message>
    <message>
        <source>Neutral</source>
        <translation>中性</translation>
    </message>
    <message>
        <source>Never used</source>
        <translation>从未使用</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>New entry</source>
        <translation>新建条目</translation>
    </message>
    <message>
        <source>New fact from a line</source>
        <translation>由一行新建事实</translation>
    </message>
    <message>
        <source>New file</source>
        <translation>新建文件</translation>
    </message>
    <message>
        <source>New goal</source>
        <translation>新目标</translation>
    </message>
    <message>
        <source>New goal: “{title}”</source>
        <translation>新目标：“{title}”</translation>
    </message>
    <message>
        <source>New learning</source>
        <translation>新建经验教训</translation>
    </message>
    <message>
        <source>New messages before AgenticX compacts again (later AgenticX: 6).</source>
        <translation>AgenticX 再次压缩之前需有的新消息数（后来的 AgenticX：6）。</translation>
    </message>
    <message>
        <source>New part</source>
        <translation>新的子目标</translation>
    </message>
    <message>
        <source>New salience</source>
        <translation>初始显著度</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>新令牌</translation>
    </message>
    <message>
        <source>Newer</source>
        <translation>较新</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新在前</translation>
    </message>
    <message>
        <source>News</source>
        <translation>新内容</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下次</translation>
    </message>
    <message>
        <source>Next</source>
        <comment>step</comment>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Next place, Enter</source>
        <translation>下一处，Enter</translation>
    </message>
    <message>
        <source>Next turn, Enter</source>
        <translation>下一条，Enter</translation>
    </message>
    <message>
        <source>No act is named.</source>
        <translation>没有指明操作。</translation>
    </message>
    <message>
        <source>No agent has called this desk yet.</source>
        <translation>还没有智能体访问过此记忆台。</translation>
    </message>
    <message>
        <source>No agent has kept a daily log here yet.</source>
        <translation>还没有智能体在此写过日志。</translation>
    </message>
    <message>
        <source>No agent has memory here.</source>
        <translation>这里没有任何智能体有记忆。</translation>
    </message>
    <message>
        <source>No agent has signed here yet; this desk has {facts} facts.</source>
        <translation>还没有智能体在此署名；此记忆台有 {facts} 条事实。</translation>
    </message>
    <message>
        <source>No agent is called _global: that is the channel of all.</source>
        <translation>没有智能体名为 _global：那是所有人的频道。</translation>
    </message>
    <message>
        <source>No agent is chosen.</source>
        <translation>没有选择智能体。</translation>
    </message>
    <message>
        <source>No agent keeps a learning yet.</source>
        <translation>还没有智能体保存经验教训。</translation>
    </message>
    <message>
        <source>No agent keeps its files here yet.</source>
        <translation>还没有智能体在此存放文件。</translation>
    </message>
    <message>
        <source>No agent of a known system has left memory on this machine.</source>
        <translation>本机上没有已知系统的智能体留下的记忆。</translation>
    </message>
    <message>
        <source>No agent recalled anything in the last {days} days.</source>
        <translation>最近 {days} 天没有智能体召回过内容。</translation>
    </message>
    <message>
        <source>No agent was here yet.</source>
        <translation>还没有智能体来过。</translation>
    </message>
    <message>
        <source>No agent was told anything today.</source>
        <translation>今天没有向任何智能体告知内容。</translation>
    </message>
    <message>
        <source>No budget set</source>
        <translation>未设预算</translation>
    </message>
    <message>
        <source>No category could be compared.</source>
        <translation>没有可比较的类别。</translation>
    </message>
    <message>
        <source>No context was compacted yet.</source>
        <translation>还没有压缩过上下文。</translation>
    </message>
    <message>
        <source>No contradiction was found so far.</source>
        <translation>目前没有发现矛盾。</translation>
    </message>
    <message>
        <source>No conversation</source>
        <translation>无对话</translation>
    </message>
    <message>
        <source>No conversation is like this.</source>
        <translation>没有这样的对话。</translation>
    </message>
    <message>
        <source>No day with entries lies further.</source>
        <translation>再往前没有有记录的日子。</translation>
    </message>
    <message>
        <source>No difference can be shown</source>
        <translation>无法显示差异</translation>
    </message>
    <message>
        <source>No entity was followed.</source>
        <translation>没有沿着任何实体查找。</translation>
    </message>
    <message>
        <source>No entity yet.</source>
        <translation>还没有实体。</translation>
    </message>
    <message>
        <source>No entries beyond these weeks.</source>
        <translation>这几周之外没有记录。</translation>
    </message>
    <message>
        <source>No entries on {day}.</source>
        <translation>{day}没有记录。</translation>
    </message>
    <message>
        <source>No entry has these words.</source>
        <translation>没有含这些词语的条目。</translation>
    </message>
    <message>
        <source>No entry is chosen.</source>
        <translation>没有选中条目。</translation>
    </message>
    <message>
        <source>No fact yet.</source>
        <translation>还没有事实。</translation>
    </message>
    <message>
        <source>No facts were extracted: extraction_enabled is off.</source>
        <translation>没有抽取事实：extraction_enabled 已关闭。</translation>
    </message>
    <message>
        <source>No file and no fact says who it is yet.</source>
        <translation>还没有文件或事实说明它是谁。</translation>
    </message>
    <message>
        <source>No file of this import has the line {missing}.</source>
        <translation>此次导入的文件中都没有 {missing} 这一行。</translation>
    </message>
    <message>
        <source>No file was written on this day.</source>
        <translation>这一天没有写入文件。</translation>
    </message>
    <message>
        <source>No files were told.</source>
        <translation>没有提供任何文件。</translation>
    </message>
    <message>
        <source>No filter of the query stands against it.</source>
        <translation>查询的筛选都没有妨碍它。</translation>
    </message>
    <message>
        <source>No folder is of the agents and channels that are shown.</source>
        <translation>没有属于所示智能体和频道的文件夹。</translation>
    </message>
    <message>
        <source>No folder of an agent is on this desk yet.</source>
        <translation>本记忆台上还没有智能体的文件夹。</translation>
    </message>
    <message>
        <source>No goal has ended.</source>
        <translation>没有已结束的目标。</translation>
    </message>
    <message>
        <source>No goal is chosen.</source>
        <translation>没有选中目标。</translation>
    </message>
    <message>
        <source>No goal is open.</source>
        <translation>没有未结束的目标。</translation>
    </message>
    <message>
        <source>No goal yet.</source>
        <translation>还没有目标。</translation>
    </message>
    <message>
        <source>No goals yet.</source>
        <translation>还没有目标。</translation>
    </message>
    <message>
        <source>No key is chosen.</source>
        <translation>没有选中键。</translation>
    </message>
    <message>
        <source>No language model is set that could imagine an answer.</source>
        <translation>没有设置能够设想答案的语言模型。</translation>
    </message>
    <message>
        <source>No language model is set; cues read this.</source>
        <translation>没有设置语言模型；由线索规则来读。</translation>
    </message>
    <message>
        <source>No learning is chosen.</source>
        <translation>没有选中经验教训。</translation>
    </message>
    <message>
        <source>No learning passes this filter.</source>
        <translation>没有符合此筛选条件的经验教训。</translation>
    </message>
    <message>
        <source>No line of {day} says “{words}”.</source>
        <translation>{day}没有哪一行提到“{words}”。</translation>
    </message>
    <message>
        <source>No longer believed</source>
        <translation>不再相信</translation>
    </message>
    <message>
        <source>No longer so</source>
        <translation>不再如此</translation>
    </message>
    <message>
        <source>No longer true</source>
        <translation>不再属实</translation>
    </message>
    <message>
        <source>No longer {relation} “{title}”</source>
        <translation>不再{relation}“{title}”</translation>
    </message>
    <message>
        <source>No longer: {relation}</source>
        <translation>不再成立：{relation}</translation>
    </message>
    <message>
        <source>No longer: “{title}” {relation} this</source>
        <translation>不再：“{title}”{relation}此项</translation>
    </message>
    <message>
        <source>No member is chosen.</source>
        <translation>没有选择成员。</translation>
    </message>
    <message>
        <source>No memory here names {strangers}. The nearest are about something else.</source>
        <translation>这里没有记忆提到 {strangers}。最接近的内容说的是别的事。</translation>
    </message>
    <message>
        <source>No memory here names {strangers}. The nearest are about {about}.</source>
        <translation>这里没有记忆提到 {strangers}。最接近的内容关于 {about}。</translation>
    </message>
    <message>
        <source>No memory is chosen.</source>
        <translation>没有选中记忆。</translation>
    </message>
    <message>
        <source>No memory is in this set.</source>
        <translation>此集合中没有记忆。</translation>
    </message>
    <message numerus="yes">
        <source>No more than %Ln row(s) are asked for at once. Find any other memory by its words.</source>
        <translation>
            <numerusform>一次最多取 %Ln 行。其他记忆请按词语查找。</numerusform>
        </translation>
    </message>
    <message>
        <source>No notice “{notice}” stands.</source>
        <translation>没有待处理的通知“{notice}”。</translation>
    </message>
    <message>
        <source>No one has a token of this desk yet.</source>
        <translation>还没有人持有这个记忆台的令牌。</translation>
    </message>
    <message>
        <source>No project is known in {root}.</source>
        <translation>在 {root} 中没有已知的项目。</translation>
    </message>
    <message>
        <source>No project yet; the first session of a runtime in a folder makes one.</source>
        <translation>还没有项目；运行环境在文件夹中的第一个会话会建立一个。</translation>
    </message>
    <message>
        <source>No question is chosen.</source>
        <translation>没有选中问题。</translation>
    </message>
    <message>
        <source>No question is kept as a test yet.</source>
        <translation>还没有保留为测试的问题。</translation>
    </message>
    <message>
        <source>No reranker is set.</source>
        <translation>没有设置重排器。</translation>
    </message>
    <message>
        <source>No secret in “{a}”</source>
        <translation>“{a}”中没有机密</translation>
    </message>
    <message>
        <source>No secret is named, so nothing was erased.</source>
        <translation>没有指定机密，因此没有抹除任何内容。</translation>
    </message>
    <message>
        <source>No secret is stored in clear: {count} files searched.</source>
        <translation>没有以明文存放的机密：已搜索 {count} 个文件。</translation>
    </message>
    <message>
        <source>No secret was found in its memory.</source>
        <translation>在它的记忆中没有发现机密。</translation>
    </message>
    <message>
        <source>No secret was found.</source>
        <translation>没有发现机密。</translation>
    </message>
    <message>
        <source>No secret: the text of {mask} is shown again</source>
        <translation>不是机密：{mask} 的内容重新显示</translation>
    </message>
    <message>
        <source>No secrets in {what}</source>
        <translation>{what} 中没有机密</translation>
    </message>
    <message>
        <source>No service answers at {service}: {why}.</source>
        <translation>{service} 没有服务应答：{why}。</translation>
    </message>
    <message>
        <source>No service answers on the desk {folder}.</source>
        <translation>记忆台 {folder} 上没有服务应答。</translation>
    </message>
    <message>
        <source>No setting matches.</source>
        <translation>没有匹配的设置。</translation>
    </message>
    <message>
        <source>No setting was named.</source>
        <translation>没有指定任何设置。</translation>
    </message>
    <message>
        <source>No source is known: it was told directly.</source>
        <translation>来源不详：是直接告知的。</translation>
    </message>
    <message>
        <source>No strategies yet.</source>
        <translation>还没有策略。</translation>
    </message>
    <message>
        <source>No strategy is chosen.</source>
        <translation>没有选中策略。</translation>
    </message>
    <message>
        <source>No strategy yet.</source>
        <translation>还没有策略。</translation>
    </message>
    <message>
        <source>No such memory.</source>
        <translation>没有这样的记忆。</translation>
    </message>
    <message>
        <source>No summary was made: {turns} left the context and are in the archive alone.</source>
        <translation>没有生成摘要：{turns}离开了上下文，只存在于归档中。</translation>
    </message>
    <message>
        <source>No temporary file can be made: {strerror}.</source>
        <translation>无法创建临时文件:{strerror}。</translation>
    </message>
    <message>
        <source>No temporary folder can be made: {strerror}.</source>
        <translation>无法创建临时文件夹:{strerror}。</translation>
    </message>
    <message>
        <source>No tool is chosen.</source>
        <translation>没有选中工具。</translation>
    </message>
    <message>
        <source>No tool was called yet.</source>
        <translation>还没有调用过工具。</translation>
    </message>
    <message>
        <source>No two of its facts contradict each other.</source>
        <translation>它的事实之间没有矛盾。</translation>
    </message>
    <message>
        <source>No way leads to a {label}; name a fact or an entity.</source>
        <translation>没有通向{label}的路；请指定一条事实或一个实体。</translation>
    </message>
    <message>
        <source>No way of searching reached it: {words} by words and {near} by meaning are looked at.</source>
        <translation>没有一种搜索找到它：按词查看 {words} 条，按含义查看 {near} 条。</translation>
    </message>
    <message numerus="yes">
        <source>No way of up to %Ln step(s) was found with these filters.</source>
        <translation>
            <numerusform>在当前筛选下没有找到 %Ln 步以内的路径。</numerusform>
        </translation>
    </message>
    <message>
        <source>No workspace here takes new learnings. Open a file of learnings and write there.</source>
        <translation>这里没有工作区接受新的经验教训。请打开经验教训文件，在其中书写。</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Nobody allowed it in the window within {count} seconds, so nothing was done.</source>
        <translation>{count} 秒内没有人在窗口中允许，因此什么也没做。</translation>
    </message>
    <message>
        <source>Nobody can bring it back.</source>
        <translation>没有人能恢复它。</translation>
    </message>
    <message>
        <source>Nobody has learned “{claim}” by then.</source>
        <translation>到那时还没有人得知“{claim}”。</translation>
    </message>
    <message>
        <source>Nobody has tested this one, so it is not put in place.</source>
        <translation>这份备份未经检验，因此不能用来恢复。</translation>
    </message>
    <message>
        <source>Nobody holds working memory here.</source>
        <translation>这里没有谁持有工作记忆。</translation>
    </message>
    <message>
        <source>Nobody holds working memory now.</source>
        <translation>目前没有谁持有工作记忆。</translation>
    </message>
    <message>
        <source>Nodes a walk through the graph visits at most.</source>
        <translation>沿图谱查找最多访问的节点数。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>None is set.</source>
        <translation>没有设置。</translation>
    </message>
    <message>
        <source>None of the switches brings it in alone. Other words may, or an edit of the memory itself.</source>
        <translation>没有哪个开关能单独召回它。换个说法，或修改这条记忆本身，也许可以。</translation>
    </message>
    <message>
        <source>None of them could be answered so.</source>
        <translation>没有一个能这样答复。</translation>
    </message>
    <message>
        <source>Not a regular file.</source>
        <translation>不是普通文件。</translation>
    </message>
    <message>
        <source>Not a secret</source>
        <translation>不是机密</translation>
    </message>
    <message>
        <source>Not about {entity}: {claim}</source>
        <translation>与 {entity} 无关：{claim}</translation>
    </message>
    <message>
        <source>Not compared yet: {count} facts. The next checkup does it.</source>
        <translation>还有 {count} 条事实尚未比对，下次检查时会比对。</translation>
    </message>
    <message>
        <source>Not everything was searched: a hub has more links than are followed.</source>
        <translation>并未搜索全部：有一个枢纽的连线超出了跟踪范围。</translation>
    </message>
    <message>
        <source>Not in the list?</source>
        <translation>不在列表中？</translation>
    </message>
    <message>
        <source>Not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Not on this machine</source>
        <translation>本机上没有</translation>
    </message>
    <message>
        <source>Not recalled yet</source>
        <translation>尚未召回</translation>
    </message>
    <message>
        <source>Not the same</source>
        <translation>不是同一个</translation>
    </message>
    <message>
        <source>Not trusted: agents are told it as quoted</source>
        <translation>不受信任：以引文形式提供给智能体</translation>
    </message>
    <message>
        <source>Not understood: {words}.</source>
        <translation>无法理解：{words}。</translation>
    </message>
    <message>
        <source>Not watched now; look again to see what changed.</source>
        <translation>当前未监视；重新查看即可看到变化。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>便条</translation>
    </message>
    <message>
        <source>Noted “{title}”</source>
        <translation>已记下“{title}”</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Notes of {day}</source>
        <translation>{day} 的便条</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Nothing around it passes these filters.</source>
        <translation>周围没有符合筛选条件的内容。</translation>
    </message>
    <message>
        <source>Nothing breaks</source>
        <translation>不会弄坏</translation>
    </message>
    <message>
        <source>Nothing can be written beside the database: {strerror}.</source>
        <translation>数据库旁无法写入：{strerror}。</translation>
    </message>
    <message>
        <source>Nothing can fade in these channels yet.</source>
        <translation>这些频道中还没有会淡忘的内容。</translation>
    </message>
    <message>
        <source>Nothing can fade yet.</source>
        <translation>还没有会淡忘的内容。</translation>
    </message>
    <message>
        <source>Nothing can listen on {address}: {refused}.</source>
        <translation>无法在 {address} 监听：{refused}。</translation>
    </message>
    <message>
        <source>Nothing carries the tag {old}.</source>
        <translation>没有任何内容带有标签 {old}。</translation>
    </message>
    <message>
        <source>Nothing changed since.</source>
        <translation>此后没有变化。</translation>
    </message>
    <message>
        <source>Nothing comes back for this.</source>
        <translation>没有召回任何内容。</translation>
    </message>
    <message>
        <source>Nothing fades in the days ahead.</source>
        <translation>未来这些天没有会淡忘的记忆。</translation>
    </message>
    <message>
        <source>Nothing fades within 7 days</source>
        <translation>7 天内没有内容淡出</translation>
    </message>
    <message>
        <source>Nothing fades within 7 days.</source>
        <translation>7 天内没有会淡忘的记忆。</translation>
    </message>
    <message>
        <source>Nothing found for “{text}”.</source>
        <translation>没有找到“{text}”。</translation>
    </message>
    <message>
        <source>Nothing has happened yet.</source>
        <translation>还没有发生任何事。</translation>
    </message>
    <message>
        <source>Nothing has to be changed.</source>
        <translation>无需更改。</translation>
    </message>
    <message>
        <source>Nothing in it says so any more.</source>
        <translation>其中已没有能说明这一点的内容。</translation>
    </message>
    <message>
        <source>Nothing in it was worth keeping.</source>
        <translation>其中没有值得保留的内容。</translation>
    </message>
    <message>
        <source>Nothing in memory comes from the {source_kind} {source}.</source>
        <translation>记忆中没有内容来自{source_kind} {source}。</translation>
    </message>
    <message>
        <source>Nothing is below 0.30.</source>
        <translation>没有低于 0.30 的记忆。</translation>
    </message>
    <message>
        <source>Nothing is chosen.</source>
        <translation>未选择任何内容。</translation>
    </message>
    <message>
        <source>Nothing is connected to it yet.</source>
        <translation>还没有与它相连的内容。</translation>
    </message>
    <message>
        <source>Nothing is decided for good.</source>
        <translation>没有长期决定。</translation>
    </message>
    <message>
        <source>Nothing is extracted, promoted, retired or cleaned up by itself until you go on. Agents still store and recall.</source>
        <translation>在您继续之前，不会自动抽取、提升、停用或清理任何内容。智能体仍可存储和召回。</translation>
    </message>
    <message>
        <source>Nothing is kept of anybody here.</source>
        <translation>这里没有任何人的内容。</translation>
    </message>
    <message>
        <source>Nothing is known of what a session of {layout} begins with.</source>
        <translation>不知道 {layout} 的会话以什么开始。</translation>
    </message>
    <message>
        <source>Nothing is known of {agent} yet: add its folder, or let it work for a while.</source>
        <translation>对 {agent} 还一无所知：请添加它的文件夹，或让它工作一段时间。</translation>
    </message>
    <message>
        <source>Nothing is like this.</source>
        <translation>没有符合的内容。</translation>
    </message>
    <message>
        <source>Nothing is lost; load it again when you like.</source>
        <translation>没有丢失任何内容；可随时重新加载。</translation>
    </message>
    <message>
        <source>Nothing is noted of this user yet.</source>
        <translation>还没有关于此用户的记录。</translation>
    </message>
    <message>
        <source>Nothing is pinned.</source>
        <translation>没有固定的记忆。</translation>
    </message>
    <message>
        <source>Nothing is remembered here yet.</source>
        <translation>这里还没有记忆。</translation>
    </message>
    <message>
        <source>Nothing is remembered in these channels yet.</source>
        <translation>这些频道中还没有记忆。</translation>
    </message>
    <message>
        <source>Nothing is suggested here. Press 1 or 2 to answer.</source>
        <translation>这里没有建议的答案。按 1 或 2 作答。</translation>
    </message>
    <message>
        <source>Nothing is suggested here. Press a number from 1 to {last} to answer.</source>
        <translation>这里没有建议的答案。按 1 到 {last} 之间的数字作答。</translation>
    </message>
    <message>
        <source>Nothing is tried otherwise than it is saved.</source>
        <translation>试用的设置与已保存的相同。</translation>
    </message>
    <message>
        <source>Nothing like it is kept.</source>
        <translation>没有保存类似的内容。</translation>
    </message>
    <message>
        <source>Nothing like it was found.</source>
        <translation>没有找到类似的内容。</translation>
    </message>
    <message>
        <source>Nothing live now</source>
        <translation>目前没有在用的内容</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>没有匹配项。</translation>
    </message>
    <message>
        <source>Nothing new.</source>
        <translation>没有新内容。</translation>
    </message>
    <message>
        <source>Nothing of it could be taken back.</source>
        <translation>其中没有可以撤销的内容。</translation>
    </message>
    <message>
        <source>Nothing of it is in memory.</source>
        <translation>记忆中没有它的任何内容。</translation>
    </message>
    <message>
        <source>Nothing of the database can be read, and there is no tested backup.</source>
        <translation>数据库完全不可读，也没有检验过的备份。</translation>
    </message>
    <message>
        <source>Nothing of the database could be read. The desk is as it was when {good} was made; what came after it is lost.</source>
        <translation>数据库完全不可读。记忆台已恢复到 {good} 时的样子；其后的内容已丢失。</translation>
    </message>
    <message>
        <source>Nothing of this user is left in any backup then</source>
        <translation>这样任何备份中都不再留有该用户的内容</translation>
    </message>
    <message>
        <source>Nothing on this desk has it in clear.</source>
        <translation>此记忆台上没有它的明文。</translation>
    </message>
    <message>
        <source>Nothing relevant was found: the best has a relevance of {best}, the floor is {floor}.</source>
        <translation>没有找到相关的：最好的相关度为 {best}，下限为 {floor}。</translation>
    </message>
    <message>
        <source>Nothing that an import brings is called {word}.</source>
        <translation>导入的内容中没有名为 {word} 的。</translation>
    </message>
    <message>
        <source>Nothing that ranks before it says the same.</source>
        <translation>排在它前面的都没有说同样的话。</translation>
    </message>
    <message>
        <source>Nothing to change was named.</source>
        <translation>没有指定要更改的内容。</translation>
    </message>
    <message>
        <source>Nothing to correct was named.</source>
        <translation>没有指定要更正的内容。</translation>
    </message>
    <message>
        <source>Nothing to revert.</source>
        <translation>没有要还原的内容。</translation>
    </message>
    <message>
        <source>Nothing to save.</source>
        <translation>没有要保存的内容。</translation>
    </message>
    <message>
        <source>Nothing to the point was told in the time that the query names, so all times were searched.</source>
        <translation>在查询所指的时间里没有切题的内容，因此搜索了所有时间。</translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation>没有可撤销的内容。</translation>
    </message>
    <message>
        <source>Nothing to worry about; nothing was imported.</source>
        <translation>没有需要担心的；没有导入任何内容。</translation>
    </message>
    <message>
        <source>Nothing told by or about {names} clearly answers this. These come nearest.</source>
        <translation>没有由 {names} 说的或关于 {names} 的内容明确回答这个问题。以下是最接近的。</translation>
    </message>
    <message>
        <source>Nothing waits for review in these channels.</source>
        <translation>这些频道中没有待审阅的内容。</translation>
    </message>
    <message>
        <source>Nothing waits for review.</source>
        <translation>没有待审阅的内容。</translation>
    </message>
    <message>
        <source>Nothing was brought in. Do not trust this archive.</source>
        <translation>没有带入任何内容。不要信任此归档。</translation>
    </message>
    <message>
        <source>Nothing was brought in. Remove the link first.</source>
        <translation>没有带入任何内容。请先移除该链接。</translation>
    </message>
    <message>
        <source>Nothing was brought in; copy the file again.</source>
        <translation>没有导入任何内容；请重新复制该文件。</translation>
    </message>
    <message>
        <source>Nothing was brought in; make it again.</source>
        <translation>什么也没有导入；请重新制作。</translation>
    </message>
    <message>
        <source>Nothing was brought in; make the archive again.</source>
        <translation>什么也没有导入；请重新制作归档。</translation>
    </message>
    <message>
        <source>Nothing was brought in; mend the file.</source>
        <translation>没有导入任何内容；请修复该文件。</translation>
    </message>
    <message>
        <source>Nothing was brought in; mend the line and try again.</source>
        <translation>什么也没有导入；请修正该行再试。</translation>
    </message>
    <message>
        <source>Nothing was brought in; mend the row and try again.</source>
        <translation>什么也没有导入；请修正该行再试。</translation>
    </message>
    <message>
        <source>Nothing was brought in; take it from a backup.</source>
        <translation>什么也没有导入；请从备份中取回。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>没有任何更改。</translation>
    </message>
    <message>
        <source>Nothing was changed; it has 64 hexadecimal digits.</source>
        <translation>没有更改；它有 64 个十六进制数字。</translation>
    </message>
    <message>
        <source>Nothing was changed; try again.</source>
        <translation>没有更改；请重试。</translation>
    </message>
    <message>
        <source>Nothing was compacted here.</source>
        <translation>这里没有压缩记录。</translation>
    </message>
    <message>
        <source>Nothing was compacted: of {messages} messages the last {kept} stay, as the policy retains them.</source>
        <translation>没有压缩：{messages} 条消息中最近的 {kept} 条按方案保留。</translation>
    </message>
    <message>
        <source>Nothing was done.</source>
        <translation>什么也没做。</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有找到。</translation>
    </message>
    <message>
        <source>Nothing was recalled 5 times yet.</source>
        <translation>还没有召回过 5 次的记忆。</translation>
    </message>
    <message>
        <source>Nothing was said here yet.</source>
        <translation>这里还没有对话。</translation>
    </message>
    <message>
        <source>Nothing was shown after.</source>
        <translation>之后没有显示过内容。</translation>
    </message>
    <message>
        <source>Nothing was shown before.</source>
        <translation>之前没有显示过内容。</translation>
    </message>
    <message>
        <source>Nothing was written in the last {days} days.</source>
        <translation>最近 {days} 天没有写入任何内容。</translation>
    </message>
    <message>
        <source>Nothing would be told.</source>
        <translation>不会告知任何内容。</translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>不会有任何更改。</translation>
    </message>
    <message>
        <source>Nothing would go out.</source>
        <translation>没有内容可导出。</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>用户</translation>
    </message>
    <message numerus="yes">
        <source>Of %Ln only the stub of an erasure is left.</source>
        <translation>
            <numerusform>其中 %Ln 次仅剩擦除后的存根。</numerusform>
        </translation>
    </message>
    <message>
        <source>Of the format {about} no type {name} can be chosen.</source>
        <translation>{about} 格式不能选择类型 {name}。</translation>
    </message>
    <message>
        <source>Of the newest {count} events that the desk once held, nothing is left.</source>
        <translation>这个记忆台曾有的最新 {count} 个事件已全部丢失。</translation>
    </message>
    <message>
        <source>Of {count} events of the journal only the number is left: they cannot be undone, and a memory that nothing else has is lost without a name.</source>
        <translation>日志中有 {count} 个事件只剩编号：无法撤销，而别处没有留存的记忆已丢失，且无法列出名称。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Off leaves new turns unread by the job consolidate (AgentX).</source>
        <translation>关闭后，巩固任务不再读取新发言（AgentX）。</translation>
    </message>
    <message>
        <source>Off stops every job by the clock; a job can still be run by hand.</source>
        <translation>关闭后，所有定时任务都会停止；仍可手动运行任务。</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>On this computer, none is needed. People and agents on others need one, and a service that answers them: memdesk serve --listen ADDRESS</source>
        <translation>在这台计算机上不需要令牌。其他计算机上的人和智能体需要令牌，还需要一个应答它们的服务：memdesk serve --listen ADDRESS</translation>
    </message>
    <message>
        <source>One call cannot be signed by {list}.</source>
        <translation>一次调用不能由 {list} 共同署名。</translation>
    </message>
    <message>
        <source>One call in twenty took longer</source>
        <translation>每二十次调用中有一次更慢</translation>
    </message>
    <message>
        <source>One claim that holds; agents recall it as it stands.</source>
        <translation>一条成立的陈述；智能体会原样召回。</translation>
    </message>
    <message>
        <source>One conversation, session or user…</source>
        <translation>一个对话、会话或用户…</translation>
    </message>
    <message>
        <source>One is made every day, and before anything large.</source>
        <translation>每天以及在任何大的操作之前都会做一份。</translation>
    </message>
    <message>
        <source>One markdown file: a note of the folder it lies in</source>
        <translation>一个 Markdown 文件：其所在文件夹的一条笔记</translation>
    </message>
    <message>
        <source>One memory</source>
        <translation>一条记忆</translation>
    </message>
    <message>
        <source>One memory is damaged on the disk and left out. `memdesk verify` says which.</source>
        <translation>有一条记忆在磁盘上已损坏，已被略去。`memdesk verify` 会说明是哪一条。</translation>
    </message>
    <message>
        <source>One of its memories has left recall, or the question was taken back.</source>
        <translation>其中一条记忆已退出召回，或问题已被撤回。</translation>
    </message>
    <message>
        <source>One of the two has left meanwhile.</source>
        <translation>两者之一在此期间已离开。</translation>
    </message>
    <message>
        <source>One of the two was not true at that time.</source>
        <translation>两者之一在当时并不成立。</translation>
    </message>
    <message>
        <source>Only a fact that was promoted to _global is demoted.</source>
        <translation>只有提升到 _global 的事实才能降级。</translation>
    </message>
    <message>
        <source>Only an archive can hold the journal.</source>
        <translation>只有归档才能包含变更日志。</translation>
    </message>
    <message>
        <source>Only an owner of this desk may do this. Ask one of them.</source>
        <translation>只有此记忆台的所有者才能这样做，请联系其中一位。</translation>
    </message>
    <message>
        <source>Only an owner of this desk may open this page.</source>
        <translation>只有这个记忆台的所有者可以打开这一页。</translation>
    </message>
    <message>
        <source>Only asks</source>
        <translation>只是提问</translation>
    </message>
    <message>
        <source>Only curators and owners of this desk may open this page.</source>
        <translation>只有这个记忆台的管理者和所有者可以打开这一页。</translation>
    </message>
    <message>
        <source>Only facts are narrowed by confidence.</source>
        <translation>只有事实能按置信度筛选。</translation>
    </message>
    <message>
        <source>Only facts are true for a time.</source>
        <translation>只有事实才有时效。</translation>
    </message>
    <message>
        <source>Only looking around?</source>
        <translation>只是看看？</translation>
    </message>
    <message>
        <source>Only names, sizes and times were read so far. Nothing leaves this machine; every step can be undone.</source>
        <translation>目前只读取了名称、大小和时间。没有任何内容离开本机；每一步都可以撤销。</translation>
    </message>
    <message>
        <source>Only persons may follow the feed.</source>
        <translation>只有人可以跟随变更流。</translation>
    </message>
    <message>
        <source>Only text can be added to a text, and nothing to what “{key}” holds otherwise.</source>
        <translation>只有文本能追加到文本，“{key}”的其他内容不能追加。</translation>
    </message>
    <message>
        <source>Only the channel</source>
        <translation>仅限频道</translation>
    </message>
    <message>
        <source>Only the desk&apos;s owner may call {endpoint}.</source>
        <translation>只有记忆台的主人可以调用 {endpoint}。</translation>
    </message>
    <message>
        <source>Only the desk&apos;s window may do this.</source>
        <translation>只有记忆台的窗口可以这样做。</translation>
    </message>
    <message>
        <source>Only the turns beside it hold words of the query.</source>
        <translation>只有它近旁的发言含有查询的词。</translation>
    </message>
    <message>
        <source>Open MemDesk</source>
        <translation>打开 MemDesk</translation>
    </message>
    <message>
        <source>Open conversation</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Open desk {name}</source>
        <translation>打开记忆台 {name}</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open in the inspector  {key}</source>
        <translation>在详情栏中打开  {key}</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>请再次打开。</translation>
    </message>
    <message>
        <source>Open it with `memdesk open` or `memdesk serve`, or give the passphrase in {key_variable}.</source>
        <translation>请用 `memdesk open` 或 `memdesk serve` 打开，或在 {key_variable} 中给出口令。</translation>
    </message>
    <message>
        <source>Open memory</source>
        <translation>打开记忆</translation>
    </message>
    <message>
        <source>Open or create another desk…</source>
        <translation>打开或新建另一个记忆台…</translation>
    </message>
    <message>
        <source>Open the conversation</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Open the desk</source>
        <translation>打开记忆台</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open the sample desk</source>
        <translation>打开示例记忆台</translation>
    </message>
    <message>
        <source>Open the schedule in Settings</source>
        <translation>在设置中打开计划</translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Open the turn in the inspector</source>
        <translation>在详情栏中打开这条发言</translation>
    </message>
    <message>
        <source>Open them in Settings</source>
        <translation>在设置中打开</translation>
    </message>
    <message>
        <source>Open {panel}</source>
        <translation>打开{panel}</translation>
    </message>
    <message>
        <source>OpenClaw session</source>
        <translation>OpenClaw 会话</translation>
    </message>
    <message>
        <source>OpenLegion database</source>
        <translation>OpenLegion 数据库</translation>
    </message>
    <message>
        <source>OpenLegion&apos;s agents keep errors of tools and your corrections in learnings/. Bring in such a folder.</source>
        <translation>OpenLegion 的智能体把工具错误和您的更正保存在 learnings/ 中。请导入这样的文件夹。</translation>
    </message>
    <message>
        <source>OpenLegion&apos;s database: pairs of key and value with their categories and use, tool outcomes</source>
        <translation>OpenLegion 的数据库：键值对及其类别与使用，工具结果</translation>
    </message>
    <message>
        <source>Openlegion compact</source>
        <translation>OpenLegion 压缩</translation>
    </message>
    <message>
        <source>Openlegion flush</source>
        <translation>OpenLegion 预存</translation>
    </message>
    <message>
        <source>Openlegion retain</source>
        <translation>OpenLegion 保留数</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Or for</source>
        <translation>或者等待</translation>
    </message>
    <message>
        <source>Or, in words:</source>
        <translation>或用文字说明：</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Other agents are told it as quoted until you trust it.</source>
        <translation>在您信任它之前，以引文形式提供给其他智能体。</translation>
    </message>
    <message>
        <source>Other memory depends on this: what came after it would lose its source.</source>
        <translation>其他记忆依赖于此：之后的内容会失去来源。</translation>
    </message>
    <message>
        <source>Other name</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>Other name of an entity that goes</source>
        <translation>被移除实体的别名</translation>
    </message>
    <message>
        <source>Other names</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>Other names, with commas between</source>
        <translation>别名，以逗号分隔</translation>
    </message>
    <message>
        <source>Other sessions, channels or agents may have compactions.</source>
        <translation>其他会话、频道或智能体可能有压缩记录。</translation>
    </message>
    <message>
        <source>Other side</source>
        <translation>另一方</translation>
    </message>
    <message>
        <source>Other users could open the desk&apos;s folder (mode {what}); it is closed now. Who may have read it cannot be known: the owner&apos;s token is in it. Delete owner.token to get another.</source>
        <translation>其他用户曾可打开记忆台的文件夹（权限 {what}）；现已关闭。无法知道谁可能读过：其中有所有者的令牌。删除 owner.token 即可换一个。</translation>
    </message>
    <message>
        <source>Other users may open the folder {folder} (mode {mode}), and it is no desk yet.</source>
        <translation>其他用户可以打开文件夹 {folder}（权限 {mode}），而它还不是记忆台。</translation>
    </message>
    <message>
        <source>Other wording of a fact that goes</source>
        <translation>被移除事实的另一种说法</translation>
    </message>
    <message>
        <source>Others may change or read {path}.</source>
        <translation>他人可以更改或读取 {path}。</translation>
    </message>
    <message>
        <source>Others may write to {path}, and with it to your memory. Close it with `chmod go-w {quoted}`.</source>
        <translation>其他人可以写入 {path}，也就能改动你的记忆。请用 `chmod go-w {quoted}` 关闭。</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Outcomes</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Over 30 days</source>
        <translation>超过 30 天</translation>
    </message>
    <message>
        <source>Over 90 days</source>
        <translation>超过 90 天</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Package</source>
        <translation>软件包</translation>
    </message>
    <message>
        <source>Packages of this installation</source>
        <translation>此安装的软件包</translation>
    </message>
    <message>
        <source>Page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Page of the help</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>Part of</source>
        <translation>隶属于</translation>
    </message>
    <message>
        <source>Part of it stays as it is.</source>
        <translation>其中一部分保持原样。</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>子目标</translation>
    </message>
    <message>
        <source>Parts of a score: {parts}</source>
        <translation>得分构成：{parts}</translation>
    </message>
    <message>
        <source>Passage</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>口令</translation>
    </message>
    <message>
        <source>Password or key</source>
        <translation>密码或密钥</translation>
    </message>
    <message>
        <source>Past a number of messages or characters, one system message in the place of all but the last.</source>
        <translation>超过一定的消息数或字符数时，用一条系统消息代替除最近之外的所有消息。</translation>
    </message>
    <message>
        <source>Past a number of tokens, a summary and the last messages; or, without summaries, the last messages alone.</source>
        <translation>超过一定的词元数时，用摘要和最近的消息；没有摘要时，只用最近的消息。</translation>
    </message>
    <message>
        <source>Past facts</source>
        <translation>过去的事实</translation>
    </message>
    <message>
        <source>Past its limit the keys that were used least recently go: {evicted} went so far, {expired} expired.</source>
        <translation>超出上限时，最久未用的键会被淘汰：至今淘汰 {evicted} 个，过期 {expired} 个。</translation>
    </message>
    <message>
        <source>Past this size the least recently used of working memory goes.</source>
        <translation>超过此大小时，最久未用的工作记忆会被清除。</translation>
    </message>
    <message>
        <source>Path through the recall</source>
        <translation>在召回中的路径</translation>
    </message>
    <message>
        <source>Pattern calls</source>
        <translation>模式次数</translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Patterns minutes</source>
        <translation>模式间隔</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pause jobs</source>
        <translation>暂停任务</translation>
    </message>
    <message>
        <source>Pause: let the time stand</source>
        <translation>暂停：让时间停住</translation>
    </message>
    <message>
        <source>People it knows</source>
        <translation>它认识的人</translation>
    </message>
    <message>
        <source>People it knows: {count}, by how often they come up.</source>
        <translation>它认识的人：{count} 位，按出现频率排列。</translation>
    </message>
    <message>
        <source>Per conversation</source>
        <translation>每个对话</translation>
    </message>
    <message>
        <source>Percent-encode it as UTF-8.</source>
        <translation>请按 UTF-8 进行百分号编码。</translation>
    </message>
    <message>
        <source>Person</source>
        <translation>您的名字</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Pinned {count}.</source>
        <translation>已固定 {count} 条。</translation>
    </message>
    <message>
        <source>Pinned {what}</source>
        <translation>已固定 {what}</translation>
    </message>
    <message>
        <source>Pinned “{title}”</source>
        <translation>固定了“{title}”</translation>
    </message>
    <message>
        <source>Pinned, does not fade</source>
        <translation>已固定，不会淡忘</translation>
    </message>
    <message>
        <source>Pinned: {birth}</source>
        <translation>已固定：{birth}</translation>
    </message>
    <message>
        <source>Pins and use</source>
        <translation>固定与使用</translation>
    </message>
    <message>
        <source>Places and panels</source>
        <translation>位置与面板</translation>
    </message>
    <message>
        <source>Plain text: the file is larger than 200 KB</source>
        <translation>纯文本：文件超过 200 KB</translation>
    </message>
    <message>
        <source>Play: let the time run</source>
        <translation>播放：让时间前进</translation>
    </message>
    <message>
        <source>Possible duplicates</source>
        <translation>可能的重复</translation>
    </message>
    <message>
        <source>PreCompact: {count} messages in the context</source>
        <translation>PreCompact：上下文中有 {count} 条消息</translation>
    </message>
    <message>
        <source>Preference</source>
        <translation>偏好</translation>
    </message>
    <message>
        <source>Preferences, expertise and how to write to you: agents read it in every channel.</source>
        <translation>偏好、专长，以及如何给您写信息：智能体在所有频道中都会读到。</translation>
    </message>
    <message>
        <source>Present the desk&apos;s owner token, or do it from the window or the command line.</source>
        <translation>请出示记忆台的主人令牌，或在窗口或命令行中操作。</translation>
    </message>
    <message>
        <source>Press T at a question to answer all that its source asks.</source>
        <translation>在问题上按 T，即可答复其来源的所有同类问题。</translation>
    </message>
    <message>
        <source>Press or drag to look elsewhere</source>
        <translation>按下或拖动以查看其他位置</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Preview: {act}</source>
        <translation>预览：{act}</translation>
    </message>
    <message>
        <source>Previous place, Shift+Enter</source>
        <translation>上一处，Shift+Enter</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Procedural</source>
        <translation>程序性</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>画像</translation>
    </message>
    <message>
        <source>Profile entries</source>
        <translation>画像条目</translation>
    </message>
    <message>
        <source>Profile entry</source>
        <translation>画像条目</translation>
    </message>
    <message>
        <source>Profile, {what} {name}</source>
        <translation>画像，{what} {name}</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Project {where}</source>
        <translation>项目 {where}</translation>
    </message>
    <message>
        <source>Project {where} has channel {channel}</source>
        <translation>项目 {where} 使用频道 {channel}</translation>
    </message>
    <message>
        <source>Project {where} was taken off the list</source>
        <translation>已将项目 {where} 移出列表</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Promote</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>Promote confidence</source>
        <translation>提升所需置信度</translation>
    </message>
    <message>
        <source>Promote conversations</source>
        <translation>提升所需对话数</translation>
    </message>
    <message>
        <source>Promote minutes</source>
        <translation>提升间隔</translation>
    </message>
    <message>
        <source>Promote recalls</source>
        <translation>提升所需召回次数</translation>
    </message>
    <message>
        <source>Promote to _global</source>
        <translation>提升到 _global</translation>
    </message>
    <message>
        <source>Promote what holds everywhere, or archive the channel.</source>
        <translation>请提升在各处都成立的内容，或归档该频道。</translation>
    </message>
    <message>
        <source>Promoted</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>Promoted a fact {title}</source>
        <translation>提升了事实 {title}</translation>
    </message>
    <message>
        <source>Promoted copy</source>
        <translation>提升的副本</translation>
    </message>
    <message>
        <source>Promoted {count}.</source>
        <translation>已提升 {count} 条。</translation>
    </message>
    <message>
        <source>Promoted {what}</source>
        <translation>已提升 {what}</translation>
    </message>
    <message>
        <source>Promoted “{a}” to _global</source>
        <translation>已将“{a}”提升到 _global</translation>
    </message>
    <message>
        <source>Promoted “{title}”</source>
        <translation>提升了“{title}”</translation>
    </message>
    <message>
        <source>Promoted “{title}” to _global</source>
        <translation>已将“{title}”提升到 _global</translation>
    </message>
    <message>
        <source>Promotion</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>Promotions</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Prompt log</source>
        <translation>保存提示</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>提示 token 数</translation>
    </message>
    <message>
        <source>Proposal</source>
        <translation>提议</translation>
    </message>
    <message>
        <source>Propose a correction: review.propose.</source>
        <translation>请提议更正：review.propose。</translation>
    </message>
    <message>
        <source>Propose project facts that proved themselves for _global</source>
        <translation>提议把经受检验的项目事实放入 _global</translation>
    </message>
    <message>
        <source>Proposed a correction: “{claim}”</source>
        <translation>提议了更正：“{claim}”</translation>
    </message>
    <message>
        <source>Proposed for _global: “{claim}”</source>
        <translation>提议提升到 _global：“{claim}”</translation>
    </message>
    <message>
        <source>Purging vectors of texts that are gone</source>
        <translation>正在清除已消失文本的向量</translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>放回</translation>
    </message>
    <message>
        <source>Put back what was overwritten unseen: {path}</source>
        <translation>放回了未经查看就被覆盖的内容：{path}</translation>
    </message>
    <message>
        <source>Put back {what}</source>
        <translation>放回{what}</translation>
    </message>
    <message>
        <source>Put both changes together in the editor</source>
        <translation>在编辑器中把双方的改动放在一起</translation>
    </message>
    <message>
        <source>Put both texts of {path} together</source>
        <translation>已合并 {path} 的两份文本</translation>
    </message>
    <message>
        <source>Put in the middle</source>
        <translation>设为中心</translation>
    </message>
    <message>
        <source>Put it back from a copy of the desk&apos;s folder.</source>
        <translation>请从记忆台文件夹的副本中放回。</translation>
    </message>
    <message>
        <source>Put it back from a copy of the desk&apos;s folder; without it a passphrase opens nothing.</source>
        <translation>请从记忆台文件夹的副本中放回；没有它，口令打不开任何内容。</translation>
    </message>
    <message>
        <source>Put it back, or import it where it is.</source>
        <translation>请把它放回，或在它所在之处导入。</translation>
    </message>
    <message>
        <source>Put it into ~/.pgpass.</source>
        <translation>请放入 ~/.pgpass。</translation>
    </message>
    <message>
        <source>Put off: {reason}</source>
        <translation>推迟：{reason}</translation>
    </message>
    <message>
        <source>Put the file back from a copy of the desk&apos;s folder.</source>
        <translation>请从记忆台文件夹的副本中放回该文件。</translation>
    </message>
    <message>
        <source>Put the other text in; Ctrl+Z brings mine back</source>
        <translation>换成对方的文本；Ctrl+Z 可找回我的</translation>
    </message>
    <message>
        <source>Put the other text into {path}</source>
        <translation>已将另一文本写入 {path}</translation>
    </message>
    <message>
        <source>Put together</source>
        <translation>合并两者</translation>
    </message>
    <message>
        <source>Putting it in place</source>
        <translation>正在就位</translation>
    </message>
    <message>
        <source>Putting the backup in place</source>
        <translation>正在放回备份</translation>
    </message>
    <message>
        <source>Quarantine</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>Quarantine all that is learned from it</source>
        <translation>隔离从它学到的一切</translation>
    </message>
    <message>
        <source>Quarantine from</source>
        <translation>隔离界限</translation>
    </message>
    <message>
        <source>Quarantine it anew if it should not be.</source>
        <translation>如果不应如此，请重新隔离它。</translation>
    </message>
    <message>
        <source>Quarantined</source>
        <translation>已隔离</translation>
    </message>
    <message>
        <source>Quarantined {count}.</source>
        <translation>已隔离 {count} 条。</translation>
    </message>
    <message>
        <source>Quarantined {what}</source>
        <translation>已隔离 {what}</translation>
    </message>
    <message>
        <source>Quarantined “{b}”</source>
        <translation>已隔离“{b}”</translation>
    </message>
    <message>
        <source>Quarantined “{title}”</source>
        <translation>已隔离“{title}”</translation>
    </message>
    <message>
        <source>Quarantined: {subject}</source>
        <translation>已隔离：{subject}</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Question about a memory that goes</source>
        <translation>关于被移除记忆的问题</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Questions of the review</source>
        <translation>审阅问题</translation>
    </message>
    <message>
        <source>Questions that are kept as tests</source>
        <translation>保留为测试的问题</translation>
    </message>
    <message>
        <source>Quick capture</source>
        <translation>快速记录</translation>
    </message>
    <message>
        <source>Quick capture…</source>
        <translation>快速记录…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Raise import_file_megabytes in settings.toml if you trust it.</source>
        <translation>如果信任它，请在 settings.toml 中调高 import_file_megabytes。</translation>
    </message>
    <message>
        <source>Raise import_file_megabytes in settings.toml, or split the file.</source>
        <translation>请在 settings.toml 中调高 import_file_megabytes，或拆分文件。</translation>
    </message>
    <message>
        <source>Ranked</source>
        <translation>已排序</translation>
    </message>
    <message>
        <source>Reached from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Read again: {path}</source>
        <translation>已重新读取：{path}</translation>
    </message>
    <message>
        <source>Read from a turn of it</source>
        <translation>读自它的一轮对话</translation>
    </message>
    <message>
        <source>Read from it</source>
        <translation>读自它</translation>
    </message>
    <message>
        <source>Read it with context.archive.</source>
        <translation>请用 context.archive 读取。</translation>
    </message>
    <message>
        <source>Read it, and save on top of it.</source>
        <translation>请读取它，在其上保存。</translation>
    </message>
    <message>
        <source>Read lines of files again, once after the rules for them changed</source>
        <translation>规则改变后，将文件的各行重新读取一次</translation>
    </message>
    <message>
        <source>Read the channel {channel}.</source>
        <translation>读到频道 {channel}。</translation>
    </message>
    <message>
        <source>Read the file again and save on top of it; the desk&apos;s owner finds your text kept as a conflict.</source>
        <translation>请重新读取文件并在其上保存；记忆台的主人会看到你的文本作为冲突保留。</translation>
    </message>
    <message>
        <source>Read the file again.</source>
        <translation>请重新读取文件。</translation>
    </message>
    <message>
        <source>Read the tool calls of {count} conversations</source>
        <translation>读取了 {count} 个对话的工具调用</translation>
    </message>
    <message>
        <source>Read the tool calls of “{talks}”</source>
        <translation>读取了“{talks}”的工具调用</translation>
    </message>
    <message>
        <source>Read time and channel out of the query, by rules (AgentX).</source>
        <translation>按规则从查询中读出时间和频道（AgentX）。</translation>
    </message>
    <message>
        <source>Read times and channels out of the query.</source>
        <translation>从查询中读出时间与频道。</translation>
    </message>
    <message>
        <source>Read when it was told: {days}.</source>
        <translation>读到讲述的时间：{days}。</translation>
    </message>
    <message>
        <source>Reader</source>
        <translation>读者</translation>
    </message>
    <message>
        <source>Reading conversations</source>
        <translation>正在读取对话</translation>
    </message>
    <message>
        <source>Reading facts</source>
        <translation>正在读取事实</translation>
    </message>
    <message>
        <source>Reading files again</source>
        <translation>正在重新读取文件</translation>
    </message>
    <message>
        <source>Reading the indexes</source>
        <translation>正在读取索引</translation>
    </message>
    <message>
        <source>Reading the pages</source>
        <translation>正在读取页</translation>
    </message>
    <message>
        <source>Reading the rows</source>
        <translation>正在读取行</translation>
    </message>
    <message>
        <source>Reading tool calls</source>
        <translation>正在读取工具调用</translation>
    </message>
    <message>
        <source>Reading “{talk}” again</source>
        <translation>正在重新读取“{talk}”</translation>
    </message>
    <message>
        <source>Ready.</source>
        <translation>就绪。</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Reason: {reason}</source>
        <translation>原因：{reason}</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回</translation>
    </message>
    <message>
        <source>Recall archived</source>
        <translation>召回已归档</translation>
    </message>
    <message>
        <source>Recall by {name}</source>
        <translation>{name} 召回</translation>
    </message>
    <message>
        <source>Recall cache seconds</source>
        <translation>召回缓存时长</translation>
    </message>
    <message>
        <source>Recall does without its replica so far.</source>
        <translation>召回暂不使用副本：尚未检查它。</translation>
    </message>
    <message>
        <source>Recall does without its replica: that does not answer ({why}).</source>
        <translation>召回暂不使用副本：它没有应答（{why}）。</translation>
    </message>
    <message>
        <source>Recall does without its replica: that is a standby of another database.</source>
        <translation>召回暂不使用副本：它是另一个数据库的备库。</translation>
    </message>
    <message>
        <source>Recall does without its replica: that is more than {most} s behind.</source>
        <translation>召回暂不使用副本：它落后超过 {most} 秒。</translation>
    </message>
    <message>
        <source>Recall does without its replica: that is no standby.</source>
        <translation>召回暂不使用副本：它不是备库。</translation>
    </message>
    <message>
        <source>Recall entities</source>
        <translation>按实体召回</translation>
    </message>
    <message>
        <source>Recall expansion</source>
        <translation>扩展查询</translation>
    </message>
    <message>
        <source>Recall floor</source>
        <translation>召回底线</translation>
    </message>
    <message>
        <source>Recall hybrid</source>
        <translation>混合召回</translation>
    </message>
    <message>
        <source>Recall hyde</source>
        <translation>假想答案召回</translation>
    </message>
    <message>
        <source>Recall lab</source>
        <translation>召回实验室</translation>
    </message>
    <message>
        <source>Recall lift</source>
        <translation>召回增益</translation>
    </message>
    <message>
        <source>Recall limit</source>
        <translation>召回上限</translation>
    </message>
    <message>
        <source>Recall per conversation</source>
        <translation>每段对话的召回数</translation>
    </message>
    <message>
        <source>Recall reads a replica, at most {lag} s behind.</source>
        <translation>召回读取副本，最多落后 {lag} 秒。</translation>
    </message>
    <message>
        <source>Recall recent turns</source>
        <translation>附带最近发言</translation>
    </message>
    <message>
        <source>Recall replica</source>
        <translation>召回副本</translation>
    </message>
    <message>
        <source>Recall replica lag seconds</source>
        <translation>召回副本落后秒数</translation>
    </message>
    <message>
        <source>Recall rerank</source>
        <translation>重排</translation>
    </message>
    <message>
        <source>Recall self query</source>
        <translation>解析查询</translation>
    </message>
    <message>
        <source>Recall self query model</source>
        <translation>用模型解析查询</translation>
    </message>
    <message>
        <source>Recalled</source>
        <translation>召回次数</translation>
    </message>
    <message numerus="yes">
        <source>Recalled %Ln time(s)</source>
        <translation>
            <numerusform>召回 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Recalled 5 times or more</source>
        <translation>召回 5 次以上</translation>
    </message>
    <message>
        <source>Recalled by</source>
        <translation>召回者</translation>
    </message>
    <message>
        <source>Recalled {recalled} times, said in {conversations} conversations, confidence {count}.</source>
        <translation>被召回 {recalled} 次，在 {conversations} 个对话中说过，置信度 {count}。</translation>
    </message>
    <message>
        <source>Recalled “{title}”</source>
        <translation>召回了“{title}”</translation>
    </message>
    <message>
        <source>Recalls and other reads of one agent a minute; more are refused, with the time to wait; 0 for no limit (AgentX).</source>
        <translation>一个智能体每分钟的召回和其他读取次数；超出的会被拒绝，并告知等待时间；0 表示不限（AgentX）。</translation>
    </message>
    <message>
        <source>Recalls that would return something else: {changed} of {asked} asked again, of the last {days} days.</source>
        <translation>会返回不同结果的召回：最近 {days} 天内重新提问的 {asked} 次中有 {changed} 次。</translation>
    </message>
    <message>
        <source>Recap model</source>
        <translation>用模型写回顾</translation>
    </message>
    <message>
        <source>Recap model name</source>
        <translation>回顾模型名称</translation>
    </message>
    <message>
        <source>Recap prompt</source>
        <translation>回顾提示</translation>
    </message>
    <message>
        <source>Recency</source>
        <translation>时近</translation>
    </message>
    <message>
        <source>Recency half life hours</source>
        <translation>新近半衰期</translation>
    </message>
    <message>
        <source>Recognised</source>
        <translation>识别结果</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>Record its beginning, or the path of a file that holds it.</source>
        <translation>请记录其开头，或存放它的文件的路径。</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo: {subject}</source>
        <translation>重做：{subject}</translation>
    </message>
    <message>
        <source>Reduced</source>
        <translation>减少</translation>
    </message>
    <message>
        <source>Reduced shows everything at once: nothing slides or fades.</source>
        <translation>“减少”会直接显示一切：没有滑动和淡入淡出。</translation>
    </message>
    <message>
        <source>Reflected: {path}</source>
        <translation>反思：{path}</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Relation</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Relation of a memory that goes</source>
        <translation>被移除记忆的关系</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Relations between entities, files, tags and the review queue stay.</source>
        <translation>实体之间的关系、文件、标签和审阅队列不会带走。</translation>
    </message>
    <message>
        <source>Relevant enough</source>
        <translation>足够相关</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove from the desk</source>
        <translation>从记忆台移除</translation>
    </message>
    <message>
        <source>Remove the file and set another.</source>
        <translation>请移除该文件并重新设定。</translation>
    </message>
    <message>
        <source>Remove the file and start again; then make every agent a new token: `memdesk agents add NAME`.</source>
        <translation>请移除该文件并重新启动；然后为每个智能体生成新令牌：`memdesk agents add NAME`。</translation>
    </message>
    <message>
        <source>Remove the file; archives made before then count as made elsewhere.</source>
        <translation>请移除该文件；此前制作的归档将视为在别处制作。</translation>
    </message>
    <message>
        <source>Remove the file; the service makes a new one.</source>
        <translation>请删除该文件；服务会创建新的。</translation>
    </message>
    <message>
        <source>Remove the folder from the desk first; its files stay.</source>
        <translation>请先从记忆台移除该文件夹；它的文件会保留。</translation>
    </message>
    <message>
        <source>Remove the folder from the desk, and import it anew for the agent.</source>
        <translation>请从记忆台移除该文件夹，再为该智能体重新导入。</translation>
    </message>
    <message>
        <source>Removed a learning from {path}</source>
        <translation>从 {path} 中移除了一条经验教训</translation>
    </message>
    <message>
        <source>Removed outside: {path}</source>
        <translation>在外部移除：{path}</translation>
    </message>
    <message>
        <source>Removed the folder {now}; its files stay on the disk</source>
        <translation>移除了文件夹 {now}；它的文件仍在磁盘上</translation>
    </message>
    <message>
        <source>Removed {parts}/</source>
        <translation>移除了 {parts}/</translation>
    </message>
    <message>
        <source>Removed {path}</source>
        <translation>移除了 {path}</translation>
    </message>
    <message>
        <source>Removed “{title}”</source>
        <translation>移除了“{title}”</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename the tag</source>
        <translation>重命名标签</translation>
    </message>
    <message>
        <source>Rename the tag on every memory</source>
        <translation>在所有记忆上重命名此标签</translation>
    </message>
    <message>
        <source>Renamed outside: {path} to {new_path}</source>
        <translation>在外部改名：{path} 改为 {new_path}</translation>
    </message>
    <message>
        <source>Renamed the tag “{tag}” to “{name}”</source>
        <translation>标签“{tag}”已重命名为“{name}”</translation>
    </message>
    <message>
        <source>Renamed {parts}/ to {target}/</source>
        <translation>{parts}/ 改名为 {target}/</translation>
    </message>
    <message>
        <source>Renamed {path} to {new_path}</source>
        <translation>{path} 改名为 {new_path}</translation>
    </message>
    <message>
        <source>Renew token</source>
        <translation>更换令牌</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>重新开启</translation>
    </message>
    <message>
        <source>Reopen a goal to make it active.</source>
        <translation>请重开目标使其进行中。</translation>
    </message>
    <message>
        <source>Reopened “{title}”</source>
        <translation>已重新开启“{title}”</translation>
    </message>
    <message>
        <source>Repair now</source>
        <translation>立即修复</translation>
    </message>
    <message>
        <source>Repairing the desk</source>
        <translation>正在修复记忆台</translation>
    </message>
    <message>
        <source>Repair…</source>
        <translation>修复…</translation>
    </message>
    <message>
        <source>Replacing them by placeholders</source>
        <translation>正在用占位符替换它们</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>答复</translation>
    </message>
    <message>
        <source>Rerank</source>
        <translation>重排</translation>
    </message>
    <message>
        <source>Reranker</source>
        <translation>重排器</translation>
    </message>
    <message>
        <source>Reranker name</source>
        <translation>重排器名称</translation>
    </message>
    <message>
        <source>Reranker seconds</source>
        <translation>重排等待时长</translation>
    </message>
    <message>
        <source>Reranker url</source>
        <translation>重排器地址</translation>
    </message>
    <message>
        <source>Reread</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Rescue</source>
        <translation>挽救</translation>
    </message>
    <message>
        <source>Rescue it  R</source>
        <translation>挽救  R</translation>
    </message>
    <message>
        <source>Rescue salience</source>
        <translation>挽救后的显著度</translation>
    </message>
    <message>
        <source>Rescued “{title}”</source>
        <translation>挽救了“{title}”</translation>
    </message>
    <message>
        <source>Rescued, fades in</source>
        <translation>挽救后，淡忘于</translation>
    </message>
    <message>
        <source>Reserved: a checkpoint of a thread, from which its program goes on.</source>
        <translation>保留：线程的检查点，其程序由此继续。</translation>
    </message>
    <message>
        <source>Reserved: what a sub-agent or a delegate found.</source>
        <translation>保留键：子智能体或受托者的结果。</translation>
    </message>
    <message>
        <source>Reserved: {meaning}.</source>
        <translation>保留键：{meaning}。</translation>
    </message>
    <message>
        <source>Reset of session {id}</source>
        <translation>重置会话 {id}</translation>
    </message>
    <message>
        <source>Reset to {value}</source>
        <translation>恢复为 {value}</translation>
    </message>
    <message>
        <source>Resolved a conflict: {question}</source>
        <translation>解决了冲突：{question}</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>恢复备份</translation>
    </message>
    <message>
        <source>Restore a backup from before it, or keep this file as evidence.</source>
        <translation>请恢复在它之前的备份，或保留此文件作为证据。</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>恢复备份…</translation>
    </message>
    <message>
        <source>Restore it first, or take that back.</source>
        <translation>请先恢复它，或撤回那次更改。</translation>
    </message>
    <message>
        <source>Restore it first.</source>
        <translation>请先恢复它。</translation>
    </message>
    <message>
        <source>Restore it from a backup.</source>
        <translation>请从备份中恢复。</translation>
    </message>
    <message>
        <source>Restore it, or take another name.</source>
        <translation>请恢复它，或换一个名称。</translation>
    </message>
    <message>
        <source>Restore that one first.</source>
        <translation>请先恢复那一个。</translation>
    </message>
    <message>
        <source>Restore the database from a backup that PostgreSQL&apos;s own tools made.</source>
        <translation>请用 PostgreSQL 自带工具所做的备份恢复数据库。</translation>
    </message>
    <message>
        <source>Restore the desk as of before this…</source>
        <translation>将记忆台恢复到此前…</translation>
    </message>
    <message>
        <source>Restore this one</source>
        <translation>恢复这一份</translation>
    </message>
    <message>
        <source>Restore {turns}</source>
        <translation>恢复 {turns}</translation>
    </message>
    <message>
        <source>Restore {version}</source>
        <translation>恢复 {version}</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>恢复了</translation>
    </message>
    <message numerus="yes">
        <source>Restored %Ln turn(s) of “{title}”</source>
        <translation>
            <numerusform>已恢复“{title}”的 %Ln 条发言</numerusform>
        </translation>
    </message>
    <message>
        <source>Restored {count} turns of “{talk}” into the context</source>
        <translation>把“{talk}”的 {count} 条发言恢复到上下文</translation>
    </message>
    <message>
        <source>Restored {count}.</source>
        <translation>已恢复 {count} 条。</translation>
    </message>
    <message>
        <source>Restored {what}</source>
        <translation>已恢复 {what}</translation>
    </message>
    <message>
        <source>Restored “{text}” as a fact</source>
        <translation>已将“{text}”恢复为事实</translation>
    </message>
    <message>
        <source>Restored “{title}”</source>
        <translation>已恢复“{title}”</translation>
    </message>
    <message>
        <source>Restored: {kind}</source>
        <translation>已恢复：{kind}</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>Restoring the backup</source>
        <translation>正在恢复备份</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Retire</source>
        <translation>停用</translation>
    </message>
    <message>
        <source>Retire it instead.</source>
        <translation>请改为停用它。</translation>
    </message>
    <message>
        <source>Retire one of the two instead.</source>
        <translation>请改为停用两者之一。</translation>
    </message>
    <message>
        <source>Retire or demote that fact first.</source>
        <translation>请先停用或降级那条事实。</translation>
    </message>
    <message>
        <source>Retire that one first, or take back what replaced this.</source>
        <translation>请先停用那一个，或撤回取代此项的更改。</translation>
    </message>
    <message>
        <source>Retire unused days</source>
        <translation>停用闲置天数</translation>
    </message>
    <message>
        <source>Retired</source>
        <translation>停用</translation>
    </message>
    <message>
        <source>Retired what had faded</source>
        <translation>停用了已淡忘的内容</translation>
    </message>
    <message>
        <source>Retired {count}.</source>
        <translation>已停用 {count} 条。</translation>
    </message>
    <message>
        <source>Retired {edits} that had faded</source>
        <translation>停用了 {edits}（已淡忘）</translation>
    </message>
    <message>
        <source>Retired {what}</source>
        <translation>已停用 {what}</translation>
    </message>
    <message>
        <source>Retired “{a}”</source>
        <translation>已停用“{a}”</translation>
    </message>
    <message>
        <source>Retired “{title}”</source>
        <translation>停用了“{title}”</translation>
    </message>
    <message>
        <source>Retired: {subject}</source>
        <translation>已停用：{subject}</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message numerus="yes">
        <source>Review %Ln item(s)</source>
        <translation>
            <numerusform>审阅 %Ln 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Review %Ln question(s)</source>
        <translation>
            <numerusform>审阅 %Ln 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Review inbox</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>撤回</translation>
    </message>
    <message numerus="yes">
        <source>Revoke %Ln token(s)</source>
        <translation>
            <numerusform>吊销 %Ln 个令牌</numerusform>
        </translation>
    </message>
    <message>
        <source>Revoke that first: `memdesk team revoke {name}`; or choose another name.</source>
        <translation>请先撤销：`memdesk team revoke {name}`；或另选名称。</translation>
    </message>
    <message>
        <source>Revoke {name}?</source>
        <translation>吊销 {name}？</translation>
    </message>
    <message>
        <source>Revoked a standing decision</source>
        <translation>已撤回一项长期决定</translation>
    </message>
    <message>
        <source>Revoked the tokens of the agent {name}</source>
        <translation>撤销了智能体 {name} 的令牌</translation>
    </message>
    <message>
        <source>Revoked the tokens of {name}</source>
        <translation>已撤销 {name} 的令牌</translation>
    </message>
    <message>
        <source>Revoked with the {found}.</source>
        <translation>随{found}一起撤销。</translation>
    </message>
    <message>
        <source>Revoked {found}: {count} memories</source>
        <translation>撤销了 {found}：{count} 条记忆</translation>
    </message>
    <message>
        <source>Revoke…</source>
        <translation>吊销…</translation>
    </message>
    <message>
        <source>Rewriting the database</source>
        <translation>正在重写数据库</translation>
    </message>
    <message>
        <source>Rewriting the file without it</source>
        <translation>正在重写文件以去除它</translation>
    </message>
    <message>
        <source>Rewriting the file without them</source>
        <translation>正在重写文件并去掉它们</translation>
    </message>
    <message>
        <source>Rewrote {path}</source>
        <translation>重写了 {path}</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Rotated {path}: its older half left</source>
        <translation>轮换了 {path}：较旧的一半已移出</translation>
    </message>
    <message>
        <source>Row-level security is not complete: stop all services of this desk, and start one.</source>
        <translation>行级安全尚不完整：请停止此记忆台的所有服务，然后启动其中一个。</translation>
    </message>
    <message>
        <source>Row-level security keeps each member to its users and channels.</source>
        <translation>行级安全使每个成员只能访问自己的用户和频道。</translation>
    </message>
    <message>
        <source>Rows of a log are no memory</source>
        <translation>日志的行不是记忆</translation>
    </message>
    <message>
        <source>Rrf k</source>
        <translation>排名融合 k</translation>
    </message>
    <message>
        <source>Rrf words</source>
        <translation>排名融合中的词语</translation>
    </message>
    <message>
        <source>Rules alone read the query.</source>
        <translation>仅由规则解读查询。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Run `memdesk verify` to see what else is, then restore a backup.</source>
        <translation>运行 `memdesk verify` 查看还有什么损坏，然后恢复备份。</translation>
    </message>
    <message>
        <source>Run `memdesk verify` to see which, then restore a backup.</source>
        <translation>请运行 `memdesk verify` 查看是哪一条，然后恢复备份。</translation>
    </message>
    <message>
        <source>Run dry</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>Run job: {job}</source>
        <translation>运行任务：{job}</translation>
    </message>
    <message>
        <source>Run now</source>
        <translation>立即运行</translation>
    </message>
    <message>
        <source>Running.</source>
        <translation>正在运行。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行环境</translation>
    </message>
    <message>
        <source>Runtimes</source>
        <translation>运行环境</translation>
    </message>
    <message>
        <source>SQLite finds the file damaged: {detail}.</source>
        <translation>SQLite 发现文件已损坏：{detail}。</translation>
    </message>
    <message>
        <source>SQLite is {version}.</source>
        <translation>SQLite 是 {version}。</translation>
    </message>
    <message>
        <source>Said</source>
        <translation>对话中说过</translation>
    </message>
    <message>
        <source>Said as one: {text}</source>
        <translation>合为一句：{text}</translation>
    </message>
    <message>
        <source>Said before the other was</source>
        <translation>说于另一条之前</translation>
    </message>
    <message>
        <source>Said by a person or an agent</source>
        <translation>由人或智能体告知</translation>
    </message>
    <message>
        <source>Said in {channel}, against what {other} holds</source>
        <translation>在 {channel} 中说过，与 {other} 中的相反</translation>
    </message>
    <message>
        <source>Said once</source>
        <translation>去重</translation>
    </message>
    <message>
        <source>Said otherwise later</source>
        <translation>后来的话与此不同</translation>
    </message>
    <message>
        <source>Said twice</source>
        <translation>重复陈述</translation>
    </message>
    <message>
        <source>Salience</source>
        <translation>显著度</translation>
    </message>
    <message>
        <source>Salience after a person rescues a memory (AgentX&apos;s remember).</source>
        <translation>人挽救一条记忆后的显著度（AgentX 的 remember）。</translation>
    </message>
    <message>
        <source>Salience by day</source>
        <translation>每日显著度</translation>
    </message>
    <message>
        <source>Salience by week</source>
        <translation>每周显著度</translation>
    </message>
    <message>
        <source>Salience from 0 to 1, measured and forecast, {fades}</source>
        <translation>显著度从 0 到 1，实测与预测，{fades}</translation>
    </message>
    <message>
        <source>Salience left after a day without recall (AgentX; half-life 13.5 days).</source>
        <translation>一天未被召回后剩余的显著度（AgentX；半衰期 13.5 天）。</translation>
    </message>
    <message>
        <source>Salience of a memory that was just learned (AgentX).</source>
        <translation>刚学到的记忆的显著度（AgentX）。</translation>
    </message>
    <message>
        <source>Salience of {title} over time</source>
        <translation>{title} 的显著度变化</translation>
    </message>
    <message>
        <source>Salience over time</source>
        <translation>显著度变化</translation>
    </message>
    <message>
        <source>Salience over {days} days, {now} now</source>
        <translation>{days} 天的显著度，现为 {now}</translation>
    </message>
    <message>
        <source>Same memory, earlier</source>
        <translation>同一记忆的早先更改</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save all</source>
        <translation>全部保存</translation>
    </message>
    <message>
        <source>Save fact</source>
        <translation>保存事实</translation>
    </message>
    <message>
        <source>Save my text over the other; its version is kept</source>
        <translation>用我的文本覆盖对方；对方的版本会保留</translation>
    </message>
    <message>
        <source>Save settings</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Save these texts before closing?</source>
        <translation>关闭前保存这些文本吗？</translation>
    </message>
    <message>
        <source>Save this text before closing?</source>
        <translation>关闭前保存这段文本吗？</translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln setting(s) of recall</source>
        <translation>
            <numerusform>已保存 %Ln 项召回设置</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved in {channel}.</source>
        <translation>已保存到 {channel}。</translation>
    </message>
    <message>
        <source>Say a moment: at, or before.</source>
        <translation>请给出时刻：at 或 before。</translation>
    </message>
    <message>
        <source>Say as one</source>
        <translation>合为一句</translation>
    </message>
    <message>
        <source>Say first that the file may be in clear.</source>
        <translation>请先确认文件可以是明文。</translation>
    </message>
    <message>
        <source>Say first where to write it.</source>
        <translation>请先指定写到哪里。</translation>
    </message>
    <message>
        <source>Say it shorter, or learn it as facts.</source>
        <translation>请说得更短，或作为事实习得。</translation>
    </message>
    <message>
        <source>Say something.</source>
        <translation>请写点什么。</translation>
    </message>
    <message>
        <source>Say that it may be: `memdesk export … --clear`, or the box in the window.</source>
        <translation>请确认允许：`memdesk export … --clear`，或窗口中的勾选框。</translation>
    </message>
    <message>
        <source>Say what happened.</source>
        <translation>请写下发生了什么。</translation>
    </message>
    <message>
        <source>Say what is to be done.</source>
        <translation>请写下要做什么。</translation>
    </message>
    <message>
        <source>Say what it is about, or delete it.</source>
        <translation>请说明它是关于什么的，或删除它。</translation>
    </message>
    <message>
        <source>Say what to look for.</source>
        <translation>请写下要找什么。</translation>
    </message>
    <message>
        <source>Say which of the two holds.</source>
        <translation>请说明两者中哪个成立。</translation>
    </message>
    <message>
        <source>Say which tags.</source>
        <translation>请写明标签。</translation>
    </message>
    <message>
        <source>Says too little</source>
        <translation>内容过少</translation>
    </message>
    <message>
        <source>Schedule and budget</source>
        <translation>时间表与预算</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Scope: {channels}, {shared}</source>
        <translation>范围：{channels}，{shared}</translation>
    </message>
    <message>
        <source>Score added to turns of a speaker named in the query; helps questions, costs on trick questions.</source>
        <translation>查询中点名的说话人的发言所加的分；有助于提问，遇到陷阱问题会吃亏。</translation>
    </message>
    <message>
        <source>Score of a fact of the past (AgentX).</source>
        <translation>过去事实的得分系数（AgentX）。</translation>
    </message>
    <message>
        <source>Score of a fact that holds now (AgentX).</source>
        <translation>现行事实的得分系数（AgentX）。</translation>
    </message>
    <message>
        <source>Scratchpad</source>
        <translation>便笺</translation>
    </message>
    <message>
        <source>Scratchpad days</source>
        <translation>便笺天数</translation>
    </message>
    <message>
        <source>Scratchpads and active goals</source>
        <translation>便笺与进行中的目标</translation>
    </message>
    <message>
        <source>Search memories and commands</source>
        <translation>搜索记忆和命令</translation>
    </message>
    <message>
        <source>Search memories, or type &gt; for a command</source>
        <translation>搜索记忆，或输入 &gt; 查找命令</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Search the desk</source>
        <translation>搜索记忆台</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>搜索帮助</translation>
    </message>
    <message>
        <source>Search with an answer a language model imagines; needs a model.</source>
        <translation>用语言模型设想的答案来搜索；需要模型。</translation>
    </message>
    <message>
        <source>Search with an answer the language model imagines (AgentX; needs a model).</source>
        <translation>用语言模型假想的答案来搜索（AgentX；需要模型）。</translation>
    </message>
    <message>
        <source>Search words beside vectors (AgentX&apos;s RecallLayer).</source>
        <translation>除向量外也搜索词语（AgentX 的 RecallLayer）。</translation>
    </message>
    <message>
        <source>Searching for what is left</source>
        <translation>正在搜索剩余内容</translation>
    </message>
    <message>
        <source>Searching the desk</source>
        <translation>正在搜索记忆台</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>机密</translation>
    </message>
    <message>
        <source>Secrets found</source>
        <translation>发现的机密</translation>
    </message>
    <message>
        <source>Secrets found: {count}, masked in every recall.</source>
        <translation>发现的机密：{count} 个，在每次召回中都已遮蔽。</translation>
    </message>
    <message>
        <source>Secrets of {what} are erased for good</source>
        <translation>{what} 的机密已永久抹除</translation>
    </message>
    <message>
        <source>Secrets of {what} stay masked</source>
        <translation>{what} 的机密继续遮蔽</translation>
    </message>
    <message>
        <source>Secrets of “{a}” stay masked</source>
        <translation>“{a}”的机密继续遮蔽</translation>
    </message>
    <message>
        <source>See /openapi.json.</source>
        <translation>见 /openapi.json。</translation>
    </message>
    <message>
        <source>See `memdesk log`.</source>
        <translation>见 `memdesk log`。</translation>
    </message>
    <message>
        <source>See as much at once as stays readable; again for full size</source>
        <translation>在文字可读的前提下显示尽可能多的内容；再按一次恢复原大小</translation>
    </message>
    <message>
        <source>See goals.list for what there is.</source>
        <translation>见 goals.list。</translation>
    </message>
    <message>
        <source>See it, and take it out of memory</source>
        <translation>查看它，并将其移出记忆</translation>
    </message>
    <message>
        <source>See pg_stat_replication in the desk&apos;s database. It is read again once it has caught up.</source>
        <translation>请在记忆台的数据库中查看 pg_stat_replication。副本赶上后会再次被读取。</translation>
    </message>
    <message>
        <source>See profile.get.</source>
        <translation>见 profile.get。</translation>
    </message>
    <message>
        <source>See what would come in; nothing changes</source>
        <translation>查看会导入什么；不会改变任何内容</translation>
    </message>
    <message>
        <source>See what would go; nothing changes</source>
        <translation>查看哪些内容会被移除；不作任何改动</translation>
    </message>
    <message>
        <source>See which backup that would be</source>
        <translation>查看会用哪一份备份</translation>
    </message>
    <message>
        <source>See, judge and correct what AI agents remember. Free software under the MIT licence.</source>
        <translation>查看、判断和更正 AI 智能体记住的内容。基于 MIT 许可证的自由软件。</translation>
    </message>
    <message>
        <source>Self-query</source>
        <translation>自查询</translation>
    </message>
    <message>
        <source>Semantic</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>Send fewer at once.</source>
        <translation>请一次少发送一些。</translation>
    </message>
    <message>
        <source>Send it as `Authorization: Bearer TOKEN`, or set it up anew: `memdesk install`.</source>
        <translation>请以 `Authorization: Bearer TOKEN` 发送，或重新设置：`memdesk install`。</translation>
    </message>
    <message>
        <source>Send it as `Authorization: Bearer TOKEN`. The desk&apos;s owner makes one: `memdesk team invite NAME`.</source>
        <translation>以 `Authorization: Bearer TOKEN` 发送。令牌由所有者生成：`memdesk team invite NAME`。</translation>
    </message>
    <message>
        <source>Send it in parts.</source>
        <translation>请分几部分发送。</translation>
    </message>
    <message>
        <source>Send it in several calls.</source>
        <translation>请分几次调用发送。</translation>
    </message>
    <message>
        <source>Send one JSON object, encoded as UTF-8.</source>
        <translation>请发送一个以 UTF-8 编码的 JSON 对象。</translation>
    </message>
    <message>
        <source>Send one call for each agent.</source>
        <translation>请为每个智能体分别发送调用。</translation>
    </message>
    <message>
        <source>Send text, numbers, lists and objects.</source>
        <translation>请发送文本、数字、列表和对象。</translation>
    </message>
    <message>
        <source>Send the tool&apos;s arguments as JSON.</source>
        <translation>请把工具的参数作为 JSON 发送。</translation>
    </message>
    <message>
        <source>Sentence {number}: {text}, {note}</source>
        <translation>第 {number} 句：{text}，{note}</translation>
    </message>
    <message>
        <source>Service away</source>
        <translation>服务不在</translation>
    </message>
    <message>
        <source>Service running</source>
        <translation>服务运行中</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Session {id}</source>
        <translation>会话 {id}</translation>
    </message>
    <message>
        <source>Session {id} taken out</source>
        <translation>已移除会话 {id}</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Sessions that name no policy use {policy}. {says}</source>
        <translation>未指定方案的会话使用 {policy}。{says}</translation>
    </message>
    <message>
        <source>Set in</source>
        <translation>设立之处</translation>
    </message>
    <message>
        <source>Set it back to its default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Set {variable}, or `keyring set memdesk {host}`.</source>
        <translation>请设置 {variable}，或 `keyring set memdesk {host}`。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings not understood</source>
        <translation>无法理解设置</translation>
    </message>
    <message numerus="yes">
        <source>Settle %Ln thing(s)</source>
        <translation>
            <numerusform>处理 %Ln 件事</numerusform>
        </translation>
    </message>
    <message>
        <source>Several workspaces could be meant: {listed}.</source>
        <translation>可能指多个工作区：{listed}。</translation>
    </message>
    <message>
        <source>Share of the reads that the audit log keeps at its levels reads and verbose.</source>
        <translation>在“读取”和“详细”级别，审计日志保留的读取比例。</translation>
    </message>
    <message>
        <source>Share of the way to 1 that one recall lifts salience: four recalls take 0.3 past 0.75.</source>
        <translation>一次召回把显著度向 1 推进的比例：四次召回可使 0.3 超过 0.75。</translation>
    </message>
    <message>
        <source>Share of the words in rank fusion; meaning has the rest (AgentX).</source>
        <translation>排名融合中词语所占比例；其余归含义（AgentX）。</translation>
    </message>
    <message>
        <source>Shorten the day first, or write it into MEMORY.md.</source>
        <translation>请先缩短当日内容，或写入 MEMORY.md。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show all agents</source>
        <translation>显示所有智能体</translation>
    </message>
    <message>
        <source>Show all channels</source>
        <translation>显示所有频道</translation>
    </message>
    <message>
        <source>Show all channels and agents</source>
        <translation>显示所有频道和智能体</translation>
    </message>
    <message>
        <source>Show all of them</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Show all that waits</source>
        <translation>显示所有待审</translation>
    </message>
    <message>
        <source>Show audit of “{text}”</source>
        <translation>查看“{text}”的审计</translation>
    </message>
    <message>
        <source>Show every memory again</source>
        <translation>重新显示所有记忆</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show everything again</source>
        <translation>重新显示全部</translation>
    </message>
    <message>
        <source>Show facts</source>
        <translation>显示事实</translation>
    </message>
    <message>
        <source>Show how</source>
        <translation>显示方法</translation>
    </message>
    <message>
        <source>Show in the audit</source>
        <translation>在审计中查看</translation>
    </message>
    <message>
        <source>Show in the timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Show it in its folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>显示更多</translation>
    </message>
    <message>
        <source>Show or hide names in the rail</source>
        <translation>显示或隐藏侧栏名称</translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation>显示或隐藏详情栏</translation>
    </message>
    <message>
        <source>Show or hide the weights</source>
        <translation>显示或隐藏权重</translation>
    </message>
    <message>
        <source>Show or hide {channel}</source>
        <translation>显示或隐藏 {channel}</translation>
    </message>
    <message>
        <source>Show strategies</source>
        <translation>显示策略</translation>
    </message>
    <message>
        <source>Show strategies with any tools</source>
        <translation>显示使用任何工具的策略</translation>
    </message>
    <message>
        <source>Show the change</source>
        <translation>查看更改</translation>
    </message>
    <message>
        <source>Show the text that both were written from</source>
        <translation>显示两者共同的原文</translation>
    </message>
    <message>
        <source>Show the turns around it</source>
        <translation>显示前后发言</translation>
    </message>
    <message>
        <source>Show tools</source>
        <translation>显示工具</translation>
    </message>
    <message>
        <source>Show what is no longer so</source>
        <translation>显示已不再成立的内容</translation>
    </message>
    <message>
        <source>Show {next} more of {left}</source>
        <translation>再显示 {next} 条（共剩 {left} 条）</translation>
    </message>
    <message>
        <source>Showing everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Showing the state of {time}, read only.</source>
        <translation>显示的是 {time} 的状态，只读。</translation>
    </message>
    <message>
        <source>Showing {what}</source>
        <translation>显示 {what}</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>Signs with</source>
        <translation>署名方式</translation>
    </message>
    <message>
        <source>Signs with a token since {when}: {term}.</source>
        <translation>自 {when} 起用令牌签名：{term}。</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>自</translation>
    </message>
    <message>
        <source>Since when B is true, and A no longer</source>
        <translation>B 从何时起为真，A 不再为真</translation>
    </message>
    <message>
        <source>Since {when}</source>
        <translation>自{when}以来</translation>
    </message>
    <message>
        <source>Six layers of memory, what changed since you looked, and what waits for you.</source>
        <translation>六层记忆、上次查看之后的变化，以及等待你的事。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Size: salience</source>
        <translation>大小：显著度</translation>
    </message>
    <message>
        <source>Size: {percent} %</source>
        <translation>大小：{percent} %</translation>
    </message>
    <message>
        <source>Skills…</source>
        <translation>技能…</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Someone</source>
        <translation>某人</translation>
    </message>
    <message>
        <source>Something is wrong with this desk</source>
        <translation>此记忆台有问题</translation>
    </message>
    <message>
        <source>Something went wrong in this window; your memory was not changed by it.</source>
        <translation>此窗口出了问题；您的记忆没有因此改变。</translation>
    </message>
    <message>
        <source>Something with the same name is there already ({what}).</source>
        <translation>已有同名的内容（{what}）。</translation>
    </message>
    <message>
        <source>Sort</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>排序方式</translation>
    </message>
    <message>
        <source>Source</source>
        <comment>as it is written</comment>
        <translation>源文</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Source of {file}</source>
        <translation>{file} 的源文</translation>
    </message>
    <message>
        <source>Source turns</source>
        <translation>来源发言</translation>
    </message>
    <message>
        <source>Speaker</source>
        <translation>说话人</translation>
    </message>
    <message>
        <source>Speaker boost</source>
        <translation>说话人加分</translation>
    </message>
    <message>
        <source>Split off</source>
        <translation>分离</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Standing decision</source>
        <translation>长期决定</translation>
    </message>
    <message>
        <source>Standing decision of {what}: {says}</source>
        <translation>{what} 的长期决定：{says}</translation>
    </message>
    <message>
        <source>Standing decisions</source>
        <translation>长期决定</translation>
    </message>
    <message>
        <source>Standing files and daily logs</source>
        <translation>常设文件与日志</translation>
    </message>
    <message>
        <source>Standing rules</source>
        <translation>长期规则</translation>
    </message>
    <message>
        <source>Standing rules: {count}, in the words they were given.</source>
        <translation>长期规则：{count} 条，保持原话。</translation>
    </message>
    <message>
        <source>Start Claude Desktop anew.</source>
        <translation>请重新启动 Claude Desktop。</translation>
    </message>
    <message>
        <source>Start MemDesk again for the encrypted desk.</source>
        <translation>请为加密的记忆台重新启动 MemDesk。</translation>
    </message>
    <message>
        <source>Start OpenClaw&apos;s gateway anew.</source>
        <translation>请重新启动 OpenClaw 的网关。</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>登录时启动</translation>
    </message>
    <message>
        <source>Start it with `memdesk serve`, or look into the desk&apos;s logs folder.</source>
        <translation>用 `memdesk serve` 启动，或查看记忆台的日志文件夹。</translation>
    </message>
    <message>
        <source>Start it, or correct recall_replica. It is read again by itself.</source>
        <translation>请启动它，或更正 recall_replica。之后会自动再次读取。</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Starting the service</source>
        <translation>正在启动服务</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
    <message>
        <source>Stay here when the window closes</source>
        <translation>关闭窗口后留在这里</translation>
    </message>
    <message>
        <source>Stays</source>
        <translation>留下</translation>
    </message>
    <message>
        <source>Still loading.</source>
        <translation>仍在加载。</translation>
    </message>
    <message>
        <source>Still open</source>
        <translation>未结束</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop every job</source>
        <translation>停止所有任务</translation>
    </message>
    <message>
        <source>Stop it, then try again.</source>
        <translation>请先停止它，然后重试。</translation>
    </message>
    <message>
        <source>Stop that service, then open the desk again.</source>
        <translation>请停止那个服务，然后再次打开记忆台。</translation>
    </message>
    <message>
        <source>Stop the service and quit</source>
        <translation>停止服务并退出</translation>
    </message>
    <message>
        <source>Stopped after its time; {says} goes on at the next run.</source>
        <translation>时间已到而停止；{says}将在下次运行时继续。</translation>
    </message>
    <message>
        <source>Stopped because the service ends; what was finished stays.</source>
        <translation>因服务结束而停止；已完成的部分保留。</translation>
    </message>
    <message>
        <source>Stopped before anything came in.</source>
        <translation>在导入任何内容之前已停止。</translation>
    </message>
    <message>
        <source>Stopped before spending more tokens of the model than its budget.</source>
        <translation>在超出模型词元预算之前停止。</translation>
    </message>
    <message>
        <source>Stopped; nothing was written.</source>
        <translation>已停止；没有写入任何内容。</translation>
    </message>
    <message>
        <source>Stopped; what had come in stays, and a later import goes on with the rest.</source>
        <translation>已停止；已导入的内容保留，之后再导入会继续其余部分。</translation>
    </message>
    <message>
        <source>Store the turn first.</source>
        <translation>请先存储发言。</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Stored by it</source>
        <translation>由它存入</translation>
    </message>
    <message>
        <source>Stored “{title}”</source>
        <translation>存储了“{title}”</translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Strong facts</source>
        <translation>重要事实</translation>
    </message>
    <message>
        <source>Strongest</source>
        <translation>最强</translation>
    </message>
    <message>
        <source>Sub-agents</source>
        <translation>子智能体</translation>
    </message>
    <message>
        <source>Subgoals end with their goal; a blocked goal has not ended.</source>
        <translation>子目标随其目标结束；被阻塞的目标还没有结束。</translation>
    </message>
    <message>
        <source>Success</source>
        <translation>成功率</translation>
    </message>
    <message>
        <source>Such as Ana</source>
        <translation>例如 Ana</translation>
    </message>
    <message>
        <source>Such as editor</source>
        <translation>例如 editor</translation>
    </message>
    <message>
        <source>Such as vim</source>
        <translation>例如 vim</translation>
    </message>
    <message>
        <source>Summarised without the language model. {note}</source>
        <translation>未用语言模型做了摘要。{note}</translation>
    </message>
    <message>
        <source>Summary in the prompt</source>
        <translation>提示词中的摘要</translation>
    </message>
    <message>
        <source>Summary model</source>
        <translation>用模型写摘要</translation>
    </message>
    <message>
        <source>Summary model name</source>
        <translation>摘要模型名称</translation>
    </message>
    <message>
        <source>Summary prompt</source>
        <translation>摘要提示</translation>
    </message>
    <message>
        <source>Summary that covers a turn of it</source>
        <translation>涵盖它的一轮对话的摘要</translation>
    </message>
    <message>
        <source>Summary tokens</source>
        <translation>摘要 token 数</translation>
    </message>
    <message>
        <source>Sweeping working memory</source>
        <translation>正在清扫工作记忆</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Table of facts: {read}</source>
        <translation>事实表格：{read}</translation>
    </message>
    <message>
        <source>Table of facts: {read}; kept beside: {others}</source>
        <translation>事实表格：{read}；一并保留：{others}</translation>
    </message>
    <message>
        <source>Tables and indexes are those of this version.</source>
        <translation>表和索引与此版本一致。</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Tag of a memory that goes</source>
        <translation>被移除记忆的标签</translation>
    </message>
    <message>
        <source>Tag the memory itself.</source>
        <translation>请给记忆本身加标签。</translation>
    </message>
    <message>
        <source>Tag {old} is {new} now</source>
        <translation>标签 {old} 现在叫 {new}</translation>
    </message>
    <message>
        <source>Tag {old} is {new} now: {count} memories</source>
        <translation>标签 {old} 现在叫 {new}：{count} 条记忆</translation>
    </message>
    <message>
        <source>Tag {tags}</source>
        <translation>加标签 {tags}</translation>
    </message>
    <message>
        <source>Tagged {added}</source>
        <translation>加上标签 {added}</translation>
    </message>
    <message>
        <source>Tagged {count}.</source>
        <translation>已给 {count} 条加标签。</translation>
    </message>
    <message>
        <source>Tagged {what}</source>
        <translation>已为 {what} 加标签</translation>
    </message>
    <message>
        <source>Tagged “{title}”</source>
        <translation>标记了“{title}”</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Tags, with commas between</source>
        <translation>标签，以逗号分隔</translation>
    </message>
    <message>
        <source>Tags: {tags}</source>
        <translation>标签：{tags}</translation>
    </message>
    <message numerus="yes">
        <source>Take %Ln change(s) back</source>
        <translation>
            <numerusform>撤回 %Ln 项更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Take B</source>
        <translation>采用 B</translation>
    </message>
    <message numerus="yes">
        <source>Take all %Ln change(s) back</source>
        <translation>
            <numerusform>撤回全部 %Ln 处更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Take back what came after it first; the audit timeline names it.</source>
        <translation>请先撤回之后的更改；审计时间线会指出是哪一个。</translation>
    </message>
    <message>
        <source>Take back what was stored in it first.</source>
        <translation>请先撤回存入其中的内容。</translation>
    </message>
    <message>
        <source>Take every filter away</source>
        <translation>去掉所有筛选</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>撤销导入</translation>
    </message>
    <message>
        <source>Take it back by itself.</source>
        <translation>请单独撤回它。</translation>
    </message>
    <message>
        <source>Take it out</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Take it over with chown.</source>
        <translation>请用 chown 接管。</translation>
    </message>
    <message>
        <source>Take its change back.</source>
        <translation>请撤回它的更改。</translation>
    </message>
    <message>
        <source>Take its parent away first.</source>
        <translation>请先去掉它的上级。</translation>
    </message>
    <message>
        <source>Take out all that comes from one source.</source>
        <translation>移除来自某一来源的全部内容。</translation>
    </message>
    <message>
        <source>Take out by source</source>
        <translation>按来源移除</translation>
    </message>
    <message>
        <source>Take that back first.</source>
        <translation>请先撤回那一个。</translation>
    </message>
    <message>
        <source>Take that back in the timeline.</source>
        <translation>请在时间线中撤回。</translation>
    </message>
    <message>
        <source>Take that decision back first.</source>
        <translation>请先撤回那个决定。</translation>
    </message>
    <message>
        <source>Take the change back</source>
        <translation>撤销此更改</translation>
    </message>
    <message>
        <source>Take the change back with Ctrl+Z, or forget the question in the recall lab.</source>
        <translation>用 Ctrl+Z 撤回更改，或在回忆实验室中不再保留该问题。</translation>
    </message>
    <message>
        <source>Take the whole run back</source>
        <translation>撤回整次运行</translation>
    </message>
    <message>
        <source>Take the whole run back, or move the conversations.</source>
        <translation>请撤回整次运行，或移动这些对话。</translation>
    </message>
    <message>
        <source>Take the whole run back.</source>
        <translation>请撤回整次运行。</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>采用对方的</translation>
    </message>
    <message>
        <source>Take them in parts.</source>
        <translation>请分批进行。</translation>
    </message>
    <message>
        <source>Take this change back</source>
        <translation>撤销这次更改</translation>
    </message>
    <message>
        <source>Taken back by change #{number}</source>
        <translation>已由更改 #{number} 撤销</translation>
    </message>
    <message>
        <source>Taken back by change #{number}.</source>
        <translation>已被更改 #{number} 撤销。</translation>
    </message>
    <message>
        <source>Taken back.</source>
        <translation>已撤回。</translation>
    </message>
    <message>
        <source>Taken back: all {turns} count as part of the context again.</source>
        <translation>已撤回：全部 {turns}重新计入上下文。</translation>
    </message>
    <message>
        <source>Taken back: {content}</source>
        <translation>已收回：{content}</translation>
    </message>
    <message>
        <source>Taken out of memory: {count}.</source>
        <translation>已从记忆中移除：{count}。</translation>
    </message>
    <message>
        <source>Taken out of memory: {count}; {left} stay.</source>
        <translation>已从记忆中移除：{count}；{left} 保留。</translation>
    </message>
    <message>
        <source>Taken out {count} of {total}</source>
        <translation>已移除 {count} / {total}</translation>
    </message>
    <message>
        <source>Takes away {list}.</source>
        <translation>移除 {list}。</translation>
    </message>
    <message>
        <source>Takes change #{number} back.</source>
        <translation>撤销更改 #{number}。</translation>
    </message>
    <message>
        <source>Taking changes back</source>
        <translation>正在撤回更改</translation>
    </message>
    <message>
        <source>Taking the run back…</source>
        <translation>正在撤销批次…</translation>
    </message>
    <message>
        <source>Tell it in several, one statement each.</source>
        <translation>请分成几条，每条一个陈述。</translation>
    </message>
    <message>
        <source>Temporal current</source>
        <translation>现行系数</translation>
    </message>
    <message>
        <source>Temporal past</source>
        <translation>过去系数</translation>
    </message>
    <message>
        <source>Terms held</source>
        <translation>包含的词</translation>
    </message>
    <message>
        <source>Test it as a backup is tested, put it in the database&apos;s place, and name what was lost.</source>
        <translation>像备份一样检验，放到数据库的位置，并列出丢失的内容。</translation>
    </message>
    <message>
        <source>Tested</source>
        <translation>已检验</translation>
    </message>
    <message>
        <source>Testing the backup</source>
        <translation>正在检验备份</translation>
    </message>
    <message>
        <source>Testing what was built</source>
        <translation>正在检验建成的数据库</translation>
    </message>
    <message>
        <source>Testing what was written</source>
        <translation>正在检验写入的内容</translation>
    </message>
    <message>
        <source>Tests</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Text of {path}</source>
        <translation>{path} 的文本</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>That change {key} was undone, or was not, is marked wrongly.</source>
        <translation>更改 {key} 是否已撤销，标记有误。</translation>
    </message>
    <message>
        <source>That folder holds this desk itself.</source>
        <translation>该文件夹就是此记忆台本身。</translation>
    </message>
    <message>
        <source>That is no agent&apos;s folder.</source>
        <translation>那不是任何智能体的文件夹。</translation>
    </message>
    <message>
        <source>That is not the desk&apos;s passphrase.</source>
        <translation>这不是此记忆台的口令。</translation>
    </message>
    <message>
        <source>That is not the passphrase of this desk&apos;s encryption.</source>
        <translation>这不是此记忆台加密所用的口令。</translation>
    </message>
    <message>
        <source>That is not this desk&apos;s key.</source>
        <translation>这不是此记忆台的密钥。</translation>
    </message>
    <message>
        <source>That line is no longer in the file.</source>
        <translation>那一行已不在文件中。</translation>
    </message>
    <message>
        <source>That line says nothing.</source>
        <translation>那一行什么也没说。</translation>
    </message>
    <message>
        <source>That run changed nothing.</source>
        <translation>那次运行没有更改任何内容。</translation>
    </message>
    <message>
        <source>The MCP memory server&apos;s `memory.jsonl`, also in other servers&apos; dialects: entities, observations as facts, relations</source>
        <translation>MCP 记忆服务器的 `memory.jsonl`，也包括其他服务器的变体：实体，观察作为事实，关系</translation>
    </message>
    <message>
        <source>The MCP memory server’s file</source>
        <translation>MCP 记忆服务器的文件</translation>
    </message>
    <message>
        <source>The address of a database is written as a URL, not by keywords such as host=.</source>
        <translation>数据库的地址要写成 URL，不能用 host= 这样的关键字。</translation>
    </message>
    <message>
        <source>The agent said: {text}</source>
        <translation>智能体说：{text}</translation>
    </message>
    <message>
        <source>The agent {agent} signs with its token, and none was presented.</source>
        <translation>智能体 {agent} 用令牌署名，但未出示令牌。</translation>
    </message>
    <message>
        <source>The agent {name} has no token.</source>
        <translation>智能体 {name} 没有令牌。</translation>
    </message>
    <message>
        <source>The agent&apos;s token {file} cannot be read: {wrong}.</source>
        <translation>无法读取智能体的令牌 {file}：{wrong}。</translation>
    </message>
    <message>
        <source>The agents&apos; tokens {file} cannot be read: {wrong}.</source>
        <translation>无法读取各智能体的令牌 {file}：{wrong}。</translation>
    </message>
    <message>
        <source>The answer has further pages; export them all.</source>
        <translation>该答复还有后续页；请全部导出。</translation>
    </message>
    <message>
        <source>The audit log of {date}, dropped by its retention</source>
        <translation>{date} 的审计日志，因保留期已到而丢弃</translation>
    </message>
    <message>
        <source>The backup could not be copied: {strerror}.</source>
        <translation>备份无法复制：{strerror}。</translation>
    </message>
    <message>
        <source>The backup is restored</source>
        <translation>备份已恢复</translation>
    </message>
    <message>
        <source>The backup that comes before this could not be made, so nothing was done. {says}</source>
        <translation>无法完成事前备份，因此什么也没有做。{says}</translation>
    </message>
    <message>
        <source>The backup {found} was never tested.</source>
        <translation>备份 {found} 从未检验过。</translation>
    </message>
    <message>
        <source>The backup {stem} is encrypted, and this desk is not.</source>
        <translation>备份 {stem} 已加密，而此记忆台没有加密。</translation>
    </message>
    <message>
        <source>The body did not arrive within {count} seconds.</source>
        <translation>请求体未在 {count} 秒内到达。</translation>
    </message>
    <message>
        <source>The body is larger than {count} MB.</source>
        <translation>请求体大于 {count} MB。</translation>
    </message>
    <message>
        <source>The body is not JSON: {wrong}.</source>
        <translation>正文不是 JSON：{wrong}。</translation>
    </message>
    <message>
        <source>The body must be a JSON object.</source>
        <translation>请求体必须是一个 JSON 对象。</translation>
    </message>
    <message>
        <source>The bundled embedder cannot be read: {error}.</source>
        <translation>无法读取自带的嵌入模型：{error}。</translation>
    </message>
    <message>
        <source>The bundled embedder is not installed.</source>
        <translation>没有安装自带的嵌入模型。</translation>
    </message>
    <message>
        <source>The call is described in /openapi.json.</source>
        <translation>该调用的说明在 /openapi.json。</translation>
    </message>
    <message>
        <source>The certificate of {service} is not trusted: {why}.</source>
        <translation>{service} 的证书不受信任：{why}。</translation>
    </message>
    <message>
        <source>The certificate {certificate} cannot be used: {wrong}.</source>
        <translation>证书 {certificate} 无法使用：{wrong}。</translation>
    </message>
    <message>
        <source>The change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>The change is made.</source>
        <translation>更改已完成。</translation>
    </message>
    <message>
        <source>The channels and agents of the top bar leave none.</source>
        <translation>顶栏所选的频道和智能体中没有内容。</translation>
    </message>
    <message>
        <source>The channels and agents of the top bar leave nothing.</source>
        <translation>按顶栏的频道和智能体筛选后没有内容。</translation>
    </message>
    <message>
        <source>The checkpoint “{key}”</source>
        <translation>检查点“{key}”</translation>
    </message>
    <message>
        <source>The claim changed since the correction was proposed.</source>
        <translation>自提出更正以来，陈述已改变。</translation>
    </message>
    <message>
        <source>The claim changed while you were editing it.</source>
        <translation>在你编辑时，陈述已改变。</translation>
    </message>
    <message>
        <source>The claim that takes the place of both</source>
        <translation>取代两者的陈述</translation>
    </message>
    <message>
        <source>The clock starts no job.</source>
        <translation>定时任务均已停止。</translation>
    </message>
    <message>
        <source>The compaction {id}</source>
        <translation>压缩 {id}</translation>
    </message>
    <message>
        <source>The context begins here</source>
        <translation>上下文从这里开始</translation>
    </message>
    <message>
        <source>The context is no shorter than before: the summary is as long as what it stands for.</source>
        <translation>上下文并未变短：摘要与它所代表的内容一样长。</translation>
    </message>
    <message>
        <source>The conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>The conversation of {id} is in _global.</source>
        <translation>{id} 的对话在 _global 中。</translation>
    </message>
    <message>
        <source>The copy does not hold what was written: {wrong}</source>
        <translation>副本与写入的内容不符：{wrong}</translation>
    </message>
    <message>
        <source>The corrected claim</source>
        <translation>更正后的陈述</translation>
    </message>
    <message>
        <source>The corrected claim is the one that stands.</source>
        <translation>更正后的陈述就是现有的陈述。</translation>
    </message>
    <message>
        <source>The counters in {table} do not add up.</source>
        <translation>{table} 中的计数不符。</translation>
    </message>
    <message>
        <source>The custom policy compacts past so many messages; 0 for any number.</source>
        <translation>消息超过此数时自定义方案压缩；0 表示不限。</translation>
    </message>
    <message>
        <source>The database as it is stays among the backups.</source>
        <translation>现有数据库会保留在备份中。</translation>
    </message>
    <message>
        <source>The database as it was is kept as {name}.</source>
        <translation>原来的数据库保留为 {name}。</translation>
    </message>
    <message>
        <source>The database cannot be read: {error}.</source>
        <translation>数据库无法读取：{error}。</translation>
    </message>
    <message>
        <source>The database could not be copied: {error}.</source>
        <translation>数据库无法复制：{error}。</translation>
    </message>
    <message>
        <source>The database could not be rewritten: {error}.</source>
        <translation>无法重写数据库：{error}。</translation>
    </message>
    <message>
        <source>The database is damaged: {error}.</source>
        <translation>数据库已损坏：{error}。</translation>
    </message>
    <message>
        <source>The database is kept as {kept}. Start with an empty desk by moving {database} away.</source>
        <translation>数据库保存为 {kept}。移走 {database} 即可从空记忆台开始。</translation>
    </message>
    <message>
        <source>The database is missing.</source>
        <translation>数据库不见了。</translation>
    </message>
    <message>
        <source>The database lacked its last {what} when it was opened: a file was damaged or put back. `memdesk verify` says where, and a backup may have them.</source>
        <translation>打开数据库时发现缺少最后的 {what}：文件已损坏或被换成了旧的。`memdesk verify` 会指出位置，备份中可能有这些内容。</translation>
    </message>
    <message>
        <source>The database lacks the last {count} events that it once held.</source>
        <translation>数据库缺少曾有的最后 {count} 个事件。</translation>
    </message>
    <message>
        <source>The day until which it was true has passed.</source>
        <translation>它有效到的日期已经过去。</translation>
    </message>
    <message>
        <source>The desk could not be written: {error}.</source>
        <translation>无法写入记忆台：{error}。</translation>
    </message>
    <message>
        <source>The desk has another value for “{fields}”: {claim}</source>
        <translation>记忆台对“{fields}”有另一个值：{claim}</translation>
    </message>
    <message>
        <source>The desk has it as “{title}”; it was left as it is.</source>
        <translation>记忆台中已有“{title}”；保持原样。</translation>
    </message>
    <message>
        <source>The desk has no place for this part of a bank.</source>
        <translation>记忆台没有放这部分内容的位置。</translation>
    </message>
    <message>
        <source>The desk is as it was on {count}. What it was until now is kept as {kept}. Files in workspaces and the settings were not taken back; files that differ now count as edited outside.</source>
        <translation>记忆台已恢复到 {count} 的样子。此前的内容保存为 {kept}。工作区中的文件和设置没有回退；不一致的文件现在视为在外部编辑过。</translation>
    </message>
    <message>
        <source>The desk is closed.</source>
        <translation>记忆台已关闭。</translation>
    </message>
    <message>
        <source>The desk is on another computer, {service}.</source>
        <translation>记忆台在另一台电脑上：{service}。</translation>
    </message>
    <message>
        <source>The desk is repaired</source>
        <translation>记忆台已修复</translation>
    </message>
    <message>
        <source>The desk keeps this claim out of recall.</source>
        <translation>记忆台不让此陈述参与召回。</translation>
    </message>
    <message>
        <source>The desk of this window, and others</source>
        <translation>此窗口的记忆台及其他</translation>
    </message>
    <message>
        <source>The desk was encrypted</source>
        <translation>记忆台已加密</translation>
    </message>
    <message>
        <source>The desk was repaired</source>
        <translation>记忆台已修复</translation>
    </message>
    <message>
        <source>The desk was restored from the backup {backup}</source>
        <translation>记忆台已从备份 {backup} 恢复</translation>
    </message>
    <message>
        <source>The desk was written in clear</source>
        <translation>记忆台已写为明文</translation>
    </message>
    <message>
        <source>The desk&apos;s database could not be opened: {error}.</source>
        <translation>无法打开记忆台的数据库：{error}。</translation>
    </message>
    <message>
        <source>The desk&apos;s folder belongs to another user.</source>
        <translation>记忆台的文件夹属于另一个用户。</translation>
    </message>
    <message>
        <source>The desk&apos;s folder cannot be written.</source>
        <translation>记忆台的文件夹不可写。</translation>
    </message>
    <message>
        <source>The desk&apos;s log has the details; your memory was not changed.</source>
        <translation>详情见记忆台的日志；你的记忆没有改变。</translation>
    </message>
    <message>
        <source>The desk&apos;s owner connects it: `memdesk import {folder} --as {layout} --agent {agent}`.</source>
        <translation>由记忆台的所有者连接：`memdesk import {folder} --as {layout} --agent {agent}`。</translation>
    </message>
    <message>
        <source>The desk&apos;s owner connects it: `memdesk import {folder} --as {layout}`.</source>
        <translation>由记忆台的所有者连接：`memdesk import {folder} --as {layout}`。</translation>
    </message>
    <message>
        <source>The desk&apos;s owner connects its folder: `memdesk import FOLDER --agent {name}`.</source>
        <translation>由记忆台的所有者连接其文件夹：`memdesk import FOLDER --agent {name}`。</translation>
    </message>
    <message>
        <source>The desk&apos;s owner connects its folder: `memdesk import FOLDER`.</source>
        <translation>由记忆台的所有者连接其文件夹：`memdesk import FOLDER`。</translation>
    </message>
    <message>
        <source>The disk has {count} MB free.</source>
        <translation>磁盘剩余 {count} MB。</translation>
    </message>
    <message>
        <source>The disk refuses writes since {since}: {reason}. Free some space or check the folder&apos;s permissions.</source>
        <translation>磁盘自 {since} 起拒绝写入：{reason}。请腾出空间，或检查该文件夹的权限。</translation>
    </message>
    <message>
        <source>The embedder</source>
        <translation>嵌入模型</translation>
    </message>
    <message>
        <source>The embedder is asked no more that day past so many tokens; 0 for no limit.</source>
        <translation>当天 token 超过此数后不再询问嵌入模型；0 表示不限。</translation>
    </message>
    <message>
        <source>The embedder {name} answers with {shape} dimensions, the desk&apos;s vectors have {held}.</source>
        <translation>嵌入模型 {name} 回答的向量有 {shape} 维，而记忆台的向量有 {held} 维。</translation>
    </message>
    <message>
        <source>The entry is not there any more.</source>
        <translation>该条目已不在。</translation>
    </message>
    <message>
        <source>The export is larger than {count} MB.</source>
        <translation>导出超过 {count} MB。</translation>
    </message>
    <message>
        <source>The export was stopped; no file was written.</source>
        <translation>导出已停止；没有写入文件。</translation>
    </message>
    <message>
        <source>The fact is about {entity} already.</source>
        <translation>该事实已与 {entity} 有关。</translation>
    </message>
    <message>
        <source>The fact is not about {entity}.</source>
        <translation>该事实与 {entity} 无关。</translation>
    </message>
    <message>
        <source>The fact {id} is {agent_id}&apos;s; {who} may not replace it.</source>
        <translation>事实 {id} 属于 {agent_id}；{who} 不得替换它。</translation>
    </message>
    <message>
        <source>The feed&apos;s cursor must be the number of a change.</source>
        <translation>变更流的游标必须是某个更改的编号。</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>The file reads so now.</source>
        <translation>文件现在就是这样。</translation>
    </message>
    <message>
        <source>The file still has it in clear.</source>
        <translation>文件中仍有它的明文。</translation>
    </message>
    <message>
        <source>The file was changed meanwhile: choose above which text should stand.</source>
        <translation>文件在此期间被改动：请在上方选择保留哪份文本。</translation>
    </message>
    <message>
        <source>The file {name} is not as it was last seen.</source>
        <translation>文件 {name} 与上次看到的不同。</translation>
    </message>
    <message>
        <source>The file&apos;s name is not UTF-8.</source>
        <translation>文件名不是 UTF-8。</translation>
    </message>
    <message numerus="yes">
        <source>The first %Ln are listed.</source>
        <translation>
            <numerusform>只列出前 %Ln 项。</numerusform>
        </translation>
    </message>
    <message>
        <source>The first start makes it: `memdesk status`.</source>
        <translation>首次启动会建立它：`memdesk status`。</translation>
    </message>
    <message>
        <source>The folder cannot be looked at.</source>
        <translation>无法查看该文件夹。</translation>
    </message>
    <message>
        <source>The folder could not be opened: {error}.</source>
        <translation>无法打开文件夹：{error}。</translation>
    </message>
    <message>
        <source>The folder holds {count} files; {most} at most are moved at once.</source>
        <translation>该文件夹有 {count} 个文件；一次最多移动 {most} 个。</translation>
    </message>
    <message>
        <source>The folder is away; what the desk knows of it stays.</source>
        <translation>文件夹不在；记忆台已知的内容保留。</translation>
    </message>
    <message>
        <source>The folder of a sentence-transformer with its ONNX model, for the embedder `onnx` (the extra `onnx`).</source>
        <translation>含 ONNX 模型的 sentence-transformer 文件夹，用于嵌入模型 `onnx`（附加组件 `onnx`）。</translation>
    </message>
    <message>
        <source>The folder {path} belongs to another user.</source>
        <translation>文件夹 {path} 属于另一位用户。</translation>
    </message>
    <message>
        <source>The folder {path} cannot be closed to others</source>
        <translation>无法禁止他人访问文件夹 {path}</translation>
    </message>
    <message>
        <source>The folder {path} cannot be made</source>
        <translation>无法创建文件夹 {path}</translation>
    </message>
    <message>
        <source>The folder {path} is not there.</source>
        <translation>文件夹 {path} 不在。</translation>
    </message>
    <message>
        <source>The folder {what} is away: its files stay in recall as last seen, and are looked through when it is back.</source>
        <translation>文件夹 {what} 不在：它的文件按最后所见留在召回中，回来后会重新查看。</translation>
    </message>
    <message>
        <source>The folder&apos;s name is not UTF-8.</source>
        <translation>文件夹名不是 UTF-8。</translation>
    </message>
    <message>
        <source>The format has no room for it</source>
        <translation>这种格式容纳不下</translation>
    </message>
    <message>
        <source>The formats are {forms}.</source>
        <translation>格式有 {forms}。</translation>
    </message>
    <message>
        <source>The goal {id}</source>
        <translation>目标 {id}</translation>
    </message>
    <message>
        <source>The graph does not lead to it.</source>
        <translation>图谱不通向它。</translation>
    </message>
    <message>
        <source>The graph ties it to them.</source>
        <translation>图谱把它与之相连。</translation>
    </message>
    <message>
        <source>The graph was written to {file}</source>
        <translation>图谱已写入 {file}</translation>
    </message>
    <message>
        <source>The header X-MemDesk-{shown} must name {what} in at most {count} printable characters.</source>
        <translation>标头 X-MemDesk-{shown} 必须用至多 {count} 个可打印字符指明{what}。</translation>
    </message>
    <message>
        <source>The help says nothing of “{words}”.</source>
        <translation>帮助中没有关于“{words}”的内容。</translation>
    </message>
    <message>
        <source>The id {asked} is taken.</source>
        <translation>id {asked} 已被占用。</translation>
    </message>
    <message>
        <source>The id {id} is taken by a turn of another conversation.</source>
        <translation>id {id} 已被另一个对话的发言占用。</translation>
    </message>
    <message>
        <source>The import changed no file. Undo takes it away again; what was changed since stays.</source>
        <translation>导入没有更改任何文件。“撤销”会撤回这次导入；之后更改的内容会保留。</translation>
    </message>
    <message numerus="yes">
        <source>The import was taken back: %Ln change(s)</source>
        <translation>
            <numerusform>已撤销此次导入：%Ln 项变更</numerusform>
        </translation>
    </message>
    <message>
        <source>The item {key}</source>
        <translation>条目 {key}</translation>
    </message>
    <message>
        <source>The item {key} has {count} characters as JSON; {most} at most.</source>
        <translation>条目 {key} 以 JSON 计有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The jobs are {by_name}.</source>
        <translation>任务有 {by_name}。</translation>
    </message>
    <message>
        <source>The journal does not hold at change {change}; nothing was copied.</source>
        <translation>日志在更改 {change} 处不成立；没有复制任何内容。</translation>
    </message>
    <message>
        <source>The journal does not reach event {what}, which was noted outside it as written: its end is lost or another.</source>
        <translation>变更日志没有到达事件 {what}，而别处记着它已写入：末尾丢失或不同。</translation>
    </message>
    <message>
        <source>The journal goes out with everything alone.</source>
        <translation>变更日志只随全部内容一起导出。</translation>
    </message>
    <message>
        <source>The journal is damaged at change {broken}.</source>
        <translation>日志在更改 {broken} 处损坏。</translation>
    </message>
    <message>
        <source>The journal is what was written.</source>
        <translation>日志与写入时一致。</translation>
    </message>
    <message>
        <source>The journal tells of everything.</source>
        <translation>变更日志讲述一切。</translation>
    </message>
    <message>
        <source>The key that was found is another desk&apos;s.</source>
        <translation>找到的密钥属于另一个记忆台。</translation>
    </message>
    <message>
        <source>The key {path} cannot be read: {strerror}.</source>
        <translation>无法读取密钥 {path}：{strerror}。</translation>
    </message>
    <message>
        <source>The key {path} is damaged.</source>
        <translation>密钥 {path} 已损坏。</translation>
    </message>
    <message>
        <source>The language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>The language model and the reranker are asked no more that day past so many tokens; 0 for no limit.</source>
        <translation>当天 token 超过此数后不再询问语言模型和重排器；0 表示不限。</translation>
    </message>
    <message>
        <source>The language model declined to answer.</source>
        <translation>语言模型拒绝回答。</translation>
    </message>
    <message>
        <source>The language model reads the last {count} hours.</source>
        <translation>语言模型读出最近 {count} 小时。</translation>
    </message>
    <message>
        <source>The language model that extracts; empty for model_name (AgentX).</source>
        <translation>用于抽取的语言模型；留空则用 model_name（AgentX）。</translation>
    </message>
    <message>
        <source>The language model that judges if two claims are one, an update or contrary; empty for model_name (AgentX).</source>
        <translation>用于判断两条陈述是相同、更新还是相反的语言模型；留空则用 model_name（AgentX）。</translation>
    </message>
    <message>
        <source>The language model that summarises a context; empty for model_name (AgentX).</source>
        <translation>用于为上下文写摘要的语言模型；留空则用 model_name（AgentX）。</translation>
    </message>
    <message>
        <source>The language model that writes the recap; empty for model_name (AgentX).</source>
        <translation>用于撰写回顾的语言模型；留空则用 model_name（AgentX）。</translation>
    </message>
    <message>
        <source>The language model {language} imagined nothing.</source>
        <translation>语言模型 {language} 没有设想出内容。</translation>
    </message>
    <message>
        <source>The language model&apos;s reading was not JSON.</source>
        <translation>语言模型的解读不是 JSON。</translation>
    </message>
    <message>
        <source>The language of the window; what people and agents wrote stays as it is.</source>
        <translation>窗口的语言；人和智能体写的内容保持原样。</translation>
    </message>
    <message numerus="yes">
        <source>The last %Ln are shown.</source>
        <translation>
            <numerusform>显示最后 %Ln 条。</numerusform>
        </translation>
    </message>
    <message>
        <source>The last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>The last line is torn; it comes in once it is whole.</source>
        <translation>最后一行不完整；完整之后会导入。</translation>
    </message>
    <message>
        <source>The later moment comes before the first. Exchange them.</source>
        <translation>较晚的时刻早于较早的时刻。请交换两者。</translation>
    </message>
    <message>
        <source>The line is not JSON.</source>
        <translation>该行不是 JSON。</translation>
    </message>
    <message>
        <source>The line it was read from was edited.</source>
        <translation>它所读自的那一行被编辑了。</translation>
    </message>
    <message>
        <source>The line that this was learned from is no longer in {path}.</source>
        <translation>它所习自的那一行已不在 {path} 中。</translation>
    </message>
    <message>
        <source>The list given does not begin with the summary of this compaction.</source>
        <translation>给出的列表不是以这次压缩的摘要开头。</translation>
    </message>
    <message>
        <source>The lock {lock} cannot be taken</source>
        <translation>无法取得锁 {lock}</translation>
    </message>
    <message>
        <source>The log {file} cannot be written: {strerror}.</source>
        <translation>无法写入日志 {file}：{strerror}。</translation>
    </message>
    <message>
        <source>The markdown that mem0&apos;s plugin exports</source>
        <translation>mem0 插件导出的 Markdown</translation>
    </message>
    <message>
        <source>The memory is in a PostgreSQL database, which checks its own pages.</source>
        <translation>记忆在 PostgreSQL 数据库中，由它自行检查页面。</translation>
    </message>
    <message>
        <source>The memory that is kept is not merged into itself.</source>
        <translation>要保留的记忆不会合并到自身。</translation>
    </message>
    <message>
        <source>The message has {count} characters; {most} at most.</source>
        <translation>消息有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The message is empty.</source>
        <translation>消息为空。</translation>
    </message>
    <message>
        <source>The model failed at a text: {name}.</source>
        <translation>模型在某段文本上失败：{name}。</translation>
    </message>
    <message>
        <source>The model for facts is not installed.</source>
        <translation>用于事实的模型尚未安装。</translation>
    </message>
    <message>
        <source>The model in {folder} cannot be read: {said}.</source>
        <translation>无法读取 {folder} 中的模型：{said}。</translation>
    </message>
    <message>
        <source>The name changed while you were editing it.</source>
        <translation>在您编辑期间，名称已被更改。</translation>
    </message>
    <message>
        <source>The name of a tool</source>
        <translation>工具的名称</translation>
    </message>
    <message>
        <source>The name once more</source>
        <translation>再次输入名称</translation>
    </message>
    <message>
        <source>The name shown for you; empty takes the name of your account.</source>
        <translation>显示您的名字；留空则用系统账户名。</translation>
    </message>
    <message>
        <source>The namespace and the key of an item have {count} characters and {labels_at_most} labels at most.</source>
        <translation>条目的命名空间和键最多 {count} 个字符、{labels_at_most} 个标签。</translation>
    </message>
    <message>
        <source>The nearest are about {about}, not about you.</source>
        <translation>最接近的内容关于 {about}，而不是关于您。</translation>
    </message>
    <message>
        <source>The nearest are about {nearest}, not about {person}.</source>
        <translation>最接近的内容关于 {nearest}，而不是关于 {person}。</translation>
    </message>
    <message>
        <source>The nearest categories hold enough without it.</source>
        <translation>没有它，最近的类别也已足够。</translation>
    </message>
    <message>
        <source>The new database was not closed, so nothing was put in place.</source>
        <translation>新数据库没有关闭，因此什么也没有替换。</translation>
    </message>
    <message>
        <source>The newest backup from before {when} was made {time} earlier; what happened between goes as well.</source>
        <translation>{when} 之前最新的备份早 {time}；其间发生的内容也会失去。</translation>
    </message>
    <message>
        <source>The newest backup is of {when}.</source>
        <translation>最新的备份时间为 {when}。</translation>
    </message>
    <message>
        <source>The next question is still loading. Press the key again when its answers are here.</source>
        <translation>下一个问题仍在加载。其答案出现后请再按一次该键。</translation>
    </message>
    <message>
        <source>The next run of {job} is at {time}.</source>
        <translation>{job} 的下次运行在 {time}。</translation>
    </message>
    <message>
        <source>The next session of Claude Code has it.</source>
        <translation>Claude Code 的下一个会话即可使用。</translation>
    </message>
    <message>
        <source>The next session of Gemini CLI has it.</source>
        <translation>Gemini CLI 的下一个会话即可使用。</translation>
    </message>
    <message>
        <source>The next session of Hermes has it.</source>
        <translation>Hermes 的下一个会话即可使用。</translation>
    </message>
    <message>
        <source>The note “{key}”</source>
        <translation>便笺“{key}”</translation>
    </message>
    <message>
        <source>The note “{key}” would have {count} characters; {most} at most.</source>
        <translation>便笺“{key}”会有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The old name stays as another name.</source>
        <translation>旧名称保留为别名。</translation>
    </message>
    <message>
        <source>The original stays in {channel}.</source>
        <translation>原件留在 {channel}。</translation>
    </message>
    <message>
        <source>The output of a tool</source>
        <translation>工具输出</translation>
    </message>
    <message>
        <source>The owner token {file} cannot be read: {refused}.</source>
        <translation>无法读取主人令牌 {file}：{refused}。</translation>
    </message>
    <message>
        <source>The owner token {file} is damaged.</source>
        <translation>主人令牌 {file} 已损坏。</translation>
    </message>
    <message>
        <source>The package keyring is not installed.</source>
        <translation>未安装软件包 keyring。</translation>
    </message>
    <message>
        <source>The package mcp is not installed.</source>
        <translation>未安装软件包 mcp。</translation>
    </message>
    <message>
        <source>The passphrase&apos;s file {file} cannot be read: {wrong}.</source>
        <translation>无法读取口令文件 {file}：{wrong}。</translation>
    </message>
    <message>
        <source>The path goes deeper than {count} folders.</source>
        <translation>路径深于 {count} 层文件夹。</translation>
    </message>
    <message>
        <source>The path holds characters that cannot be seen or turn the direction of writing.</source>
        <translation>路径含有不可见或改变书写方向的字符。</translation>
    </message>
    <message>
        <source>The path is absolute; it must lie in the folder.</source>
        <translation>路径是绝对路径；它必须在该文件夹内。</translation>
    </message>
    <message>
        <source>The path is longer than {count} bytes.</source>
        <translation>路径超过 {count} 字节。</translation>
    </message>
    <message>
        <source>The path is one of a write under way.</source>
        <translation>该路径属于正在进行的写入。</translation>
    </message>
    <message>
        <source>The path is percent-encoded.</source>
        <translation>路径是百分号编码的。</translation>
    </message>
    <message>
        <source>The path leads out of the folder.</source>
        <translation>路径通向文件夹之外。</translation>
    </message>
    <message>
        <source>The path names a device, or ends in a dot or a space.</source>
        <translation>路径是设备名，或以点或空格结尾。</translation>
    </message>
    <message>
        <source>The pieces are {pieces}.</source>
        <translation>片段有 {pieces}。</translation>
    </message>
    <message>
        <source>The policies are {by_name}.</source>
        <translation>方案有 {by_name}。</translation>
    </message>
    <message>
        <source>The profile has no {aspect} called “{name}”.</source>
        <translation>画像没有名为“{name}”的 {aspect}。</translation>
    </message>
    <message>
        <source>The program that asked has gone.</source>
        <translation>提出请求的程序已经退出。</translation>
    </message>
    <message>
        <source>The project {project} uses the channel {channel}</source>
        <translation>项目 {project} 使用频道 {channel}</translation>
    </message>
    <message>
        <source>The prompt {name} takes {what}.</source>
        <translation>提示 {name} 接受 {what}。</translation>
    </message>
    <message>
        <source>The properties have {count} characters as JSON; {most} at most.</source>
        <translation>属性作为 JSON 有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The query has {count} characters; {most} at most.</source>
        <translation>查询有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The query is empty.</source>
        <translation>查询为空。</translation>
    </message>
    <message>
        <source>The query names no known entity.</source>
        <translation>查询没有提到已知的实体。</translation>
    </message>
    <message>
        <source>The relation is retired.</source>
        <translation>该关系已停用。</translation>
    </message>
    <message>
        <source>The replica that recall reads has every change.</source>
        <translation>召回所读的副本已有全部更改。</translation>
    </message>
    <message>
        <source>The report was written to {file}</source>
        <translation>报告已写入 {file}</translation>
    </message>
    <message>
        <source>The reranker</source>
        <translation>重排器</translation>
    </message>
    <message>
        <source>The review queue answers it.</source>
        <translation>请在审阅队列中答复。</translation>
    </message>
    <message>
        <source>The runtime named no session_id.</source>
        <translation>运行环境没有给出 session_id。</translation>
    </message>
    <message>
        <source>The same as a table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>The same claim in other words.</source>
        <translation>同一陈述，只是措辞不同。</translation>
    </message>
    <message>
        <source>The same claim in two places.</source>
        <translation>同一陈述出现在两处。</translation>
    </message>
    <message>
        <source>The scope `global` lets it write there without asking.</source>
        <translation>权限范围 `global` 允许它不经询问就写入那里。</translation>
    </message>
    <message>
        <source>The scope {scope} needs a name.</source>
        <translation>权限范围 {scope} 需要一个名称。</translation>
    </message>
    <message>
        <source>The scope {scope} takes no name.</source>
        <translation>权限范围 {scope} 不带名称。</translation>
    </message>
    <message>
        <source>The secrets in {file} cannot be read.</source>
        <translation>无法读取 {file} 中的机密。</translation>
    </message>
    <message>
        <source>The service answered in a way this program does not know; it may be another version.</source>
        <translation>服务的回答方式是此程序不认识的；可能是另一个版本。</translation>
    </message>
    <message>
        <source>The service answered with HTTP {status} and no reason.</source>
        <translation>服务以 HTTP {status} 回答，没有说明原因。</translation>
    </message>
    <message>
        <source>The service did not end within {count} seconds.</source>
        <translation>服务没有在 {count} 秒内结束。</translation>
    </message>
    <message>
        <source>The service ended meanwhile; what was finished stays, and the next run goes on.</source>
        <translation>服务在此期间结束；已完成的部分保留，下次运行继续。</translation>
    </message>
    <message>
        <source>The service ends; the vectors come at the next start.</source>
        <translation>服务结束；向量在下次启动时生成。</translation>
    </message>
    <message>
        <source>The service holds as many connections as it may.</source>
        <translation>服务的连接数已达上限。</translation>
    </message>
    <message>
        <source>The service is away; nothing can be changed.</source>
        <translation>服务不在；现在不能更改。</translation>
    </message>
    <message>
        <source>The service is away; your text stays here until it is back.</source>
        <translation>服务已断开；在它恢复之前，你的文本会留在这里。</translation>
    </message>
    <message>
        <source>The service is not answering.</source>
        <translation>服务没有响应。</translation>
    </message>
    <message>
        <source>The service of {folder} could not start: {said}</source>
        <translation>{folder} 的服务无法启动：{said}</translation>
    </message>
    <message>
        <source>The service of {folder} did not start within {count} seconds.</source>
        <translation>{folder} 的服务没有在 {count} 秒内启动。</translation>
    </message>
    <message>
        <source>The service of {folder} does not answer in time.</source>
        <translation>{folder} 的服务没有及时应答。</translation>
    </message>
    <message>
        <source>The service of {folder} went away before it answered.</source>
        <translation>{folder} 的服务在应答之前离开了。</translation>
    </message>
    <message>
        <source>The service restores {backup} and begins again; backups.list says how that ended.</source>
        <translation>服务正在恢复 {backup} 并重新开始；backups.list 会说明结果。</translation>
    </message>
    <message>
        <source>The session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>The session has no date.</source>
        <translation>该会话没有日期。</translation>
    </message>
    <message>
        <source>The set {toolset} has no tool {name}.</source>
        <translation>工具集 {toolset} 没有工具 {name}。</translation>
    </message>
    <message>
        <source>The settings can be read.</source>
        <translation>设置可读。</translation>
    </message>
    <message>
        <source>The socket is {socket}.</source>
        <translation>套接字是 {socket}。</translation>
    </message>
    <message>
        <source>The socket path {there} is longer than {count} bytes.</source>
        <translation>套接字路径 {there} 超过 {count} 字节。</translation>
    </message>
    <message>
        <source>The socket that systemd passed cannot be used</source>
        <translation>无法使用 systemd 传来的套接字</translation>
    </message>
    <message>
        <source>The socket {path} cannot be made</source>
        <translation>无法创建套接字 {path}</translation>
    </message>
    <message>
        <source>The state of a chat under way is no memory</source>
        <translation>进行中的聊天状态不是记忆</translation>
    </message>
    <message>
        <source>The state of a task under way is no memory</source>
        <translation>进行中的任务状态不是记忆</translation>
    </message>
    <message>
        <source>The store refused this change ({cause}).</source>
        <translation>存储拒绝了这次更改（{cause}）。</translation>
    </message>
    <message>
        <source>The strategy changed while you were editing it.</source>
        <translation>在你编辑时，策略已改变。</translation>
    </message>
    <message>
        <source>The strategy says so already.</source>
        <translation>策略已经这样写。</translation>
    </message>
    <message>
        <source>The strongest that it is connected to are shown already; press + again for more.</source>
        <translation>与它关联最强的都已显示；再按 + 可显示更多。</translation>
    </message>
    <message>
        <source>The summary has {count} characters, fewer than {floor}.</source>
        <translation>摘要有 {count} 个字符，少于 {floor} 个。</translation>
    </message>
    <message>
        <source>The summary is empty.</source>
        <translation>摘要为空。</translation>
    </message>
    <message>
        <source>The summary is empty: nothing in the context stands for {turns}.</source>
        <translation>摘要为空：上下文中没有任何内容代表这 {turns}。</translation>
    </message>
    <message>
        <source>The summary shrank to {left} of {all} characters; much is missing in it.</source>
        <translation>摘要缩减到 {left} 个字符（原为 {all} 个），缺失了很多内容。</translation>
    </message>
    <message>
        <source>The system&apos;s keyring did not keep what it was given.</source>
        <translation>系统密钥环没有保存所给的内容。</translation>
    </message>
    <message>
        <source>The system&apos;s keyring does not answer: {refused}.</source>
        <translation>系统密钥环没有响应：{refused}。</translation>
    </message>
    <message>
        <source>The system&apos;s keyring has no key for this desk.</source>
        <translation>系统密钥环中没有此记忆台的密钥。</translation>
    </message>
    <message>
        <source>The system&apos;s keyring has no owner token for {parent}.</source>
        <translation>系统密钥环中没有 {parent} 的所有者令牌。</translation>
    </message>
    <message>
        <source>The system&apos;s keyring holds something else than this desk&apos;s key.</source>
        <translation>系统密钥环中存放的不是此记忆台的密钥。</translation>
    </message>
    <message>
        <source>The table has one size.</source>
        <translation>表格只有一种大小。</translation>
    </message>
    <message>
        <source>The table {table} is not what was read; nothing was copied.</source>
        <translation>表 {table} 与读到的内容不符；没有复制任何内容。</translation>
    </message>
    <message>
        <source>The tag is called {old} already.</source>
        <translation>标签已经叫 {old}。</translation>
    </message>
    <message>
        <source>The task has {count} characters; {most} at most.</source>
        <translation>任务描述有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The task is not described.</source>
        <translation>没有描述任务。</translation>
    </message>
    <message>
        <source>The text holds a NUL character, which cannot be stored.</source>
        <translation>文本含有 NUL 字符，无法存储。</translation>
    </message>
    <message>
        <source>The text holds a NUL or half a character, which no text file can.</source>
        <translation>文本含有 NUL 或半个字符，文本文件不能包含它们。</translation>
    </message>
    <message>
        <source>The text holds half a character (a lone surrogate), which cannot be stored.</source>
        <translation>文本含有半个字符（孤立的代理项），无法存储。</translation>
    </message>
    <message>
        <source>The text is larger than a file of the desk may be.</source>
        <translation>文本超过了记忆台文件允许的大小。</translation>
    </message>
    <message>
        <source>The text of version {content_hash} is damaged on the disk, and is not shown.</source>
        <translation>版本 {content_hash} 的文本在磁盘上已损坏，不予显示。</translation>
    </message>
    <message>
        <source>The text that was told</source>
        <translation>告知的文本</translation>
    </message>
    <message>
        <source>The thought is empty.</source>
        <translation>想法为空。</translation>
    </message>
    <message>
        <source>The time ends before it begins.</source>
        <translation>时间的终点早于起点。</translation>
    </message>
    <message>
        <source>The token it has ends at once.</source>
        <translation>现有的令牌立即失效。</translation>
    </message>
    <message>
        <source>The token of {agent} has ended.</source>
        <translation>{agent} 的令牌已过期。</translation>
    </message>
    <message>
        <source>The token of {name}. It is shown this once, and only its hash is kept: copy it now, and hand it over safely. On the other computer, this asks for it: memdesk team join https://ADDRESS</source>
        <translation>{name} 的令牌。它只显示这一次，之后只保存散列：现在就复制，并安全地交给对方。在另一台计算机上，这条命令会要求输入它：memdesk team join https://ADDRESS</translation>
    </message>
    <message>
        <source>The token that was presented is neither the owner&apos;s of this desk nor an agent&apos;s.</source>
        <translation>所出示的令牌既不是此记忆台所有者的，也不是某个智能体的。</translation>
    </message>
    <message>
        <source>The token with which this was begun was revoked, or has ended.</source>
        <translation>开始此操作所用的令牌已被撤销或已到期。</translation>
    </message>
    <message>
        <source>The tool and its error must be given.</source>
        <translation>必须给出工具及其错误。</translation>
    </message>
    <message>
        <source>The turn it was read from is gone.</source>
        <translation>它所读自的发言已不存在。</translation>
    </message>
    <message>
        <source>The turns take the place of their summary again, as soon as the agent asks for its context. Undo puts the summary back.</source>
        <translation>智能体下次请求上下文时，这些发言将取代它们的摘要。撤销可恢复摘要。</translation>
    </message>
    <message>
        <source>The value has {count} characters; {most} at most.</source>
        <translation>值有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>The value is not JSON.</source>
        <translation>值不是 JSON。</translation>
    </message>
    <message>
        <source>The value of {kind} was erased.</source>
        <translation>{kind}的值已被抹除。</translation>
    </message>
    <message>
        <source>The value of “{name}”</source>
        <translation>“{name}”的值</translation>
    </message>
    <message>
        <source>The vectors of this desk&apos;s database are of the embedder {before}.</source>
        <translation>此记忆台数据库中的向量由嵌入模型 {before} 生成。</translation>
    </message>
    <message>
        <source>The whole graph in small</source>
        <translation>整个图谱的缩略图</translation>
    </message>
    <message>
        <source>The whole run of this change</source>
        <translation>这次更改所属的整个批次</translation>
    </message>
    <message>
        <source>The window is installed.</source>
        <translation>窗口已安装。</translation>
    </message>
    <message>
        <source>The window is not installed.</source>
        <translation>窗口未安装。</translation>
    </message>
    <message>
        <source>The workspace {found}</source>
        <translation>工作区 {found}</translation>
    </message>
    <message>
        <source>Theirs, on the disk</source>
        <translation>对方的，磁盘上</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Theme and language</source>
        <translation>主题与语言</translation>
    </message>
    <message>
        <source>Theme: {theme}</source>
        <translation>主题：{theme}</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>当时</translation>
    </message>
    <message>
        <source>There are no goals here.</source>
        <translation>这里没有目标。</translation>
    </message>
    <message>
        <source>There are {by_name}.</source>
        <translation>有 {by_name}。</translation>
    </message>
    <message>
        <source>There are {count} kept questions already, the most there may be.</source>
        <translation>已有 {count} 个保留的问题，这是上限。</translation>
    </message>
    <message>
        <source>There is a channel {known} already, archived.</source>
        <translation>已有频道 {known}，已归档。</translation>
    </message>
    <message>
        <source>There is a channel {known} already.</source>
        <translation>已有频道 {known}。</translation>
    </message>
    <message>
        <source>There is a desk in {folder} already.</source>
        <translation>{folder} 中已有记忆台。</translation>
    </message>
    <message>
        <source>There is a key for the {role} at {host}.</source>
        <translation>{host} 的 {role} 有密钥。</translation>
    </message>
    <message>
        <source>There is memory in the desk to copy into.</source>
        <translation>要复制到的记忆台中已有记忆。</translation>
    </message>
    <message>
        <source>There is no ONNX model in {folder}.</source>
        <translation>{folder} 中没有 ONNX 模型。</translation>
    </message>
    <message>
        <source>There is no agent {agent} on this desk.</source>
        <translation>此记忆台上没有智能体 {agent}。</translation>
    </message>
    <message>
        <source>There is no backup yet.</source>
        <translation>还没有备份。</translation>
    </message>
    <message>
        <source>There is no call {path}.</source>
        <translation>没有调用 {path}。</translation>
    </message>
    <message>
        <source>There is no change {change} to undo.</source>
        <translation>没有可撤销的更改 {change}。</translation>
    </message>
    <message>
        <source>There is no change {change}.</source>
        <translation>没有更改 {change}。</translation>
    </message>
    <message>
        <source>There is no channel {channel}.</source>
        <translation>没有频道 {channel}。</translation>
    </message>
    <message>
        <source>There is no conversation {conversation_id}.</source>
        <translation>没有对话 {conversation_id}。</translation>
    </message>
    <message>
        <source>There is no database yet; the first start makes it.</source>
        <translation>还没有数据库；首次启动时建立。</translation>
    </message>
    <message>
        <source>There is no database {source}.</source>
        <translation>没有数据库 {source}。</translation>
    </message>
    <message>
        <source>There is no desk in {folder}.</source>
        <translation>{folder} 中没有记忆台。</translation>
    </message>
    <message>
        <source>There is no desk yet.</source>
        <translation>还没有记忆台。</translation>
    </message>
    <message>
        <source>There is no embedder: {says}.</source>
        <translation>没有嵌入模型：{says}。</translation>
    </message>
    <message>
        <source>There is no entity called “{entity}” here.</source>
        <translation>这里没有名为“{entity}”的实体。</translation>
    </message>
    <message>
        <source>There is no entity {id}.</source>
        <translation>没有实体 {id}。</translation>
    </message>
    <message>
        <source>There is no event {id}.</source>
        <translation>没有事件 {id}。</translation>
    </message>
    <message>
        <source>There is no field `{shown}` in `{place}`.</source>
        <translation>`{place}` 中没有字段 `{shown}`。</translation>
    </message>
    <message>
        <source>There is no field `{shown}`.</source>
        <translation>没有字段 `{shown}`。</translation>
    </message>
    <message>
        <source>There is no file or folder {given}.</source>
        <translation>没有文件或文件夹 {given}。</translation>
    </message>
    <message>
        <source>There is no folder {parent}.</source>
        <translation>没有文件夹 {parent}。</translation>
    </message>
    <message>
        <source>There is no format {name} to export to.</source>
        <translation>没有可导出的格式 {name}。</translation>
    </message>
    <message>
        <source>There is no format “{format}”.</source>
        <translation>没有格式“{format}”。</translation>
    </message>
    <message>
        <source>There is no goal {goal_id} in channel {channel}.</source>
        <translation>频道 {channel} 中没有目标 {goal_id}。</translation>
    </message>
    <message>
        <source>There is no goal {goal_id}.</source>
        <translation>没有目标 {goal_id}。</translation>
    </message>
    <message>
        <source>There is no job “{name}”.</source>
        <translation>没有任务“{name}”。</translation>
    </message>
    <message>
        <source>There is no kept question {id}.</source>
        <translation>没有保留的问题 {id}。</translation>
    </message>
    <message>
        <source>There is no key for the {role} at {host}.</source>
        <translation>{host} 的 {role} 没有密钥。</translation>
    </message>
    <message>
        <source>There is no layout {what}.</source>
        <translation>没有布局 {what}。</translation>
    </message>
    <message>
        <source>There is no memory {id}.</source>
        <translation>没有记忆 {id}。</translation>
    </message>
    <message>
        <source>There is no operator {name}.</source>
        <translation>没有运算符 {name}。</translation>
    </message>
    <message>
        <source>There is no other channel yet.</source>
        <translation>还没有其他频道。</translation>
    </message>
    <message>
        <source>There is no other channel.</source>
        <translation>没有其他频道。</translation>
    </message>
    <message>
        <source>There is no other way to say this.</source>
        <translation>这句话没有别的说法。</translation>
    </message>
    <message>
        <source>There is no piece “{strange}”.</source>
        <translation>没有片段“{strange}”。</translation>
    </message>
    <message>
        <source>There is no policy “{wanted}”.</source>
        <translation>没有方案“{wanted}”。</translation>
    </message>
    <message>
        <source>There is no prompt {id}.</source>
        <translation>没有提示 {id}。</translation>
    </message>
    <message>
        <source>There is no role {role}.</source>
        <translation>没有角色 {role}。</translation>
    </message>
    <message>
        <source>There is no room for a backup: it takes {needed} MB, and {free} MB are free.</source>
        <translation>没有空间备份：需要 {needed} MB，剩余 {free} MB。</translation>
    </message>
    <message>
        <source>There is no room for a second database of {needed} MB: {free} MB are free.</source>
        <translation>没有空间存放第二个 {needed} MB 的数据库：可用 {free} MB。</translation>
    </message>
    <message>
        <source>There is no row-level security: this database role may not create roles. As one that may, run `{sql}`, and start the service again.</source>
        <translation>没有行级安全：此数据库角色不能创建角色。请以有此权限的角色运行 `{sql}`，然后重新启动服务。</translation>
    </message>
    <message>
        <source>There is no scope {scope}.</source>
        <translation>没有权限范围 {scope}。</translation>
    </message>
    <message>
        <source>There is no secret {id} on this desk.</source>
        <translation>此记忆台上没有机密 {id}。</translation>
    </message>
    <message>
        <source>There is no session {session_id}.</source>
        <translation>没有会话 {session_id}。</translation>
    </message>
    <message>
        <source>There is no set of tools {name}.</source>
        <translation>没有工具集 {name}。</translation>
    </message>
    <message>
        <source>There is no setting {name}.</source>
        <translation>没有设置 {name}。</translation>
    </message>
    <message>
        <source>There is no such backup.</source>
        <translation>没有这份备份。</translation>
    </message>
    <message>
        <source>There is no such folder on this desk.</source>
        <translation>此记忆台上没有这样的文件夹。</translation>
    </message>
    <message>
        <source>There is no such job; jobs are remembered until the service ends.</source>
        <translation>没有这样的任务；任务只记到服务结束。</translation>
    </message>
    <message>
        <source>There is no such memory.</source>
        <translation>没有这条记忆。</translation>
    </message>
    <message>
        <source>There is no tested backup from before {when}.</source>
        <translation>没有 {when} 之前的已检验备份。</translation>
    </message>
    <message>
        <source>There is no version {content_hash}.</source>
        <translation>没有版本 {content_hash}。</translation>
    </message>
    <message>
        <source>There is no workspace on this desk.</source>
        <translation>此记忆台上没有工作区。</translation>
    </message>
    <message>
        <source>There is no {label} {id}.</source>
        <translation>没有{label} {id}。</translation>
    </message>
    <message>
        <source>There is no “{strange}” in the timeline; types are {timeline}.</source>
        <translation>时间线中没有“{strange}”；类型有 {timeline}。</translation>
    </message>
    <message>
        <source>There is nothing here.</source>
        <translation>这里没有内容。</translation>
    </message>
    <message>
        <source>There is nothing in {name} to import. {skipped}: {why}</source>
        <translation>{name} 中没有可导入的内容。{skipped}：{why}</translation>
    </message>
    <message>
        <source>There is nothing in {name} to import: no markdown and no transcript.</source>
        <translation>{name} 中没有可导入的内容：没有 Markdown，也没有聊天记录。</translation>
    </message>
    <message>
        <source>There is nothing new to bring in.</source>
        <translation>没有新内容可导入。</translation>
    </message>
    <message>
        <source>There is nothing of a user {user_id} here.</source>
        <translation>这里没有用户 {user_id} 的内容。</translation>
    </message>
    <message>
        <source>There is nothing of an agent {name} here.</source>
        <translation>这里没有智能体 {name} 的内容。</translation>
    </message>
    <message>
        <source>There is nothing of yours to redo.</source>
        <translation>没有你可重做的内容。</translation>
    </message>
    <message>
        <source>There is nothing of yours to undo.</source>
        <translation>没有你可撤销的内容。</translation>
    </message>
    <message>
        <source>There is nothing that a repair could mend.</source>
        <translation>没有可以修复的内容。</translation>
    </message>
    <message>
        <source>There is nothing to do yet.</source>
        <translation>还没有可做的。</translation>
    </message>
    <message>
        <source>There is nothing to read at {uri}.</source>
        <translation>{uri} 处没有可读的内容。</translation>
    </message>
    <message>
        <source>There is nothing to save yet.</source>
        <translation>还没有可保存的内容。</translation>
    </message>
    <message>
        <source>There is nothing to write.</source>
        <translation>没有可写的内容。</translation>
    </message>
    <message>
        <source>There were no vectors to compare.</source>
        <translation>没有可比较的向量。</translation>
    </message>
    <message>
        <source>These agents keep no daily log on this desk.</source>
        <translation>这些智能体在此记忆台上没有日志。</translation>
    </message>
    <message>
        <source>These agents keep no files on this desk.</source>
        <translation>这些智能体在此记忆台上没有文件。</translation>
    </message>
    <message>
        <source>These agents keep no learnings.</source>
        <translation>这些智能体不保存经验教训。</translation>
    </message>
    <message>
        <source>These are the nearest days that have some:</source>
        <translation>最近有记录的日子：</translation>
    </message>
    <message>
        <source>These are: {known}.</source>
        <translation>有：{known}。</translation>
    </message>
    <message>
        <source>These do: {movable}.</source>
        <translation>可以的有：{movable}。</translation>
    </message>
    <message>
        <source>These items are too many for one change.</source>
        <translation>这些条目太多，无法作为一次更改。</translation>
    </message>
    <message>
        <source>They are kept as long as the audit log.</source>
        <translation>它们与审计日志保存得一样久。</translation>
    </message>
    <message>
        <source>They are made anew in the background.</source>
        <translation>它们会在后台重新生成。</translation>
    </message>
    <message>
        <source>They differ in a verb only.</source>
        <translation>两者只差一个动词。</translation>
    </message>
    <message>
        <source>They live in two channels, {channel} and {other}.</source>
        <translation>它们在两个频道中：{channel} 和 {other}。</translation>
    </message>
    <message>
        <source>They may not both be true.</source>
        <translation>两者可能不能同时为真。</translation>
    </message>
    <message>
        <source>They may say the same in other words.</source>
        <translation>两者可能换个说法讲了同一件事。</translation>
    </message>
    <message>
        <source>They stay out for reasons like these.</source>
        <translation>它们因类似的原因不导入。</translation>
    </message>
    <message>
        <source>They were answered already.</source>
        <translation>它们已经有了答复。</translation>
    </message>
    <message>
        <source>Things of the agent</source>
        <translation>该智能体的内容</translation>
    </message>
    <message>
        <source>Third-party software</source>
        <translation>第三方软件</translation>
    </message>
    <message>
        <source>This Python&apos;s SQLite cannot load sqlite-vec: recall answers by words alone.</source>
        <translation>此 Python 的 SQLite 无法加载 sqlite-vec：召回仅凭词语应答。</translation>
    </message>
    <message>
        <source>This Python&apos;s SQLite is {version}; a desk needs 3.43 or later.</source>
        <translation>此 Python 的 SQLite 是 {version}；记忆台需要 3.43 或更新。</translation>
    </message>
    <message>
        <source>This SQLite cannot load sqlite-vec: words answer alone.</source>
        <translation>此 SQLite 无法加载 sqlite-vec：只用词回答。</translation>
    </message>
    <message>
        <source>This SQLite cannot search vectors, so words alone answered.</source>
        <translation>此 SQLite 无法搜索向量，因此仅凭词语应答。</translation>
    </message>
    <message>
        <source>This acts on the memory in the inspector; Ctrl+I shows it.</source>
        <translation>这会作用于详情栏中的记忆；按 Ctrl+I 显示它。</translation>
    </message>
    <message>
        <source>This asks for the desk&apos;s passphrase.</source>
        <translation>此操作需要记忆台的口令。</translation>
    </message>
    <message>
        <source>This cannot be done with such memories.</source>
        <translation>不能对这样的记忆执行此操作。</translation>
    </message>
    <message>
        <source>This cannot be taken back</source>
        <translation>此操作无法撤销</translation>
    </message>
    <message>
        <source>This change cannot be taken back.</source>
        <translation>此更改无法撤销。</translation>
    </message>
    <message>
        <source>This channel</source>
        <translation>本频道</translation>
    </message>
    <message>
        <source>This compaction was taken back already.</source>
        <translation>此次压缩已被撤回。</translation>
    </message>
    <message>
        <source>This conflict was decided already: {decision}.</source>
        <translation>这个冲突已有决定：{decision}。</translation>
    </message>
    <message>
        <source>This database is another program&apos;s, not a desk; it was not changed.</source>
        <translation>此数据库属于其他程序，不是记忆台；没有改动它。</translation>
    </message>
    <message>
        <source>This desk answers over the network to a member&apos;s token only.</source>
        <translation>这个记忆台在网络上只回应持有成员令牌的请求。</translation>
    </message>
    <message>
        <source>This desk cannot be opened</source>
        <translation>无法打开此记忆台</translation>
    </message>
    <message>
        <source>This desk is encrypted</source>
        <translation>此记忆台已加密</translation>
    </message>
    <message>
        <source>This desk is encrypted already.</source>
        <translation>此记忆台已经加密。</translation>
    </message>
    <message>
        <source>This desk is encrypted, and an export is in clear.</source>
        <translation>此记忆台已加密，而导出是明文。</translation>
    </message>
    <message>
        <source>This desk is encrypted, and its passphrase was not given.</source>
        <translation>此记忆台已加密，但未提供口令。</translation>
    </message>
    <message>
        <source>This desk is encrypted; the file is not, and whoever has it can read it</source>
        <translation>此记忆台已加密；该文件没有，任何得到它的人都能读取</translation>
    </message>
    <message>
        <source>This desk is from before passwords and keys were masked, and may have some in clear. `memdesk secrets sweep`, or the panel Secrets, masks them and says what is left where.</source>
        <translation>此记忆台建立于密码和密钥开始遮蔽之前，可能含有明文。`memdesk secrets sweep` 或“机密”面板会遮蔽它们，并说明哪里还有剩余。</translation>
    </message>
    <message>
        <source>This desk is in a PostgreSQL database, and the driver is not installed.</source>
        <translation>此记忆台在 PostgreSQL 数据库中，但未安装驱动程序。</translation>
    </message>
    <message>
        <source>This desk knows no agent yet.</source>
        <translation>此记忆台还不认识任何智能体。</translation>
    </message>
    <message>
        <source>This desk was encrypted before with a passphrase, and its backups still are.</source>
        <translation>此记忆台以前用口令加密过，其备份仍然如此。</translation>
    </message>
    <message>
        <source>This desk was written by a newer MemDesk ({unknown}).</source>
        <translation>此记忆台由更新的 MemDesk 写入（{unknown}）。</translation>
    </message>
    <message>
        <source>This desk&apos;s database was made by an older MemDesk, and a service has it open.</source>
        <translation>此记忆台的数据库由较旧的 MemDesk 创建，且有服务正打开着它。</translation>
    </message>
    <message>
        <source>This desk&apos;s database was made by an older MemDesk, and {step} cannot be done in it: {error}.</source>
        <translation>此记忆台的数据库由较旧的 MemDesk 创建，无法在其中执行 {step}：{error}。</translation>
    </message>
    <message>
        <source>This desk&apos;s memory is in a PostgreSQL database, which has its own means for that.</source>
        <translation>此记忆台的记忆在 PostgreSQL 数据库中，数据库有自己的办法做这件事。</translation>
    </message>
    <message>
        <source>This fact is in _global already.</source>
        <translation>此事实已在 _global 中。</translation>
    </message>
    <message>
        <source>This file holds signs that no editor keeps, so it is shown here and cannot be edited.</source>
        <translation>此文件含有编辑器无法保留的字符，因此只能查看，不能编辑。</translation>
    </message>
    <message>
        <source>This folder</source>
        <translation>此文件夹</translation>
    </message>
    <message>
        <source>This format knows no types to choose from.</source>
        <translation>此格式没有可选的类型。</translation>
    </message>
    <message>
        <source>This goal is not kept among the goals.</source>
        <translation>这个目标不在目标列表中。</translation>
    </message>
    <message>
        <source>This grant is withdrawn already.</source>
        <translation>此授权已经撤回。</translation>
    </message>
    <message>
        <source>This is a number</source>
        <translation>这里要填数字</translation>
    </message>
    <message>
        <source>This is a whole number</source>
        <translation>这里要填整数</translation>
    </message>
    <message>
        <source>This is known in {channel} already.</source>
        <translation>{channel} 中已有此内容。</translation>
    </message>
    <message>
        <source>This is no JSON: {why}.</source>
        <translation>这不是 JSON：{why}。</translation>
    </message>
    <message>
        <source>This is no longer held.</source>
        <translation>它已不再被持有。</translation>
    </message>
    <message>
        <source>This is not decided once for all.</source>
        <translation>这不能作长期决定。</translation>
    </message>
    <message>
        <source>This is outside of what your token may use ({why}).</source>
        <translation>这超出了您的令牌可使用的范围（{why}）。</translation>
    </message>
    <message>
        <source>This is the centre itself.</source>
        <translation>这就是中心本身。</translation>
    </message>
    <message>
        <source>This is the graph of {time}.</source>
        <translation>这是 {time} 的图谱。</translation>
    </message>
    <message>
        <source>This layout keeps no days</source>
        <translation>此布局没有日志</translation>
    </message>
    <message>
        <source>This memory is back in recall since.</source>
        <translation>这条记忆此后已回到召回。</translation>
    </message>
    <message>
        <source>This memory is no longer here.</source>
        <translation>此记忆已不在。</translation>
    </message>
    <message>
        <source>This part of an AgentX export is not known here.</source>
        <translation>AgentX 导出的这一部分在此未知。</translation>
    </message>
    <message>
        <source>This process has read a desk in clear, and cannot open an encrypted one as well.</source>
        <translation>此进程读取过明文的记忆台，不能再打开加密的记忆台。</translation>
    </message>
    <message>
        <source>This question is open no more.</source>
        <translation>这个问题已不再待答。</translation>
    </message>
    <message>
        <source>This retry_key belongs to change {change}, which was another call or was taken back.</source>
        <translation>此 retry_key 属于更改 {change}，那是另一个调用或已被撤回。</translation>
    </message>
    <message>
        <source>This scratchpad belongs to the agent {holder}.</source>
        <translation>此便笺属于智能体 {holder}。</translation>
    </message>
    <message>
        <source>This session has {own} notes, as many as it may.</source>
        <translation>此会话已有 {own} 条便笺，已达上限。</translation>
    </message>
    <message>
        <source>This standing decision is revoked already.</source>
        <translation>这个长期决定已经撤销。</translation>
    </message>
    <message>
        <source>This stands already.</source>
        <translation>这已经成立。</translation>
    </message>
    <message>
        <source>This strategy was retired.</source>
        <translation>此策略已停用。</translation>
    </message>
    <message>
        <source>This text was not saved when the window was closed. Save it, or revert to the file.</source>
        <translation>窗口关闭时此文本尚未保存。请保存，或还原为文件内容。</translation>
    </message>
    <message>
        <source>This token is {signs}&apos;s; it may not sign as {agent}.</source>
        <translation>此令牌属于 {signs}；不能以 {agent} 署名。</translation>
    </message>
    <message>
        <source>This waits no more: its time was over, or the program ended.</source>
        <translation>它不再等待：时间已过，或程序已结束。</translation>
    </message>
    <message>
        <source>This was decided already: {decision}.</source>
        <translation>这已有决定：{decision}。</translation>
    </message>
    <message>
        <source>This would move {count} goals at once; {most} at most.</source>
        <translation>这会一次移动 {count} 个目标；最多 {most} 个。</translation>
    </message>
    <message>
        <source>This would write {count} records at once; {most} at most.</source>
        <translation>这会一次写入 {count} 条记录；最多 {most} 条。</translation>
    </message>
    <message>
        <source>This would write {edits} records at once; {count} at most.</source>
        <translation>这会一次写入 {edits} 条记录；最多 {count} 条。</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>想法</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Time machine</source>
        <translation>时间机器</translation>
    </message>
    <message>
        <source>Time named</source>
        <translation>提到的时间</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>To</source>
        <translation>至</translation>
    </message>
    <message>
        <source>To channel</source>
        <translation>至频道</translation>
    </message>
    <message>
        <source>To this day, which is still part of it</source>
        <translation>到这一天，包含当天</translation>
    </message>
    <message>
        <source>To which? Search</source>
        <translation>关联到哪个？搜索</translation>
    </message>
    <message>
        <source>To {verb}, say {name}.</source>
        <translation>要执行 {verb}，请写明 {name}。</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Token for</source>
        <translation>令牌期限</translation>
    </message>
    <message>
        <source>Token for the agent {name}</source>
        <translation>智能体 {name} 的令牌</translation>
    </message>
    <message>
        <source>Token: {words}</source>
        <translation>令牌：{words}</translation>
    </message>
    <message>
        <source>Told apart: “{a}” and “{b}”</source>
        <translation>已区分：“{a}”与“{b}”</translation>
    </message>
    <message>
        <source>Told before this turn</source>
        <translation>此发言前告知的内容</translation>
    </message>
    <message>
        <source>Told before turns</source>
        <translation>发言前的告知</translation>
    </message>
    <message>
        <source>Told today</source>
        <translation>今日告知</translation>
    </message>
    <message>
        <source>Too much was said in these conversations since to bring it along.</source>
        <translation>此后这些对话中说了太多，无法一并带走。</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Took project {name} off the list</source>
        <translation>已将项目 {name} 移出列表</translation>
    </message>
    <message>
        <source>Took repeated lines out of {path}</source>
        <translation>从 {path} 中去掉了重复的行</translation>
    </message>
    <message>
        <source>Took tag {what} away</source>
        <translation>去掉了标签 {what}</translation>
    </message>
    <message>
        <source>Took {secrets} out of the desk</source>
        <translation>从记忆台中取出了 {secrets}</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Tool call of a turn of it</source>
        <translation>它的一轮对话中的工具调用</translation>
    </message>
    <message>
        <source>Tool call {id} is recorded already with another {field}.</source>
        <translation>工具调用 {id} 已以另一个 {field} 记录。</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tools &amp; strategies</source>
        <translation>工具与策略</translation>
    </message>
    <message>
        <source>Tools and outcomes of the strategy</source>
        <translation>该策略的工具与结果</translation>
    </message>
    <message>
        <source>Tools are for agents; {member} is {role}.</source>
        <translation>工具供代理使用；{member} 的角色是 {role}。</translation>
    </message>
    <message>
        <source>Tools in order</source>
        <translation>依次使用的工具</translation>
    </message>
    <message>
        <source>Tools in the order of their use, one a line</source>
        <translation>按使用顺序排列的工具，每行一个</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>前</translation>
    </message>
    <message>
        <source>Top {limit}</source>
        <translation>前 {limit}</translation>
    </message>
    <message>
        <source>Touches</source>
        <translation>牵涉</translation>
    </message>
    <message>
        <source>Tour of the window</source>
        <translation>窗口导览</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>信任</translation>
    </message>
    <message>
        <source>Trusted “{title}”</source>
        <translation>已信任“{title}”</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试试</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Try again in a minute.</source>
        <translation>请一分钟后重试。</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>Try again in {count} s.</source>
        <translation>请 {count} 秒后重试。</translation>
    </message>
    <message>
        <source>Try again while somebody sits at the window.</source>
        <translation>请在有人使用窗口时重试。</translation>
    </message>
    <message>
        <source>Try fewer conditions, or other words.</source>
        <translation>请减少条件，或换用其他词语。</translation>
    </message>
    <message>
        <source>Try it once more.</source>
        <translation>请再试一次。</translation>
    </message>
    <message>
        <source>Try: {says}, place {place}</source>
        <translation>试试：{says}，第 {place} 位</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>发言</translation>
    </message>
    <message>
        <source>Turn before, Shift+Enter</source>
        <translation>上一条，Shift+Enter</translation>
    </message>
    <message>
        <source>Turn everything back</source>
        <translation>全部改回</translation>
    </message>
    <message>
        <source>Turn {id} belongs to conversation {conversation_id}.</source>
        <translation>发言 {id} 属于对话 {conversation_id}。</translation>
    </message>
    <message>
        <source>Turn {id} is stored already with other content.</source>
        <translation>发言 {id} 已以其他内容存储。</translation>
    </message>
    <message>
        <source>Turn {number}</source>
        <translation>第 {number} 条发言</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>发言</translation>
    </message>
    <message>
        <source>Turns a conversation</source>
        <translation>每个对话的发言</translation>
    </message>
    <message>
        <source>Turns and thoughts a conversation&apos;s working memory holds (AgentX).</source>
        <translation>一段对话的工作记忆所容纳的发言和想法数（AgentX）。</translation>
    </message>
    <message>
        <source>Turns of one conversation a recall returns before others had their turn; 0 for any (AgentX).</source>
        <translation>轮到其他对话之前，一次召回返回同一对话的发言数；0 表示不限（AgentX）。</translation>
    </message>
    <message>
        <source>Turns per conversation</source>
        <translation>每个对话的发言数</translation>
    </message>
    <message>
        <source>Two agents, ninety days of memory. Kept apart from yours.</source>
        <translation>两个智能体，九十天的记忆。与您的分开存放。</translation>
    </message>
    <message>
        <source>Two facts or two entities can be merged.</source>
        <translation>可以合并两条事实或两个实体。</translation>
    </message>
    <message>
        <source>Two panels side by side</source>
        <translation>并排两个面板</translation>
    </message>
    <message>
        <source>Two panels side by side, or one</source>
        <translation>并排两个面板，或只留一个</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Type a day, as 2026-01-31, or a day and a time, as 2026-01-31 14:30.</source>
        <translation>请输入日期，如 2026-01-31，或日期和时间，如 2026-01-31 14:30。</translation>
    </message>
    <message>
        <source>Type the name once more first.</source>
        <translation>请先再次输入名称。</translation>
    </message>
    <message>
        <source>Type the name once more to confirm:</source>
        <translation>请再次输入名称以确认：</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>UTC</source>
        <translation>UTC</translation>
    </message>
    <message>
        <source>Unblock that first.</source>
        <translation>请先解除那边的阻塞。</translation>
    </message>
    <message>
        <source>Under the settings of now, all of it stays above the threshold.</source>
        <translation>按当前设置，全部都保持在阈值之上。</translation>
    </message>
    <message>
        <source>Understood: {parts}.</source>
        <translation>已理解：{parts}。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo an import</source>
        <translation>撤销一次导入</translation>
    </message>
    <message>
        <source>Undo import</source>
        <translation>撤销导入</translation>
    </message>
    <message>
        <source>Undo the whole run</source>
        <translation>撤销整个批次</translation>
    </message>
    <message>
        <source>Undo this</source>
        <translation>撤销此更改</translation>
    </message>
    <message>
        <source>Undo, it was {value}</source>
        <translation>撤销，原为 {value}</translation>
    </message>
    <message>
        <source>Undo: {subject}</source>
        <translation>撤销：{subject}</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undone: {what}</source>
        <translation>已撤销：{what}</translation>
    </message>
    <message>
        <source>Undone: “{title}”</source>
        <translation>已撤销：“{title}”</translation>
    </message>
    <message>
        <source>Uninstall…</source>
        <translation>卸载…</translation>
    </message>
    <message>
        <source>Unlink</source>
        <translation>取消连接</translation>
    </message>
    <message>
        <source>Unlock it, or give the key that `memdesk encrypt` showed in {key_variable}.</source>
        <translation>请解锁它，或在 {key_variable} 中提供 `memdesk encrypt` 显示的密钥。</translation>
    </message>
    <message>
        <source>Unlock it, or start a session with one.</source>
        <translation>请解锁它，或启动一个带有它的会话。</translation>
    </message>
    <message>
        <source>Unlock it; or remove {file}, and the service makes a new token.</source>
        <translation>请解锁它；或移除 {file}，服务会生成新令牌。</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Unpinned {count}.</source>
        <translation>已取消固定 {count} 条。</translation>
    </message>
    <message>
        <source>Unpinned {what}</source>
        <translation>已取消固定 {what}</translation>
    </message>
    <message>
        <source>Unpinned “{title}”</source>
        <translation>取消固定“{title}”</translation>
    </message>
    <message>
        <source>Unsaved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Unsaved text</source>
        <translation>未保存的文本</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>至</translation>
    </message>
    <message>
        <source>Until tomorrow: “{title}”</source>
        <translation>明天再说：“{title}”</translation>
    </message>
    <message>
        <source>Up to {most} memories are compared with each other, and these are {count}.</source>
        <translation>最多互相比较 {most} 条记忆，而这里有 {count} 条。</translation>
    </message>
    <message>
        <source>Updated “{title}”</source>
        <translation>更新了“{title}”</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use a new retry_key.</source>
        <translation>请使用新的 retry_key。</translation>
    </message>
    <message>
        <source>Use another goal_id, or leave it out.</source>
        <translation>请使用另一个 goal_id，或省去它。</translation>
    </message>
    <message>
        <source>Use another invocation_id.</source>
        <translation>请使用另一个 invocation_id。</translation>
    </message>
    <message>
        <source>Use another key.</source>
        <translation>请使用另一个键。</translation>
    </message>
    <message>
        <source>Use another turn_id, or leave turn_index out to append.</source>
        <translation>请使用另一个 turn_id，或省去 turn_index 以追加。</translation>
    </message>
    <message>
        <source>Use another turn_id.</source>
        <translation>请使用另一个 turn_id。</translation>
    </message>
    <message>
        <source>Use counts of {count} memories</source>
        <translation>{count} 条记忆的使用次数</translation>
    </message>
    <message>
        <source>Use it, or take another name.</source>
        <translation>请使用它，或换一个名称。</translation>
    </message>
    <message>
        <source>Use of a strategy that goes</source>
        <translation>被移除策略的使用</translation>
    </message>
    <message>
        <source>Use the `id:` of an event.</source>
        <translation>请使用事件的 `id:`。</translation>
    </message>
    <message>
        <source>Use the calls: `memdesk recall`, or the window.</source>
        <translation>请用命令（如 `memdesk recall`）或窗口。</translation>
    </message>
    <message>
        <source>Use the running service, or end it with `memdesk stop`.</source>
        <translation>请使用正在运行的服务，或用 `memdesk stop` 结束它。</translation>
    </message>
    <message>
        <source>Use the token of a reader, a curator or an owner.</source>
        <translation>请使用读者、整理者或所有者的令牌。</translation>
    </message>
    <message>
        <source>Use {technique}</source>
        <translation>使用{technique}</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Used: {claim}</source>
        <translation>使用了：{claim}</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Users</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>VS Code asks you to trust the server when it starts it first.</source>
        <translation>VS Code 首次启动该服务器时会请您信任它。</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message numerus="yes">
        <source>Verified: %Ln change(s), none altered since it was written. The last is #{last}, {hash}…</source>
        <translation>
            <numerusform>已验证：%Ln 次更改，写入后均未改动。最后一次是 #{last}，{hash}…</numerusform>
        </translation>
    </message>
    <message>
        <source>Verify the desk</source>
        <translation>检查整个桌面</translation>
    </message>
    <message>
        <source>Verifying files</source>
        <translation>正在检查文件</translation>
    </message>
    <message>
        <source>Verifying pages</source>
        <translation>正在检查数据页</translation>
    </message>
    <message>
        <source>Verifying rows and indexes</source>
        <translation>正在检查各行与索引</translation>
    </message>
    <message>
        <source>Verifying the desk: {done} of {total}</source>
        <translation>正在检查桌面：{done} / {total}</translation>
    </message>
    <message>
        <source>Verifying the desk…</source>
        <translation>正在检查桌面…</translation>
    </message>
    <message>
        <source>Verifying the hash chain</source>
        <translation>正在校验哈希链</translation>
    </message>
    <message>
        <source>Verifying was stopped; how the rest of the desk stands is not known.</source>
        <translation>检查已停止；桌面其余部分的情况未知。</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Versions and licences, as markdown</source>
        <translation>版本与许可证，以 markdown 格式</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Wait no longer</source>
        <translation>不再等待</translation>
    </message>
    <message>
        <source>Wait until it is done, or end the process that {lock} names.</source>
        <translation>请等它完成，或结束 {lock} 中写明的进程。</translation>
    </message>
    <message>
        <source>Wait until midnight, or raise {budget} in the settings.</source>
        <translation>等到午夜，或在设置中调高 {budget}。</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Waiting for readers to end, to rewrite the file without it</source>
        <translation>正在等待读取结束，以便重写文件去除它</translation>
    </message>
    <message>
        <source>Waiting to start.</source>
        <translation>等待开始。</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Waits for the goal</source>
        <translation>等待目标</translation>
    </message>
    <message>
        <source>Walking the journal</source>
        <translation>正在核对日志</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Watched: what other programs write is seen at once.</source>
        <translation>正在监视：其他程序的写入会立即看到。</translation>
    </message>
    <message>
        <source>Way to</source>
        <translation>路径至</translation>
    </message>
    <message>
        <source>Weight entities</source>
        <translation>实体权重</translation>
    </message>
    <message>
        <source>Weight facts</source>
        <translation>事实权重</translation>
    </message>
    <message>
        <source>Weight of entities in AgentX&apos;s retriever.</source>
        <translation>AgentX 检索器中实体的权重。</translation>
    </message>
    <message>
        <source>Weight of facts in AgentX&apos;s retriever.</source>
        <translation>AgentX 检索器中事实的权重。</translation>
    </message>
    <message>
        <source>Weight of strategies in AgentX&apos;s retriever.</source>
        <translation>AgentX 检索器中策略的权重。</translation>
    </message>
    <message>
        <source>Weight of turns in AgentX&apos;s retriever.</source>
        <translation>AgentX 检索器中发言的权重。</translation>
    </message>
    <message>
        <source>Weight recency</source>
        <translation>新近权重</translation>
    </message>
    <message>
        <source>Weight strategies</source>
        <translation>策略权重</translation>
    </message>
    <message>
        <source>Weight turns</source>
        <translation>发言权重</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Well</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What AgenticX&apos;s policy takes when the model fails: its short snippets, or our extracts.</source>
        <translation>模型失败时 AgenticX 方案用什么：它的短片段，或我们的摘录。</translation>
    </message>
    <message>
        <source>What _global holds already</source>
        <translation>_global 中已有的内容</translation>
    </message>
    <message>
        <source>What a job retired is deleted this much later; 0 for never.</source>
        <translation>任务停用的内容在这么久之后删除；0 表示从不。</translation>
    </message>
    <message>
        <source>What a memory of this very moment gains over an old one (AgentX).</source>
        <translation>此刻的记忆比旧记忆多得的分（AgentX）。</translation>
    </message>
    <message>
        <source>What a model takes in, for callers that do not say (OpenLegion).</source>
        <translation>调用方未说明时，模型能接收的量（OpenLegion）。</translation>
    </message>
    <message>
        <source>What a repair would do</source>
        <translation>修复会做什么</translation>
    </message>
    <message>
        <source>What agents and people do next will stand here.</source>
        <translation>智能体和人接下来所做的会列在这里。</translation>
    </message>
    <message>
        <source>What an agent is told before a turn has so many tokens at most, unless it asks otherwise.</source>
        <translation>发言前告知智能体的内容最多这么多 token，除非它另有要求。</translation>
    </message>
    <message>
        <source>What an agent learned is held out of recall from this certainty on; above .65 only rules decide; 1 is never.</source>
        <translation>智能体学到的内容从此确定度起不参与召回；高于 .65 时仅由规则判定；1 表示从不。</translation>
    </message>
    <message>
        <source>What both began with</source>
        <translation>双方的起点</translation>
    </message>
    <message>
        <source>What came back</source>
        <translation>返回内容</translation>
    </message>
    <message>
        <source>What came of it</source>
        <translation>结果如何</translation>
    </message>
    <message>
        <source>What can be done…</source>
        <translation>可以怎么办…</translation>
    </message>
    <message>
        <source>What change {change} held was erased by change {erased_by}; erasing is for good.</source>
        <translation>更改 {change} 的内容已被更改 {erased_by} 擦除；擦除不可撤销。</translation>
    </message>
    <message>
        <source>What change {what} says or moved is not what was written: its title, its details or its edits.</source>
        <translation>更改 {what} 所说或所移动的与写入时不符：标题、详情或编辑。</translation>
    </message>
    <message>
        <source>What comes in</source>
        <translation>将导入的内容</translation>
    </message>
    <message>
        <source>What comes in, and where</source>
        <translation>导入什么，导入到哪里</translation>
    </message>
    <message>
        <source>What descends from it</source>
        <translation>由它派生的内容</translation>
    </message>
    <message>
        <source>What do the agents believe, why, and what should change? Ctrl+1 to Ctrl+7 go to the places.</source>
        <translation>智能体相信什么、为什么、应当改变什么？Ctrl+1 至 Ctrl+7 前往各个位置。</translation>
    </message>
    <message>
        <source>What fades</source>
        <translation>什么在淡忘</translation>
    </message>
    <message>
        <source>What fades later stands in the whole list.</source>
        <translation>更晚淡忘的在完整列表中。</translation>
    </message>
    <message>
        <source>What goes out</source>
        <translation>将导出的内容</translation>
    </message>
    <message>
        <source>What goes: {counts}.</source>
        <translation>将移除：{counts}。</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>会发生什么</translation>
    </message>
    <message>
        <source>What has changed since…</source>
        <translation>自此以后的变化…</translation>
    </message>
    <message>
        <source>What is asked</source>
        <translation>所问</translation>
    </message>
    <message>
        <source>What is asked from these sources is answered so at once. Every answer stands in the audit timeline and can be taken back; what a person pinned or wrote is still asked.</source>
        <translation>来自这些来源的问题会立即这样答复。每次答复都记入审计时间线，可以撤销；由人固定或写下的内容仍会询问。</translation>
    </message>
    <message>
        <source>What is chosen</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>What is different now</source>
        <translation>现在不同的内容</translation>
    </message>
    <message>
        <source>What is read from a workspace&apos;s files is not held out.</source>
        <translation>从工作区文件读来的内容不会被挡下。</translation>
    </message>
    <message>
        <source>What is right, or the error</source>
        <translation>正确的内容，或错误</translation>
    </message>
    <message>
        <source>What is spoken there: OpenAI&apos;s chat completions, as most servers do, or Anthropic&apos;s messages.</source>
        <translation>使用的协议：多数服务器采用的 OpenAI 对话补全，或 Anthropic 消息。</translation>
    </message>
    <message>
        <source>What is there</source>
        <translation>这里有什么</translation>
    </message>
    <message>
        <source>What is this?</source>
        <translation>这是什么？</translation>
    </message>
    <message>
        <source>What is true, in one sentence</source>
        <translation>用一句话写出事实</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What is wrong with this desk</source>
        <translation>此记忆台的问题</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>What it had acknowledged is kept; look whether this last call was, and try again.</source>
        <translation>它已确认的都保留着；请查看这最后一次调用是否已完成，再重试。</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>What it keeps</source>
        <translation>存放的内容</translation>
    </message>
    <message>
        <source>What it touches</source>
        <translation>牵涉的内容</translation>
    </message>
    <message>
        <source>What it was judged by</source>
        <translation>判断依据</translation>
    </message>
    <message>
        <source>What it would change</source>
        <translation>会更改的内容</translation>
    </message>
    <message>
        <source>What its layout has room for</source>
        <translation>其布局允许的上限</translation>
    </message>
    <message>
        <source>What jobs and agents may not decide alone is asked here, with both sides and their evidence.</source>
        <translation>任务和智能体不能自行决定的事在这里提出，双方及其证据并列。</translation>
    </message>
    <message>
        <source>What made it was taken back; the audit tells by whom and when.</source>
        <translation>创建它的更改已被撤销；审计会说明何人何时。</translation>
    </message>
    <message>
        <source>What should be remembered?</source>
        <translation>要记住什么？</translation>
    </message>
    <message>
        <source>What stands for them</source>
        <translation>取而代之的内容</translation>
    </message>
    <message>
        <source>What stays out</source>
        <translation>不导入的内容</translation>
    </message>
    <message>
        <source>What superseded it goes.</source>
        <translation>取代它的内容将被移除。</translation>
    </message>
    <message>
        <source>What the agent said, or the tool</source>
        <translation>智能体说的话，或工具</translation>
    </message>
    <message>
        <source>What the audit log keeps beside the journal, which is never off (AgentX).</source>
        <translation>除从不关闭的日志外，审计日志还保存什么（AgentX）。</translation>
    </message>
    <message>
        <source>What the goal hangs together with</source>
        <translation>与该目标相关的内容</translation>
    </message>
    <message>
        <source>What the job does with a fact that meets all three conditions: propose it, or promote it straight.</source>
        <translation>任务如何处理满足全部三个条件的事实：提议，或直接提升。</translation>
    </message>
    <message>
        <source>What the runtime said is not JSON.</source>
        <translation>运行环境发来的不是 JSON。</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>What to grant</source>
        <translation>授予什么</translation>
    </message>
    <message>
        <source>What to remember</source>
        <translation>要记住的内容</translation>
    </message>
    <message>
        <source>What turns text into vectors: the bundled table, a server, or a model in a folder. A change makes them anew.</source>
        <translation>把文字变成向量的方式：内置表、服务器或文件夹中的模型。更改后会重新计算。</translation>
    </message>
    <message>
        <source>What waits for you</source>
        <translation>等待你的事</translation>
    </message>
    <message>
        <source>What was asked holds bytes that are no text.</source>
        <translation>所问的内容含有不是文本的字节。</translation>
    </message>
    <message>
        <source>What was decided for good</source>
        <translation>一次定下的决定</translation>
    </message>
    <message>
        <source>What was recalled meanwhile stays in the log.</source>
        <translation>这期间的召回仍留在日志里。</translation>
    </message>
    <message>
        <source>What was said and done</source>
        <translation>说过和做过的</translation>
    </message>
    <message>
        <source>What was said and meant must be given.</source>
        <translation>必须给出所说的和所指的。</translation>
    </message>
    <message>
        <source>What was there is kept in {file}.</source>
        <translation>原有内容保存在 {file}。</translation>
    </message>
    <message>
        <source>What would bring it in</source>
        <translation>怎样才能召回它</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>When an agent&apos;s context fills up, MemDesk keeps its turns, stores the facts, and puts a summary in their place. Each time stands here with both its sides.</source>
        <translation>当智能体的上下文将满时，MemDesk 会保留发言、存下事实，并以摘要取代它们。每次压缩及其前后内容都列在这里。</translation>
    </message>
    <message>
        <source>When memories were first seen</source>
        <translation>记忆首次出现的时间</translation>
    </message>
    <message>
        <source>When to use it</source>
        <translation>何时使用</translation>
    </message>
    <message>
        <source>When two current facts cannot both be true: the newer wins, the older wins, or a person decides (AgentX).</source>
        <translation>两条现行事实不能同时为真时：新的优先、旧的优先，或由人决定（AgentX）。</translation>
    </message>
    <message>
        <source>When: {pattern}</source>
        <translation>适用于：{pattern}</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Where a reranker is served; empty for none.</source>
        <translation>重排器的服务地址；留空表示没有。</translation>
    </message>
    <message>
        <source>Where embeddings are served, for the embedder `server`.</source>
        <translation>嵌入服务的地址，用于嵌入模型 `server`。</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Where it was read</source>
        <translation>读取自何处</translation>
    </message>
    <message>
        <source>Where the language model is served, such as http://localhost:11434/v1; empty for none.</source>
        <translation>语言模型的服务地址，例如 http://localhost:11434/v1；留空表示没有。</translation>
    </message>
    <message>
        <source>Where to</source>
        <translation>写到哪里</translation>
    </message>
    <message>
        <source>Which</source>
        <translation>哪些</translation>
    </message>
    <message>
        <source>Which calls</source>
        <translation>哪些调用</translation>
    </message>
    <message>
        <source>Which embedding model to ask there.</source>
        <translation>在那里使用哪个嵌入模型。</translation>
    </message>
    <message>
        <source>Which files</source>
        <translation>哪些文件</translation>
    </message>
    <message>
        <source>Which goals</source>
        <translation>哪些目标</translation>
    </message>
    <message>
        <source>Which language model to ask there.</source>
        <translation>在那里使用哪个语言模型。</translation>
    </message>
    <message>
        <source>Which learnings</source>
        <translation>哪些经验教训</translation>
    </message>
    <message>
        <source>Which reranker to ask there.</source>
        <translation>在那里使用哪个重排器。</translation>
    </message>
    <message>
        <source>Which types</source>
        <translation>哪些类型</translation>
    </message>
    <message>
        <source>Which words Anthropic&apos;s memory tool answers with: its documentation&apos;s, or its Python SDK&apos;s.</source>
        <translation>Anthropic 记忆工具用哪种措辞回答：其文档的，或其 Python SDK 的。</translation>
    </message>
    <message>
        <source>Who did what, when and why. Choose a change to see before and after, and take it back.</source>
        <translation>谁在何时为何做了什么。选择一项更改，查看前后，并撤销它。</translation>
    </message>
    <message>
        <source>Who each agent is</source>
        <translation>每个智能体是谁</translation>
    </message>
    <message>
        <source>Who holds working memory</source>
        <translation>谁持有工作记忆</translation>
    </message>
    <message>
        <source>Who is my agent</source>
        <translation>我的智能体是谁</translation>
    </message>
    <message>
        <source>Who the agent of the newest folder is</source>
        <translation>最新文件夹的智能体是谁</translation>
    </message>
    <message>
        <source>Who {agent} is</source>
        <translation>{agent} 是谁</translation>
    </message>
    <message>
        <source>Whole call</source>
        <translation>完整调用</translation>
    </message>
    <message>
        <source>Whole days of the audit log are dropped after this long.</source>
        <translation>审计日志按天丢弃，过这么久之后。</translation>
    </message>
    <message>
        <source>Whose agents</source>
        <translation>哪些智能体</translation>
    </message>
    <message>
        <source>Whose memory</source>
        <translation>谁的记忆</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why it passed</source>
        <translation>为何通过</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>为什么没有</translation>
    </message>
    <message>
        <source>Why not… find a memory</source>
        <translation>为什么没有……查找一条记忆</translation>
    </message>
    <message>
        <source>Why this one, and why not that?</source>
        <translation>为什么是这条，而不是那条？</translation>
    </message>
    <message>
        <source>Why, if you like</source>
        <translation>原因（可不填）</translation>
    </message>
    <message>
        <source>Width of the inspector</source>
        <translation>详情栏宽度</translation>
    </message>
    <message>
        <source>With the journal</source>
        <translation>连同变更日志</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>撤回</translation>
    </message>
    <message>
        <source>Withdrawn from {agent}: {scope}</source>
        <translation>从 {agent} 撤回：{scope}</translation>
    </message>
    <message>
        <source>Withdrawn from {agent}: {what}</source>
        <translation>从 {agent} 撤回：{what}</translation>
    </message>
    <message>
        <source>Without a grant, an agent reads every channel of yours and writes into them; a claim for _global waits in review. It leaves alone what you or another agent wrote.</source>
        <translation>没有授权时，智能体可读取并写入您的所有频道；写往 _global 的陈述会等待审阅。它不会改动您或其他智能体所写的内容。</translation>
    </message>
    <message>
        <source>Without a source</source>
        <translation>没有来源</translation>
    </message>
    <message>
        <source>Without messages there is nothing to keep them with.</source>
        <translation>没有消息，就没有可依附之处。</translation>
    </message>
    <message>
        <source>Without your yes, agents are told this memory as quoted, not as true.</source>
        <translation>未经您同意，这些记忆会以引文形式提供给智能体，而不当作事实。</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Words alone answered.</source>
        <translation>仅凭词语应答。</translation>
    </message>
    <message>
        <source>Words beside meaning.</source>
        <translation>语义之外再用词语。</translation>
    </message>
    <message>
        <source>Words, vectors and counters agree with the rows.</source>
        <translation>词、向量和计数与各行一致。</translation>
    </message>
    <message>
        <source>Worked</source>
        <translation>成功率</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>工作记忆</translation>
    </message>
    <message>
        <source>Working megabytes</source>
        <translation>工作记忆大小</translation>
    </message>
    <message>
        <source>Working memory</source>
        <translation>工作记忆</translation>
    </message>
    <message>
        <source>Working memory lives this long after it was last used (AgentX).</source>
        <translation>工作记忆在最后一次使用后保留这么久（AgentX）。</translation>
    </message>
    <message>
        <source>Working memory, scratchpads and settings stay; vectors are made anew.</source>
        <translation>工作记忆、便笺和设置不会带走；向量会重新生成。</translation>
    </message>
    <message>
        <source>Working ttl seconds</source>
        <translation>工作记忆时长</translation>
    </message>
    <message>
        <source>Working turns</source>
        <translation>工作记忆发言数</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Would</source>
        <translation>会</translation>
    </message>
    <message>
        <source>Would be told {memories}, {tokens} of {budget} tokens</source>
        <translation>将告知 {memories}，{tokens} / {budget} 个词元</translation>
    </message>
    <message>
        <source>Would change nothing.</source>
        <translation>不会有任何更改。</translation>
    </message>
    <message>
        <source>Would make 1 change.</source>
        <translation>会有 1 处更改。</translation>
    </message>
    <message>
        <source>Would make {count} changes.</source>
        <translation>会有 {count} 处更改。</translation>
    </message>
    <message>
        <source>Write a day as 2026-01-31.</source>
        <translation>日期请写作 2026-01-31。</translation>
    </message>
    <message>
        <source>Write a day as 2026-05-01.</source>
        <translation>日期请写作 2026-05-01。</translation>
    </message>
    <message>
        <source>Write a day as 2026-11-30, or with a time as 2026-11-30 18:00.</source>
        <translation>日期写作 2026-11-30，带时间则写作 2026-11-30 18:00。</translation>
    </message>
    <message>
        <source>Write a day entry instead.</source>
        <translation>请改写日志条目。</translation>
    </message>
    <message>
        <source>Write an archive of everything, which an import brings back</source>
        <translation>写出包含全部内容的归档，可通过导入恢复</translation>
    </message>
    <message>
        <source>Write into _global</source>
        <translation>写入 _global</translation>
    </message>
    <message>
        <source>Write into one of its other files.</source>
        <translation>请写入它的其他文件之一。</translation>
    </message>
    <message>
        <source>Write it</source>
        <translation>写出</translation>
    </message>
    <message>
        <source>Write it as 2026-01-31.</source>
        <translation>请写成 2026-01-31 的形式。</translation>
    </message>
    <message>
        <source>Write it as a page that any browser shows</source>
        <translation>写成任何浏览器都能显示的网页</translation>
    </message>
    <message>
        <source>Write it first.</source>
        <translation>请先书写。</translation>
    </message>
    <message>
        <source>Write it in UTF-8.</source>
        <translation>请用 UTF-8 写。</translation>
    </message>
    <message>
        <source>Write less, or begin another note.</source>
        <translation>请少写一些，或另起一条便笺。</translation>
    </message>
    <message>
        <source>Write the claim first; then its effect shows here.</source>
        <translation>请先写下陈述；随后在此显示其效果。</translation>
    </message>
    <message>
        <source>Write the pinned strategies and facts of _global into its skills and instructions.</source>
        <translation>把 _global 中已固定的策略和事实写入它的技能和指令。</translation>
    </message>
    <message>
        <source>Write this path behind ListenStream= in memdesk.socket.</source>
        <translation>请在 memdesk.socket 中把此路径写在 ListenStream= 之后。</translation>
    </message>
    <message>
        <source>Write to</source>
        <translation>写到</translation>
    </message>
    <message>
        <source>Writes of one agent a minute; more are refused, with the time to wait; 0 for no limit (AgentX).</source>
        <translation>一个智能体每分钟的写入次数；超出的会被拒绝，并告知等待时间；0 表示不限（AgentX）。</translation>
    </message>
    <message>
        <source>Writes per day, {days} days</source>
        <translation>每日写入，{days} 天</translation>
    </message>
    <message>
        <source>Written by {names}</source>
        <translation>作者：{names}</translation>
    </message>
    <message>
        <source>Written to {path}.</source>
        <translation>已写入 {path}。</translation>
    </message>
    <message>
        <source>Written to {path}: {counts}.</source>
        <translation>已写入 {path}：{counts}。</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>有问题</translation>
    </message>
    <message>
        <source>Wrong project</source>
        <translation>项目不对</translation>
    </message>
    <message numerus="yes">
        <source>Wrote %Ln file(s) of skills and instructions</source>
        <translation>
            <numerusform>写入了 %Ln 个技能和指令文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Wrote {path}</source>
        <translation>写入了 {path}</translation>
    </message>
    <message>
        <source>YYYY-MM-DD</source>
        <translation>YYYY-MM-DD</translation>
    </message>
    <message>
        <source>YYYY-MM-DD HH:MM</source>
        <translation>YYYY-MM-DD HH:MM</translation>
    </message>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>You have answered this elsewhere, {when}.</source>
        <translation>你已在别处答复（{when}）。</translation>
    </message>
    <message>
        <source>You have decided about it since.</source>
        <translation>您此后已作出决定。</translation>
    </message>
    <message>
        <source>You last looked {when}</source>
        <translation>上次查看：{when}</translation>
    </message>
    <message>
        <source>You read this desk and change nothing in it. Ask one of its owners for another role.</source>
        <translation>您只能阅读此记忆台，不能作任何更改。如需其他角色，请联系其所有者。</translation>
    </message>
    <message>
        <source>You see what it was recognised as and what would be indexed before anything happens. Its files stay where they are.</source>
        <translation>在做任何事之前，您会先看到识别结果和将要索引的内容。文件留在原处。</translation>
    </message>
    <message>
        <source>Your goals and profile</source>
        <translation>您的目标和画像</translation>
    </message>
    <message>
        <source>Your last change stands here with its Undo. Ctrl+Z takes back whatever you try: so try things.</source>
        <translation>你最近的更改在这里，旁边是撤销。无论尝试什么，Ctrl+Z 都能撤销：放心试吧。</translation>
    </message>
    <message>
        <source>Your own desk</source>
        <translation>您自己的记忆台</translation>
    </message>
    <message>
        <source>Your own instruction for the extraction; the form of its answer follows. Empty for the built-in one (AgentX).</source>
        <translation>您自己的抽取指令；其后会附上答复格式。留空则用内置指令（AgentX）。</translation>
    </message>
    <message>
        <source>Your own instruction for the judgement; the form of its answer follows. Empty for the built-in one (AgentX).</source>
        <translation>您自己的判断指令；其后会附上答复格式。留空则用内置指令（AgentX）。</translation>
    </message>
    <message>
        <source>Your own instruction for the recap; the form of its answer follows. Empty for the built-in one (AgentX).</source>
        <translation>您自己的回顾指令；其后会附上答复格式。留空则用内置指令（AgentX）。</translation>
    </message>
    <message>
        <source>Your own instruction for the summary; the form of its answer follows. Empty for the built-in one (AgentX).</source>
        <translation>您自己的摘要指令；其后会附上答复格式。留空则用内置指令（AgentX）。</translation>
    </message>
    <message>
        <source>Your profile: {aspect}, {name}: {value}</source>
        <translation>您的画像：{aspect}，{name}：{value}</translation>
    </message>
    <message>
        <source>[picture: {words}]</source>
        <translation>[图片：{words}]</translation>
    </message>
    <message>
        <source>_global cannot be archived: every recall reads it.</source>
        <translation>_global 不能归档：每次召回都读它。</translation>
    </message>
    <message>
        <source>_global has another value for “{key}” already: “{claim}”.</source>
        <translation>_global 对“{key}”已有另一个值：“{claim}”。</translation>
    </message>
    <message>
        <source>_global holds it already.</source>
        <translation>_global 中已有。</translation>
    </message>
    <message>
        <source>_global holds nothing like it, and nothing to the contrary.</source>
        <translation>_global 中没有类似或相反的内容。</translation>
    </message>
    <message>
        <source>_global holds nothing like it.</source>
        <translation>_global 中没有类似的内容。</translation>
    </message>
    <message>
        <source>_global holds something like it:</source>
        <translation>_global 中有类似的内容：</translation>
    </message>
    <message>
        <source>_global holds this claim already, as {id}.</source>
        <translation>_global 已有此陈述：{id}。</translation>
    </message>
    <message>
        <source>_global holds this claim already.</source>
        <translation>_global 中已有此陈述。</translation>
    </message>
    <message>
        <source>_global holds this claim already:</source>
        <translation>_global 中已有此陈述：</translation>
    </message>
    <message>
        <source>_global is neither renamed nor merged.</source>
        <translation>_global 既不能改名也不能合并。</translation>
    </message>
    <message>
        <source>_global says otherwise ({why}): “{claim}”.</source>
        <translation>_global 的说法不同（{why}）：“{claim}”。</translation>
    </message>
    <message>
        <source>`after` is the `next` of the page before, as it came.</source>
        <translation>`after` 是上一页给出的 `next`，原样填写。</translation>
    </message>
    <message>
        <source>`format` must be one of {shapes}.</source>
        <translation>`format` 必须是以下之一：{shapes}。</translation>
    </message>
    <message>
        <source>`memdesk agents add NAME` makes an agent&apos;s; the owner&apos;s is in owner.token in the desk&apos;s folder.</source>
        <translation>`memdesk agents add NAME` 生成智能体的令牌；所有者的令牌在记忆台文件夹的 owner.token 中。</translation>
    </message>
    <message>
        <source>`memdesk agents` lists them.</source>
        <translation>`memdesk agents` 列出它们。</translation>
    </message>
    <message>
        <source>`memdesk backup list` shows them.</source>
        <translation>`memdesk backup list` 列出它们。</translation>
    </message>
    <message>
        <source>`memdesk backup list` shows those there are.</source>
        <translation>`memdesk backup list` 列出现有的备份。</translation>
    </message>
    <message>
        <source>`memdesk backup list` shows whether a backup has them; `memdesk backup restore NAME` brings it back.</source>
        <translation>`memdesk backup list` 显示备份中是否有它们；`memdesk backup restore NAME` 恢复备份。</translation>
    </message>
    <message>
        <source>`memdesk backup now` makes one.</source>
        <translation>`memdesk backup now` 制作一个备份。</translation>
    </message>
    <message>
        <source>`memdesk channels` lists them.</source>
        <translation>`memdesk channels` 列出它们。</translation>
    </message>
    <message>
        <source>`memdesk discover` finds agents on this machine.</source>
        <translation>`memdesk discover` 可查找本机上的智能体。</translation>
    </message>
    <message>
        <source>`memdesk discover` finds agents on this machine; `memdesk import PATH` brings one in.</source>
        <translation>`memdesk discover` 可查找本机上的智能体；`memdesk import PATH` 可导入一个。</translation>
    </message>
    <message>
        <source>`memdesk doctor --repair` shows what can be done, and does it with --yes.</source>
        <translation>`memdesk doctor --repair` 显示可以采取的措施，加上 --yes 即执行。</translation>
    </message>
    <message>
        <source>`memdesk doctor` says what can be done.</source>
        <translation>`memdesk doctor` 说明可以采取的措施。</translation>
    </message>
    <message>
        <source>`memdesk doctor` says what is wrong with it.</source>
        <translation>`memdesk doctor` 说明问题所在。</translation>
    </message>
    <message>
        <source>`memdesk doctor` says what is wrong, and what can be done.</source>
        <translation>`memdesk doctor` 说明问题所在以及可以采取的措施。</translation>
    </message>
    <message>
        <source>`memdesk import PATH --preview --lines` lists those that there are.</source>
        <translation>`memdesk import PATH --preview --lines` 列出现有的行。</translation>
    </message>
    <message>
        <source>`memdesk install` writes a new one, and `memdesk agents add NAME` shows one.</source>
        <translation>`memdesk install` 写入新的令牌，`memdesk agents add NAME` 显示一个令牌。</translation>
    </message>
    <message>
        <source>`memdesk notices` lists those that do.</source>
        <translation>`memdesk notices` 列出现有的通知。</translation>
    </message>
    <message>
        <source>`memdesk projects` lists them.</source>
        <translation>`memdesk projects` 列出它们。</translation>
    </message>
    <message>
        <source>`memdesk questions` lists them.</source>
        <translation>`memdesk questions` 会列出它们。</translation>
    </message>
    <message>
        <source>`memdesk secrets` lists them with their ids.</source>
        <translation>`memdesk secrets` 列出它们及其 id。</translation>
    </message>
    <message>
        <source>`memdesk secrets` lists them.</source>
        <translation>`memdesk secrets` 列出它们。</translation>
    </message>
    <message>
        <source>`memdesk status` lists them.</source>
        <translation>`memdesk status` 列出它们。</translation>
    </message>
    <message>
        <source>`memdesk status` says so.</source>
        <translation>`memdesk status` 会说明这一点。</translation>
    </message>
    <message>
        <source>`memdesk team list` lists the members.</source>
        <translation>`memdesk team list` 列出成员。</translation>
    </message>
    <message>
        <source>`memdesk verify` says what is wrong with the desk that was to be copied.</source>
        <translation>`memdesk verify` 会说明要复制的记忆台有什么问题。</translation>
    </message>
    <message>
        <source>`memdesk workspaces` lists them.</source>
        <translation>`memdesk workspaces` 列出它们。</translation>
    </message>
    <message>
        <source>`messages[{count}].content` must be text, a list of parts, or null.</source>
        <translation>`messages[{count}].content` 必须是文本、部分的列表或 null。</translation>
    </message>
    <message>
        <source>`messages[{count}]` has no role.</source>
        <translation>`messages[{count}]` 没有角色。</translation>
    </message>
    <message>
        <source>`{name}` was given twice.</source>
        <translation>`{name}` 给出了两次。</translation>
    </message>
    <message>
        <source>`{place}` holds a NUL character, which no text may.</source>
        <translation>`{place}` 含有 NUL 字符，任何文本都不得含有它。</translation>
    </message>
    <message>
        <source>`{place}` holds half a character (a lone surrogate).</source>
        <translation>`{place}` 含有半个字符（孤立的代理项）。</translation>
    </message>
    <message>
        <source>`{place}` is longer than {count} characters.</source>
        <translation>`{place}` 超过 {count} 个字符。</translation>
    </message>
    <message>
        <source>`{place}` is missing.</source>
        <translation>缺少 `{place}`。</translation>
    </message>
    <message>
        <source>`{place}` is too large a number.</source>
        <translation>`{place}` 的数值过大。</translation>
    </message>
    <message>
        <source>`{place}` lies outside the years 1 to 9999.</source>
        <translation>`{place}` 不在公元 1 年至 9999 年之间。</translation>
    </message>
    <message>
        <source>`{place}` must be a finite number.</source>
        <translation>`{place}` 必须是有限的数。</translation>
    </message>
    <message>
        <source>`{place}` must be one line without control characters.</source>
        <translation>`{place}` 必须是不含控制字符的一行。</translation>
    </message>
    <message>
        <source>`{place}` must be {must_be}.</source>
        <translation>`{place}` 必须是{must_be}。</translation>
    </message>
    <message>
        <source>`{place}` must not be empty.</source>
        <translation>`{place}` 不得为空。</translation>
    </message>
    <message>
        <source>`{place}`: {otherwise}.</source>
        <translation>`{place}`：{otherwise}。</translation>
    </message>
    <message>
        <source>a Hindsight archive</source>
        <translation>Hindsight 归档</translation>
    </message>
    <message>
        <source>a MemDesk archive</source>
        <translation>MemDesk 归档</translation>
    </message>
    <message>
        <source>a PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>a ZIP archive</source>
        <translation>ZIP 归档</translation>
    </message>
    <message>
        <source>a constraint, word for word</source>
        <translation>约束，逐字保留</translation>
    </message>
    <message>
        <source>a conversation</source>
        <translation>某个对话</translation>
    </message>
    <message>
        <source>a correction</source>
        <translation>一条更正</translation>
    </message>
    <message>
        <source>a day ago</source>
        <translation>一天前</translation>
    </message>
    <message>
        <source>a fact was made of it</source>
        <translation>已由它生成事实</translation>
    </message>
    <message>
        <source>a few lines of Python, MCP, or plain HTTP</source>
        <translation>几行 Python、MCP 或普通 HTTP</translation>
    </message>
    <message>
        <source>a group</source>
        <translation>群组</translation>
    </message>
    <message>
        <source>a knowledge graph</source>
        <translation>知识图谱</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本列表</translation>
    </message>
    <message>
        <source>a month ago</source>
        <translation>一个月前</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a number, 0 or more</source>
        <translation>不小于 0 的数字</translation>
    </message>
    <message>
        <source>a password or key</source>
        <translation>密码或密钥</translation>
    </message>
    <message>
        <source>a person</source>
        <translation>人</translation>
    </message>
    <message>
        <source>a session&apos;s facts</source>
        <translation>会话的事实</translation>
    </message>
    <message>
        <source>a sub-agent&apos;s memory of the scope {found}</source>
        <translation>子智能体的记忆，范围 {found}</translation>
    </message>
    <message>
        <source>a time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>a token, {term}</source>
        <translation>令牌，{term}</translation>
    </message>
    <message>
        <source>a tool&apos;s error</source>
        <translation>工具的错误</translation>
    </message>
    <message>
        <source>a week ago</source>
        <translation>一周前</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>abandoned</source>
        <translation>已放弃</translation>
    </message>
    <message>
        <source>about</source>
        <translation>关于</translation>
    </message>
    <message numerus="yes">
        <source>about %Ln minute(s)</source>
        <translation>
            <numerusform>约 %Ln 分钟</numerusform>
        </translation>
    </message>
    <message>
        <source>about “{words}”</source>
        <translation>关于“{words}”</translation>
    </message>
    <message>
        <source>act is one of {acts}.</source>
        <translation>act 应为以下之一：{acts}。</translation>
    </message>
    <message>
        <source>active</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>added {when}</source>
        <translation>{when}添加</translation>
    </message>
    <message>
        <source>adds</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>after an erasure</source>
        <translation>清除之后</translation>
    </message>
    <message>
        <source>after is the `next` of a page before.</source>
        <translation>after 是前一页的 `next`。</translation>
    </message>
    <message>
        <source>agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>agent {name}</source>
        <translation>智能体 {name}</translation>
    </message>
    <message>
        <source>agenticx</source>
        <translation>AgenticX</translation>
    </message>
    <message>
        <source>agenticx sessions</source>
        <translation>agenticx 会话</translation>
    </message>
    <message>
        <source>agentix</source>
        <translation>Agentix</translation>
    </message>
    <message>
        <source>agents recall it</source>
        <translation>智能体可召回</translation>
    </message>
    <message>
        <source>agentx</source>
        <translation>AgentX</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>all facts about the old flat → past, or: everything from Forge since Tuesday → quarantine</source>
        <translation>所有关于旧公寓的事实 → 已过去，或：Forge 自周二以来写的一切 → 隔离</translation>
    </message>
    <message>
        <source>all users</source>
        <translation>所有用户</translation>
    </message>
    <message>
        <source>all with vectors</source>
        <translation>均有向量</translation>
    </message>
    <message>
        <source>also known as</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>always for this source</source>
        <translation>对此来源始终如此</translation>
    </message>
    <message>
        <source>an AgentX export</source>
        <translation>AgentX 导出</translation>
    </message>
    <message>
        <source>an OpenClaw session</source>
        <translation>OpenClaw 会话</translation>
    </message>
    <message>
        <source>an OpenLegion database</source>
        <translation>OpenLegion 数据库</translation>
    </message>
    <message>
        <source>an SQLite database</source>
        <translation>SQLite 数据库</translation>
    </message>
    <message>
        <source>an answer without text</source>
        <translation>没有文本的回答</translation>
    </message>
    <message>
        <source>an avatar</source>
        <translation>分身</translation>
    </message>
    <message>
        <source>an hour ago</source>
        <translation>一小时前</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>另有 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more in the graph</source>
        <translation>
            <numerusform>图谱中还有 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more recall(s)</source>
        <translation>
            <numerusform>以及另外 %Ln 次召回</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more record(s)</source>
        <translation>
            <numerusform>还有 %Ln 条记录</numerusform>
        </translation>
    </message>
    <message>
        <source>another key, or altered data</source>
        <translation>密钥不同，或数据被改动</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>含有答案</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>已答复</translation>
    </message>
    <message>
        <source>answered with something else than an answer</source>
        <translation>给出的不是回答</translation>
    </message>
    <message>
        <source>answered without end</source>
        <translation>回答没有尽头</translation>
    </message>
    <message>
        <source>answered {status}</source>
        <translation>回答了 {status}</translation>
    </message>
    <message>
        <source>answered {status} ({reason})</source>
        <translation>回答了 {status}（{reason}）</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>答复</translation>
    </message>
    <message>
        <source>anthropic</source>
        <translation>Anthropic</translation>
    </message>
    <message>
        <source>any</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>any state</source>
        <translation>任意状态</translation>
    </message>
    <message>
        <source>apply</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>around {title}</source>
        <translation>围绕 {title}</translation>
    </message>
    <message>
        <source>as</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>as granted</source>
        <translation>按授权</translation>
    </message>
    <message>
        <source>as it is proposed</source>
        <translation>提议</translation>
    </message>
    <message>
        <source>as it says</source>
        <translation>按来源所示</translation>
    </message>
    <message>
        <source>as it stands</source>
        <translation>现状</translation>
    </message>
    <message>
        <source>as needed</source>
        <translation>按需</translation>
    </message>
    <message>
        <source>as recognised</source>
        <translation>自动识别</translation>
    </message>
    <message>
        <source>as the agent reads it</source>
        <translation>智能体读到的样子</translation>
    </message>
    <message>
        <source>ask as the agent would; nothing is recorded</source>
        <translation>像智能体那样提问；不留任何记录</translation>
    </message>
    <message>
        <source>asked</source>
        <translation>询问于</translation>
    </message>
    <message>
        <source>asked by {agent}</source>
        <translation>由 {agent} 提出</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>asked {when}, was told nothing</source>
        <translation>{when}提问，没有告知内容</translation>
    </message>
    <message>
        <source>asked {when}, was told {what}</source>
        <translation>{when}提问，告知了{what}</translation>
    </message>
    <message>
        <source>asking kept questions</source>
        <translation>正在提问保留的问题</translation>
    </message>
    <message>
        <source>asks</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>aspect</source>
        <translation>方面</translation>
    </message>
    <message>
        <source>aspect should be one of {aspects}.</source>
        <translation>aspect 应为以下之一：{aspects}。</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>at a day and time</source>
        <translation>在某日某时</translation>
    </message>
    <message>
        <source>at least {value}</source>
        <translation>至少 {value}</translation>
    </message>
    <message>
        <source>at most {number} a day</source>
        <translation>每天至多 {number} 次</translation>
    </message>
    <message>
        <source>audit_partitions</source>
        <translation>审计分段</translation>
    </message>
    <message>
        <source>author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>authorization</source>
        <translation>授权凭据</translation>
    </message>
    <message>
        <source>backup</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>because {why}</source>
        <translation>因为{why}</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>before a change to many</source>
        <translation>批量更改之前</translation>
    </message>
    <message>
        <source>before a repair</source>
        <translation>修复之前</translation>
    </message>
    <message>
        <source>before a restore</source>
        <translation>恢复之前</translation>
    </message>
    <message>
        <source>before an erasure</source>
        <translation>清除之前</translation>
    </message>
    <message>
        <source>before an import</source>
        <translation>导入之前</translation>
    </message>
    <message>
        <source>before an upgrade</source>
        <translation>升级之前</translation>
    </message>
    <message>
        <source>before {turns}</source>
        <translation>{turns}之前</translation>
    </message>
    <message>
        <source>began {when}</source>
        <translation>始于 {when}</translation>
    </message>
    <message>
        <source>bins lies between 1 and {count}.</source>
        <translation>bins 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>受阻</translation>
    </message>
    <message>
        <source>blocked by</source>
        <translation>受阻于</translation>
    </message>
    <message>
        <source>blocks of {name}</source>
        <translation>{name} 的块</translation>
    </message>
    <message>
        <source>boost</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>both</source>
        <translation>先后皆真</translation>
    </message>
    <message>
        <source>both go by “{common}”</source>
        <translation>两者都叫“{common}”</translation>
    </message>
    <message>
        <source>brings back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>名额</translation>
    </message>
    <message>
        <source>budget_tokens lies between 1 and {count}.</source>
        <translation>budget_tokens 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>bulk</source>
        <translation>批量</translation>
    </message>
    <message>
        <source>by</source>
        <translation>操作者</translation>
    </message>
    <message>
        <source>by channel</source>
        <translation>按频道</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>by is one of {by}, and limit lies between 1 and {count}.</source>
        <translation>by 应为以下之一：{by}，limit 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>by name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>by the settings as saved, not as tried</source>
        <translation>按已保存的设置，而非试用的设置</translation>
    </message>
    <message>
        <source>by {model}</source>
        <translation>由 {model} 生成</translation>
    </message>
    <message>
        <source>came from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>cannot</source>
        <translation>不可行</translation>
    </message>
    <message>
        <source>card number</source>
        <translation>卡号</translation>
    </message>
    <message>
        <source>categories</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>change {change} of the journal</source>
        <translation>日志中的变更 {change}</translation>
    </message>
    <message>
        <source>changed {when}</source>
        <translation>{when}更改</translation>
    </message>
    <message>
        <source>changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>频道</translation>
    </message>
    <message>
        <source>channel {name}</source>
        <translation>频道 {name}</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>频道</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>characters after</source>
        <translation>之后的字符数</translation>
    </message>
    <message>
        <source>characters before</source>
        <translation>之前的字符数</translation>
    </message>
    <message>
        <source>checkup</source>
        <translation>体检</translation>
    </message>
    <message>
        <source>chmod go-rwx {path}</source>
        <translation>chmod go-rwx {path}</translation>
    </message>
    <message>
        <source>chmod u+rwx {folder}</source>
        <translation>chmod u+rwx {folder}</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>claim</source>
        <translation>陈述</translation>
    </message>
    <message>
        <source>clashed, kept beside</source>
        <translation>有冲突，另行保留</translation>
    </message>
    <message>
        <source>cleanup</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已封存</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>comes back</source>
        <translation>回来</translation>
    </message>
    <message>
        <source>commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>comment</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>compact</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>compaction</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>compactions</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>compacts {size} from here</source>
        <translation>再过 {size}压缩</translation>
    </message>
    <message>
        <source>compared</source>
        <translation>比较中</translation>
    </message>
    <message>
        <source>compared with</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>concept</source>
        <translation>概念</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>confidence lies between 0 and 1.</source>
        <translation>confidence 应在 0 到 1 之间。</translation>
    </message>
    <message>
        <source>confidence {value}</source>
        <translation>置信度 {value}</translation>
    </message>
    <message>
        <source>confirm does not repeat user_id, so nothing was erased.</source>
        <translation>confirm 与 user_id 不一致，因此什么也没有擦除。</translation>
    </message>
    <message>
        <source>conflict</source>
        <translation>冲突</translation>
    </message>
    <message>
        <source>consolidate</source>
        <translation>巩固</translation>
    </message>
    <message>
        <source>consolidated</source>
        <translation>已巩固</translation>
    </message>
    <message>
        <source>constraint</source>
        <translation>约束</translation>
    </message>
    <message>
        <source>content is required</source>
        <translation>必须给出 content</translation>
    </message>
    <message>
        <source>contradicted</source>
        <translation>有矛盾</translation>
    </message>
    <message>
        <source>contradiction</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>contradicts</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>contrary: {reason}</source>
        <translation>相反：{reason}</translation>
    </message>
    <message>
        <source>conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>conversations</source>
        <translation>对话数</translation>
    </message>
    <message>
        <source>copied from a project</source>
        <translation>复制自某个项目</translation>
    </message>
    <message>
        <source>copy to _global</source>
        <translation>复制到 _global</translation>
    </message>
    <message>
        <source>core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>core, always in the prompt</source>
        <translation>核心，始终在提示词中</translation>
    </message>
    <message>
        <source>corrected as “{claim}”</source>
        <translation>更正为“{claim}”</translation>
    </message>
    <message>
        <source>correction</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>coverage</source>
        <translation>覆盖率</translation>
    </message>
    <message>
        <source>created by</source>
        <translation>创建者</translation>
    </message>
    <message>
        <source>crowded out</source>
        <translation>被挤出</translation>
    </message>
    <message>
        <source>csv</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>curator</source>
        <translation>管理者</translation>
    </message>
    <message>
        <source>current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M 月 d 日</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy 年 M 月 d 日</translation>
    </message>
    <message>
        <source>daily</source>
        <translation>每日</translation>
    </message>
    <message>
        <source>daily log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>date or status</source>
        <translation>日期或状态</translation>
    </message>
    <message>
        <source>day</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>days lies between 0 and {count}.</source>
        <translation>days 应在 0 到 {count} 之间。</translation>
    </message>
    <message>
        <source>days lies between 1 and {count}.</source>
        <translation>days 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>days_back lies between 1 and 366, days_ahead between 0 and 366.</source>
        <translation>days_back 应在 1 到 366 之间，days_ahead 应在 0 到 366 之间。</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <translation>M 月 d 日 ddd</translation>
    </message>
    <message>
        <source>ddd d MMM yyyy</source>
        <translation>yyyy年M 月 d 日 ddd</translation>
    </message>
    <message>
        <source>dddd d MMMM</source>
        <translation>M 月 d 日 dddd</translation>
    </message>
    <message>
        <source>dddd d MMMM yyyy</source>
        <translation>yyyy 年 M 月 d 日 dddd</translation>
    </message>
    <message>
        <source>dddd d MMMM yyyy, HH:mm:ss</source>
        <translation>yyyy 年 M 月 d 日 dddd HH:mm:ss</translation>
    </message>
    <message>
        <source>deadline</source>
        <translation>截止时间</translation>
    </message>
    <message>
        <source>decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>decided</source>
        <translation>已决定</translation>
    </message>
    <message>
        <source>decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>depth lies between 1 and {count}.</source>
        <translation>depth 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>derived from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>detail</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>dialect must be one of {words}.</source>
        <translation>dialect 必须是以下之一：{words}。</translation>
    </message>
    <message>
        <source>did not answer within {count} s</source>
        <translation>没有在 {count} 秒内回答</translation>
    </message>
    <message>
        <source>did not work</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>dismiss</source>
        <translation>驳回</translation>
    </message>
    <message>
        <source>diversity</source>
        <translation>每个对话的发言</translation>
    </message>
    <message>
        <source>docs</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>document</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>documents of {bank}</source>
        <translation>{bank} 的文档</translation>
    </message>
    <message>
        <source>does not fade</source>
        <translation>不会淡忘</translation>
    </message>
    <message>
        <source>does not lie between 0 and 1</source>
        <translation>不在 0 到 1 之间</translation>
    </message>
    <message>
        <source>doubtful</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>已丢弃</translation>
    </message>
    <message>
        <source>dropped without a summary</source>
        <translation>直接丢弃，无摘要</translation>
    </message>
    <message>
        <source>due {time}</source>
        <translation>截止 {time}</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>earlier text</source>
        <translation>较早的文本</translation>
    </message>
    <message>
        <source>edit both</source>
        <translation>编辑两者</translation>
    </message>
    <message>
        <source>embedder is onnx, but embedder_folder does not say where</source>
        <translation>embedder 是 onnx，但 embedder_folder 没有指明位置</translation>
    </message>
    <message>
        <source>embedder is server, but embedder_url and embedder_name do not say which</source>
        <translation>embedder 是 server，但 embedder_url 和 embedder_name 没有指明</translation>
    </message>
    <message>
        <source>embedder_folder names a folder that holds model.onnx.</source>
        <translation>embedder_folder 应指向包含 model.onnx 的文件夹。</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>ended {day}</source>
        <translation>{day} 结束</translation>
    </message>
    <message>
        <source>ended {time}</source>
        <translation>结束于 {time}</translation>
    </message>
    <message>
        <source>entities</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>entity</source>
        <translation>实体</translation>
    </message>
    <message>
        <source>entity_ids names 1 to {count} entities.</source>
        <translation>entity_ids 应指明 1 到 {count} 个实体。</translation>
    </message>
    <message>
        <source>entry of learnings</source>
        <translation>经验教训条目</translation>
    </message>
    <message>
        <source>erase</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>erase_secrets</source>
        <translation>抹除机密</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>event of the day</source>
        <translation>当天的事件</translation>
    </message>
    <message>
        <source>every channel</source>
        <translation>所有频道</translation>
    </message>
    <message>
        <source>everybody</source>
        <translation>所有人</translation>
    </message>
    <message>
        <source>existing</source>
        <translation>已有</translation>
    </message>
    <message>
        <source>expansion</source>
        <translation>扩展</translation>
    </message>
    <message>
        <source>explicit</source>
        <translation>明说</translation>
    </message>
    <message>
        <source>explicit: it was said outright</source>
        <translation>明确：直接说过</translation>
    </message>
    <message>
        <source>export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>extracted</source>
        <translation>抽取</translation>
    </message>
    <message>
        <source>extracts</source>
        <translation>摘录</translation>
    </message>
    <message>
        <source>extracts, no language model</source>
        <translation>摘录，未用语言模型</translation>
    </message>
    <message>
        <source>fact</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>facts</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>facts lies between 0 and {count}.</source>
        <translation>facts 应在 0 到 {count} 之间。</translation>
    </message>
    <message numerus="yes">
        <source>faded %Ln day(s) ago</source>
        <translation>
            <numerusform>%Ln 天前已淡忘</numerusform>
        </translation>
    </message>
    <message>
        <source>faded entities</source>
        <translation>淡忘的实体</translation>
    </message>
    <message>
        <source>faded facts</source>
        <translation>淡忘的事实</translation>
    </message>
    <message>
        <source>fades below {value}</source>
        <translation>低于 {value} 即淡忘</translation>
    </message>
    <message numerus="yes">
        <source>fades in %Ln day(s)</source>
        <translation>
            <numerusform>%Ln 天后淡忘</numerusform>
        </translation>
    </message>
    <message>
        <source>fades since it was learned</source>
        <translation>学到后一直在淡忘</translation>
    </message>
    <message>
        <source>fades soonest first</source>
        <translation>最快淡忘的在前</translation>
    </message>
    <message>
        <source>fades today</source>
        <translation>今天淡忘</translation>
    </message>
    <message>
        <source>fades {salience}</source>
        <translation>淡忘 {salience}</translation>
    </message>
    <message>
        <source>fading</source>
        <translation>淡忘</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>failed without a word</source>
        <translation>失败，未说明原因</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>finds it</source>
        <translation>能找到</translation>
    </message>
    <message>
        <source>first counts from 0 and limit lies between 1 and {count}.</source>
        <translation>first 从 0 算起，limit 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>first counts from 0, and limit lies between 0 and {count}.</source>
        <translation>first 从 0 算起，limit 应在 0 到 {count} 之间。</translation>
    </message>
    <message>
        <source>first is not negative, and limit lies between 1 and {count}.</source>
        <translation>first 不得为负，limit 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>first mentioned</source>
        <translation>首次提及</translation>
    </message>
    <message>
        <source>first seen {day}</source>
        <translation>首次出现于 {day}</translation>
    </message>
    <message>
        <source>first turn</source>
        <translation>首条发言</translation>
    </message>
    <message>
        <source>flag review</source>
        <translation>交人审阅</translation>
    </message>
    <message>
        <source>flagged</source>
        <translation>待审阅</translation>
    </message>
    <message>
        <source>floor</source>
        <translation>足够相关</translation>
    </message>
    <message>
        <source>flush</source>
        <translation>写出</translation>
    </message>
    <message>
        <source>flushes facts {size} from here</source>
        <translation>再过 {size}写出事实</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>folder for memory, still empty</source>
        <translation>存放记忆的文件夹，仍为空</translation>
    </message>
    <message>
        <source>folder of {layout}, now of {what}</source>
        <translation>{layout} 的文件夹，现在属于 {what}</translation>
    </message>
    <message>
        <source>followed by</source>
        <translation>其后为</translation>
    </message>
    <message>
        <source>following settings</source>
        <translation>跟随设置</translation>
    </message>
    <message>
        <source>forecast, {days}</source>
        <translation>预测，{days}</translation>
    </message>
    <message>
        <source>forgetting what expires</source>
        <translation>遗忘到期的内容</translation>
    </message>
    <message>
        <source>from {agents}</source>
        <translation>来自 {agents}</translation>
    </message>
    <message>
        <source>from {number}</source>
        <translation>自 {number} 起</translation>
    </message>
    <message>
        <source>from {source}</source>
        <translation>来自 {source}</translation>
    </message>
    <message>
        <source>from {was} to {now}: {text}</source>
        <translation>从第 {was} 位到第 {now} 位：{text}</translation>
    </message>
    <message>
        <source>front matter</source>
        <translation>文首元数据</translation>
    </message>
    <message>
        <source>future</source>
        <translation>将来</translation>
    </message>
    <message>
        <source>gave no answer ({name})</source>
        <translation>没有回答（{name}）</translation>
    </message>
    <message>
        <source>gives way</source>
        <translation>让位</translation>
    </message>
    <message>
        <source>goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>goals</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>goes</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>grant</source>
        <translation>授权</translation>
    </message>
    <message>
        <source>grants</source>
        <translation>授权</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图谱</translation>
    </message>
    <message>
        <source>h</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>has a name of more than {count} characters</source>
        <translation>有超过 {count} 个字符的名称</translation>
    </message>
    <message>
        <source>has faded</source>
        <translation>已淡忘</translation>
    </message>
    <message>
        <source>has goal</source>
        <translation>目标为</translation>
    </message>
    <message>
        <source>has no list of texts in `observations`</source>
        <translation>`observations` 中没有文本列表</translation>
    </message>
    <message>
        <source>has no proper address ({wrong})</source>
        <translation>没有正确的地址（{wrong}）</translation>
    </message>
    <message>
        <source>has no text in `{name}`</source>
        <translation>`{name}` 中没有文本</translation>
    </message>
    <message>
        <source>has turn</source>
        <translation>包含发言</translation>
    </message>
    <message>
        <source>heading</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>held</source>
        <translation>暂留</translation>
    </message>
    <message>
        <source>held out of recall</source>
        <translation>挡在召回之外</translation>
    </message>
    <message>
        <source>here</source>
        <translation>本频道</translation>
    </message>
    <message>
        <source>hindsight</source>
        <translation>Hindsight</translation>
    </message>
    <message>
        <source>hold it out of recall</source>
        <translation>使其不被召回</translation>
    </message>
    <message>
        <source>holds a NUL or half a character</source>
        <translation>含有 NUL 或半个字符</translation>
    </message>
    <message>
        <source>holds other JSON than it should</source>
        <translation>含有不该有的 JSON</translation>
    </message>
    <message>
        <source>hook</source>
        <translation>钩子</translation>
    </message>
    <message>
        <source>hops lies between 1 and {count}, limit between 1 and {drawn_at_most}.</source>
        <translation>hops 应在 1 到 {count} 之间，limit 应在 1 到 {drawn_at_most} 之间。</translation>
    </message>
    <message>
        <source>hours lies between 0 and {count}.</source>
        <translation>hours 应在 0 到 {count} 之间。</translation>
    </message>
    <message>
        <source>hybrid</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>hyde</source>
        <translation>HyDE</translation>
    </message>
    <message>
        <source>idle {time}</source>
        <translation>空闲 {time}</translation>
    </message>
    <message>
        <source>if rescued today</source>
        <translation>若今天挽救</translation>
    </message>
    <message>
        <source>implied</source>
        <translation>暗含</translation>
    </message>
    <message>
        <source>implied by what was said</source>
        <translation>由所说的话可知</translation>
    </message>
    <message>
        <source>import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>importance</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>importing</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>in</source>
        <translation>频道</translation>
    </message>
    <message>
        <source>in the summary</source>
        <translation>在摘要中</translation>
    </message>
    <message>
        <source>in the system&apos;s keyring</source>
        <translation>在系统密钥环中</translation>
    </message>
    <message>
        <source>in {channels}</source>
        <translation>在 {channels} 中</translation>
    </message>
    <message>
        <source>in {channel}</source>
        <translation>在 {channel}</translation>
    </message>
    <message>
        <source>in {time}</source>
        <translation>{time}后</translation>
    </message>
    <message>
        <source>in {took} ms</source>
        <translation>{took} 毫秒</translation>
    </message>
    <message>
        <source>indexed</source>
        <translation>已索引</translation>
    </message>
    <message>
        <source>indexing titles</source>
        <translation>为标题建立索引</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>inferred: it follows from something else</source>
        <translation>推断：由其他内容得出</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>inspect</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>instruction to the agent</source>
        <translation>给智能体的指令</translation>
    </message>
    <message>
        <source>instructions of the agent</source>
        <translation>智能体的指令</translation>
    </message>
    <message>
        <source>invisible characters</source>
        <translation>不可见字符</translation>
    </message>
    <message>
        <source>invoked</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>is answered</source>
        <translation>得到答复</translation>
    </message>
    <message>
        <source>is busy with {at_once} other questions</source>
        <translation>正忙于另外 {at_once} 个问题</translation>
    </message>
    <message>
        <source>is here</source>
        <translation>已在此</translation>
    </message>
    <message>
        <source>is left alone for {count} s more, since it failed: {reason}</source>
        <translation>在 {count} 秒内不再询问，因为它失败了：{reason}</translation>
    </message>
    <message>
        <source>is neither an entity nor a relation</source>
        <translation>既不是实体也不是关系</translation>
    </message>
    <message>
        <source>is new</source>
        <translation>是新的</translation>
    </message>
    <message>
        <source>is no finite number</source>
        <translation>不是有限的数</translation>
    </message>
    <message>
        <source>is not JSON</source>
        <translation>不是 JSON</translation>
    </message>
    <message>
        <source>is not JSON, or is torn</source>
        <translation>不是 JSON，或不完整</translation>
    </message>
    <message>
        <source>is not in use any more</source>
        <translation>已不再使用</translation>
    </message>
    <message>
        <source>is out of range</source>
        <translation>超出范围</translation>
    </message>
    <message>
        <source>is retired</source>
        <translation>被停用</translation>
    </message>
    <message>
        <source>it gave no reason</source>
        <translation>它没有说明原因</translation>
    </message>
    <message>
        <source>it has the memory provider {found}; set it to &apos;&apos; first</source>
        <translation>它已有记忆提供者 {found}；请先设为 &apos;&apos;</translation>
    </message>
    <message>
        <source>it holds .claude/{hidden}</source>
        <translation>其中有 .claude/{hidden}</translation>
    </message>
    <message>
        <source>it holds IDENTITY.md</source>
        <translation>它有 IDENTITY.md</translation>
    </message>
    <message>
        <source>it holds IDENTITY.md beside {upper}md</source>
        <translation>它在 {upper}md 旁有 IDENTITY.md</translation>
    </message>
    <message>
        <source>it holds INSTRUCTIONS.md and SOUL.md</source>
        <translation>它有 INSTRUCTIONS.md 和 SOUL.md</translation>
    </message>
    <message>
        <source>it holds TOOLS.md and SOUL.md</source>
        <translation>其中有 TOOLS.md 和 SOUL.md</translation>
    </message>
    <message>
        <source>it holds behaviour.md</source>
        <translation>其中有 behaviour.md</translation>
    </message>
    <message>
        <source>it holds knowledge for its agents</source>
        <translation>其中有供其智能体使用的知识</translation>
    </message>
    <message>
        <source>it holds no JSON object</source>
        <translation>其中没有 JSON 对象</translation>
    </message>
    <message>
        <source>it holds the files of a memory bank</source>
        <translation>其中有 memory bank 的文件</translation>
    </message>
    <message>
        <source>it holds the files of its scaffold</source>
        <translation>其中有它的脚手架文件</translation>
    </message>
    <message>
        <source>it holds the folder .learnings</source>
        <translation>其中有文件夹 .learnings</translation>
    </message>
    <message>
        <source>it holds the folder .obsidian</source>
        <translation>其中有文件夹 .obsidian</translation>
    </message>
    <message>
        <source>it holds the folder learnings</source>
        <translation>它有文件夹 learnings</translation>
    </message>
    <message>
        <source>it holds {found}</source>
        <translation>其中有 {found}</translation>
    </message>
    <message>
        <source>it holds {upper}.md</source>
        <translation>其中有 {upper}.md</translation>
    </message>
    <message>
        <source>it is a workspace in .openclaw</source>
        <translation>它是 .openclaw 中的工作区</translation>
    </message>
    <message>
        <source>it is called .a0proj</source>
        <translation>它名为 .a0proj</translation>
    </message>
    <message>
        <source>it is called .claude</source>
        <translation>它名为 .claude</translation>
    </message>
    <message>
        <source>it is called .clinerules</source>
        <translation>它名为 .clinerules</translation>
    </message>
    <message>
        <source>it is called .hermes</source>
        <translation>它名为 .hermes</translation>
    </message>
    <message>
        <source>it is called memories</source>
        <translation>它名为 memories</translation>
    </message>
    <message>
        <source>it is gone</source>
        <translation>它已不在</translation>
    </message>
    <message>
        <source>it is made for the memory of its agents</source>
        <translation>它用来存放其智能体的记忆</translation>
    </message>
    <message>
        <source>it is nested too deep</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>it is the folder world in a folder memory</source>
        <translation>它是文件夹 memory 中的文件夹 world</translation>
    </message>
    <message>
        <source>it is the workspace of {kind} in .agenticx</source>
        <translation>它是 .agenticx 中 {kind} 的工作区</translation>
    </message>
    <message>
        <source>it is {kind} in .agentix</source>
        <translation>它是 .agentix 中的 {kind}</translation>
    </message>
    <message>
        <source>it lies in .claude/projects</source>
        <translation>它位于 .claude/projects 中</translation>
    </message>
    <message>
        <source>it lies in .codex</source>
        <translation>它位于 .codex 中</translation>
    </message>
    <message>
        <source>it lies in .hermes</source>
        <translation>它位于 .hermes 中</translation>
    </message>
    <message>
        <source>it lies in .letta/agents</source>
        <translation>它位于 .letta/agents 中</translation>
    </message>
    <message>
        <source>it lies in agents and holds agent.yaml</source>
        <translation>它位于 agents 中且含有 agent.yaml</translation>
    </message>
    <message>
        <source>it lies in memory/agents and holds MEMORY.md or daily</source>
        <translation>它位于 memory/agents 中且含有 MEMORY.md 或 daily</translation>
    </message>
    <message>
        <source>it stands in {file}</source>
        <translation>已写入 {file}</translation>
    </message>
    <message>
        <source>it stays</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>it stays retired</source>
        <translation>保持停用</translation>
    </message>
    <message>
        <source>it stays where it is</source>
        <translation>留在原处</translation>
    </message>
    <message>
        <source>its `memory` is not a block of lines</source>
        <translation>其 `memory` 不是一段多行内容</translation>
    </message>
    <message>
        <source>its id, name or path</source>
        <translation>其编号、名称或路径</translation>
    </message>
    <message>
        <source>its memory is a FAISS index</source>
        <translation>它的记忆是 FAISS 索引</translation>
    </message>
    <message>
        <source>its name</source>
        <translation>其名称</translation>
    </message>
    <message>
        <source>its reply broke off</source>
        <translation>它的回答中断了</translation>
    </message>
    <message>
        <source>its reply was longer than allowed</source>
        <translation>它的回答超过了允许的长度</translation>
    </message>
    <message>
        <source>its {found} parts its entries by §</source>
        <translation>其中的 {found} 用 § 分隔条目</translation>
    </message>
    <message>
        <source>itself alone</source>
        <translation>仅其本身</translation>
    </message>
    <message>
        <source>job</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>job {name}</source>
        <translation>任务 {name}</translation>
    </message>
    <message>
        <source>jobs by the clock</source>
        <translation>按时钟运行的任务</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>keep_masked</source>
        <translation>继续遮蔽</translation>
    </message>
    <message>
        <source>keep_other</source>
        <translation>保留 A</translation>
    </message>
    <message>
        <source>keep_subject</source>
        <translation>保留 B</translation>
    </message>
    <message>
        <source>keeps</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>kept as fact</source>
        <translation>保留为事实</translation>
    </message>
    <message>
        <source>kept as it was found</source>
        <translation>按发现时原样保留</translation>
    </message>
    <message>
        <source>kept beside it, by {name}</source>
        <translation>旁存，来自 {name}</translation>
    </message>
    <message>
        <source>kept question</source>
        <translation>保留的问题</translation>
    </message>
    <message>
        <source>kept questions</source>
        <translation>保留的问题</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>key and value come together.</source>
        <translation>key 和 value 要一起给出。</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>kind is error or correction.</source>
        <translation>kind 是 error 或 correction。</translation>
    </message>
    <message>
        <source>kind should be one of {kinds}.</source>
        <translation>kind 应为以下之一：{kinds}。</translation>
    </message>
    <message>
        <source>known before</source>
        <translation>此前已知</translation>
    </message>
    <message>
        <source>knows</source>
        <translation>认识</translation>
    </message>
    <message>
        <source>label of a list</source>
        <translation>列表的引导语</translation>
    </message>
    <message>
        <source>last turn</source>
        <translation>末条发言</translation>
    </message>
    <message>
        <source>last used {time}</source>
        <translation>最近使用 {time}</translation>
    </message>
    <message>
        <source>last {time}</source>
        <translation>最近 {time}</translation>
    </message>
    <message>
        <source>last {when} by you</source>
        <translation>最近由你召回：{when}</translation>
    </message>
    <message>
        <source>last {when} by {name}</source>
        <translation>最近由 {name} 召回：{when}</translation>
    </message>
    <message>
        <source>latency_ms lies between 0 and {count}.</source>
        <translation>latency_ms 应在 0 到 {count} 之间。</translation>
    </message>
    <message>
        <source>later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>learned before {last}</source>
        <translation>{last} 之前学到</translation>
    </message>
    <message>
        <source>learned for every channel</source>
        <translation>为所有频道学到</translation>
    </message>
    <message>
        <source>learned from {first} to before {last}</source>
        <translation>{first} 起至 {last} 之前学到</translation>
    </message>
    <message>
        <source>learned since {first}</source>
        <translation>{first} 以来学到</translation>
    </message>
    <message>
        <source>learned {time}</source>
        <translation>学于 {time}</translation>
    </message>
    <message>
        <source>learning</source>
        <translation>正在学习</translation>
    </message>
    <message>
        <source>learnings</source>
        <translation>经验教训</translation>
    </message>
    <message>
        <source>leave both</source>
        <translation>两者都留</translation>
    </message>
    <message>
        <source>left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>left</source>
        <comment>a count</comment>
        <translation>剩余</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已略过</translation>
    </message>
    <message>
        <source>left out by you</source>
        <translation>由你略去</translation>
    </message>
    <message>
        <source>letta</source>
        <translation>Letta</translation>
    </message>
    <message>
        <source>letting go of models</source>
        <translation>释放模型</translation>
    </message>
    <message>
        <source>level {number}</source>
        <translation>第 {number} 层</translation>
    </message>
    <message>
        <source>like courses together</source>
        <translation>走势相似的排在一起</translation>
    </message>
    <message>
        <source>limit lies between 1 and {count}, days between 1 and {days}.</source>
        <translation>limit 应在 1 到 {count} 之间，days 应在 1 到 {days} 之间。</translation>
    </message>
    <message>
        <source>limit lies between 1 and {count}.</source>
        <translation>limit 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>limit must lie between 1 and {count}.</source>
        <translation>limit 必须在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>line {count} is not JSON</source>
        <translation>第 {count} 行不是 JSON</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>lines lies between 1 and {count}, days between 1 and {days}.</source>
        <translation>lines 应在 1 到 {count} 之间，days 应在 1 到 {days} 之间。</translation>
    </message>
    <message>
        <source>lines that were learned in this session, each once</source>
        <translation>本会话中学到的内容，每行一次</translation>
    </message>
    <message>
        <source>lines {first} to {last}</source>
        <translation>第 {first} 至 {last} 行</translation>
    </message>
    <message>
        <source>lines {numbers}</source>
        <translation>第 {numbers} 行</translation>
    </message>
    <message>
        <source>lives {time} after each use</source>
        <translation>每次使用后保留 {time}</translation>
    </message>
    <message>
        <source>local time</source>
        <translation>本地时间</translation>
    </message>
    <message>
        <source>located in</source>
        <translation>位于</translation>
    </message>
    <message>
        <source>location</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>locomo</source>
        <translation>LoCoMo</translation>
    </message>
    <message>
        <source>long-term</source>
        <translation>长期</translation>
    </message>
    <message>
        <source>long-term, always in the prompt</source>
        <translation>长期，始终在提示词中</translation>
    </message>
    <message numerus="yes">
        <source>longest gap %Ln day(s)</source>
        <translation>
            <numerusform>最长间隔 %Ln 天</numerusform>
        </translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>查找中……</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>lost: {text}</source>
        <translation>丢失：{text}</translation>
    </message>
    <message>
        <source>markdown file</source>
        <translation>Markdown 文件</translation>
    </message>
    <message>
        <source>markdown folder</source>
        <translation>Markdown 文件夹</translation>
    </message>
    <message>
        <source>mcp-memory</source>
        <translation>MCP 记忆</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>measured, forecast</source>
        <translation>实测、预测</translation>
    </message>
    <message>
        <source>median {median}, 95th {p95}</source>
        <translation>中位数 {median}，95 分位 {p95}</translation>
    </message>
    <message>
        <source>meets {asked}</source>
        <translation>满足 {asked}</translation>
    </message>
    <message>
        <source>mem0</source>
        <translation>mem0</translation>
    </message>
    <message>
        <source>mem0 history</source>
        <translation>mem0 历史</translation>
    </message>
    <message>
        <source>mem0 memories</source>
        <translation>mem0 记忆</translation>
    </message>
    <message>
        <source>mem0 notes</source>
        <translation>mem0 笔记</translation>
    </message>
    <message>
        <source>mem0&apos;s `history.db`: each memory as it was written last, with what it said before</source>
        <translation>mem0 的 `history.db`：每条记忆最后写成的样子，以及之前的说法</translation>
    </message>
    <message>
        <source>mem0&apos;s answers and platform exports (`.json`): memories, and the relations of its graph</source>
        <translation>mem0 的答复与平台导出（`.json`）：记忆，以及其图谱的关系</translation>
    </message>
    <message>
        <source>mem0, Zep, Letta, LangGraph, chats, plain Markdown</source>
        <translation>mem0、Zep、Letta、LangGraph、聊天记录、普通 Markdown</translation>
    </message>
    <message>
        <source>mem0’s memories, one JSON object</source>
        <translation>mem0 的记忆，一个 JSON 对象</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>memory has changed since; Enter asks again</source>
        <translation>记忆已变化；按 Enter 重新查询</translation>
    </message>
    <message>
        <source>memory must be one of {scopes}.</source>
        <translation>memory 必须是以下之一：{scopes}。</translation>
    </message>
    <message>
        <source>mentions</source>
        <translation>提及</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>已合并</translation>
    </message>
    <message>
        <source>merged into</source>
        <translation>并入</translation>
    </message>
    <message>
        <source>message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>messages after</source>
        <translation>之后的消息数</translation>
    </message>
    <message>
        <source>messages before</source>
        <translation>之前的消息数</translation>
    </message>
    <message>
        <source>met</source>
        <translation>满足</translation>
    </message>
    <message>
        <source>min</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message numerus="yes">
        <source>more than %Ln connection(s) not shown</source>
        <translation>
            <numerusform>还有超过 %Ln 个关联未显示</numerusform>
        </translation>
    </message>
    <message>
        <source>more than {count}</source>
        <translation>超过 {count}</translation>
    </message>
    <message>
        <source>most on {day}: {number}</source>
        <translation>{day} 最多：{number} 次</translation>
    </message>
    <message>
        <source>most recalled first</source>
        <translation>召回最多的在前</translation>
    </message>
    <message>
        <source>moved to</source>
        <translation>移至</translation>
    </message>
    <message>
        <source>moves</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>must find</source>
        <translation>必须找到</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>nearly the same name ({count})</source>
        <translation>名称几乎相同（{count}）</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>never seen</source>
        <translation>从未出现</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
    <message>
        <source>newer</source>
        <translation>较新</translation>
    </message>
    <message>
        <source>newest first</source>
        <translation>最新的在前</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no agent</source>
        <translation>无智能体</translation>
    </message>
    <message>
        <source>no answer since {age} s</source>
        <translation>{age} 秒没有应答</translation>
    </message>
    <message>
        <source>no day</source>
        <translation>不是日期</translation>
    </message>
    <message>
        <source>no duplicate that was not asked about yet</source>
        <translation>没有尚未询问过的重复</translation>
    </message>
    <message>
        <source>no end</source>
        <translation>无期限</translation>
    </message>
    <message>
        <source>no entities, facts or relations could be read in its reply</source>
        <translation>它的回答中读不出实体、事实或关系</translation>
    </message>
    <message>
        <source>no entries</source>
        <translation>没有记录</translation>
    </message>
    <message>
        <source>no line</source>
        <translation>无此行</translation>
    </message>
    <message>
        <source>no longer told: {expects}</source>
        <translation>不再告知：{expects}</translation>
    </message>
    <message>
        <source>no longer told: {text}</source>
        <translation>不再告知：{text}</translation>
    </message>
    <message>
        <source>no such day</source>
        <translation>没有这一天</translation>
    </message>
    <message>
        <source>no system is known by its files</source>
        <translation>没有系统能从其文件认出</translation>
    </message>
    <message>
        <source>no token</source>
        <translation>没有令牌</translation>
    </message>
    <message>
        <source>no type of task</source>
        <translation>未说明任务类型</translation>
    </message>
    <message>
        <source>no vectors</source>
        <translation>没有向量</translation>
    </message>
    <message>
        <source>no words</source>
        <translation>没有文字</translation>
    </message>
    <message>
        <source>nobody can reveal it</source>
        <translation>没有人能显示它</translation>
    </message>
    <message>
        <source>nodes lies between the number of entity_ids and {count}.</source>
        <translation>nodes 应在 entity_ids 的数目到 {count} 之间。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>none was read from these turns</source>
        <translation>没有从这些发言中读出事实</translation>
    </message>
    <message>
        <source>not asked again for a year</source>
        <translation>一年内不再询问</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>尚未提问</translation>
    </message>
    <message>
        <source>not found so</source>
        <translation>此方式未找到</translation>
    </message>
    <message>
        <source>not in this file</source>
        <translation>此文件中没有</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not met</source>
        <translation>未满足</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>not pinned</source>
        <translation>未固定</translation>
    </message>
    <message>
        <source>not said here</source>
        <translation>没有说过</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>not since the service started</source>
        <translation>服务启动以来没有</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚未</translation>
    </message>
    <message>
        <source>not yet known</source>
        <translation>尚未知晓</translation>
    </message>
    <message>
        <source>not_secret</source>
        <translation>不是机密</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>note, found by its passages</source>
        <translation>笔记，可按段落找到</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>nothing came of it</source>
        <translation>没有产生任何内容</translation>
    </message>
    <message>
        <source>nothing else hangs on it</source>
        <translation>没有其他内容与它相连</translation>
    </message>
    <message>
        <source>nothing hangs on it</source>
        <translation>没有附属内容</translation>
    </message>
    <message>
        <source>nothing has changed.</source>
        <translation>没有变化。</translation>
    </message>
    <message>
        <source>nothing in memory; this is not asked again</source>
        <translation>记忆不变；不会再问</translation>
    </message>
    <message>
        <source>nothing new</source>
        <translation>没有新内容</translation>
    </message>
    <message>
        <source>nothing to keep</source>
        <translation>无需保留</translation>
    </message>
    <message>
        <source>nothing today</source>
        <translation>今天没有</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>now told: {text}</source>
        <translation>现在告知：{text}</translation>
    </message>
    <message>
        <source>now “{claim}”</source>
        <translation>现为“{claim}”</translation>
    </message>
    <message>
        <source>of category {category}</source>
        <translation>类别为 {category}</translation>
    </message>
    <message>
        <source>of every folder</source>
        <translation>所有文件夹的</translation>
    </message>
    <message>
        <source>of {agent}</source>
        <translation>{agent} 的</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>one denies the other</source>
        <translation>一个否定另一个</translation>
    </message>
    <message>
        <source>one of the two</source>
        <translation>二者择一</translation>
    </message>
    <message>
        <source>one step, any time, also from the audit timeline</source>
        <translation>一步即可，随时可行，也可在审计时间线中进行</translation>
    </message>
    <message>
        <source>only should be one of {filters}, or left out.</source>
        <translation>only 应为以下之一：{filters}，或省略。</translation>
    </message>
    <message>
        <source>onnx</source>
        <translation>ONNX</translation>
    </message>
    <message>
        <source>onnxruntime is not installed.</source>
        <translation>没有安装 onnxruntime。</translation>
    </message>
    <message>
        <source>open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>open beside</source>
        <translation>在旁边打开</translation>
    </message>
    <message>
        <source>open task</source>
        <translation>未完成的任务</translation>
    </message>
    <message>
        <source>openai</source>
        <translation>OpenAI</translation>
    </message>
    <message>
        <source>openclaw session</source>
        <translation>openclaw 会话</translation>
    </message>
    <message>
        <source>openlegion</source>
        <translation>OpenLegion</translation>
    </message>
    <message>
        <source>organization</source>
        <translation>组织</translation>
    </message>
    <message>
        <source>other lines</source>
        <translation>其他行</translation>
    </message>
    <message>
        <source>other name</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>other names</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>other side</source>
        <translation>另一方</translation>
    </message>
    <message>
        <source>out of recall</source>
        <translation>不再被召回</translation>
    </message>
    <message>
        <source>outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>outcomes</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>overdue since {time}</source>
        <translation>自 {time} 起逾期</translation>
    </message>
    <message>
        <source>overdue, {day}</source>
        <translation>已逾期，{day}</translation>
    </message>
    <message>
        <source>owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>pages of the file</source>
        <translation>文件的数据页</translation>
    </message>
    <message>
        <source>part of</source>
        <translation>属于</translation>
    </message>
    <message>
        <source>part of the line above</source>
        <translation>上一行的延续</translation>
    </message>
    <message>
        <source>passage</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>passages</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>past</source>
        <translation>已过去</translation>
    </message>
    <message>
        <source>past the limit</source>
        <translation>超出上限</translation>
    </message>
    <message>
        <source>path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>patterns</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>patterns learned</source>
        <translation>学到的模式</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>person</source>
        <translation>人物</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>pinned, does not fade</source>
        <translation>已固定，不会淡忘</translation>
    </message>
    <message>
        <source>place in recall</source>
        <translation>召回中的位置</translation>
    </message>
    <message>
        <source>place {place}</source>
        <translation>第 {place} 位</translation>
    </message>
    <message>
        <source>pointer to a file</source>
        <translation>指向某个文件</translation>
    </message>
    <message>
        <source>policy</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>prefer new</source>
        <translation>新的优先</translation>
    </message>
    <message>
        <source>prefer old</source>
        <translation>旧的优先</translation>
    </message>
    <message>
        <source>preference</source>
        <translation>偏好</translation>
    </message>
    <message>
        <source>priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>priority lies between {lowest}, the least, and {highest}.</source>
        <translation>priority 应在 {lowest}（最低）到 {highest} 之间。</translation>
    </message>
    <message>
        <source>priority {number} of 5</source>
        <translation>优先级 {number}（共 5 级）</translation>
    </message>
    <message>
        <source>private key</source>
        <translation>私钥</translation>
    </message>
    <message>
        <source>product</source>
        <translation>产品</translation>
    </message>
    <message>
        <source>profile entries</source>
        <translation>画像条目</translation>
    </message>
    <message>
        <source>profile entry</source>
        <translation>画像条目</translation>
    </message>
    <message>
        <source>progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>projects</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>promote</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>promoted</source>
        <translation>已提升</translation>
    </message>
    <message>
        <source>promoted from</source>
        <translation>提升自</translation>
    </message>
    <message>
        <source>promoting</source>
        <translation>正在提升</translation>
    </message>
    <message>
        <source>promotion</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>properties</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>proposal</source>
        <translation>提议</translation>
    </message>
    <message>
        <source>proposals</source>
        <translation>提议</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>已提议</translation>
    </message>
    <message>
        <source>prose of a note</source>
        <translation>笔记的正文</translation>
    </message>
    <message>
        <source>purged</source>
        <translation>已清除</translation>
    </message>
    <message>
        <source>put off until</source>
        <translation>推迟到</translation>
    </message>
    <message>
        <source>python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>quarantine</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>quarantined</source>
        <translation>已隔离</translation>
    </message>
    <message>
        <source>question</source>
        <translation>只是提问</translation>
    </message>
    <message>
        <source>quote</source>
        <translation>引文</translation>
    </message>
    <message>
        <source>quotes</source>
        <translation>引用</translation>
    </message>
    <message>
        <source>rank {rank}</source>
        <translation>第 {rank} 名</translation>
    </message>
    <message>
        <source>ranking</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>reader</source>
        <translation>读者</translation>
    </message>
    <message>
        <source>reading the desk for damage</source>
        <translation>检查桌面是否损坏</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>召回</translation>
    </message>
    <message>
        <source>recalled</source>
        <translation>召回次数</translation>
    </message>
    <message numerus="yes">
        <source>recalled on %Ln day(s)</source>
        <translation>
            <numerusform>有 %Ln 天被召回</numerusform>
        </translation>
    </message>
    <message>
        <source>recalling</source>
        <translation>正在召回</translation>
    </message>
    <message>
        <source>recency</source>
        <translation>时近</translation>
    </message>
    <message>
        <source>records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>references</source>
        <translation>引用</translation>
    </message>
    <message>
        <source>refined as “{claim}”</source>
        <translation>细化为“{claim}”</translation>
    </message>
    <message>
        <source>related to</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>relation</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>relations</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>release</source>
        <translation>放行</translation>
    </message>
    <message>
        <source>renamed to</source>
        <translation>改名为</translation>
    </message>
    <message>
        <source>repeated</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>reply</source>
        <translation>答复</translation>
    </message>
    <message>
        <source>reports of sub-agents that nobody has read yet</source>
        <translation>尚无人读过的子智能体报告</translation>
    </message>
    <message>
        <source>rerank</source>
        <translation>重排器</translation>
    </message>
    <message>
        <source>reread</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>resources/list says what there is.</source>
        <translation>resources/list 列出现有的内容。</translation>
    </message>
    <message>
        <source>restored since</source>
        <translation>后来已恢复</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>retire</source>
        <translation>停用</translation>
    </message>
    <message>
        <source>retired</source>
        <translation>已停用</translation>
    </message>
    <message>
        <source>retires</source>
        <translation>停用</translation>
    </message>
    <message>
        <source>retiring</source>
        <translation>正在停用</translation>
    </message>
    <message>
        <source>review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>rewrites</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>row {key}</source>
        <translation>第 {key} 行</translation>
    </message>
    <message>
        <source>rrf</source>
        <translation>排名融合</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>said</source>
        <translation>说于</translation>
    </message>
    <message>
        <source>said already</source>
        <translation>已经说过</translation>
    </message>
    <message>
        <source>said elsewhere or left out</source>
        <translation>别处已说或已略去</translation>
    </message>
    <message>
        <source>said in a line above</source>
        <translation>上面的行已说过</translation>
    </message>
    <message>
        <source>salience</source>
        <translation>显著度</translation>
    </message>
    <message>
        <source>salience {value}</source>
        <translation>显著度 {value}</translation>
    </message>
    <message>
        <source>says</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>频道与类型</translation>
    </message>
    <message>
        <source>scores of texts that were not asked about</source>
        <translation>未询问的文本的分数</translation>
    </message>
    <message>
        <source>scores {score}</source>
        <translation>得分 {score}</translation>
    </message>
    <message>
        <source>scratchpad</source>
        <translation>便笺</translation>
    </message>
    <message>
        <source>scratchpad of {user}</source>
        <translation>{user} 的便笺</translation>
    </message>
    <message>
        <source>search</source>
        <translation>任一搜索方式</translation>
    </message>
    <message>
        <source>secret</source>
        <translation>机密</translation>
    </message>
    <message>
        <source>seed phrase</source>
        <translation>助记词</translation>
    </message>
    <message>
        <source>seen {day}</source>
        <translation>出现于 {day}</translation>
    </message>
    <message>
        <source>self_query</source>
        <translation>自查询</translation>
    </message>
    <message>
        <source>sentence {number}</source>
        <translation>第 {number} 句</translation>
    </message>
    <message>
        <source>sentences</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>separator</source>
        <translation>分隔线</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>service token</source>
        <translation>服务令牌</translation>
    </message>
    <message>
        <source>session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>set {time}</source>
        <translation>设于 {time}</translation>
    </message>
    <message>
        <source>short snippets, no language model</source>
        <translation>短片段，未用语言模型</translation>
    </message>
    <message>
        <source>show it again</source>
        <translation>重新显示</translation>
    </message>
    <message>
        <source>side is one of {sides}.</source>
        <translation>side 应为以下之一：{sides}。</translation>
    </message>
    <message>
        <source>since {time}</source>
        <translation>自 {time}</translation>
    </message>
    <message>
        <source>since {when}</source>
        <translation>自 {when} 起</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>snippets</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>something that is no file took its place</source>
        <translation>有不是文件的东西占了它的位置</translation>
    </message>
    <message>
        <source>sort should be one of {sorts}.</source>
        <translation>sort 应为以下之一：{sorts}。</translation>
    </message>
    <message>
        <source>source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>source_kind should be one of {sources}.</source>
        <translation>source_kind 应为以下之一：{sources}。</translation>
    </message>
    <message>
        <source>speaker</source>
        <translation>说话者</translation>
    </message>
    <message>
        <source>sqlite-vec is loaded.</source>
        <translation>sqlite-vec 已加载。</translation>
    </message>
    <message>
        <source>standing decision</source>
        <translation>长期决定</translation>
    </message>
    <message>
        <source>standing decisions</source>
        <translation>长期决定</translation>
    </message>
    <message>
        <source>start of a session</source>
        <translation>会话开始</translation>
    </message>
    <message>
        <source>state is one of {states}.</source>
        <translation>state 应为以下之一：{states}。</translation>
    </message>
    <message>
        <source>state of a {kind} should be one of {list}.</source>
        <translation>{kind}的 state 应为以下之一：{list}。</translation>
    </message>
    <message>
        <source>state should be one of {list}.</source>
        <translation>state 应为以下之一：{list}。</translation>
    </message>
    <message>
        <source>state should be one of {states}, {later}, all.</source>
        <translation>state 应为以下之一：{states}、{later}、all。</translation>
    </message>
    <message>
        <source>state should be one of {states}.</source>
        <translation>state 应为以下之一：{states}。</translation>
    </message>
    <message>
        <source>static</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>status should be one of {ends}.</source>
        <translation>status 应为以下之一：{ends}。</translation>
    </message>
    <message>
        <source>stays</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>stays until it is forgotten</source>
        <translation>保留到被忘掉为止</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>steps back</source>
        <translation>让位</translation>
    </message>
    <message>
        <source>steps back: its conversation has its turns already</source>
        <translation>让位：其对话的发言已够</translation>
    </message>
    <message>
        <source>stopped here</source>
        <translation>止于此处</translation>
    </message>
    <message>
        <source>store</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>straight</source>
        <translation>直接</translation>
    </message>
    <message>
        <source>strategies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>strongest first</source>
        <translation>最强的在前</translation>
    </message>
    <message>
        <source>struck out</source>
        <translation>已划掉</translation>
    </message>
    <message>
        <source>subgoal of</source>
        <translation>子目标属于</translation>
    </message>
    <message>
        <source>succeeded in</source>
        <translation>成功于</translation>
    </message>
    <message>
        <source>success</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>suggestion</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>superseded</source>
        <translation>被取代</translation>
    </message>
    <message>
        <source>superseded by</source>
        <translation>被取代于</translation>
    </message>
    <message>
        <source>supersedes</source>
        <translation>取代</translation>
    </message>
    <message>
        <source>swept</source>
        <translation>已清扫</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>systemd passed another socket than {path}.</source>
        <translation>systemd 传来的套接字不是 {path}。</translation>
    </message>
    <message>
        <source>table head</source>
        <translation>表头</translation>
    </message>
    <message>
        <source>table rule</source>
        <translation>表格分隔线</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>tagged {tags}</source>
        <translation>标签为 {tags}</translation>
    </message>
    <message>
        <source>tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>taken back</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>taken out as asked</source>
        <translation>按要求不保留</translation>
    </message>
    <message>
        <source>takes in an earlier summary</source>
        <translation>包含更早的摘要</translation>
    </message>
    <message>
        <source>talking</source>
        <translation>正在对话</translation>
    </message>
    <message>
        <source>task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>technology</source>
        <translation>技术</translation>
    </message>
    <message>
        <source>tells</source>
        <translation>告知</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>temporal</source>
        <translation>现在有效</translation>
    </message>
    <message>
        <source>temporal should be one of {temporal}, or left out.</source>
        <translation>temporal 应为以下之一：{temporal}，或省略。</translation>
    </message>
    <message>
        <source>temporal should be one of {temporal}.</source>
        <translation>temporal 应为以下之一：{temporal}。</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>texts</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>that are {state}</source>
        <translation>状态为 {state}</translation>
    </message>
    <message>
        <source>the archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>the channel {channel}</source>
        <translation>频道 {channel}</translation>
    </message>
    <message>
        <source>the clock</source>
        <translation>定时</translation>
    </message>
    <message>
        <source>the correction of a strategy</source>
        <translation>对策略的更正</translation>
    </message>
    <message>
        <source>the correction of {memory}</source>
        <translation>对 {memory} 的更正</translation>
    </message>
    <message>
        <source>the disk took only a part of it</source>
        <translation>磁盘只接受了一部分</translation>
    </message>
    <message>
        <source>the entry of the profile</source>
        <translation>画像的条目</translation>
    </message>
    <message>
        <source>the figures of the entire desk</source>
        <translation>整个记忆台的数字</translation>
    </message>
    <message>
        <source>the file as it is</source>
        <translation>现有文件</translation>
    </message>
    <message>
        <source>the file is read-only</source>
        <translation>文件是只读的</translation>
    </message>
    <message>
        <source>the first version that was kept</source>
        <translation>保留的第一个版本</translation>
    </message>
    <message>
        <source>the first {shown} of {many}</source>
        <translation>{many}中的前 {shown} 个</translation>
    </message>
    <message>
        <source>the folder is away</source>
        <translation>文件夹不在</translation>
    </message>
    <message>
        <source>the invitation</source>
        <translation>邀请</translation>
    </message>
    <message numerus="yes">
        <source>the last %Ln message(s) stay as they are</source>
        <translation>
            <numerusform>最后 %Ln 条消息保持原样</numerusform>
        </translation>
    </message>
    <message>
        <source>the latest {shown} of {many}</source>
        <translation>{many} 个中最近的 {shown} 个</translation>
    </message>
    <message>
        <source>the lines of {file}</source>
        <translation>{file} 中的行</translation>
    </message>
    <message>
        <source>the main agent</source>
        <translation>主智能体</translation>
    </message>
    <message>
        <source>the main agent&apos;s memories</source>
        <translation>主智能体的记忆</translation>
    </message>
    <message>
        <source>the memory of the user {user}</source>
        <translation>用户 {user} 的记忆</translation>
    </message>
    <message>
        <source>the name, letter by letter</source>
        <translation>逐字输入名称</translation>
    </message>
    <message>
        <source>the new entry of a day</source>
        <translation>当天的新条目</translation>
    </message>
    <message>
        <source>the new fact from a line</source>
        <translation>由一行新建的事实</translation>
    </message>
    <message>
        <source>the newer claim adds “{what}”</source>
        <translation>较新的陈述增加了“{what}”</translation>
    </message>
    <message>
        <source>the newer claim takes back “{gone}”</source>
        <translation>较新的陈述收回了“{gone}”</translation>
    </message>
    <message numerus="yes">
        <source>the newest %Ln shown</source>
        <translation>
            <numerusform>显示最新 %Ln 条</numerusform>
        </translation>
    </message>
    <message>
        <source>the newest {compactions}</source>
        <translation>最近 {compactions}</translation>
    </message>
    <message>
        <source>the one before</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>the same claim in other words</source>
        <translation>同一陈述，只是措辞不同</translation>
    </message>
    <message>
        <source>the same claim, said twice</source>
        <translation>同一陈述说了两次</translation>
    </message>
    <message>
        <source>the same in other words</source>
        <translation>换了说法的同一内容</translation>
    </message>
    <message>
        <source>the same name but for case, width or punctuation</source>
        <translation>除大小写、宽度或标点外名称相同</translation>
    </message>
    <message>
        <source>the same text</source>
        <translation>文本相同</translation>
    </message>
    <message>
        <source>the system&apos;s keyring</source>
        <translation>系统的钥匙串</translation>
    </message>
    <message>
        <source>the table {table}</source>
        <translation>表 {table}</translation>
    </message>
    <message>
        <source>the text beside it</source>
        <translation>旁存的文本</translation>
    </message>
    <message>
        <source>the time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>the transcript cannot be read ({what})</source>
        <translation>无法读取对话记录（{what}）</translation>
    </message>
    <message>
        <source>they do not clash</source>
        <translation>并不矛盾</translation>
    </message>
    <message>
        <source>this desk’s own user</source>
        <translation>本记忆台的用户</translation>
    </message>
    <message>
        <source>thresholds at that moment</source>
        <translation>当时的阈值</translation>
    </message>
    <message>
        <source>tiers recalls facts, which these kinds leave out.</source>
        <translation>tiers 召回事实，而这些种类不含事实。</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>to review</source>
        <translation>待审阅</translation>
    </message>
    <message>
        <source>today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>token_counts are numbers of tokens, none of them negative.</source>
        <translation>token_counts 是词元数，不能为负。</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>tokens after</source>
        <translation>之后的词元数</translation>
    </message>
    <message>
        <source>tokens before</source>
        <translation>之前的词元数</translation>
    </message>
    <message>
        <source>tokens before → after</source>
        <translation>词元 前 → 后</translation>
    </message>
    <message>
        <source>told</source>
        <translation>告知</translation>
    </message>
    <message numerus="yes">
        <source>told %Ln time(s) today</source>
        <translation>
            <numerusform>今日告知 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>told before it</source>
        <translation>此前有告知</translation>
    </message>
    <message>
        <source>told by {agent}</source>
        <translation>由 {agent} 告知</translation>
    </message>
    <message>
        <source>too little to do with it</source>
        <translation>关联太弱</translation>
    </message>
    <message>
        <source>took</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>transcript</source>
        <translation>聊天记录</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>trust</source>
        <translation>信任</translation>
    </message>
    <message>
        <source>trusted</source>
        <translation>受信任</translation>
    </message>
    <message>
        <source>ttl_minutes lies between 0 and 525,600.</source>
        <translation>ttl_minutes 应在 0 到 525,600 之间。</translation>
    </message>
    <message>
        <source>ttl_seconds lies between 1 and {count}.</source>
        <translation>ttl_seconds 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>发言</translation>
    </message>
    <message>
        <source>turn {number}</source>
        <translation>发言 {number}</translation>
    </message>
    <message numerus="yes">
        <source>turn(s) {which}</source>
        <translation>
            <numerusform>第 {which} 条发言</numerusform>
        </translation>
    </message>
    <message>
        <source>turn_index counts from 0, to {count} at most.</source>
        <translation>turn_index 从 0 算起，最大 {count}。</translation>
    </message>
    <message>
        <source>turn_index is a turn of conversation_id.</source>
        <translation>turn_index 是 conversation_id 的一条发言。</translation>
    </message>
    <message>
        <source>turn_index needs its conversation_id.</source>
        <translation>turn_index 需要其 conversation_id。</translation>
    </message>
    <message>
        <source>turns</source>
        <translation>发言</translation>
    </message>
    <message>
        <source>turns read by rules</source>
        <translation>由规则读取的发言</translation>
    </message>
    <message>
        <source>turns to read</source>
        <translation>待读的发言</translation>
    </message>
    <message>
        <source>turns {count} to {what}</source>
        <translation>第 {count} 到 {what} 条发言</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>uncertain</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>uncertain: heard, or guessed</source>
        <translation>不确定：听说或猜测</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>until tomorrow</source>
        <translation>明天再说</translation>
    </message>
    <message>
        <source>until {when}</source>
        <translation>至 {when}</translation>
    </message>
    <message>
        <source>update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>updating</source>
        <translation>正在更新</translation>
    </message>
    <message>
        <source>used its tools {when}</source>
        <translation>{when}使用了它的工具</translation>
    </message>
    <message>
        <source>used tool</source>
        <translation>用过工具</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>uses tool</source>
        <translation>使用工具</translation>
    </message>
    <message>
        <source>utc_offset_minutes lies within a day.</source>
        <translation>utc_offset_minutes 不得超过一天。</translation>
    </message>
    <message>
        <source>valid from</source>
        <translation>有效自</translation>
    </message>
    <message>
        <source>valid to</source>
        <translation>有效至</translation>
    </message>
    <message>
        <source>valid_to lies before valid_from.</source>
        <translation>valid_to 早于 valid_from。</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>vectors</source>
        <translation>向量</translation>
    </message>
    <message>
        <source>verb should be one of {verbs}.</source>
        <translation>verb 应为以下之一：{verbs}。</translation>
    </message>
    <message>
        <source>verbose</source>
        <translation>详细</translation>
    </message>
    <message>
        <source>verify</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>was called</source>
        <translation>被调用</translation>
    </message>
    <message>
        <source>watching the socket</source>
        <translation>看守套接字</translation>
    </message>
    <message>
        <source>watching workspaces</source>
        <translation>看守工作区</translation>
    </message>
    <message>
        <source>way of fading</source>
        <translation>淡忘的方式</translation>
    </message>
    <message>
        <source>webhook</source>
        <translation>Webhook 地址</translation>
    </message>
    <message>
        <source>week of {day}</source>
        <translation>{day}所在的一周</translation>
    </message>
    <message>
        <source>weighted</source>
        <translation>加权</translation>
    </message>
    <message>
        <source>what it waited for</source>
        <translation>它所等待的</translation>
    </message>
    <message>
        <source>what you wrote about a goal</source>
        <translation>你为目标写下的内容</translation>
    </message>
    <message>
        <source>what you wrote about a learning</source>
        <translation>您所写的经验教训</translation>
    </message>
    <message>
        <source>what you wrote into working memory</source>
        <translation>你写入工作记忆的内容</translation>
    </message>
    <message>
        <source>when to use it</source>
        <translation>适用于</translation>
    </message>
    <message>
        <source>where the tools of the session work</source>
        <translation>本会话的工具在何处工作</translation>
    </message>
    <message>
        <source>will be</source>
        <translation>将执行</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>window_tokens lies between 1 and {count}.</source>
        <translation>window_tokens 应在 1 到 {count} 之间。</translation>
    </message>
    <message>
        <source>with confidence below {limit}</source>
        <translation>置信度低于 {limit}</translation>
    </message>
    <message>
        <source>with {count} more facts it would be longer than its {budget} characters.</source>
        <translation>再加 {count} 条事实，它会超过其 {budget} 个字符。</translation>
    </message>
    <message>
        <source>with {tool}</source>
        <translation>使用 {tool}</translation>
    </message>
    <message>
        <source>without words</source>
        <translation>无说明</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>worked</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>worked again</source>
        <translation>再次成功</translation>
    </message>
    <message>
        <source>worked in {worked} of {count} conversations</source>
        <translation>在 {count} 个对话中的 {worked} 个里成功</translation>
    </message>
    <message>
        <source>worked {share}</source>
        <translation>有效 {share}</translation>
    </message>
    <message>
        <source>works for</source>
        <translation>就职于</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>workspace {name}</source>
        <translation>工作区 {name}</translation>
    </message>
    <message>
        <source>workspace, always in the prompt</source>
        <translation>工作区，始终在提示词中</translation>
    </message>
    <message>
        <source>workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>would go into A</source>
        <translation>将并入 A</translation>
    </message>
    <message>
        <source>would score {score}</source>
        <translation>将得分 {score}</translation>
    </message>
    <message>
        <source>write</source>
        <translation>书写</translation>
    </message>
    <message>
        <source>write one claim</source>
        <translation>写一条陈述</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>writes {channel}</source>
        <translation>可写 {channel}</translation>
    </message>
    <message>
        <source>writes {files}</source>
        <translation>写入 {files}</translation>
    </message>
    <message>
        <source>written {time}</source>
        <translation>写于 {time}</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
    <message>
        <source>you can reveal it</source>
        <translation>您可以显示它</translation>
    </message>
    <message>
        <source>you said so</source>
        <translation>由您指定</translation>
    </message>
    <message>
        <source>{act} needs {name}.</source>
        <translation>{act} 需要 {name}。</translation>
    </message>
    <message>
        <source>{act} takes another number of memories.</source>
        <translation>{act} 所需的记忆条数与此不符。</translation>
    </message>
    <message>
        <source>{act}: a {kind} has no such action, or it is done already.</source>
        <translation>{act}：{kind}没有此操作，或已经完成。</translation>
    </message>
    <message>
        <source>{act}: {title}</source>
        <translation>{act}：{title}</translation>
    </message>
    <message>
        <source>{added} lines come, {removed} go</source>
        <translation>新增 {added} 行，删去 {removed} 行</translation>
    </message>
    <message>
        <source>{address} is not the address of a desk&apos;s service.</source>
        <translation>{address} 不是记忆台服务的地址。</translation>
    </message>
    <message>
        <source>{agents}, in every channel; the fact stays in {channel} too</source>
        <translation>{agents}，在所有频道；事实也留在 {channel}</translation>
    </message>
    <message>
        <source>{agent} began the memory of the user {user_id}</source>
        <translation>{agent} 开始了用户 {user_id} 的记忆</translation>
    </message>
    <message>
        <source>{agent} has read {count} times in a minute, as often as it may.</source>
        <translation>{agent} 一分钟内已读取 {count} 次，达到上限。</translation>
    </message>
    <message>
        <source>{agent} has this grant already.</source>
        <translation>{agent} 已有此授权。</translation>
    </message>
    <message>
        <source>{agent} has written {count} times in a minute, as often as it may.</source>
        <translation>{agent} 一分钟内已写入 {count} 次，达到上限。</translation>
    </message>
    <message>
        <source>{agent} has {facts} facts; {files} files of it were read, as {layout} keeps them.</source>
        <translation>{agent} 有 {facts} 条事实；按 {layout} 的存放方式读取了它的 {files} 个文件。</translation>
    </message>
    <message>
        <source>{agent} keeps no {file} on this desk.</source>
        <translation>{agent} 在此记忆台上没有 {file}。</translation>
    </message>
    <message>
        <source>{agent} works through the service, without a folder on this desk. Facts of it: {facts}.</source>
        <translation>{agent} 通过服务工作，在此记忆台上没有文件夹。它的事实：{facts} 条。</translation>
    </message>
    <message>
        <source>{agent}, {doing}</source>
        <translation>{agent}，{doing}</translation>
    </message>
    <message>
        <source>{agent}: {scope}</source>
        <translation>{agent}：{scope}</translation>
    </message>
    <message>
        <source>{all} in {days} days, {today} today</source>
        <translation>{days} 天 {all} 次，今天 {today} 次</translation>
    </message>
    <message>
        <source>{archive} has a file whose path leads out of its folder: “{path}”.</source>
        <translation>{archive} 中有文件的路径指向其文件夹之外：“{path}”。</translation>
    </message>
    <message>
        <source>{archive} has a folder with the path “{path}”.</source>
        <translation>{archive} 中有路径为“{path}”的文件夹。</translation>
    </message>
    <message>
        <source>{archive}: line {number} of {file}</source>
        <translation>{archive}：{file} 的第 {number} 行</translation>
    </message>
    <message>
        <source>{archive}: line {number} of {file} is not a JSON object.</source>
        <translation>{archive}：{file} 的第 {number} 行不是 JSON 对象。</translation>
    </message>
    <message>
        <source>{aspect}: {value}</source>
        <translation>{aspect}：{value}</translation>
    </message>
    <message>
        <source>{back} days back, {ahead} ahead · decay {decay} per day without recall</source>
        <translation>过去 {back} 天，未来 {ahead} 天 · 未召回时每天衰减为 {decay}</translation>
    </message>
    <message>
        <source>{before} becomes {after}</source>
        <translation>{before} 变为 {after}</translation>
    </message>
    <message>
        <source>{before} before and {after} after this compaction</source>
        <translation>此次压缩前 {before}，压缩后 {after}</translation>
    </message>
    <message>
        <source>{before} lines of MemDesk&apos;s own become {after}</source>
        <translation>MemDesk 自己的 {before} 行变为 {after} 行</translation>
    </message>
    <message>
        <source>{before} to {after} tokens</source>
        <translation>{before} 至 {after} 个词元</translation>
    </message>
    <message>
        <source>{birth}, by {what}</source>
        <translation>{birth}，由 {what}</translation>
    </message>
    <message>
        <source>{blocker} waits for this goal.</source>
        <translation>{blocker} 在等待这个目标。</translation>
    </message>
    <message>
        <source>{both} is to be set and reset at once.</source>
        <translation>{both} 同时要求设置和重置。</translation>
    </message>
    <message>
        <source>{called} is not asked any more today: its {count} tokens are spent.</source>
        <translation>今天不再询问{called}：它的 {count} 个词元已用完。</translation>
    </message>
    <message>
        <source>{calls}, {failed} failed</source>
        <translation>{calls}，失败 {failed}</translation>
    </message>
    <message>
        <source>{changes}. One undo takes it back.</source>
        <translation>{changes}。一次撤销即可还原。</translation>
    </message>
    <message>
        <source>{change} Restore a backup from before it, or keep this file as evidence.</source>
        <translation>{change} 请恢复在它之前的备份，或保留此文件作为证据。</translation>
    </message>
    <message>
        <source>{change}, with the rest of its run</source>
        <translation>{change}，连同此次运行的其余部分</translation>
    </message>
    <message>
        <source>{channel} and {other}</source>
        <translation>{channel} 与 {other}</translation>
    </message>
    <message>
        <source>{channel} by proposal</source>
        <translation>{channel} 需经审核</translation>
    </message>
    <message>
        <source>{channel} knows this already.</source>
        <translation>{channel} 已经知道这一点。</translation>
    </message>
    <message>
        <source>{claim} (past)</source>
        <translation>{claim}（过去）</translation>
    </message>
    <message>
        <source>{confidence} sure</source>
        <translation>置信度 {confidence}</translation>
    </message>
    <message>
        <source>{conversation_title}, turn {count}</source>
        <translation>{conversation_title}，第 {count} 条发言</translation>
    </message>
    <message>
        <source>{conversations}, more below</source>
        <translation>{conversations}，下面还有</translation>
    </message>
    <message>
        <source>{cost}, no room for {left}</source>
        <translation>{cost}，放不下 {left}</translation>
    </message>
    <message>
        <source>{counted}</source>
        <translation>{counted}</translation>
    </message>
    <message numerus="yes">
        <source>{counted}, %Ln opened</source>
        <translation>
            <numerusform>{counted}，另展开 %Ln 条</numerusform>
        </translation>
    </message>
    <message>
        <source>{counts} It is on this desk already.</source>
        <translation>{counts}它已在本记忆台上。</translation>
    </message>
    <message>
        <source>{counts} would come in.</source>
        <translation>将导入 {counts}。</translation>
    </message>
    <message>
        <source>{count} acts wait for a click in the window already.</source>
        <translation>已有 {count} 个操作在等待窗口中的点击。</translation>
    </message>
    <message>
        <source>{count} channels</source>
        <translation>{count} 个频道</translation>
    </message>
    <message>
        <source>{count} compactions</source>
        <translation>{count} 次压缩</translation>
    </message>
    <message>
        <source>{count} conversations</source>
        <translation>{count} 个对话</translation>
    </message>
    <message>
        <source>{count} day files</source>
        <translation>{count} 个日志文件</translation>
    </message>
    <message>
        <source>{count} done</source>
        <translation>完成 {count}</translation>
    </message>
    <message>
        <source>{count} entities</source>
        <translation>{count} 个实体</translation>
    </message>
    <message>
        <source>{count} entries on {written} of the last {days} days.</source>
        <translation>最近 {days} 天中有 {written} 天有记录，共 {count} 条。</translation>
    </message>
    <message>
        <source>{count} facts</source>
        <translation>{count} 条事实</translation>
    </message>
    <message>
        <source>{count} facts elsewhere</source>
        <translation>别处有 {count} 条事实</translation>
    </message>
    <message>
        <source>{count} files</source>
        <translation>{count} 个文件</translation>
    </message>
    <message>
        <source>{count} files are not where they were: {list}.</source>
        <translation>{count} 个文件不在原处：{list}。</translation>
    </message>
    <message>
        <source>{count} files were edited: {list}.</source>
        <translation>{count} 个文件被编辑过：{list}。</translation>
    </message>
    <message>
        <source>{count} goals</source>
        <translation>{count} 个目标</translation>
    </message>
    <message>
        <source>{count} grants</source>
        <translation>{count} 项授权</translation>
    </message>
    <message>
        <source>{count} items in one call; {items_at_most} at most.</source>
        <translation>一次调用中有 {count} 个条目；最多 {items_at_most} 个。</translation>
    </message>
    <message>
        <source>{count} kept questions</source>
        <translation>{count} 个保留的问题</translation>
    </message>
    <message>
        <source>{count} left as they were.</source>
        <translation>{count} 条保持原样。</translation>
    </message>
    <message>
        <source>{count} memories</source>
        <translation>{count} 条记忆</translation>
    </message>
    <message>
        <source>{count} memories are damaged on the disk and left out. `memdesk verify` says which.</source>
        <translation>有 {count} 条记忆在磁盘上已损坏，已被略去。`memdesk verify` 会说明是哪些。</translation>
    </message>
    <message>
        <source>{count} memories follow from this, more than one change holds.</source>
        <translation>由此牵动的记忆有 {count} 条，超出一次更改的容量。</translation>
    </message>
    <message>
        <source>{count} memories rank before it.</source>
        <translation>{count} 条记忆排在它前面。</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另外 {count} 个</translation>
    </message>
    <message>
        <source>{count} more go back to what they were.</source>
        <translation>另有 {count} 项恢复原状。</translation>
    </message>
    <message numerus="yes">
        <source>{count} on %Ln day(s)</source>
        <translation>
            <numerusform>%Ln 天共 {count} 条</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} other names</source>
        <translation>{count} 个别名</translation>
    </message>
    <message>
        <source>{count} outcomes</source>
        <translation>{count} 个结果</translation>
    </message>
    <message>
        <source>{count} passages</source>
        <translation>{count} 个段落</translation>
    </message>
    <message>
        <source>{count} profile entries</source>
        <translation>{count} 条画像条目</translation>
    </message>
    <message>
        <source>{count} projects</source>
        <translation>{count} 个项目</translation>
    </message>
    <message>
        <source>{count} proposals</source>
        <translation>{count} 个提议</translation>
    </message>
    <message>
        <source>{count} relations</source>
        <translation>{count} 条关系</translation>
    </message>
    <message>
        <source>{count} rows that are no memory were lost: {list}.</source>
        <translation>丢失了 {count} 行非记忆数据：{list}。</translation>
    </message>
    <message>
        <source>{count} secrets</source>
        <translation>{count} 个机密</translation>
    </message>
    <message>
        <source>{count} secrets came with {label}. Agents, exports and logs see placeholders.</source>
        <translation>{count} 个机密随{label}而来。智能体、导出和日志只看到占位符。</translation>
    </message>
    <message>
        <source>{count} sessions</source>
        <translation>{count} 个会话</translation>
    </message>
    <message>
        <source>{count} standing decisions</source>
        <translation>{count} 个长期决定</translation>
    </message>
    <message>
        <source>{count} strategies</source>
        <translation>{count} 个策略</translation>
    </message>
    <message>
        <source>{count} tags</source>
        <translation>{count} 个标签</translation>
    </message>
    <message>
        <source>{count} today, {ms} ms on average</source>
        <translation>今天 {count} 次，平均 {ms} 毫秒</translation>
    </message>
    <message>
        <source>{count} token_counts for {messages} messages.</source>
        <translation>{messages} 条消息有 {count} 个 token_counts。</translation>
    </message>
    <message>
        <source>{count} tool calls</source>
        <translation>{count} 次工具调用</translation>
    </message>
    <message>
        <source>{count} tool calls in one request; 1 to {most} are welcome.</source>
        <translation>一次请求中有 {count} 个工具调用；应为 1 到 {most} 个。</translation>
    </message>
    <message>
        <source>{count} tool calls: {tools}</source>
        <translation>{count} 次工具调用：{tools}</translation>
    </message>
    <message>
        <source>{count} turns</source>
        <translation>{count} 条发言</translation>
    </message>
    <message>
        <source>{count} turns in one call; 1 to {most} are welcome.</source>
        <translation>一次调用中有 {count} 条发言；应为 1 到 {most} 条。</translation>
    </message>
    <message>
        <source>{count} turns of “{talk}”</source>
        <translation>“{talk}”的 {count} 条发言</translation>
    </message>
    <message>
        <source>{count} turns with their messages whole</source>
        <translation>{count} 条发言连同完整消息</translation>
    </message>
    <message>
        <source>{count} workspaces</source>
        <translation>{count} 个工作区</translation>
    </message>
    <message>
        <source>{count} {of}; {name} acts from {mark} on.</source>
        <translation>{count} {of}；{name} 从 {mark} 起行动。</translation>
    </message>
    <message>
        <source>{count} {what}</source>
        <translation>{count} {what}</translation>
    </message>
    <message>
        <source>{count}, by how often they come up</source>
        <translation>{count} 位，按出现频率排列</translation>
    </message>
    <message>
        <source>{count}, word for word</source>
        <translation>{count} 条，保持原话</translation>
    </message>
    <message>
        <source>{days} d</source>
        <translation>{days} 天</translation>
    </message>
    <message>
        <source>{days}, up to {count:,} characters</source>
        <translation>{days}，最多 {count:,} 个字符</translation>
    </message>
    <message>
        <source>{day} is no day.</source>
        <translation>{day} 不是日期。</translation>
    </message>
    <message>
        <source>{day} to</source>
        <translation>{day} 至</translation>
    </message>
    <message>
        <source>{decision}.</source>
        <translation>{decision}。</translation>
    </message>
    <message>
        <source>{description}: {success}</source>
        <translation>{description}：{success}</translation>
    </message>
    <message>
        <source>{description}: {success} again</source>
        <translation>{description}：再次{success}</translation>
    </message>
    <message>
        <source>{description}: {went}</source>
        <translation>{description}：{went}</translation>
    </message>
    <message>
        <source>{did} channel {channel}</source>
        <translation>{did}频道 {channel}</translation>
    </message>
    <message>
        <source>{did}: {kind}</source>
        <translation>{did}：{kind}</translation>
    </message>
    <message>
        <source>{document_id} has no passage of the lines {lines} any more.</source>
        <translation>{document_id} 不再有第 {lines} 行的段落。</translation>
    </message>
    <message>
        <source>{done:,} of {total:,}</source>
        <translation>{done:,} / {total:,}</translation>
    </message>
    <message>
        <source>{done} of {all} done</source>
        <translation>已完成 {done} / {all}</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done}/{total}</translation>
    </message>
    <message>
        <source>{door}. Agents are told it as quoted, not as true.</source>
        <translation>{door}。以引文形式提供给智能体，而不当作事实。</translation>
    </message>
    <message>
        <source>{encryption} is missing.</source>
        <translation>缺少 {encryption}。</translation>
    </message>
    <message>
        <source>{endpoint} is not answered over the network.</source>
        <translation>{endpoint} 不能通过网络调用。</translation>
    </message>
    <message>
        <source>{entry} names it</source>
        <translation>{entry} 指向它</translation>
    </message>
    <message>
        <source>{facts} and {entities}</source>
        <translation>{facts}和{entities}</translation>
    </message>
    <message>
        <source>{facts} claims of {files} files were checked.</source>
        <translation>检查了 {files} 个文件中的 {facts} 条陈述。</translation>
    </message>
    <message>
        <source>{facts} kept, {lost} lost</source>
        <translation>保留 {facts}，丢失 {lost}</translation>
    </message>
    <message>
        <source>{field}: {before} became {after}</source>
        <translation>{field}：{before} 变为 {after}</translation>
    </message>
    <message>
        <source>{file} cannot be read: {wrong}.</source>
        <translation>无法读取 {file}：{wrong}。</translation>
    </message>
    <message>
        <source>{file} cannot be removed: {strerror}.</source>
        <translation>无法移除 {file}：{strerror}。</translation>
    </message>
    <message>
        <source>{file} could not be written.</source>
        <translation>无法写入 {file}。</translation>
    </message>
    <message>
        <source>{file} could not be written: {reason}.</source>
        <translation>无法写入 {file}：{reason}。</translation>
    </message>
    <message>
        <source>{file} has {count} of its {expected} documents.</source>
        <translation>{file} 有其 {expected} 个文档中的 {count} 个。</translation>
    </message>
    <message>
        <source>{file} names the backend {backend}; only {agnx_backend} is known.</source>
        <translation>{file} 指定了后端 {backend}；只支持 {agnx_backend}。</translation>
    </message>
    <message>
        <source>{file} of {agent}</source>
        <translation>{agent} 的 {file}</translation>
    </message>
    <message>
        <source>{file} was changed by {author}, {when}, while you were writing</source>
        <translation>你编辑时 {file} 被 {author} 改动（{when}）</translation>
    </message>
    <message>
        <source>{file} was changed while you were writing</source>
        <translation>你编辑时 {file} 被改动</translation>
    </message>
    <message>
        <source>{file} {share} % full</source>
        <translation>{file} 已满 {share} %</translation>
    </message>
    <message>
        <source>{file}, conversation {id}</source>
        <translation>{file}，对话 {id}</translation>
    </message>
    <message>
        <source>{file}, fact {count}</source>
        <translation>{file}，事实 {count}</translation>
    </message>
    <message>
        <source>{file}, line {line}</source>
        <translation>{file}，第 {line} 行</translation>
    </message>
    <message>
        <source>{file}, memory {id}</source>
        <translation>{file}，记忆 {id}</translation>
    </message>
    <message>
        <source>{file}, note “{key}”</source>
        <translation>{file}，便笺“{key}”</translation>
    </message>
    <message>
        <source>{file}, scratchpad {count}</source>
        <translation>{file}，便笺 {count}</translation>
    </message>
    <message>
        <source>{file}, summary {count}</source>
        <translation>{file}，摘要 {count}</translation>
    </message>
    <message>
        <source>{file}, todos {count}</source>
        <translation>{file}，待办 {count}</translation>
    </message>
    <message>
        <source>{file}, tool outcome {count}</source>
        <translation>{file}，工具结果 {count}</translation>
    </message>
    <message>
        <source>{file}: row {line} has {count} columns and the header {expected}.</source>
        <translation>{file}：第 {line} 行有 {count} 列，而表头有 {expected} 列。</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} 至 {last}</translation>
    </message>
    <message>
        <source>{first} {second}</source>
        <translation>{first}{second}</translation>
    </message>
    <message>
        <source>{folder} (gone)</source>
        <translation>{folder}（已不在）</translation>
    </message>
    <message>
        <source>{folder} could not be made: {strerror}.</source>
        <translation>无法创建 {folder}：{strerror}。</translation>
    </message>
    <message>
        <source>{folder} holds no workspace of this agent.</source>
        <translation>{folder} 中没有这个智能体的工作区。</translation>
    </message>
    <message>
        <source>{folder} holds other files and no desk.</source>
        <translation>{folder} 中有其他文件，但没有记忆台。</translation>
    </message>
    <message>
        <source>{folder} is {layout}&apos;s</source>
        <translation>{folder} 属于 {layout}</translation>
    </message>
    <message>
        <source>{fork_of} cannot be forked into itself.</source>
        <translation>{fork_of} 不能分支到自身。</translation>
    </message>
    <message>
        <source>{found} found, {new} of them new, {took} ms.</source>
        <translation>找到 {found} 条，其中 {new} 条新增，{took} 毫秒。</translation>
    </message>
    <message>
        <source>{found} has a permalink</source>
        <translation>{found} 有 permalink</translation>
    </message>
    <message>
        <source>{found} is a memory block</source>
        <translation>{found} 是记忆块</translation>
    </message>
    <message>
        <source>{found} is a topic of its memory</source>
        <translation>{found} 是其记忆的一个主题</translation>
    </message>
    <message>
        <source>{found} of {all} known systems, looked up in {time} s</source>
        <translation>{all} 个已知系统中找到 {found} 个，用时 {time} 秒</translation>
    </message>
    <message>
        <source>{found} of {many}</source>
        <translation>{found} / {many}</translation>
    </message>
    <message>
        <source>{given} could not be looked at: it is out of reach or a link in circles.</source>
        <translation>无法查看 {given}：无法到达，或是循环链接。</translation>
    </message>
    <message>
        <source>{given} is a view of the running system, not a folder of files.</source>
        <translation>{given} 是运行中系统的视图,不是存放文件的文件夹。</translation>
    </message>
    <message>
        <source>{given} is not an absolute path.</source>
        <translation>{given} 不是绝对路径。</translation>
    </message>
    <message>
        <source>{goal} waits for {blocker}</source>
        <translation>{goal} 等待 {blocker}</translation>
    </message>
    <message>
        <source>{goal} waits no longer for {what}</source>
        <translation>{goal} 不再等待{what}</translation>
    </message>
    <message>
        <source>{head}. Still there, and yours to judge:{places}</source>
        <translation>{head}。仍然存在、由您判断的：{places}</translation>
    </message>
    <message>
        <source>{head}: 0 places have one in clear.</source>
        <translation>{head}：没有一处以明文存放。</translation>
    </message>
    <message>
        <source>{held} beside {claim}</source>
        <translation>{held}，对比 {claim}</translation>
    </message>
    <message>
        <source>{held} of {limit}</source>
        <translation>{held} / {limit}</translation>
    </message>
    <message>
        <source>{id} is no conflict of a file.</source>
        <translation>{id} 不是文件冲突。</translation>
    </message>
    <message>
        <source>{job}, dry run</source>
        <translation>{job}，试运行</translation>
    </message>
    <message>
        <source>{job}, {when}</source>
        <translation>{job}，{when}</translation>
    </message>
    <message>
        <source>{keys}, {size}</source>
        <translation>{keys}，{size}</translation>
    </message>
    <message>
        <source>{key}: {value}</source>
        <translation>{key}：{value}</translation>
    </message>
    <message>
        <source>{kinds}</source>
        <translation>{kinds}</translation>
    </message>
    <message>
        <source>{kind} from {bounds}</source>
        <translation>{kind}，{bounds}</translation>
    </message>
    <message>
        <source>{kind} “{title}” added</source>
        <translation>{kind}“{title}”已添加</translation>
    </message>
    <message>
        <source>{kind} “{title}” changed</source>
        <translation>{kind}“{title}”已更改</translation>
    </message>
    <message>
        <source>{kind} “{title}” taken away</source>
        <translation>{kind}“{title}”已移除</translation>
    </message>
    <message>
        <source>{known} is on this desk already, as {layout}.</source>
        <translation>{known} 已在此记忆台上，布局为 {layout}。</translation>
    </message>
    <message>
        <source>{label} {id} exists already.</source>
        <translation>{label} {id} 已存在。</translation>
    </message>
    <message>
        <source>{label} {id} is damaged on the disk, and is not shown.</source>
        <translation>{label} {id} 在磁盘上已损坏，不予显示。</translation>
    </message>
    <message>
        <source>{label} {id} is gone.</source>
        <translation>{label} {id} 已不在。</translation>
    </message>
    <message>
        <source>{label} “{kind}” changed since: {found}.</source>
        <translation>{label}“{kind}”此后已改变：{found}。</translation>
    </message>
    <message>
        <source>{later} against {earlier}</source>
        <translation>{later} 对比 {earlier}</translation>
    </message>
    <message>
        <source>{layout} has no such hook.</source>
        <translation>{layout} 没有这样的钩子。</translation>
    </message>
    <message>
        <source>{layout} keeps no day files.</source>
        <translation>{layout} 没有日志文件。</translation>
    </message>
    <message>
        <source>{layout} keeps no learnings.</source>
        <translation>{layout} 不保存学到的内容。</translation>
    </message>
    <message>
        <source>{lead}: {title}</source>
        <translation>{lead}：{title}</translation>
    </message>
    <message>
        <source>{lines} lines: {facts} become facts, {others} do not. Enter takes a line in or leaves it out.</source>
        <translation>共 {lines} 行：{facts} 行成为事实，{others} 行不会。按 Enter 采用或略去一行。</translation>
    </message>
    <message>
        <source>{lines} lines: {facts} facts, {others} not</source>
        <translation>{lines} 行：{facts} 条事实，{others} 行不是</translation>
    </message>
    <message>
        <source>{lines} on {days}</source>
        <translation>{days}有 {lines}</translation>
    </message>
    <message>
        <source>{list} and {names}</source>
        <translation>{list} 和 {names}</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 至 {high}</translation>
    </message>
    <message>
        <source>{made} is made and tested.</source>
        <translation>{made} 已完成并通过检验。</translation>
    </message>
    <message>
        <source>{many} since {day}</source>
        <translation>自 {day} 起 {many} 个</translation>
    </message>
    <message>
        <source>{many}, older ones are not shown</source>
        <translation>{many}，更早的未显示</translation>
    </message>
    <message>
        <source>{many}, the latest: {begins}</source>
        <translation>{many}，最近一条：{begins}</translation>
    </message>
    <message>
        <source>{many}, {late}</source>
        <translation>{many}，{late}</translation>
    </message>
    <message>
        <source>{mark} {says} · {ms} ms</source>
        <translation>{mark} {says} · {ms} 毫秒</translation>
    </message>
    <message>
        <source>{member} is {role} of this desk; {endpoint} is for {needed}.</source>
        <translation>{member} 在此记忆台的角色是 {role}；{endpoint} 需要 {needed}。</translation>
    </message>
    <message>
        <source>{member} may not use every channel.</source>
        <translation>{member} 不得使用所有频道。</translation>
    </message>
    <message>
        <source>{member} may not use {what}.</source>
        <translation>{member} 不能使用{what}。</translation>
    </message>
    <message>
        <source>{member} may not write into _global.</source>
        <translation>{member} 不能写入 _global。</translation>
    </message>
    <message>
        <source>{memories} fade: not recalled for {days} days.</source>
        <translation>{memories} 正在淡忘：{days} 天未被召回。</translation>
    </message>
    <message>
        <source>{memories} fades: not recalled for {days} days.</source>
        <translation>{memories} 正在淡忘：{days} 天未被召回。</translation>
    </message>
    <message>
        <source>{memory} in {channel}</source>
        <translation>{memory}，在 {channel}</translation>
    </message>
    <message>
        <source>{memory}, kept in its history</source>
        <translation>{memory}，保留在历史中</translation>
    </message>
    <message>
        <source>{met} of {all} met · {asked}</source>
        <translation>满足 {met} / {all} · {asked}</translation>
    </message>
    <message>
        <source>{model} reads them so</source>
        <translation>{model} 如此判断</translation>
    </message>
    <message>
        <source>{model} said nothing.</source>
        <translation>{model} 没有回答。</translation>
    </message>
    <message>
        <source>{model} was no help ({failed}); cues read this.</source>
        <translation>{model} 没有帮上忙（{failed}）；由线索规则来读。</translation>
    </message>
    <message>
        <source>{ms} ms</source>
        <translation>{ms} 毫秒</translation>
    </message>
    <message>
        <source>{named} and {count} more</source>
        <translation>{named} 及另外 {count} 处</translation>
    </message>
    <message>
        <source>{names} and {last}</source>
        <translation>{names} 和 {last}</translation>
    </message>
    <message>
        <source>{name} (away)</source>
        <translation>{name}（不在）</translation>
    </message>
    <message>
        <source>{name} cannot be imported. {why}</source>
        <translation>{name} 无法导入。{why}</translation>
    </message>
    <message>
        <source>{name} could not be read.</source>
        <translation>{name} 无法读取。</translation>
    </message>
    <message>
        <source>{name} could not be read: {error}.</source>
        <translation>{name} 无法读取：{error}。</translation>
    </message>
    <message>
        <source>{name} has a file that a link leads out of its folder: {path}.</source>
        <translation>{name} 中有文件经链接指向其文件夹之外：{path}。</translation>
    </message>
    <message>
        <source>{name} has answered this, {when}.</source>
        <translation>{name} 已答复（{when}）。</translation>
    </message>
    <message>
        <source>{name} has no token.</source>
        <translation>{name} 没有令牌。</translation>
    </message>
    <message>
        <source>{name} has no workspace on this desk.</source>
        <translation>{name} 在此记忆台上没有工作区。</translation>
    </message>
    <message>
        <source>{name} holds NUL bytes, so it is not text.</source>
        <translation>{name} 含有 NUL 字节，因此不是文本。</translation>
    </message>
    <message>
        <source>{name} holds a file that leads out of it: {filename}.</source>
        <translation>{name} 含有通向其外的文件：{filename}。</translation>
    </message>
    <message>
        <source>{name} holds a text larger than {count} MB.</source>
        <translation>{name} 含有大于 {count} MB 的文本。</translation>
    </message>
    <message>
        <source>{name} holds more than {count} files.</source>
        <translation>{name} 含有超过 {count} 个文件。</translation>
    </message>
    <message>
        <source>{name} holds two files of one name.</source>
        <translation>{name} 中有两个同名文件。</translation>
    </message>
    <message>
        <source>{name} in {table} is not in the list of records.</source>
        <translation>{table} 中的 {name} 不在记录列表中。</translation>
    </message>
    <message>
        <source>{name} in {table} is not what was written; it is left out of every answer.</source>
        <translation>{table} 中的 {name} 与写入时不同，不会出现在任何回答中。</translation>
    </message>
    <message>
        <source>{name} is a damaged SQLite database.</source>
        <translation>{name} 是损坏的 SQLite 数据库。</translation>
    </message>
    <message>
        <source>{name} is a link that leads nowhere.</source>
        <translation>{name} 是无处可去的链接。</translation>
    </message>
    <message>
        <source>{name} is a view of the running system, not a file.</source>
        <translation>{name} 是运行中系统的视图,不是文件。</translation>
    </message>
    <message>
        <source>{name} is damaged: {what} is not as its manifest says.</source>
        <translation>{name} 已损坏：{what} 与其清单不符。</translation>
    </message>
    <message>
        <source>{name} is larger than {count} MB.</source>
        <translation>{name} 大于 {count} MB。</translation>
    </message>
    <message>
        <source>{name} is missing from {table}.</source>
        <translation>{table} 中缺少 {name}。</translation>
    </message>
    <message>
        <source>{name} is no path: it holds a NUL or half a character.</source>
        <translation>{name} 不是路径：其中含有 NUL 或半个字符。</translation>
    </message>
    <message>
        <source>{name} is not a regular file.</source>
        <translation>{name} 不是普通文件。</translation>
    </message>
    <message>
        <source>{name} is not compared with other claims as it reads.</source>
        <translation>{name} 未按其文字与其他陈述比较。</translation>
    </message>
    <message>
        <source>{name} is not found by its meaning.</source>
        <translation>按含义找不到 {name}。</translation>
    </message>
    <message>
        <source>{name} is not found by its words.</source>
        <translation>按词语找不到 {name}。</translation>
    </message>
    <message>
        <source>{name} is not searched as it reads.</source>
        <translation>{name} 的搜索内容与其文本不符。</translation>
    </message>
    <message>
        <source>{name} is of the layout {layout}.</source>
        <translation>{name} 的布局是 {layout}。</translation>
    </message>
    <message>
        <source>{name} is of the layout {layout}: {why}.</source>
        <translation>{name} 的布局是 {layout}：{why}。</translation>
    </message>
    <message>
        <source>{name} is {role} of this desk already.</source>
        <translation>{name} 已是此记忆台的 {role}。</translation>
    </message>
    <message>
        <source>{name} is {what} of version {version}; this MemDesk reads version {known}.</source>
        <translation>{name} 是版本 {version} 的 {what}；此 MemDesk 读取版本 {known}。</translation>
    </message>
    <message>
        <source>{name} leads out of {root}.</source>
        <translation>{name} 通向 {root} 之外。</translation>
    </message>
    <message>
        <source>{name} left the desk; its files stay in {path}</source>
        <translation>{name} 已从记忆台移除；其文件仍在 {path}</translation>
    </message>
    <message>
        <source>{name} lies between 0 and {count}.</source>
        <translation>{name} 在 0 到 {count} 之间。</translation>
    </message>
    <message>
        <source>{name} should be one of {list}.</source>
        <translation>{name} 应为以下之一：{list}。</translation>
    </message>
    <message>
        <source>{name} should be the address of a PostgreSQL database: postgresql://USER@HOST/DATABASE.</source>
        <translation>{name} 应为 PostgreSQL 数据库的地址：postgresql://USER@HOST/DATABASE。</translation>
    </message>
    <message>
        <source>{name} should be the address of a server, such as http://localhost:11434/v1.</source>
        <translation>{name} 应为服务器地址，如 http://localhost:11434/v1。</translation>
    </message>
    <message>
        <source>{name} should be {names}.</source>
        <translation>{name} 应为{names}。</translation>
    </message>
    <message>
        <source>{name} should hold no key, password or parameter.</source>
        <translation>{name} 不应含有密钥、密码或参数。</translation>
    </message>
    <message>
        <source>{name} should hold no password: settings are shown.</source>
        <translation>{name} 不应包含密码：设置会被显示。</translation>
    </message>
    <message>
        <source>{name} should lie between {low} and {high} {about}.</source>
        <translation>{name} 应在 {low} 到 {high} {about} 之间。</translation>
    </message>
    <message>
        <source>{name} should lie between {low} and {high}.</source>
        <translation>{name} 应在 {low} 到 {high} 之间。</translation>
    </message>
    <message>
        <source>{name} unpacks to {count} MB, far more than any memory of its size.</source>
        <translation>{name} 解压后有 {count} MB，远超同等大小的任何记忆。</translation>
    </message>
    <message>
        <source>{name} {value}</source>
        <translation>{name} {value}</translation>
    </message>
    <message>
        <source>{name}, line {count}</source>
        <translation>{name}，第 {count} 行</translation>
    </message>
    <message>
        <source>{name}, message {count}</source>
        <translation>{name}，消息 {count}</translation>
    </message>
    <message>
        <source>{name}, session {session}</source>
        <translation>{name}，会话 {session}</translation>
    </message>
    <message>
        <source>{name}, weight</source>
        <translation>{name}，权重</translation>
    </message>
    <message>
        <source>{name}: line {count} of {usage} is no use of a memory.</source>
        <translation>{name}：{usage} 的第 {count} 行不是记忆的使用记录。</translation>
    </message>
    <message>
        <source>{name}: {member} is not JSON, or is torn.</source>
        <translation>{name}：{member} 不是 JSON，或不完整。</translation>
    </message>
    <message>
        <source>{new} newly believed</source>
        <translation>新相信 {new} 条</translation>
    </message>
    <message>
        <source>{new} newly believed, {gone} no longer</source>
        <translation>新相信 {new} 条，不再相信 {gone} 条</translation>
    </message>
    <message>
        <source>{new}, against {old}</source>
        <translation>{new}，而另一条是 {old}</translation>
    </message>
    <message>
        <source>{note} is empty.</source>
        <translation>{note} 为空。</translation>
    </message>
    <message>
        <source>{note} says something else on the desk by now; that copy was left as it is.</source>
        <translation>{note} 在记忆台上已有别的说法；那份副本保持原样。</translation>
    </message>
    <message>
        <source>{noun} {said}</source>
        <translation>{noun}{said}</translation>
    </message>
    <message>
        <source>{number} days by day</source>
        <translation>{number} 天，逐日</translation>
    </message>
    <message>
        <source>{number} kept</source>
        <translation>保留 {number}</translation>
    </message>
    <message>
        <source>{number} lost</source>
        <translation>丢失 {number}</translation>
    </message>
    <message>
        <source>{number} ms</source>
        <translation>{number} 毫秒</translation>
    </message>
    <message>
        <source>{number} s</source>
        <translation>{number} 秒</translation>
    </message>
    <message>
        <source>{number}, all at their defaults</source>
        <translation>{number}，均为默认值</translation>
    </message>
    <message>
        <source>{own} may not use the workspace of another agent.</source>
        <translation>{own} 不能使用另一个智能体的工作区。</translation>
    </message>
    <message>
        <source>{own} may not use the workspace {workspace}.</source>
        <translation>{own} 不能使用工作区 {workspace}。</translation>
    </message>
    <message>
        <source>{parts} could not be removed: {error}.</source>
        <translation>无法移除 {parts}：{error}。</translation>
    </message>
    <message>
        <source>{parts} could not be renamed: {error}.</source>
        <translation>无法给 {parts} 改名：{error}。</translation>
    </message>
    <message>
        <source>{parts} has a name that is not UTF-8.</source>
        <translation>{parts} 的名称不是 UTF-8。</translation>
    </message>
    <message>
        <source>{parts} is a hard link: it has another name elsewhere.</source>
        <translation>{parts} 是硬链接：它在别处另有名称。</translation>
    </message>
    <message>
        <source>{parts} is a link.</source>
        <translation>{parts} 是链接。</translation>
    </message>
    <message>
        <source>{parts} is no regular file.</source>
        <translation>{parts} 不是普通文件。</translation>
    </message>
    <message>
        <source>{part} could not be entered: {error}.</source>
        <translation>无法进入 {part}：{error}。</translation>
    </message>
    <message>
        <source>{part} is a file, not a folder.</source>
        <translation>{part} 是文件，不是文件夹。</translation>
    </message>
    <message>
        <source>{passages}, {waiting}</source>
        <translation>{passages}，{waiting}</translation>
    </message>
    <message>
        <source>{path} as it is; B stays among its versions</source>
        <translation>{path} 保持原样；B 留在其版本中</translation>
    </message>
    <message>
        <source>{path} cannot be read: {error}.</source>
        <translation>无法读取 {path}：{error}。</translation>
    </message>
    <message>
        <source>{path} comes back as it was, in the channels it had.</source>
        <translation>{path} 会原样回到原来的频道。</translation>
    </message>
    <message>
        <source>{path} could not be opened: {error}.</source>
        <translation>无法打开 {path}：{error}。</translation>
    </message>
    <message>
        <source>{path} could not be read: {error}.</source>
        <translation>无法读取 {path}：{error}。</translation>
    </message>
    <message>
        <source>{path} could not be written: {why}.</source>
        <translation>无法写入 {path}：{why}。</translation>
    </message>
    <message>
        <source>{path} could not be written; the undo was taken back</source>
        <translation>无法写入 {path}；撤销已被撤回</translation>
    </message>
    <message>
        <source>{path} does not hold the memory of {user_id}.</source>
        <translation>{path} 不含 {user_id} 的记忆。</translation>
    </message>
    <message>
        <source>{path} has a setting nobody knows: {strange}.</source>
        <translation>{path} 中有未知的设置：{strange}。</translation>
    </message>
    <message>
        <source>{path} holds bytes that are not UTF-8; saving would lose them.</source>
        <translation>{path} 含有非 UTF-8 的字节；保存会丢失它们。</translation>
    </message>
    <message>
        <source>{path} holds no learnings.</source>
        <translation>{path} 中没有经验教训。</translation>
    </message>
    <message>
        <source>{path} holds this desk itself.</source>
        <translation>{path} 就含有此记忆台。</translation>
    </message>
    <message>
        <source>{path} is a database of another program, not a desk; it was not changed.</source>
        <translation>{path} 是其他程序的数据库,不是记忆台;它没有被改动。</translation>
    </message>
    <message>
        <source>{path} is a file; only a folder has a layout.</source>
        <translation>{path} 是文件；只有文件夹才有布局。</translation>
    </message>
    <message>
        <source>{path} is a whole home or disk, not an agent&apos;s folder.</source>
        <translation>{path} 是整个主目录或磁盘，不是智能体的文件夹。</translation>
    </message>
    <message>
        <source>{path} is being written all the time by another program.</source>
        <translation>{path} 正被另一个程序不断写入。</translation>
    </message>
    <message>
        <source>{path} is called with {takes}.</source>
        <translation>{path} 要用 {takes} 调用。</translation>
    </message>
    <message>
        <source>{path} is damaged, or was encrypted with another key.</source>
        <translation>{path} 已损坏，或用另一密钥加密。</translation>
    </message>
    <message>
        <source>{path} is encrypted, and its desk is not open in this process.</source>
        <translation>{path} 已加密，而其记忆台未在此进程中打开。</translation>
    </message>
    <message>
        <source>{path} is full.</source>
        <translation>{path} 已满。</translation>
    </message>
    <message>
        <source>{path} is in no workspace of this desk.</source>
        <translation>{path} 不在此记忆台的任何工作区中。</translation>
    </message>
    <message>
        <source>{path} is in the way: it is not a socket.</source>
        <translation>{path} 挡住了：它不是套接字。</translation>
    </message>
    <message>
        <source>{path} is known, and its file is gone from the disk only now.</source>
        <translation>{path} 是已知的，它的文件刚刚从磁盘消失。</translation>
    </message>
    <message>
        <source>{path} is no longer in {workspace}.</source>
        <translation>{path} 已不在 {workspace} 中。</translation>
    </message>
    <message>
        <source>{path} is not a folder.</source>
        <translation>{path} 不是文件夹。</translation>
    </message>
    <message>
        <source>{path} is not a regular file</source>
        <translation>{path} 不是普通文件</translation>
    </message>
    <message>
        <source>{path} is not an absolute path.</source>
        <translation>{path} 不是绝对路径。</translation>
    </message>
    <message>
        <source>{path} is not shaped as {runtime} has it.</source>
        <translation>{path} 的结构与 {runtime} 的不符。</translation>
    </message>
    <message>
        <source>{path} is not understood: {wrong}.</source>
        <translation>无法理解 {path}：{wrong}。</translation>
    </message>
    <message>
        <source>{path} is there already.</source>
        <translation>{path} 已经存在。</translation>
    </message>
    <message>
        <source>{path} leads out of {root}.</source>
        <translation>{path} 通向 {root} 之外。</translation>
    </message>
    <message>
        <source>{path} may have {count} characters at most.</source>
        <translation>{path} 最多可有 {count} 个字符。</translation>
    </message>
    <message>
        <source>{path} of {home} is gone or cannot be read.</source>
        <translation>{home} 的 {path} 已消失或无法读取。</translation>
    </message>
    <message>
        <source>{path} says “{claim}” since.</source>
        <translation>{path} 此后写的是“{claim}”。</translation>
    </message>
    <message>
        <source>{path} was changed in this very moment; it stays.</source>
        <translation>{path} 就在此刻被改动；保留它。</translation>
    </message>
    <message>
        <source>{path} was changed meanwhile.</source>
        <translation>{path} 在此期间被改动。</translation>
    </message>
    <message>
        <source>{path} was changed on the disk since you opened it.</source>
        <translation>自你打开以来，{path} 已在磁盘上改动。</translation>
    </message>
    <message>
        <source>{path} was changed on the disk since.</source>
        <translation>{path} 此后已在磁盘上改动。</translation>
    </message>
    <message>
        <source>{path} was written in that very moment.</source>
        <translation>{path} 就在那一刻被写入。</translation>
    </message>
    <message>
        <source>{path} with what you write; A and B stay among its versions</source>
        <translation>以你所写改写 {path}；A 和 B 留在其版本中</translation>
    </message>
    <message>
        <source>{path} would be longer than the {count} characters {layout} lets a day have.</source>
        <translation>{path} 会超过 {layout} 允许一日拥有的 {count} 个字符。</translation>
    </message>
    <message>
        <source>{path}, as {fields}</source>
        <translation>{path}，作为 {fields}</translation>
    </message>
    <message>
        <source>{path}, both put together</source>
        <translation>{path}，合并两者</translation>
    </message>
    <message>
        <source>{path}, line {number}</source>
        <translation>{path}，第 {number} 行</translation>
    </message>
    <message>
        <source>{path}: {lines}; A stays among its versions</source>
        <translation>{path}：{lines}；A 留在其版本中</translation>
    </message>
    <message>
        <source>{path}: {note}</source>
        <translation>{path}：{note}</translation>
    </message>
    <message>
        <source>{path}: {says}</source>
        <translation>{path}：{says}</translation>
    </message>
    <message>
        <source>{peek} has no column that holds a claim.</source>
        <translation>{peek} 没有存放陈述的列。</translation>
    </message>
    <message>
        <source>{peek} is JSON without turns.</source>
        <translation>{peek} 是没有发言的 JSON。</translation>
    </message>
    <message>
        <source>{peek} is a MemDesk archive.</source>
        <translation>{peek} 是 MemDesk 归档。</translation>
    </message>
    <message>
        <source>{peek} is a search index over files.</source>
        <translation>{peek} 是文件的搜索索引。</translation>
    </message>
    <message>
        <source>{peek} is being written to.</source>
        <translation>{peek} 正在被写入。</translation>
    </message>
    <message>
        <source>{peek} is neither markdown nor a transcript.</source>
        <translation>{peek} 既不是 Markdown 也不是聊天记录。</translation>
    </message>
    <message>
        <source>{peek} is no Letta agent file, or is torn.</source>
        <translation>{peek} 不是 Letta 智能体文件，或不完整。</translation>
    </message>
    <message>
        <source>{peek} is not a table: {error}.</source>
        <translation>{peek} 不是表格：{error}。</translation>
    </message>
    <message>
        <source>{peek} is part of a Hindsight archive.</source>
        <translation>{peek} 是 Hindsight 归档的一部分。</translation>
    </message>
    <message>
        <source>{peek} is torn: its last line, {count}, breaks off.</source>
        <translation>{peek} 不完整：最后一行（第 {count} 行）中断了。</translation>
    </message>
    <message>
        <source>{peek} is {binary} of a kind that MemDesk does not read.</source>
        <translation>{peek} 是 MemDesk 不读取的 {binary}。</translation>
    </message>
    <message>
        <source>{peek} unpacks to {count} MB; {most} MB at most.</source>
        <translation>{peek} 解压后有 {count} MB；最多 {most} MB。</translation>
    </message>
    <message>
        <source>{peek}, conversation {count}</source>
        <translation>{peek}，对话 {count}</translation>
    </message>
    <message>
        <source>{peek}, history</source>
        <translation>{peek}，历史</translation>
    </message>
    <message>
        <source>{peek}, memory {count}</source>
        <translation>{peek}，记忆 {count}</translation>
    </message>
    <message>
        <source>{peek}, messages</source>
        <translation>{peek}，消息</translation>
    </message>
    <message>
        <source>{peek}, next page</source>
        <translation>{peek}，下一页</translation>
    </message>
    <message>
        <source>{peek}, other branches</source>
        <translation>{peek}，其他分支</translation>
    </message>
    <message>
        <source>{peek}, row {line}</source>
        <translation>{peek}，第 {line} 行</translation>
    </message>
    <message>
        <source>{peek}, settings of {name}</source>
        <translation>{peek}，{name} 的设置</translation>
    </message>
    <message>
        <source>{peek}, sub-agents</source>
        <translation>{peek}，子智能体</translation>
    </message>
    <message>
        <source>{peek}: {why}</source>
        <translation>{peek}：{why}</translation>
    </message>
    <message>
        <source>{per_conversation} turns of its conversation come back already, and others had their turn.</source>
        <translation>其对话已有 {per_conversation} 条发言返回，已轮到别的对话。</translation>
    </message>
    <message>
        <source>{place} of {all}</source>
        <translation>{place}/{all}</translation>
    </message>
    <message>
        <source>{policy} waits for {cooldown} new messages after a compaction.</source>
        <translation>{policy} 在一次压缩后等待 {cooldown} 条新消息。</translation>
    </message>
    <message>
        <source>{reason}.</source>
        <translation>{reason}。</translation>
    </message>
    <message>
        <source>{relation} already.</source>
        <translation>已有此关系：{relation}。</translation>
    </message>
    <message>
        <source>{rest} more</source>
        <translation>另外 {rest} 个</translation>
    </message>
    <message>
        <source>{reworded} reworded, {fresh} new, {gone} no longer told</source>
        <translation>改写 {reworded} 条，新增 {fresh} 条，不再告知 {gone} 条</translation>
    </message>
    <message>
        <source>{role}, bytes that are not UTF-8 replaced</source>
        <translation>{role}，非 UTF-8 的字节已替换</translation>
    </message>
    <message>
        <source>{role}, in {channel}</source>
        <translation>{role}，在 {channel}</translation>
    </message>
    <message>
        <source>{root} is no folder that can be opened: {error}.</source>
        <translation>{root} 不是能打开的文件夹：{error}。</translation>
    </message>
    <message>
        <source>{run} · took {time}</source>
        <translation>{run} · 用时 {time}</translation>
    </message>
    <message>
        <source>{said} · none is made by itself</source>
        <translation>{said} · 不会自动备份</translation>
    </message>
    <message>
        <source>{said}. Last seen {time}</source>
        <translation>{said}。最近一次出现：{time}</translation>
    </message>
    <message>
        <source>{salience} now</source>
        <translation>现为 {salience}</translation>
    </message>
    <message>
        <source>{salience} now · {fades}</source>
        <translation>{salience} 现在 · {fades}</translation>
    </message>
    <message>
        <source>{says} The order stays.</source>
        <translation>{says}顺序保持不变。</translation>
    </message>
    <message>
        <source>{says}, also in {files}</source>
        <translation>{says}，{files} 中也已更改</translation>
    </message>
    <message>
        <source>{says}, in disguise</source>
        <translation>{says}（伪装）</translation>
    </message>
    <message>
        <source>{says}: “{words}”.</source>
        <translation>{says}：“{words}”。</translation>
    </message>
    <message>
        <source>{says}: “{words}”. A rule of thumb, {count} sure.</source>
        <translation>{says}：“{words}”。这是经验规则，把握 {count}。</translation>
    </message>
    <message>
        <source>{scale} and more</source>
        <translation>{scale} 及以上</translation>
    </message>
    <message>
        <source>{score} similar</source>
        <translation>相似度 {score}</translation>
    </message>
    <message>
        <source>{sentence}. Undo</source>
        <translation>{sentence}。撤销</translation>
    </message>
    <message>
        <source>{sentence}: {what}.</source>
        <translation>{sentence}：{what}。</translation>
    </message>
    <message>
        <source>{setting}: {value}, before {old}</source>
        <translation>{setting}：{value}，原为 {old}</translation>
    </message>
    <message>
        <source>{share} against {mark}</source>
        <translation>{share}，标准 {mark}</translation>
    </message>
    <message>
        <source>{share} of {number}</source>
        <translation>{share}，共 {number} 次</translation>
    </message>
    <message>
        <source>{share} similar</source>
        <translation>相似度 {share}</translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %Ln shown</source>
        <translation>
            <numerusform>显示 %Ln 条中的 {shown} 条</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown} of more than %Ln shown</source>
        <translation>
            <numerusform>显示 %Ln 条以上中的 {shown} 条</numerusform>
        </translation>
    </message>
    <message>
        <source>{shown} of {all}</source>
        <translation>{shown} / {all}</translation>
    </message>
    <message>
        <source>{shown} of {whole}</source>
        <translation>{whole}中的 {shown}</translation>
    </message>
    <message>
        <source>{size} KB live</source>
        <translation>{size} KB 在用</translation>
    </message>
    <message>
        <source>{size} in prompt</source>
        <translation>提示词中 {size}</translation>
    </message>
    <message>
        <source>{size} now</source>
        <translation>现在 {size}</translation>
    </message>
    <message>
        <source>{size} of {budget}</source>
        <translation>{size} / {budget}</translation>
    </message>
    <message>
        <source>{size} of {budget} characters</source>
        <translation>{size} / {budget} 个字符</translation>
    </message>
    <message>
        <source>{source} {what} {target}</source>
        <translation>{source} {what} {target}</translation>
    </message>
    <message>
        <source>{source}, trust {trust}</source>
        <translation>{source}，信任度 {trust}</translation>
    </message>
    <message>
        <source>{target} is there already.</source>
        <translation>{target} 已经存在。</translation>
    </message>
    <message>
        <source>{text}, left out: {because}</source>
        <translation>{text}，未采用：{because}</translation>
    </message>
    <message>
        <source>{things}, {time}</source>
        <translation>{things}，{time}</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
    </message>
    <message>
        <source>{time} on average</source>
        <translation>平均 {time}</translation>
    </message>
    <message>
        <source>{title} (archived)</source>
        <translation>{title}（已归档）</translation>
    </message>
    <message>
        <source>{title} (past)</source>
        <translation>{title}（已过去）</translation>
    </message>
    <message>
        <source>{title} (taken back)</source>
        <translation>{title}（已撤回）</translation>
    </message>
    <message>
        <source>{title}, turn {turn}</source>
        <translation>{title}，第 {turn} 条发言</translation>
    </message>
    <message>
        <source>{title}, {kind} in {channel}</source>
        <translation>{title}，{channel} 中的{kind}</translation>
    </message>
    <message>
        <source>{title}, {kind} in {channel}, contradicted</source>
        <translation>{title}，{channel} 中的{kind}，有矛盾</translation>
    </message>
    <message>
        <source>{title}, {kind} in {channel}, past</source>
        <translation>{title}，{channel} 中的{kind}，已过去</translation>
    </message>
    <message>
        <source>{tokens} of {budget} tokens</source>
        <translation>{tokens} / {budget} 个词元</translation>
    </message>
    <message>
        <source>{tokens} of {window} tokens</source>
        <translation>{tokens} / {window} 词元</translation>
    </message>
    <message>
        <source>{tokens}, cut to fit</source>
        <translation>{tokens}，已裁剪</translation>
    </message>
    <message>
        <source>{took} ms</source>
        <translation>{took} 毫秒</translation>
    </message>
    <message>
        <source>{tool_name} for {task_type} {outcome_words}</source>
        <translation>{tool_name} 用于 {task_type}，{outcome_words}</translation>
    </message>
    <message>
        <source>{tool_name} {outcome_words}</source>
        <translation>{tool_name} {outcome_words}</translation>
    </message>
    <message>
        <source>{tool} for {task}</source>
        <translation>{tool}（{task}）</translation>
    </message>
    <message>
        <source>{total} memories are in this set; at most {most} can be changed at once.</source>
        <translation>此集合中有 {total} 条记忆；一次最多更改 {most} 条。</translation>
    </message>
    <message numerus="yes">
        <source>{total} of %Ln event(s)</source>
        <translation>
            <numerusform>%Ln 个事件中的 {total} 个</numerusform>
        </translation>
    </message>
    <message>
        <source>{type} in {channel}: {title}</source>
        <translation>{channel} 中的{type}：{title}</translation>
    </message>
    <message>
        <source>{type}: decide for good, without being asked again</source>
        <translation>{type}：一次决定，今后不再询问</translation>
    </message>
    <message>
        <source>{type}: none waits.</source>
        <translation>{type}：没有待审。</translation>
    </message>
    <message>
        <source>{type}s from {source_kind} {name}: always {decision}</source>
        <translation>来自 {source_kind} {name} 的{type}：始终 {decision}</translation>
    </message>
    <message>
        <source>{value} forecast</source>
        <translation>预测 {value}</translation>
    </message>
    <message>
        <source>{value} now</source>
        <translation>现在 {value}</translation>
    </message>
    <message>
        <source>{value}, saved {saved}</source>
        <translation>{value}，已保存 {saved}</translation>
    </message>
    <message>
        <source>{waiting} of {passages} passages wait for a vector; their words are found already.</source>
        <translation>{passages} 个段落中有 {waiting} 个在等待向量；其词语已能找到。</translation>
    </message>
    <message numerus="yes">
        <source>{what} and %Ln more</source>
        <translation>
            <numerusform>{what} 等另外 %Ln 项</numerusform>
        </translation>
    </message>
    <message>
        <source>{what} answers with vectors of different dimensions.</source>
        <translation>{what} 回答的向量维数不一。</translation>
    </message>
    <message>
        <source>{what} belongs to the agent {agent_id}.</source>
        <translation>{what} 属于智能体 {agent_id}。</translation>
    </message>
    <message>
        <source>{what} cannot hold “{strange}”; it may hold {known}.</source>
        <translation>{what} 不能是“{strange}”；可以是 {known}。</translation>
    </message>
    <message>
        <source>{what} from “{column}”</source>
        <translation>{what} 来自“{column}”</translation>
    </message>
    <message>
        <source>{what} has {count} bytes; {most} at most.</source>
        <translation>{what}有 {count} 字节；最多 {most} 字节。</translation>
    </message>
    <message>
        <source>{what} has {count} characters; {most} at most.</source>
        <translation>{what}有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>{what} in {channel}</source>
        <translation>{channel} 中的{what}</translation>
    </message>
    <message>
        <source>{what} is damaged: it cannot be read as a ZIP archive.</source>
        <translation>{what} 已损坏：无法作为 ZIP 归档读取。</translation>
    </message>
    <message>
        <source>{what} is not JSON.</source>
        <translation>{what}不是 JSON。</translation>
    </message>
    <message>
        <source>{what} of this desk</source>
        <translation>{what}（本记忆台）</translation>
    </message>
    <message>
        <source>{what} of this desk, changed since it was made</source>
        <translation>{what}（本记忆台，制作后被改动过）</translation>
    </message>
    <message>
        <source>{what} signed as you, {person}</source>
        <translation>{what} 以您 {person} 的名义署名</translation>
    </message>
    <message>
        <source>{what} takes none of these texts.</source>
        <translation>{what} 不接受这些文本。</translation>
    </message>
    <message>
        <source>{what} that was not made by this desk</source>
        <translation>{what}（并非本记忆台所制）</translation>
    </message>
    <message>
        <source>{what} {reply}.</source>
        <translation>{what}{reply}。</translation>
    </message>
    <message>
        <source>{what} {says}.</source>
        <translation>{what}{says}。</translation>
    </message>
    <message>
        <source>{what}, now past</source>
        <translation>{what}，现已过去</translation>
    </message>
    <message>
        <source>{what}, pinned</source>
        <translation>{what}，已固定</translation>
    </message>
    <message>
        <source>{what}, rescued</source>
        <translation>{what}，已挽救</translation>
    </message>
    <message>
        <source>{what}, trusted</source>
        <translation>{what}，受信任</translation>
    </message>
    <message>
        <source>{what}, unpinned</source>
        <translation>{what}，已取消固定</translation>
    </message>
    <message>
        <source>{what}. It stays {value}.</source>
        <translation>{what}。仍为 {value}。</translation>
    </message>
    <message>
        <source>{what}: not {value}, against not {believed}</source>
        <translation>{what}：不是 {value}，而另一条不是 {believed}</translation>
    </message>
    <message>
        <source>{what}: not {value}, against {believed}</source>
        <translation>{what}：不是 {value}，而另一条是 {believed}</translation>
    </message>
    <message>
        <source>{what}: {list}</source>
        <translation>{what}：{list}</translation>
    </message>
    <message>
        <source>{what}: {value}, against not {believed}</source>
        <translation>{what}：{value}，而另一条不是 {believed}</translation>
    </message>
    <message>
        <source>{what}: {value}, against {believed}</source>
        <translation>{what}：{value}，而另一条是 {believed}</translation>
    </message>
    <message>
        <source>{where} has no `{name}`.</source>
        <translation>{where} 没有 `{name}`。</translation>
    </message>
    <message>
        <source>{where} has no claim.</source>
        <translation>{where} 没有陈述。</translation>
    </message>
    <message>
        <source>{where} is not a JSON object.</source>
        <translation>{where} 不是 JSON 对象。</translation>
    </message>
    <message>
        <source>{where} lacks `{missing}`.</source>
        <translation>{where}缺少 `{missing}`。</translation>
    </message>
    <message>
        <source>{where} names a fact that is not in the archive.</source>
        <translation>{where} 指向归档中没有的事实。</translation>
    </message>
    <message>
        <source>{where} names the block {missing}, which is not in the file.</source>
        <translation>{where} 指向文件中没有的块 {missing}。</translation>
    </message>
    <message>
        <source>{where}: `data` is not a list.</source>
        <translation>{where}：`data` 不是列表。</translation>
    </message>
    <message>
        <source>{where}: `{count}` is more than {most}.</source>
        <translation>{where}：`{count}` 大于 {most}。</translation>
    </message>
    <message>
        <source>{where}: `{name}` is not {wanted}.</source>
        <translation>{where}：`{name}` 不是{wanted}。</translation>
    </message>
    <message>
        <source>{where}: `{name}` of a {label} is not what it should be.</source>
        <translation>{where}：{label}的 `{name}` 不是应有的内容。</translation>
    </message>
    <message>
        <source>{where}: `{name}` {why}.</source>
        <translation>{where}：`{name}` {why}。</translation>
    </message>
    <message>
        <source>{where}: an id must be text of 1 to {count} characters.</source>
        <translation>{where}：id 必须是 1 到 {count} 个字符的文本。</translation>
    </message>
    <message>
        <source>{where}: the note “{key}” is not the JSON it says it is.</source>
        <translation>{where}：便笺“{key}”不是它所称的 JSON。</translation>
    </message>
    <message>
        <source>{where}: {says}</source>
        <translation>{where}：{says}</translation>
    </message>
    <message>
        <source>{whose}{title}, now</source>
        <translation>{whose}{title}，现在</translation>
    </message>
    <message>
        <source>{who} asks for your click: {what}.</source>
        <translation>{who} 请您点击确认：{what}。</translation>
    </message>
    <message>
        <source>{who} may not sign as {named}.</source>
        <translation>{who} 不得以 {named} 署名。</translation>
    </message>
    <message>
        <source>{who} may not use the channel {channel}.</source>
        <translation>{who} 不得使用频道 {channel}。</translation>
    </message>
    <message>
        <source>{who} may not use the memory of the user {user}.</source>
        <translation>{who} 不得使用用户 {user} 的记忆。</translation>
    </message>
    <message>
        <source>{who} may not write into {channel}.</source>
        <translation>{who} 不得写入 {channel}。</translation>
    </message>
    <message>
        <source>{who} will recall it in every channel.</source>
        <translation>{who} 将在所有频道召回它。</translation>
    </message>
    <message>
        <source>{who}, turn {turn} in {conversation}</source>
        <translation>{who}，第 {turn} 条发言，{conversation}</translation>
    </message>
    <message>
        <source>{why}; in all: {count}.</source>
        <translation>{why}；总计：{count}。</translation>
    </message>
    <message>
        <source>{workspace} has {files} files with {facts} facts, more than are handed over at once.</source>
        <translation>{workspace} 有 {files} 个文件、{facts} 条事实，超过一次可移交的数量。</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source>“Repair…” below shows what can be done about it.</source>
        <translation>下方的“修复…”会显示可以怎么处理。</translation>
    </message>
    <message>
        <source>“{answer}” for {what}, as one run that is taken back at once</source>
        <translation>对{what}一并“{answer}”，作为一次运行，可一步撤销</translation>
    </message>
    <message>
        <source>“{a}” until “{b}”</source>
        <translation>“{a}”，直到“{b}”</translation>
    </message>
    <message>
        <source>“{bad}” names no line.</source>
        <translation>“{bad}”没有指明任何一行。</translation>
    </message>
    <message>
        <source>“{chat}” is on the desk with other words in turn {count}; it was left as it is.</source>
        <translation>“{chat}”在记忆台上的第 {count} 条发言用词不同；保持原样。</translation>
    </message>
    <message>
        <source>“{claim}” is forgotten already.</source>
        <translation>“{claim}”已被遗忘。</translation>
    </message>
    <message>
        <source>“{claim}” is out of recall already.</source>
        <translation>“{claim}”已不在召回中。</translation>
    </message>
    <message>
        <source>“{claim}” is past already.</source>
        <translation>“{claim}”已经过去。</translation>
    </message>
    <message>
        <source>“{claim}” is retired already.</source>
        <translation>“{claim}”已停用。</translation>
    </message>
    <message>
        <source>“{claim}” until “{later}”</source>
        <translation>“{claim}”，直到“{later}”</translation>
    </message>
    <message>
        <source>“{claim}” was decided over since, and its line would not agree with it.</source>
        <translation>“{claim}”此后另有决定，它的那一行会与之不符。</translation>
    </message>
    <message>
        <source>“{goal}” is part of “{parent}” now</source>
        <translation>“{goal}”现在隶属于“{parent}”</translation>
    </message>
    <message>
        <source>“{goal}” stands by itself now</source>
        <translation>“{goal}”现在独立存在</translation>
    </message>
    <message>
        <source>“{goal}” waits no longer for “{blocker}”</source>
        <translation>“{goal}”不再等待“{blocker}”</translation>
    </message>
    <message>
        <source>“{key}” has its newer value</source>
        <translation>“{key}”取较新的值</translation>
    </message>
    <message>
        <source>“{key}” is reserved for {wanted}.</source>
        <translation>“{key}”留作 {wanted} 之用。</translation>
    </message>
    <message>
        <source>“{kind}” has no tag {names}.</source>
        <translation>“{kind}”没有标签 {names}。</translation>
    </message>
    <message>
        <source>“{kind}” is not pinned already.</source>
        <translation>“{kind}”本来就没有固定。</translation>
    </message>
    <message>
        <source>“{kind}” is pinned already.</source>
        <translation>“{kind}”已经固定。</translation>
    </message>
    <message>
        <source>“{kind}” is trusted already.</source>
        <translation>“{kind}”已受信任。</translation>
    </message>
    <message>
        <source>“{name}” is not another name of {entity}.</source>
        <translation>“{name}”不是 {entity} 的别名。</translation>
    </message>
    <message>
        <source>“{name}” is the name of {id}.</source>
        <translation>“{name}”是 {id} 的名称。</translation>
    </message>
    <message>
        <source>“{part}” is the name of a device.</source>
        <translation>“{part}”是设备名。</translation>
    </message>
    <message>
        <source>“{path}” is no path in a workspace.</source>
        <translation>“{path}”不是工作区中的路径。</translation>
    </message>
    <message>
        <source>“{query}” → 1 hit</source>
        <translation>“{query}” → 1 条命中</translation>
    </message>
    <message>
        <source>“{query}” → {count} hits</source>
        <translation>“{query}” → {count} 条命中</translation>
    </message>
    <message>
        <source>“{question}” must tell “{answer}”</source>
        <translation>“{question}”必须答出“{answer}”</translation>
    </message>
    <message>
        <source>“{question}” no longer tells “{answer}”</source>
        <translation>“{question}”不再告知“{answer}”</translation>
    </message>
    <message>
        <source>“{record}” has left recall since this was asked.</source>
        <translation>“{record}”在询问之后已离开召回。</translation>
    </message>
    <message>
        <source>“{record}” is retired.</source>
        <translation>“{record}”已停用。</translation>
    </message>
    <message>
        <source>“{short}” may be short for “{long}”</source>
        <translation>“{short}”可能是“{long}”的简称</translation>
    </message>
    <message>
        <source>“{source}” {relation} “{target}”</source>
        <translation>“{source}” {relation} “{target}”</translation>
    </message>
    <message>
        <source>“{strange}” has no duplicates; kinds are {kinds}.</source>
        <translation>“{strange}”没有重复项；种类有 {kinds}。</translation>
    </message>
    <message>
        <source>“{strange}” is never asked; types are {proposed}.</source>
        <translation>“{strange}”从不询问；类型有 {proposed}。</translation>
    </message>
    <message>
        <source>“{strange}” is no status; there are {statuses}.</source>
        <translation>“{strange}”不是状态；有 {statuses}。</translation>
    </message>
    <message>
        <source>“{talk}” archived</source>
        <translation>“{talk}”已归档</translation>
    </message>
    <message>
        <source>“{task_description}” → 1 strategy</source>
        <translation>“{task_description}” → 1 个策略</translation>
    </message>
    <message>
        <source>“{task_description}” → {count} strategies</source>
        <translation>“{task_description}” → {count} 个策略</translation>
    </message>
    <message>
        <source>“{title}”</source>
        <translation>“{title}”</translation>
    </message>
    <message>
        <source>“{title}” did not work</source>
        <translation>“{title}”无效</translation>
    </message>
    <message>
        <source>“{title}” gets its {fields} back.</source>
        <translation>“{title}”取回其{fields}。</translation>
    </message>
    <message>
        <source>“{title}” is not retired.</source>
        <translation>“{title}”没有停用。</translation>
    </message>
    <message>
        <source>“{title}” is retired.</source>
        <translation>“{title}”已停用。</translation>
    </message>
    <message>
        <source>“{title}” stays. {why}</source>
        <translation>“{title}”保持原样。{why}</translation>
    </message>
    <message>
        <source>“{title}” waits for another goal</source>
        <translation>“{title}”在等待另一个目标</translation>
    </message>
    <message>
        <source>“{title}” worked</source>
        <translation>“{title}”有效</translation>
    </message>
    <message>
        <source>… and compacts from this share of it; 0 for never.</source>
        <translation>……达到此比例时压缩；0 表示从不。</translation>
    </message>
    <message>
        <source>… and from this it compacts (OpenLegion).</source>
        <translation>……达到此比例时压缩（OpenLegion）。</translation>
    </message>
    <message>
        <source>… and leaves the last so many messages as they are; never under 4.</source>
        <translation>……并原样保留最后这么多条消息；不少于 4。</translation>
    </message>
    <message>
        <source>… and summarises what goes; off drops it into the archive.</source>
        <translation>……并为移出的内容写摘要；关闭则直接放入归档。</translation>
    </message>
    <message>
        <source>… and the newest of each of so many weeks. Those made by hand stay until you remove them.</source>
        <translation>……以及最近这么多周每周最新的一份。手动备份会保留到您删除为止。</translation>
    </message>
    <message>
        <source>… and was said in this many conversations (AgentX).</source>
        <translation>……且在这么多段对话中说过（AgentX）。</translation>
    </message>
    <message>
        <source>… leaving the last so many messages as they are.</source>
        <translation>……原样保留最后这么多条消息。</translation>
    </message>
    <message>
        <source>… once it was recalled this often (AgentX).</source>
        <translation>……且被召回达到此次数（AgentX）。</translation>
    </message>
    <message>
        <source>… or past so many characters; 0 for any number.</source>
        <translation>……或字符超过此数；0 表示不限。</translation>
    </message>
    <message>
        <source>… or past so many characters; never under 4,000 (later AgenticX: 200,000).</source>
        <translation>……或字符超过此数；不少于 4,000（后来的 AgenticX：200,000）。</translation>
    </message>
    <message>
        <source>… stores facts ahead from this share of the window; 0 for never.</source>
        <translation>……占窗口达到此比例时预先保存事实；0 表示从不。</translation>
    </message>
</context>
</TS>
