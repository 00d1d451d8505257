// MemDesk as OpenClaw's memory: it keeps what is said and done, tells what fits before a turn, and gives two tools.
// It speaks HTTP on the desk's socket with Node's own modules. Where the desk is away, the agent goes on without.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";

const SECONDS = 5;
const START_SECONDS = 15;
const AWAY = new Set(["ENOENT", "ECONNREFUSED"]);

class Desk {
  constructor(config) {
    this.config = config;
    this.agent = config.agent ?? "openclaw";
    this.channel = config.channel ?? this.agent;
  }

  // Returns the answer's JSON; starts the service once where none runs.
  async post(path, body) {
    try {
      return await this.send(path, body);
    } catch (wrong) {
      if (!AWAY.has(wrong.code) || !this.config.start?.length) throw wrong;
      await this.start();
      return await this.send(path, body);
    }
  }

  send(path, body) {
    const headers = { host: "desk", "content-type": "application/json" };
    headers["x-memdesk-agent"] = encodeURIComponent(this.agent);
    if (this.config.tokenFile) {
      headers.authorization = `Bearer ${readFileSync(this.config.tokenFile, "ascii").trim()}`;
    }
    return new Promise((resolve, reject) => {
      const asked = request(
        { socketPath: this.config.socket, path, method: "POST", headers, timeout: SECONDS * 1000 },
        (answer) => {
          const pieces = [];
          answer.on("data", (piece) => pieces.push(piece));
          answer.on("end", () => {
            try {
              const said = JSON.parse(Buffer.concat(pieces).toString("utf8"));
              if (answer.statusCode === 200) resolve(said);
              else reject(new Error(said.says ?? `the desk answered ${answer.statusCode}`));
            } catch (wrong) {
              reject(wrong);
            }
          });
          answer.on("error", reject);
        },
      );
      asked.on("timeout", () => asked.destroy(new Error("the desk took too long")));
      asked.on("error", reject);
      asked.end(JSON.stringify(body));
    });
  }

  start() {
    const [program, ...words] = this.config.start;
    return new Promise((resolve) => {
      execFile(program, words, { timeout: START_SECONDS * 1000 }, () => resolve());
    });
  }

  // Reports an event of a session; returns the memory for a turn that begins.
  async event(moment, said) {
    const answer = await this.post("/v1/hooks/event", {
      moment,
      agent_id: this.agent,
      channel: this.channel,
      said: JSON.stringify(said),
    });
    if (!answer.output) return "";
    return JSON.parse(answer.output).hookSpecificOutput?.additionalContext ?? "";
  }

  async tool(name, session, words) {
    const place = new URLSearchParams({ channel: this.channel });
    if (session) place.set("session_id", session);
    const answer = await this.post(`/v1/tools/agentx/${name}?${place}`, words);
    return { content: [{ type: "text", text: answer.text }], details: { isError: answer.is_error === true } };
  }
}

function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter((part) => part?.type === "text" && typeof part.text === "string")
    .map((part) => part.text)
    .join("\n");
}

function lastAnswer(messages) {
  const last = (messages ?? []).findLast((message) => message?.role === "assistant" && textOf(message.content).trim());
  return last ? textOf(last.content) : "";
}

const sessionOf = (event, context) => context?.sessionId ?? context?.sessionKey ?? event?.sessionId ?? event?.sessionKey;

function register(api) {
  const desk = new Desk(api.pluginConfig ?? {});

  // Runs a hook so that its failure never reaches the agent.
  const quietly = (name, hook) =>
    api.on(name, async (event, context) => {
      const session = sessionOf(event, context);
      if (!session) return undefined;
      try {
        return await hook(event ?? {}, session, context ?? {});
      } catch (wrong) {
        api.logger.warn(`memdesk: ${name}: ${wrong.message}; the session goes on without.`);
        return undefined;
      }
    });

  quietly("before_prompt_build", async (event, session, context) => {
    const kind = context.inputProvenance?.kind ?? "external_user";
    const prompt = event.currentUserMessage ?? event.prompt ?? "";
    if (kind !== "external_user" || !prompt.trim()) return undefined;
    const told = await desk.event("prompt", { session_id: session, prompt });
    return told ? { prependContext: told } : undefined;
  });

  quietly("after_tool_call", async (event, session) => {
    if (!event.toolCallId) return;
    await desk.event("tool", {
      session_id: session,
      tool_name: event.toolName,
      tool_use_id: event.toolCallId,
      tool_input: event.params ?? {},
      tool_response: event.result ?? null,
      error: event.error ? String(event.error) : "",
    });
  });

  quietly("agent_end", async (event, session) => {
    const answer = lastAnswer(event.messages);
    if (answer) await desk.event("stop", { session_id: session, last_assistant_message: answer });
  });

  const tools = [
    {
      name: "memory_search",
      description:
        "Search what earlier conversations said and what is known. Use it when the user refers to earlier work, a decision, " +
        "a preference or a person, and the answer is not in this conversation.",
      word: "query",
      says: "What to look for; a name finds more than a sentence",
      call: (session, query) => desk.tool("recall_user_history", session, { topic: query }),
    },
    {
      name: "memory_store",
      description: "Keep one fact for later conversations: a sentence with its subject in it. Never a password or a key.",
      word: "text",
      says: "The fact",
      call: (session, text) => desk.tool("remember_fact", session, { claim: text }),
    },
  ];
  for (const tool of tools) {
    api.registerTool(
      (context) => ({
        name: tool.name,
        label: tool.name,
        description: tool.description,
        parameters: {
          type: "object",
          properties: { [tool.word]: { type: "string", description: tool.says } },
          required: [tool.word],
        },
        execute: async (_id, words) => {
          try {
            return await tool.call(sessionOf(undefined, context), words[tool.word]);
          } catch (wrong) {
            return { content: [{ type: "text", text: `The desk is away: ${wrong.message}` }], details: { isError: true } };
          }
        },
      }),
      { name: tool.name },
    );
  }
}

export default {
  id: "memdesk",
  name: "MemDesk",
  description: "The desk's memory: what was said and done is kept, and told again when it fits",
  kind: "memory",
  register,
};
