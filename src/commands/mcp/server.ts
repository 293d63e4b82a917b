/** The server for one assistant: its tools and resources. Each runs a command in the session, and answers with its result. */

import { dirname, join, sep } from "node:path";
import { Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { findCalendars } from "../../calendars/find.ts";
import { SELECT_ALL, selectCalendars } from "../../calendars/select.ts";
import { readFile, readdir } from "../../disk/machine.ts";
import { statsOf } from "../../disk/place.ts";
import { Failure } from "../../model/failure.ts";
import { PLAN_HASH } from "../../model/plan.ts";
import {
  type ToolName,
  ASSISTANT_INSTRUCTIONS,
  TOOL_TEXTS,
  answerText,
  calendarAnswer,
  failedAnswer,
  notAMessageText,
  ranAnswer,
  tooLongText,
  writtenAnswer,
} from "../../report/assistant.ts";
import { problemDocument } from "../../report/problems/problems-json.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import { VERSION } from "../../model/version.ts";
import { loadProject } from "../project/project.ts";
import type { Run } from "../shell/command.ts";
import type { ExitCode, TextStream } from "../shell/shell.ts";
import { applyConfirmed, planForAssistant } from "./plan-and-apply.ts";
import { type Ran, Session } from "./session.ts";
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
async function createServer(session: Session, tools: PlainTools): Promise<McpServer> {
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

async function calendarNames(run: Run): Promise<readonly string[]> {
  const { root, config } = await loadProject(run.flags, run.shell);
  return (await findCalendars(root, config.calendars)).files;
}

/**
 * Prints the rows of a calendar as JSON. Throws a Failure if no calendar has this name.
 * @param say gets the number of rows
 */
async function readCalendarRows(run: Run, name: string, say: (rows: number) => void): Promise<ExitCode> {
  const project = await loadProject(run.flags, run.shell);
  const { calendars } = await selectCalendars(project, SELECT_ALL, project.root);
  const named = calendars.filter(({ file }) => file === name);
  if (named.length === 0)
    throw new Failure(
      "calendar/not-in-project",
      `${JSON.stringify(name)} is not one of the project's calendars.`,
      "List the resources to see the names of the calendars.",
    );
  const rows = named.flatMap((calendar) =>
    calendar.rows.map(({ sheet, line, cells, variants }) => ({
      sheet,
      line,
      ...cells,
      ...Object.fromEntries(
        variants.flatMap(({ platform, cells: own }) =>
          Object.entries(own).map(([field, cell]) => [`${field}:${platform}`, cell]),
        ),
      ),
    })),
  );
  say(rows.length);
  const problems = named.flatMap((calendar) => calendar.problems.map(problemDocument));
  run.console.json({ version: 1, calendar: name, rows, problems });
  return 0;
}

/** Folders of docs/ for people who change plancast, not for those who use it, and pictures. */
const NOT_FOR_USERS = /^(?:change|pictures)\//;

/** Paths of the pages below docs/, with `/`. Empty if the package was installed without them. */
async function docPages(): Promise<readonly string[]> {
  const folder = await docsFolder();
  if (folder === undefined) return [];
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names
    .map((each) => each.split(sep).join("/"))
    .filter((each) => each.endsWith(".md") && !NOT_FOR_USERS.test(each))
    .sort();
}

/** @param page one of `docPages` */
async function readDocPage(page: string): Promise<string> {
  return readFile(join((await docsFolder()) ?? "", page), "utf8");
}

/** docs/ of the package that contains this file: built files and sources are at different depths. */
async function docsFolder(folder = dirname(fileURLToPath(import.meta.url))): Promise<string | undefined> {
  if ((await statsOf(join(folder, "package.json"))) !== undefined) return join(folder, "docs");
  return dirname(folder) === folder ? undefined : docsFolder(dirname(folder));
}
