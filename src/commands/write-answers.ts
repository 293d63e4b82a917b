/** Puts answers into the calendars that they are for: those of this run, and those that an earlier one left. */
import { realpath } from "node:fs/promises";
import type { Project } from "../calendar/config.ts";
import type { Answer, Answers } from "../draft/answers.ts";
import { loadPicture, savePicture, type PictureFault } from "../draft/picture.ts";
import { draftRowEdit, type DraftedRow, type GeneratedValue } from "../draft/row-edits.ts";
import type { DraftTask } from "../draft/wanted.ts";
import { writeDrafts } from "../draft/write-drafts.ts";
import type { CalendarFile } from "../edit/edit-calendar.ts";
import type { IdentifyPlatform } from "../edit/place-columns.ts";
import { unusableTextReason } from "../edit/unusable-text.ts";
import type { WebMedia } from "../media/addresses.ts";
import type { DraftedReportRow, DraftItem, UndraftedItem } from "../report/drafted.ts";
import type { DraftRequests } from "./draft-wanted.ts";

interface Writing {
  readonly wanted: readonly DraftTask[];
  readonly answers: Answers;
  readonly addresses: WebMedia;
}

interface WrittenRows {
  readonly rows: readonly DraftedReportRow[];
  readonly undrafted: readonly UndraftedItem[];
}

/** Writes each calendar once, with all that is there for it. */
export async function writeAnswers(
  { root }: Project,
  { files, identify }: DraftRequests,
  writing: Writing,
): Promise<WrittenRows> {
  const rows: DraftedReportRow[] = [];
  const undrafted: UndraftedItem[] = [];
  const top = await realpath(root);
  for (const file of files) {
    // One after the other: the next picture's name depends on those that are there.
    // oxlint-disable-next-line no-await-in-loop
    const { got, failed } = await valuesFor(file, top, writing);
    // oxlint-disable-next-line no-await-in-loop
    const written = await writeInto(file, root, got, identify, writing.answers);
    rows.push(...written.rows);
    const own = [...failed, ...written.undrafted];
    undrafted.push(...own.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)));
  }
  return { rows, undrafted };
}

interface Values {
  readonly got: readonly GeneratedValue[];
  readonly failed: readonly UndraftedItem[];
}

/** What goes into the cells of a calendar. Answers that never will are kept no longer. */
async function valuesFor(
  file: CalendarFile,
  top: string,
  { wanted, answers, addresses }: Writing,
): Promise<Values> {
  const got: GeneratedValue[] = [];
  const failed: UndraftedItem[] = [];
  for (const each of wanted.filter((one) => one.file === file)) {
    const answer = answers.waiting.get(each.request);
    if (answer === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop
    const value = await valueOf(top, each, answer, addresses);
    if (typeof value === "string") {
      got.push({ wanted: each, value });
      continue;
    }
    const isKept = value.isGone !== true && !LOST.has(value.code);
    const message = `${value.message}${isKept ? KEPT : each.kind === "text" ? notKept(each) : ""}`;
    failed.push({ ...itemOf(each), status: "failed", code: value.code, message, text: answer.text });
    // oxlint-disable-next-line no-await-in-loop
    await (isKept ? answers.markStuck([each.request]) : answers.settle([each.request]));
  }
  return { got, failed };
}

async function writeInto(
  file: CalendarFile,
  root: string,
  got: readonly GeneratedValue[],
  identify: IdentifyPlatform,
  answers: Answers,
): Promise<WrittenRows> {
  if (got.length === 0) return { rows: [], undrafted: [] };
  const indexes = [...new Set(got.map((each) => each.wanted.row))].sort((one, other) => one - other);
  const drafted = indexes.map((row) => {
    const own = got.filter((each) => each.wanted.row === row);
    return draftRowEdit(file.calendar, row, own, identify);
  });
  const { written, failed } = await writeDrafts(root, file, drafted, identify);
  await answers.settle([...written.keys()].flatMap(requestsOf));
  const stuck = [...failed].filter(([, { code }]) => code === "draft/not-written");
  await answers.markStuck(stuck.flatMap(([row]) => requestsOf(row)));
  return {
    rows: [...written].map(([row, cells]) => ({ ...placeOf(row), cells })),
    undrafted: [...failed].flatMap(([row, fault]) =>
      row.got.map((each) => ({ ...failedItem(each), ...fault })),
    ),
  };
}

/** What came can never be written: the next run asks for another. */
const LOST: ReadonlySet<string> = new Set([
  "draft/unusable-text",
  "media/type",
  "media/empty",
  "service/unreadable",
]);

function notKept({ current }: DraftTask): string {
  return current === undefined
    ? " It is not kept: the next run asks for another one."
    : " It is not kept, and the row stays as it was: `--again` asks for another one.";
}

const KEPT =
  " Plancast remembers the picture: the next run fetches it and asks for none, unless --again names the row.";

/** What goes into the cell; a fault where a picture cannot be had, or no cell can hold a text. */
async function valueOf(
  root: string,
  { file, name }: DraftTask,
  { text, image = {} }: Answer,
  addresses: WebMedia,
): Promise<string | PictureFault> {
  if (text !== undefined) {
    const message = unusableTextReason(file.calendar, text);
    return message === undefined ? text : { code: "draft/unusable-text", message };
  }
  const picture = await loadPicture(image, addresses);
  if ("bytes" in picture) return savePicture(root, file.calendar.file, name, picture);
  // The service has the picture: then the calendar can name it there.
  return image.mediaId !== undefined && /^media_[\w-]+$/.test(image.mediaId) ? image.mediaId : picture;
}

export function itemOf({
  file: { calendar },
  row,
  name,
  kind,
  platform,
}: DraftTask): DraftItem & { readonly line: number } {
  const { file } = calendar;
  return { file, line: calendar.rows[row]?.line ?? 1, name, kind, platform };
}

function failedItem({ wanted, value }: GeneratedValue): UndraftedItem {
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
