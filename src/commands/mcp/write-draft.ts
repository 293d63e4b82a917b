/**
 * The tool `write_draft`: another text in a row that is a draft, or new drafts in a new file. It never changes a row
 * that is ready, and never makes a row ready.
 */

import { join } from "node:path";
import { z } from "zod";
import type { CalendarFile } from "../../calendars/edit/edit-calendar.ts";
import { readContents } from "../../calendars/read-calendar.ts";
import {
  type SelectionOptions,
  selectCalendars,
  settingsFor,
  severalEntries,
} from "../../calendars/select.ts";
import { FORMATS, writeFormatOf } from "../../calendars/all-formats.ts";
import { platformsToOffer } from "../../calendars/rows-to-write.ts";
import type { TableColumn, WrittenRow } from "../../calendars/formats/written-row.ts";
import { identify } from "../../checks/networks/network-names.ts";
import { aliasesOf } from "../../checks/platforms.ts";
import { RowView } from "../../checks/row-view.ts";
import { readStatus, wordsForStatus } from "../../checks/statuses.ts";
import { placeInProject } from "../../disk/place.ts";
import { writeDrafts } from "../../draft/write-drafts.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { hasErrors } from "../../model/problem.ts";
import type { Cell } from "../../model/row.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { Project } from "../../settings/config.ts";
import { isUnderstood, readCalendarFiles, saveCalendarFile, writeNewFile } from "../project/written-files.ts";
import { loadProject, namedFile } from "../project/project.ts";
import type { Run } from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";

/**
 * The name of a file, a row or a network, without line ends and characters that hide or reorder others: people see these
 * names, for example in git.
 */
export const nameInput = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u);
const content = z.string().min(1).max(50_000);

/** A new post. Every field is text as a row of a calendar has it. */
const newPost = z.strictObject({
  id: z.string().min(1).max(100).optional().describe("A name for the row, unique in the project"),
  scheduled_at: z
    .string()
    .min(1)
    .max(40)
    .describe("Local time in the zone of the project, such as 2027-03-01 09:00"),
  platforms: z.array(nameInput).min(1).max(20).describe("Networks, such as linkedin"),
  content: content.describe("Text of the post"),
  media: z.array(nameInput).max(20).optional().describe("Files, relative to the calendar"),
  alt: z.array(z.string().max(5_000)).max(20).optional().describe("Alt texts, in the order of the media"),
});

export const draftInput = z.strictObject({
  calendar: nameInput.describe("Path of the calendar, relative to the project, such as calendars/march.csv"),
  row: nameInput.optional().describe("Id or line of a row that is a draft. Needs content"),
  content: content.optional().describe("New text of that row"),
  posts: z
    .array(newPost)
    .min(1)
    .max(200)
    .optional()
    .describe("New drafts. The file must not exist yet: .csv, .yaml, .xlsx, or .md for a single post"),
});

type DraftInput = z.infer<typeof draftInput>;

/** Writes, and prints as JSON what was written. @param say gets the number of written drafts */
export async function writeDraft(
  run: Run,
  input: DraftInput,
  say: (posts: number) => void,
): Promise<ExitCode> {
  const project = await loadProject(run.flags, run.shell);
  // Refuses paths out of the project, links, and the folders of git and plancast.
  await placeInProject(project.root, input.calendar);
  const { file } = namedFile(project, input.calendar, project.root);
  const { row, content: text, posts } = input;
  if (
    file === undefined ||
    (row === undefined) !== (text === undefined) ||
    (row === undefined) === (posts === undefined)
  )
    throw new Failure(
      "usage/arguments",
      "write_draft takes either row and content, or posts.",
      "Name the row of a draft with its new content, or pass new posts.",
    );
  if (row !== undefined && text !== undefined) await rewrite(project, file, row, text);
  if (posts !== undefined) await create(project, file, posts);
  say(posts?.length ?? 1);
  run.console.json({ version: 1, calendar: file, drafts: posts?.length ?? 1 });
  return 0;
}

async function rewrite(project: Project, file: string, row: string, text: string): Promise<void> {
  const found = await calendarFile(project, file);
  const { calendar } = found;
  const indexes = calendar.rows.flatMap((each, index) =>
    each.cells.id === row || String(each.line) === row ? [index] : [],
  );
  const [index] = indexes;
  if (index === undefined || indexes.length > 1)
    throw new Failure(
      "usage/not-found",
      `${file} has ${index === undefined ? "no row" : "several rows"} ${JSON.stringify(row)}.`,
      "Read the calendar, and name one row by its id or its line.",
    );
  if (!isDraft(calendar, index))
    throw new Failure(
      "draft/not-a-draft",
      `The row ${JSON.stringify(row)} of ${file} is not a draft, so nothing was written.`,
      "Ask a person to change its status to draft, or to edit it.",
    );
  const aliases = aliasesOf(project.config);
  const drafted = { edit: { row: index, cells: new Map([["content", text] as const]) }, got: [] };
  const { failed } = await writeDrafts(
    (edited, contents) => saveCalendarFile(project, edited, contents, "try again."),
    found,
    [drafted],
    (platform) => identify(platform, aliases),
  );
  const fault = failed.get(drafted);
  if (fault === undefined) return;
  const why = fault.reason.kind === "message" ? fault.reason.message : "The file changed meanwhile.";
  throw new Failure(fault.code, `Nothing was written into ${file}: ${why}`, "Read the calendar again.");
}

/** A calendar of the project with its bytes. Throws if the file is not a calendar, or plancast cannot read it. */
async function calendarFile(project: Project, file: string): Promise<CalendarFile> {
  const selection: SelectionOptions = { calendars: [file], only: undefined };
  const { calendars, problems } = await selectCalendars(project, selection, project.root);
  if (hasErrors(problems)) throw new ProjectProblems(problems, () => undefined);
  const [wanted, second] = calendars.filter((each) => each.file === file);
  if (wanted === undefined) throw notACalendar(file);
  if (second !== undefined) throw severalEntries(second, "write into");
  const [found] = await readCalendarFiles(project, [wanted], undefined);
  if (found === undefined || !isUnderstood(found))
    throw new ProjectProblems(wanted.problems, () => undefined);
  return found;
}

function isDraft(calendar: Calendar, row: number): boolean {
  const raw = calendar.rows[row];
  if (raw === undefined) return false;
  return readStatus(new RowView(raw, calendar).values.status, calendar.settings.status_values) === "draft";
}

async function create(
  project: Project,
  file: string,
  posts: readonly z.infer<typeof newPost>[],
): Promise<void> {
  const format = writeFormatOf(file);
  const { settings, isCalendar } = settingsFor(project, file);
  if (format === undefined || !isCalendar) throw notACalendar(file);
  if (!(FORMATS[format].isOnePost ? POST_SHAPE : CALENDAR_SHAPE).test(file))
    throw new Failure(
      "usage/arguments",
      `${file} cannot be the name of new drafts: other programs may read files with this name.`,
      "Name no hidden folder. Begin the name of a Markdown file with a date, such as posts/2027-03-01-launch.md.",
    );
  if (FORMATS[format].isOnePost && posts.length > 1)
    throw new Failure("usage/arguments", "A Markdown file holds one post.", "Write one file for each post.");
  const [[word] = []] = wordsForStatus({ rows: [], settings }, "draft");
  const rows = posts.map((post) => writtenRow(post, word ?? "draft"));
  const written = await FORMATS[format].write(rows, {
    platforms: platformsToOffer(project.config, rows),
  });
  if ("faults" in written)
    throw new Failure(
      "write/unwritable",
      `Nothing was written: ${written.faults[0]?.message ?? "the format cannot hold the posts"}`,
      "Change that, or choose another format.",
    );
  await checkDrafts({ file, contents: written.contents, settings }, posts);
  const path = join(project.root, file);
  await writeNewFile({ project, path, name: file, contents: written.contents, force: false });
}

/**
 * Assistants obey files such as CLAUDE.md and AGENTS.md, and those in hidden folders, and a draft is a free text. So no
 * new file may have the shape of their names.
 */
const CALENDAR_SHAPE = /^(?:(?![.\s])[^/~:\p{C}]+\/)*(?![.\s])[^/~:\p{C}]+$/u;
const POST_SHAPE = /^(?:(?![.\s])[^/~:\p{C}]+\/)*\d{4}-\d\d-\d\d[^/~:\p{C}]*$/u;

function writtenRow({ scheduled_at: at, ...post }: z.infer<typeof newPost>, status: string): WrittenRow {
  const cells: Partial<Record<TableColumn, Cell | undefined>> = { ...post, scheduled_at: at, status };
  return new Map(
    Object.entries(cells).flatMap(([column, cell]): [TableColumn, Cell][] =>
      // The names of the fields come from this file.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      cell === undefined ? [] : [[column as TableColumn, cell]],
    ),
  );
}

/** Reads the new file as the project would: its settings may give columns and words another meaning. */
async function checkDrafts(
  {
    file,
    contents,
    settings,
  }: Pick<Calendar, "file" | "settings"> & { readonly contents: string | Uint8Array },
  posts: readonly z.infer<typeof newPost>[],
): Promise<void> {
  const read = await readContents(file, Buffer.from(contents), settings);
  const calendar = { ...read, settings };
  const isSame =
    !hasErrors(read.problems) &&
    read.rows.length === posts.length &&
    posts.every(
      (post, index) =>
        isDraft(calendar, index) && textOf(read.rows[index]?.cells.content) === textOf(post.content),
    );
  if (isSame) return;
  throw new Failure(
    "write/unwritable",
    `With the settings of the project, ${file} would not contain exactly these drafts. Nothing was written.`,
    "Choose another name or format, or simpler texts.",
  );
}

/** Formats trim texts, and change their line ends. */
function textOf(cell: Cell | undefined): string {
  return String(cell ?? "")
    .replaceAll(/\r\n?/g, "\n")
    .trim();
}

function notACalendar(file: string): Failure {
  return new Failure(
    "calendar/not-in-project",
    `${file} is not a calendar of this project, so nothing was written.`,
    "Name a file that matches a pattern under `calendars:` in plancast.yaml.",
  );
}
