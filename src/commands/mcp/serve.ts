/** Connects the server with stdin and stdout, until the assistant's program closes stdin or a signal comes. */

import { Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { notAMessageText, tooLongText } from "../../report/assistant.ts";
import type { Run } from "../shell/command.ts";
import type { ExitCode, TextStream } from "../shell/shell.ts";
import { type PlainTools, createServer } from "./server.ts";
import { Session } from "./session.ts";

export async function serveAssistant(run: Run, tools: PlainTools): Promise<ExitCode> {
  const { shell, console } = run;
  const session = await Session.open(run);
  const server = await createServer(session, tools);
  const input = shell.input();
  const ended = new Promise<"asked" | "refused">((resolve) => {
    const end = (): void => resolve("asked");
    input.once("end", end).once("close", end).once("error", end);
    shell.stop.addEventListener("abort", end, { once: true });
    // The library has no other way to listen. It closes the connection only after a message that is too long.
    Object.assign(server.server, {
      onclose: () => resolve("refused"),
      onerror: () => console.note(notAMessageText()),
    });
  });
  await server.connect(new StdioServerTransport(input, toStream(shell.stdout)));
  const why = await ended;
  // A confirmed plan is applied to its end, so that its result is known and recorded. Requests that came before the
  // end still start and answer within one turn of the event loop.
  await turn();
  await session.idle();
  await turn();
  await server.close();
  if (why === "refused") console.alert(tooLongText());
  return shell.stop.aborted ? 130 : why === "refused" ? 1 : 0;
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
