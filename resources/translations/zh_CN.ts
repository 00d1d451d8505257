<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>A fact this sure may go to _global (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A faded entity unused for so long is retired; 0 for never (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A larger file is refused by name when a folder is imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A note of a session&apos;s scratchpad lives this long after its last use; 0 for ever, as in AgenticX.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A recall whose best hit is less relevant than this answers with nothing; 0 for whatever comes nearest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run of a job stops before it spends more tokens of a model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run of a job stops cleanly after this long; the next goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sequence of tools is a strategy once this many conversations succeeded with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After so long the gain of recency is half (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AgenticX also compacts when the model&apos;s window less a margin is full (later AgenticX: on).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AgenticX compacts past so many messages; never under 8 (later AgenticX: 200).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agentix agents have their Memories tool without asking for it (Agentix&apos;s memories_enabled).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agentix compacts past so many tokens (Agentix).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agentix summarises older messages; off drops them into the archive (Agentix).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also search the query&apos;s own paraphrases (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived conversations still answer recalls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Below this salience a memory counts as faded (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confidence left of an inferred fact after a week without recall; slower than salience (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversations that began longer ago are archived; 0 for never (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Damping of rank fusion (Cormack, Clarke and Buettcher 2009).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Facts this near in meaning, with the same telling words, are one (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the graph from entities that the query names (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From this share of the window OpenLegion stores facts ahead (OpenLegion).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hits a recall returns unless asked otherwise (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the graph is followed (AgentX: 2 to 3).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long a summary of a context may be (AgenticX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long the same recall may be answered from memory while nothing changed (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long to wait for the embedder, which every recall does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long to wait for the language model, further tries among it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long to wait for the reranker.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How near an entity must be to the query to be followed (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often facts are extracted from new turns; 0 for never (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often faded memory is retired; 0 for never (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often old conversations are archived and retired memory is deleted; 0 for never (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often old segments of the audit log are dropped; 0 for never (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often project facts are held against the conditions of promotion; 0 for never (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often strategies are learned from successful conversations; 0 for never (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the contexts of sessions that name no policy are compacted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How words and meaning become one ranking: a weighted sum, AgentX&apos;s rank fusion, or AgentX&apos;s base retriever.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep what agents were told before a turn, as long as the audit log (audit_retention_days).</source>
        <translation type="unfinished"></translation>
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
        <source>Last turns of the conversation under way that a recall brings along (later AgentX: 3).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let a reranker judge the best hits again; every recall then waits for its answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the language model extract where one is set; otherwise, and where it fails, rules do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the language model read the query too; every recall then waits for its answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the language model summarise where one is set; otherwise, and where it fails, extracts do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Messages Agentix leaves as they are (Agentix).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages OpenLegion leaves as they are (OpenLegion).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New messages before AgenticX compacts again (later AgenticX: 6).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes a walk through the graph visits at most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off leaves new turns unread by the job consolidate (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off stops every job by the clock; a job can still be run by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Past this size the least recently used of working memory goes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read time and channel out of the query, by rules (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Salience after a person rescues a memory (AgentX&apos;s remember).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Salience left after a day without recall (AgentX; half-life 13.5 days).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Salience of a memory that was just learned (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score added to turns of a speaker named in the query; helps questions, costs on trick questions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score of a fact of the past (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score of a fact that holds now (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search with an answer the language model imagines (AgentX; needs a model).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search words beside vectors (AgentX&apos;s RecallLayer).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the reads that the audit log keeps at its levels reads and verbose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the way to 1 that one recall lifts salience: four recalls take 0.3 past 0.75.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the words in rank fusion; meaning has the rest (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The custom policy compacts past so many messages; 0 for any number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedder is asked no more that day past so many tokens; 0 for no limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder of a sentence-transformer with its ONNX model, for the embedder `onnx` (the extra `onnx`).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The language model and the reranker are asked no more that day past so many tokens; 0 for no limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name shown for you; empty takes the name of your account.</source>
        <translation type="unfinished"></translation>
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
        <source>Turns and thoughts a conversation&apos;s working memory holds (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns of one conversation a recall returns before others had their turn; 0 for any (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of entities in AgentX&apos;s retriever.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of facts in AgentX&apos;s retriever.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of strategies in AgentX&apos;s retriever.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of turns in AgentX&apos;s retriever.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What AgenticX&apos;s policy takes when the model fails: its short snippets, or our extracts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a job retired is deleted this much later; 0 for never.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a memory of this very moment gains over an old one (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a model takes in, for callers that do not say (OpenLegion).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What an agent is told before a turn has so many tokens at most, unless it asks otherwise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is spoken there: OpenAI&apos;s chat completions, as most servers do, or Anthropic&apos;s messages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the audit log keeps beside the journal, which is never off (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the job does with a fact that meets all three conditions: propose it, or promote it straight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What turns text into vectors: the bundled table, a server, or a model in a folder. A change makes them anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When two current facts cannot both be true: the newer wins, the older wins, or a person decides (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where a reranker is served; empty for none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where embeddings are served, for the embedder `server`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the language model is served, such as http://localhost:11434/v1; empty for none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which embedding model to ask there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which language model to ask there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which reranker to ask there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which words Anthropic&apos;s memory tool answers with: its documentation&apos;s, or its Python SDK&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole days of the audit log are dropped after this long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working memory lives this long after it was last used (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and compacts from this share of it; 0 for never.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and from this it compacts (OpenLegion).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and leaves the last so many messages as they are; never under 4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and summarises what goes; off drops it into the archive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and was said in this many conversations (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… leaving the last so many messages as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… once it was recalled this often (AgentX).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… or past so many characters; 0 for any number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… or past so many characters; never under 4,000 (later AgenticX: 200,000).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… stores facts ahead from this share of the window; 0 for never.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
