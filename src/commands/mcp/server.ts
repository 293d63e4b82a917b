/** The server for one assistant: its tools and resources. Each runs a command in the session, and answers with its result. */

import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import {
  type ToolName,
  ASSISTANT_INSTRUCTIONS,
  TOOL_TEXTS,
  answerText,
  calendarAnswer,
  failedAnswer,
  ranAnswer,
  writtenAnswer,
} from "../../report/assistant.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import { VERSION } from "../../version.ts";
import { PLAN_HASH } from "../../model/plan.ts";
import type { Run } from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";
import { applyConfirmed, planForAssistant } from "./apply-confirmed.ts";
import { calendarNames, docPages, readCalendarRows, readDocPage } from "./resources.ts";
import type { Ran, Session } from "./session.ts";
import { draftInput, nameInput, writeDraft } from "./write-draft.ts";

/** Commands that a tool runs as they are. They print JSON or text. */
export type PlainTools = Readonly<
  Record<
    "columns" | "validate" | "preview" | "status" | "rules",
    (run: Run, calendars: readonly string[]) => Promise<ExitCode>
  >
>;

const calendars = z
  .array(nameInput)
  .max(100)
  .default([])
  .describe("Calendars, as paths relative to the project. Default: all");

/** A signal that is never aborted. */
const NEVER = new AbortController().signal;

const CHANGES_NOTHING = { readOnlyHint: true } as const;
const WRITES_FILES = { readOnlyHint: false, destructiveHint: false } as const;

/** @returns a server that is not connected yet */
export async function createServer(session: Session, tools: PlainTools): Promise<McpServer> {
  const server = new McpServer(
    { name: "plancast", version: VERSION },
    { instructions: ASSISTANT_INSTRUCTIONS },
  );
  const tool = <Input extends z.ZodObject>(
    name: ToolName,
    inputSchema: Input,
    annotations: object,
    work: (run: Run, input: z.infer<Input>, say: (text: string) => void) => Promise<ExitCode>,
  ): void => {
    // The library's type of the callback depends on the input's shape, which is unknown here.
    const given: z.ZodObject = inputSchema;
    server.registerTool(
      name,
      {
        ...TOOL_TEXTS[name],
        inputSchema: given,
        annotations: { title: TOOL_TEXTS[name].title, ...annotations },
      },
      async (input, { signal }) => {
        let said: string | undefined;
        // Programs give up after a minute, but a confirmed plan is applied to its end.
        const ran = await session.run(name === "apply" ? NEVER : signal, (run) =>
          work(run, inputSchema.parse(input), (text) => (said = text)),
        );
        const own =
          ran.error !== undefined ? failedAnswer(name, ran.error) : (said ?? ranAnswer(name, ran.exit));
        return {
          content: [{ type: "text", text: answerOf(own, ran, session) }],
          isError: isError(name, ran),
        };
      },
    );
  };

  const none = z.strictObject({});
  const some = z.strictObject({ calendars });
  tool("columns", z.strictObject({ calendar: nameInput }), CHANGES_NOTHING, (run, { calendar }) =>
    tools.columns(run, [calendar]),
  );
  tool("validate", some, CHANGES_NOTHING, (run, input) => tools.validate(run, input.calendars));
  tool("plan", some, CHANGES_NOTHING, (run, input, say) => planForAssistant(run, input.calendars, say));
  tool("preview", some, WRITES_FILES, (run, input) => tools.preview(run, input.calendars));
  tool("status", some, CHANGES_NOTHING, (run, input) => tools.status(run, input.calendars));
  tool("rules", none, CHANGES_NOTHING, (run) => tools.rules(run, []));
  tool("write_draft", draftInput, WRITES_FILES, (run, input, say) =>
    writeDraft(run, input, (posts) => say(writtenAnswer(posts))),
  );
  const confirmed = z.strictObject({
    hash: z.string().regex(PLAN_HASH, "the whole hash that plan shows").describe("The hash of the plan"),
    calendars: calendars.describe("The same calendars as for the plan. Default: all"),
  });
  const publishes = {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  };
  tool("apply", confirmed, publishes, (run, input) => applyConfirmed(run, input.hash, input.calendars));

  addCalendars(server, session);
  await addDocs(server);
  return server;
}

function answerOf(own: string, { document }: Pick<Ran, "document">, session: Session): string {
  return answerText(own, document, session.mark());
}

/** A calendar with errors, or a failed post, is a result. */
function isError(name: ToolName, { exit, error }: Ran): boolean {
  return error !== undefined || (name === "apply" && exit !== 0);
}

function addCalendars(server: McpServer, session: Session): void {
  const template = new ResourceTemplate("plancast://calendars/{path}", {
    list: async () => {
      let names: readonly string[] = [];
      await session.run(NEVER, async (run) => {
        names = await calendarNames(run);
        return 0;
      });
      return {
        resources: names.map((file) => ({
          uri: uriOf(file),
          name: escapeTerminal(file),
          mimeType: "text/plain",
        })),
      };
    },
  });
  const about = { title: "Calendars", description: "The rows of a calendar as plancast reads them" };
  server.registerResource("calendar", template, about, async (uri, { path: given }, { signal }) => {
    let said: string | undefined;
    const ran = await session.run(signal, (run) =>
      readCalendarRows(run, decoded(String(given)), (rows) => (said = calendarAnswer(rows))),
    );
    return {
      contents: [
        {
          uri: uri.href,
          mimeType: "text/plain",
          text: answerOf(said ?? failedAnswer("Reading the calendar", ran.error ?? ""), ran, session),
        },
      ],
    };
  });
}

function uriOf(file: string): string {
  return `plancast://calendars/${encodeURIComponent(file)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function addDocs(server: McpServer): Promise<void> {
  for (const page of await docPages()) {
    const uri = `plancast://docs/${page}`;
    server.registerResource(`docs/${page}`, uri, { mimeType: "text/markdown" }, async () => ({
      contents: [{ uri, mimeType: "text/markdown", text: await readDocPage(page) }],
    }));
  }
}
