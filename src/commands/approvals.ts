/** `plancast approvals`: shows a client's answers beside the rows, and writes the status of each row into its calendar. */

import { resolve } from "node:path";
import { readApprovalRecord, writeApprovalRecord } from "../calendars/approval-record.ts";
import { checkCalendars, listWholePosts } from "../calendars/check.ts";
import { type CalendarFile, editCalendar } from "../calendars/edit/edit-calendar.ts";
import { hasStatusColumn, statusSwitches } from "../calendars/edit/edit-status.ts";
import { SELECT_ALL, selectCalendars, severalEntries } from "../calendars/select.ts";
import { identify, limitsOfProject } from "../checks/networks/network-names.ts";
import { aliasesOf } from "../checks/platforms.ts";
import { readStatus, wordsForStatus } from "../checks/statuses.ts";
import { readFile, stat } from "../disk/machine.ts";
import { utcTime } from "../model/canonical.ts";
import { durationMs } from "../model/clock.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import { type ListedPost, type UtcTime, idOf } from "../model/post.ts";
import type { Config } from "../settings/config.ts";
import { rowName } from "../model/problem.ts";
import { type RawRow, rowMark } from "../model/row.ts";
import {
  type DecidedAnswer,
  MAX_ANSWERS_BYTES,
  notAnswers,
  parseAnswers,
  decideAnswers,
  isReadyUnapproved,
  recordAnswers,
} from "../preview/client-answers.ts";
import type { AnswersFile } from "../preview/preview-data.ts";
import type { ApprovalsDocument } from "../report/documents/calendars.ts";
import {
  type AnswerResult,
  addStatusQuestion,
  approvalsDocument,
  approvalsText,
  refusedAs,
} from "../report/outcomes/approvals.ts";
import {
  type FlagsOf,
  type ProjectRun,
  FORMAT_OPTION,
  YES_OPTION,
  confirmChange,
  defineCommand,
  defineFlags,
  switchOption,
  textOption,
} from "./shell/command.ts";
import { isUnderstood, readCalendarFiles, saveCalendarFile } from "./project/written-files.ts";
import { knownMedia } from "./project/media.ts";
import { openProject } from "./project/project.ts";
import { showResult } from "./shell/result.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  file: {
    isPositional: true,
    type: "string",
    demandOption: true,
    describe: "File that your client sent back",
  },
  ready: textOption("Write this word for approved posts", "WORD"),
  draft: textOption("Write this word for posts that need changes", "WORD"),
  "dry-run": switchOption("Show the answers, and write nothing"),
  yes: YES_OPTION,
  format: FORMAT_OPTION,
});

type ApprovalsFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["approvals answers-2036-03.json", "Write what your client approved into the calendars"],
    ["approvals answers-2036-03.json --dry-run", "Only show the answers and comments"],
  ],
  run: async (run) => writeApprovals(await openProject(run)),
});

async function writeApprovals(run: ProjectRun<ApprovalsFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const text = await readAnswersText(flags.file, shell.cwd);
  const now = shell.clock.now();
  const file = parseAnswers(text, flags.file, project.config.project, now);
  const selection = await selectCalendars(project, SELECT_ALL, shell.cwd);
  // The posts come from exactly the bytes that are edited.
  const files = await readCalendarFiles(project, selection.calendars, undefined);
  const calendars = files.map(({ calendar }) => calendar);
  const media = knownMedia(project, shell.clock);
  const checked = await checkCalendars(project, { ...selection, calendars }, shell.clock, media);
  const posts = await listWholePosts(project, checked, media);
  const pastUntil = utcTime(now + durationMs(project.config.safety.lead_time));
  const record = await readApprovalRecord(project);
  const decided = decideAnswers(file, posts, record, pastUntil);
  refuseOtherProject(file, decided, run);
  const planned = planCells(decided, files, flags);
  if (!(await confirmColumns(planned, run))) return shell.stop.aborted ? 130 : 1;
  // Before the cells: if a cell cannot be written, the next plan still knows that the client rejected the post.
  const next = recordAnswers(record, decided, posts, file.saved);
  if (!flags["dry-run"] && next.size > 0) await writeApprovalRecord(project, next);
  const results = new Map(planned.settled);
  for (const each of planned.files) {
    if (shell.stop.aborted) return 130;
    for (const [answer, result] of await writeCells(run, each)) results.set(answer, result);
  }
  const { page, saved } = file;
  const answers = answerDocuments(decided, results, pastUntil, project.config);
  const document = approvalsDocument(
    { page, saved, dry_run: flags["dry-run"], answers },
    file.answers.length,
  );
  const timezone = project.config.timezone ?? "UTC";
  showResult(run, { document, text: () => approvalsText(document, timezone, console.style) });
  return document.summary.refused > 0 ? 1 : 0;
}

async function readAnswersText(name: string, cwd: string): Promise<string> {
  const path = resolve(cwd, name);
  let found;
  try {
    found = await stat(path);
    if (found.isFile() && found.size <= MAX_ANSWERS_BYTES) return await readFile(path, "utf8");
  } catch (error) {
    throw notAnswers(name, `it cannot be read (${reasonOf(error)})`);
  }
  throw notAnswers(name, found.isFile() ? "it is larger than 32 MB" : "it is not a file");
}

/** The same name means the same project. Without names, at least one post must be known. */
function refuseOtherProject(
  { page, answers }: AnswersFile,
  decided: readonly DecidedAnswer[],
  { project, flags }: ProjectRun<ApprovalsFlags>,
): void {
  const isNamed = page.project !== undefined && page.project === project.config.project;
  if (isNamed || answers.length === 0 || decided.some(({ post }) => post !== undefined)) return;
  throw new Failure(
    "approvals/other-project",
    `No row of this project has any of the posts in ${flags.file}.`,
    "Run the command in the folder of the right project. If it is the right one, all these rows changed: make a new page.",
  );
}

// Which cells to write.

/** The new status of one row, and the answers that ask for it. */
interface StatusCell {
  /** Index of the row. */
  readonly row: number;
  readonly before: string | undefined;
  readonly after: string;
  readonly answers: readonly DecidedAnswer[];
}

interface FileCells {
  readonly file: CalendarFile;
  readonly cells: readonly StatusCell[];
  /** Whether the calendar gets a column for them. */
  readonly addsColumn: boolean;
}

interface PlannedCells {
  readonly files: readonly FileCells[];
  /** Answers that change no cell. */
  readonly settled: ReadonlyMap<DecidedAnswer, AnswerResult>;
}

function planCells(
  decided: readonly DecidedAnswer[],
  files: readonly CalendarFile[],
  flags: Pick<ApprovalsFlags, "ready" | "draft">,
): PlannedCells {
  const settled = new Map<DecidedAnswer, AnswerResult>();
  const rows = indexRows(files);
  const cells = new Map<CalendarFile, Map<number, StatusCell>>();
  for (const each of decided) {
    const { decision, post } = each;
    const place = post === undefined ? undefined : rows.get(rowMark(post.source));
    if (decision.kind !== "status") {
      settled.set(
        each,
        decision.kind === "refused" ? refusedAs(decision.refusal) : { result: decision.kind },
      );
      continue;
    }
    if (place === undefined) throw new Error("A post needs a row.");
    const { file, row } = place;
    const said = statusFor(file, row, decision.status, flags[decision.status]);
    if ("result" in said) settled.set(each, said);
    else {
      const own = cells.get(file) ?? new Map<number, StatusCell>();
      const answers = [...(own.get(row)?.answers ?? []), each];
      cells.set(file, own.set(row, { row, ...said, answers }));
    }
  }
  const planned = [...cells].map(([file, own]): FileCells => {
    if (files.some((other) => other !== file && other.calendar.file === file.calendar.file))
      throw severalEntries(file.calendar, "write into");
    return { file, cells: [...own.values()], addsColumn: lacksStatus(file) };
  });
  return { files: planned, settled };
}

/** The rows of all calendars, by their places. */
function indexRows(
  files: readonly CalendarFile[],
): ReadonlyMap<string, { readonly file: CalendarFile; readonly row: number }> {
  return new Map(
    files.flatMap((file) => file.calendar.rows.map((each, row) => [rowMark(each), { file, row }] as const)),
  );
}

/** The new cell of a row, or why it stays. */
function statusFor(
  { calendar }: CalendarFile,
  row: number,
  status: "ready" | "draft",
  given: string | undefined,
): Pick<StatusCell, "before" | "after"> | AnswerResult {
  const before = ownStatus(calendar.rows[row]);
  const words = calendar.settings.status_values;
  const reading = before === undefined ? undefined : readStatus({ text: before }, words);
  const isAlready = reading === status;
  if (before !== undefined && isAlready) return { result: "unchanged", status: { before, after: before } };
  const [byColumn] = statusSwitches(calendar);
  if (byColumn !== undefined) return refusedAs({ code: "approvals/status", column: byColumn.name });
  if (given !== undefined) {
    return readStatus({ text: given }, words) === status
      ? { before, after: given.trim() }
      : refusedAs({ code: "approvals/status", status, given });
  }
  const known = wordsForStatus(calendar, status);
  const [commonest] = known;
  // A rejection must take its row out of the plan, so it does not wait for a choice.
  if (commonest !== undefined && (known.length === 1 || status === "draft"))
    return { before, after: commonest[0] };
  return refusedAs(
    known.length === 0
      ? { code: "approvals/status", status, given: status }
      : { code: "approvals/status", status, words: known },
  );
}

/** The text of the row's own cell; undefined if it is blank. */
function ownStatus(row: RawRow | undefined): string | undefined {
  const cell = row?.cells.status;
  const text = typeof cell === "string" ? cell.trim() : "";
  return text === "" ? undefined : text;
}

/** Whether a table has no status column, or no post of another file has a status. */
function lacksStatus({ calendar }: CalendarFile): boolean {
  return calendar.table === undefined
    ? calendar.rows.every(({ cells }) => cells.status === undefined)
    : !hasStatusColumn(calendar);
}

async function confirmColumns({ files }: PlannedCells, run: ProjectRun<ApprovalsFlags>): Promise<boolean> {
  const calendars = files.filter(({ addsColumn }) => addsColumn).map(({ file }) => file.calendar);
  if (calendars.length === 0 || run.flags["dry-run"]) return true;
  return confirmChange(
    addStatusQuestion(
      calendars.map(({ file }) => file),
      calendars.every(({ table }) => table !== undefined),
    ),
    run,
  );
}

// Writes one calendar's cells, all of them or none.

async function writeCells(
  { project, flags }: ProjectRun<ApprovalsFlags>,
  { file, cells }: FileCells,
): Promise<[DecidedAnswer, AnswerResult][]> {
  const { calendar } = file;
  const aliases = aliasesOf(project.config);
  const all = (resultOf: (cell: StatusCell) => AnswerResult): [DecidedAnswer, AnswerResult][] =>
    cells.flatMap((cell) =>
      cell.answers.map((each) => [each, resultOf(cell)] as [DecidedAnswer, AnswerResult]),
    );
  if (!isUnderstood(file)) {
    const message = `${calendar.file} has errors. Run plancast validate, fix them, and run again.`;
    return all(() => refusedAs({ code: "write/not-written", message }));
  }
  const edits = cells.map(({ row, after }) => ({ row, cells: new Map([["status" as const, after]]) }));
  const { contents, faults } = await editCalendar(file, edits, (name) => identify(name, aliases));
  const isSound =
    flags["dry-run"] || (await saveCalendarFile(project, file, contents, "run the command again."));
  return all(({ row, before, after }) => {
    if (!isSound) return refusedAs({ code: "write/file-changed" });
    const fault = faults.find((each) => each.row === undefined || each.row === row);
    if (fault === undefined) return { result: "written", status: { before: before ?? null, after } };
    return refusedAs({ code: "write/not-written", message: fault.message });
  });
}

/** @param pastUntil posts before this time are past */
function answerDocuments(
  decided: readonly DecidedAnswer[],
  results: ReadonlyMap<DecidedAnswer, AnswerResult>,
  pastUntil: UtcTime,
  config: Config,
): ApprovalsDocument["answers"] {
  const limitsOf = limitsOfProject(config);
  const titleOf = (platform: string): string => limitsOf(platform)?.title ?? platform;
  const written = new Map(
    decided.flatMap((each) =>
      each.post !== undefined && each.decision.kind === "status" && results.get(each)?.result === "written"
        ? [[rowMark(each.post.source), each.decision.status] as const]
        : [],
    ),
  );
  return decided.map((each) => {
    const { answer, post } = each;
    const status = post && (written.get(rowMark(post.source)) ?? post.status);
    const result = results.get(each) ?? { result: "unanswered" };
    const isRejected = answer.answer === "changes" && result.result === "refused" && !isSettled(result);
    const isUnapproved = status !== undefined && isReadyUnapproved(each, status, pastUntil);
    return {
      ...(post === undefined ? {} : postDocument(post, titleOf)),
      shown: answer.shown,
      answer: answer.answer,
      comment: answer.comment,
      ...result,
      ...(isUnapproved ? { ready_unapproved: true } : {}),
      ...(isRejected && (status === undefined || status === "ready") ? { rejected_in_plan: true } : {}),
    };
  });
}

/** Nothing remains to be done for this rejection. */
function isSettled({ code }: AnswerResult): boolean {
  return code === "approvals/past" || code === "approvals/skipped" || code === "approvals/older";
}

function postDocument(
  post: ListedPost,
  titleOf: (platform: string) => string,
): Partial<ApprovalsDocument["answers"][number]> {
  const { source, key, scheduledAt, content, platforms } = post;
  return {
    source: { file: source.file, line: source.line },
    place: rowName(source, post.at()),
    id: idOf(key),
    scheduled_at: scheduledAt,
    networks: platforms.map(titleOf),
    content,
  };
}
