/** Connects the server with stdin and stdout, until the assistant's program closes stdin or a signal comes. */

import { Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Run } from "../shell/command.ts";
import type { ExitCode, TextStream } from "../shell/shell.ts";
import { type PlainTools, createServer } from "./server.ts";
import { Session } from "./session.ts";

export async function serveAssistant(run: Run, tools: PlainTools): Promise<ExitCode> {
  const { shell, console } = run;
  const session = await Session.open(run);
  const server = await createServer(session, tools);
  const input = shell.input();
  const ended = new Promise<void>((resolve) => {
    input
      .once("end", resolve)
      .once("close", resolve)
      .once("error", () => resolve());
    server.server.onclose = resolve;
    shell.stop.addEventListener("abort", () => resolve(), { once: true });
  });
  server.server.onerror = () => console.note("plancast mcp ignored a message that is not JSON-RPC.\n");
  await server.connect(new StdioServerTransport(input, toStream(shell.stdout)));
  await ended;
  // What a person has confirmed is done to its end, so that its result is known and recorded.
  await session.idle();
  await server.close();
  return shell.stop.aborted ? 130 : 0;
}

function toStream(text: TextStream): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      text.write(String(chunk));
      done();
    },
  });
}
