/** Puts answers into the calendars that they are for: those of this run, and those that an earlier one left. */
import { realpath } from "node:fs/promises";
import type { Project } from "../calendar/config.ts";
import type { Answer, Answers } from "../draft/answers.ts";
import { pictureOf, savePicture, type PictureFault } from "../draft/picture.ts";
import { draftRow, type DraftedRow, type Got } from "../draft/row-edits.ts";
import type { Wanted } from "../draft/wanted.ts";
import { writeDrafts } from "../draft/write-drafts.ts";
import { whyUnusable } from "../edit/unusable-text.ts";
import type { Addresses } from "../media/addresses.ts";
import type { DraftedReportRow, DraftItem, UndraftedItem } from "../report/drafted.ts";
import type { ToDraft } from "./draft-wanted.ts";

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
export async function writeAnswers(
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
      else {
        const isKept = value.isGone !== true && !LOST.has(value.code);
        const message = `${value.message}${isKept ? KEPT : each.kind === "text" ? NOT_KEPT : ""}`;
        undrafted.push({ ...itemOf(each), status: "failed", code: value.code, message, text: answer.text });
        // oxlint-disable-next-line no-await-in-loop
        await (isKept ? answers.stick([each.request]) : answers.settle([each.request]));
      }
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
    const stuck = [...failed].filter(([, { code }]) => code === "draft/not-written");
    // oxlint-disable-next-line no-await-in-loop
    await answers.stick(stuck.flatMap(([row]) => requestsOf(row)));
    for (const [row, fault] of failed)
      undrafted.push(...row.got.map((each) => ({ ...failedItem(each), ...fault })));
  }
  return { rows, undrafted };
}

/** What came can never be written: the next run asks for another. */
const LOST: ReadonlySet<string> = new Set([
  "draft/unusable-text",
  "media/type",
  "media/empty",
  "service/unreadable",
]);

const NOT_KEPT = " It is not kept: the next run asks for another one.";
const KEPT =
  " Plancast remembers the picture: the next run fetches it and asks for none, unless --again names the row.";

/** What goes into the cell; a fault where a picture cannot be had, or no cell can hold a text. */
async function valueOf(
  root: string,
  { file, name }: Wanted,
  { text, image = {} }: Answer,
  addresses: Addresses,
): Promise<string | PictureFault> {
  if (text !== undefined) {
    const message = whyUnusable(file.calendar, text);
    return message === undefined ? text : { code: "draft/unusable-text", message };
  }
  const picture = await pictureOf(image, addresses);
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
}: Wanted): DraftItem & { readonly line: number } {
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
