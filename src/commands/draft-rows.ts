/** The story of `draft`: what rows ask for, the question, the requests, the calendars, the report. */
import { realpath } from "node:fs/promises";
import type { Project } from "../calendar/config.ts";
import { hasErrors, type Problem } from "../calendar/problem.ts";
import { Answers, waitingAnswers, type Answer } from "../draft/answers.ts";
import { ask, type Asked } from "../draft/ask.ts";
import { pictureOf, savePicture } from "../draft/picture.ts";
import { draftRow, type DraftedRow, type Got } from "../draft/row-edits.ts";
import type { Wanted } from "../draft/wanted.ts";
import { writeDrafts } from "../draft/write-drafts.ts";
import type { Addresses } from "../media/addresses.ts";
import type { OpenedService } from "../open-service.ts";
import {
  askingText,
  draftDocument,
  draftText,
  dryRunDocument,
  dryRunText,
  type DraftedReportRow,
  type DraftItem,
  type UndraftedItem,
} from "../report/drafted.ts";
import { problemDocument } from "../report/problem-document.ts";
import { problemsText } from "../report/problems-text.ts";
import { fromService, withAddresses } from "./addresses.ts";
import { askFirst } from "./ask-first.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { DraftFlags } from "./draft.ts";
import { readWanted, type ToDraft } from "./draft-wanted.ts";
import { locked } from "./locked.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { sourceLines } from "./source-lines.ts";

type Flags = GlobalFlags & DraftFlags;

export async function draftRows(
  project: Project,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  if (flags["dry-run"]) {
    const found = await readWanted(project, flags, shell);
    showProblems(found, console);
    const waiting = await waitingAnswers(project.root);
    const toAsk = found.wanted.filter(({ request }) => !waiting.has(request));
    const [items, kept] = [toAsk.map(itemOf), found.wanted.length - toAsk.length];
    const problems = found.problems.map(problemDocument);
    if (flags.format === "json") console.json({ ...dryRunDocument(items, kept), problems });
    else console.result(dryRunText(items, kept, console.style));
    return hasErrors(found.problems) ? 1 : 0;
  }
  return locked(project, "read-write", flags, shell, console, async (opened) => {
    const found = await readWanted(project, flags, shell);
    showProblems(found, console);
    const answers = await Answers.open(project.root);
    try {
      return await draftFound(project, found, { answers, opened }, flags, shell, console);
    } finally {
      await answers.close();
    }
  });
}

interface Surroundings {
  readonly answers: Answers;
  readonly opened: OpenedService;
}

async function draftFound(
  project: Project,
  found: ToDraft,
  { answers, opened }: Surroundings,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const kept = await keptFor(found, answers);
  const toAsk = found.wanted.filter(({ request }) => !answers.waiting.has(request));
  if (toAsk.length > 0) {
    const question = `${askingText(toAsk.map(itemOf), kept.length)} The service may charge for that. Go on?`;
    if (!(await askFirst(question, flags, shell, console))) return shell.stop.aborted ? 130 : 1;
  }
  const asked = await ask(toAsk, opened.service, answers);
  const undrafted = [...asked].flatMap(([wanted, each]) => notDone(wanted, each));
  const wanted = [...kept, ...toAsk.filter((each) => asked.get(each)?.result === "done")];
  const surroundings = { flags, shell, console };
  const written = await withAddresses(project, fromService(opened.files), surroundings, (addresses) =>
    write(project, found, { wanted, answers, addresses }),
  );
  const report = {
    rows: written.rows,
    undrafted: [...undrafted, ...written.undrafted],
    requests: opened.requests(),
    kept: answers.waiting.size,
  };
  if (flags.format === "json")
    console.json({ ...draftDocument(report), problems: found.problems.map(problemDocument) });
  else console.result(draftText(report, console.style));
  return exitOf(report.undrafted, found.problems, shell);
}

/** What earlier runs got and did not write. What nobody wants any more is forgotten. */
async function keptFor({ wanted, had }: ToDraft, answers: Answers): Promise<readonly Wanted[]> {
  const still: Wanted[] = wanted.filter(({ request }) => answers.waiting.has(request));
  const settled: string[] = [];
  for (const [request, { again, text }] of answers.waiting) {
    const there = had.get(request);
    if (there === undefined) continue;
    if (again && there.current !== text) still.push(there);
    else settled.push(request);
  }
  await answers.settle(settled);
  return still;
}

interface Writing {
  readonly wanted: readonly Wanted[];
  readonly answers: Answers;
  readonly addresses: Addresses;
}

interface WrittenRows {
  readonly rows: readonly DraftedReportRow[];
  readonly undrafted: readonly UndraftedItem[];
}

/** Writes each calendar once, with all that is there for it. */
async function write(
  { root }: Project,
  { files, identify }: ToDraft,
  { wanted, answers, addresses }: Writing,
): Promise<WrittenRows> {
  const rows: DraftedReportRow[] = [];
  const undrafted: UndraftedItem[] = [];
  const top = await realpath(root);
  for (const file of files) {
    const got: Got[] = [];
    for (const each of wanted.filter((one) => one.file === file)) {
      const answer = answers.waiting.get(each.request);
      if (answer === undefined) continue;
      // One after the other: the next picture's name depends on those that are there.
      // oxlint-disable-next-line no-await-in-loop
      const value = await valueOf(top, each, answer, addresses);
      if (typeof value === "string") got.push({ wanted: each, value });
      else undrafted.push({ ...itemOf(each), status: "failed", ...value });
    }
    if (got.length === 0) continue;
    const indexes = [...new Set(got.map((each) => each.wanted.row))].sort((one, other) => one - other);
    const drafted = indexes.map((row) => {
      const own = got.filter((each) => each.wanted.row === row);
      return draftRow(file.calendar, row, own, identify);
    });
    // oxlint-disable-next-line no-await-in-loop
    const { written, failed } = await writeDrafts(root, file, drafted, identify);
    // oxlint-disable-next-line no-await-in-loop
    await answers.settle([...written.keys()].flatMap(requestsOf));
    for (const [row, cells] of written) rows.push({ ...placeOf(row), cells });
    for (const [row, fault] of failed)
      undrafted.push(...row.got.map((each) => ({ ...failedItem(each), ...fault })));
  }
  return { rows, undrafted };
}

/** What goes into the cell; a fault where a picture cannot be had. */
async function valueOf(
  root: string,
  { file, name }: Wanted,
  { text, image = {} }: Answer,
  addresses: Addresses,
): Promise<string | { readonly code: string; readonly message: string }> {
  if (text !== undefined) return text;
  const picture = await pictureOf(image, addresses);
  if ("bytes" in picture) return savePicture(root, file.calendar.file, name, picture);
  // The service has the picture: then the calendar can name it there.
  return image.mediaId !== undefined && /^media_[\w-]+$/.test(image.mediaId) ? image.mediaId : picture;
}

function notDone(wanted: Wanted, asked: Asked): UndraftedItem[] {
  switch (asked.result) {
    case "done":
      return [];
    case "refused":
      return [{ ...itemOf(wanted), status: "failed", code: asked.code, message: asked.message }];
    case "unknown":
      return [{ ...itemOf(wanted), status: "unknown", message: asked.message }];
    case "not_started":
      return [{ ...itemOf(wanted), status: "not_started" }];
    default:
      return asked satisfies never;
  }
}

function itemOf({ file: { calendar }, row, name, kind, platform }: Wanted): DraftItem {
  const { file } = calendar;
  return { file, line: calendar.rows[row]?.line ?? 1, name, kind, platform };
}

function failedItem({ wanted, value }: Got): UndraftedItem {
  return { ...itemOf(wanted), status: "failed", text: wanted.kind === "text" ? value : undefined };
}

function placeOf({ got: [first] }: DraftedRow): Pick<DraftedReportRow, "file" | "line" | "name"> {
  if (first === undefined) throw new Error("A drafted row has something that was got for it.");
  const { file, line, name } = itemOf(first.wanted);
  return { file, line, name };
}

function requestsOf({ got }: DraftedRow): string[] {
  return got.map(({ wanted }) => wanted.request);
}

function showProblems({ problems, files }: ToDraft, console: Console): void {
  if (problems.length === 0) return;
  const lines = sourceLines(files.map(({ calendar }) => calendar));
  const text = `${problemsText(problems, lines, console.errorStyle)}\n`;
  if (hasErrors(problems)) console.alert(text);
  else console.note(text);
}

function exitOf(
  undrafted: readonly UndraftedItem[],
  problems: readonly Problem[],
  { stop }: Shell,
): ExitCode {
  if (stop.aborted) return 130;
  if (undrafted.some(({ status }) => status === "unknown")) return 3;
  return undrafted.length > 0 || hasErrors(problems) ? 1 : 0;
}
