/** An assistant: the client of the protocol's own library, connected with `plancast mcp` in this process. */

import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { afterThisTest } from "./after-test.ts";
import { type CommandOptions, type RunningCommand, startCommand } from "./run-command.ts";

const answerSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
});

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
}

export interface Assistant {
  readonly client: Client;
  /** Calls a tool. Refused arguments are an answer too. */
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<ToolAnswer>;
  /** Sends text that need not be a message. */
  readonly send: (text: string) => void;
  readonly running: RunningCommand;
}

export async function startAssistant(options: CommandOptions): Promise<Assistant> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const running = startCommand(["mcp"], { ...options, input, onOutput: (text) => output.write(text) });
  const client = await connectClient(new StdioServerTransport(output, input));
  return { client, call: callerOf(client), send: (text) => void input.write(text), running };
}

/** @param transport connects with a server */
export async function connectClient(transport: Parameters<Client["connect"]>[0]): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  afterThisTest(() => client.close());
  await client.connect(transport);
  return client;
}

export function callerOf(client: Client): Assistant["call"] {
  return async (name, args = {}) => {
    const { isError = false, content } = answerSchema.parse(await client.callTool({ name, arguments: args }));
    return { isError, text: content.map(({ text }) => text).join("\n") };
  };
}

/** The JSON between the marks of an answer. */
export function dataOf(text: string): unknown {
  const [, mark = ""] = /^--- data (\w+) ---$/m.exec(text) ?? [];
  const [, json = ""] = text.split(`--- data ${mark} ---\n`);
  return JSON.parse(json.split(`--- end of data ${mark} ---`)[0] ?? "");
}

/** The hash in the command that `plan` asks a person to run. */
export function hashIn({ text }: ToolAnswer): string {
  const [, hash = ""] = /^ {4}plancast confirm (sha256:[0-9a-f]{64})/m.exec(text) ?? [];
  if (hash === "") throw new Error(`no plan to confirm:\n${text}`);
  return hash;
}
