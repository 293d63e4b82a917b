/** Finds the pictures of rows that have no alt text, and reads them. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import type { CalendarFile } from "../calendars/edit/edit-calendar.ts";
import { RowFilter } from "../checks/filter-rows.ts";
import { RowView, readAltCell, readMediaCell } from "../checks/row-view.ts";
import { readStatus } from "../checks/statuses.ts";
import { findMedia } from "../media/resolve-media.ts";
import { hashFile } from "../media/read-media.ts";
import type { WebMedia } from "../media/web-media.ts";
import { displayAddress } from "../model/address.ts";
import type { MediaReference } from "../model/post.ts";
import { type Problem, problem, rowName } from "../model/problem.ts";
import { MAX_PICTURE_MB, undescribedText } from "../media/media-fault.ts";
import type { Code } from "../problems/catalogue.ts";
import { loadPicture } from "./picture.ts";
import type { DraftSelection, DraftTask } from "./tasks.ts";

interface AltTasks {
  readonly wanted: readonly DraftTask[];
  /** The requests of all rows, including requests that already have a text; by request. */
  readonly had: ReadonlyMap<string, DraftTask>;
  /** Names for the rows with media, including those outside this run. */
  readonly names: ReadonlySet<string>;
}

/** One task for each picture or video without an alt text, in rows that are not skipped. Pure. */
export function findAltTasks(files: readonly CalendarFile[], wish: DraftSelection): AltTasks {
  const wanted: DraftTask[] = [];
  const had = new Map<string, DraftTask>();
  const names = new Set<string>();
  for (const file of files) {
    const { calendar } = file;
    const filter = RowFilter.of([calendar.settings.only, wish.only], wish);
    const seen = new Map<string, number>();
    for (const row of calendar.rows.keys()) {
      const asked = altTasksOfRow(file, row, seen);
      const [first] = asked;
      if (first === undefined) continue;
      const view = viewOf(file, row);
      const own = [first.name, `${calendar.file}:${view?.row.line}`];
      for (const each of asked) had.set(each.request, each);
      if (view === undefined || filter?.fitsCells(view) === false) continue;
      if (readStatus(view.value("status"), calendar.settings.status_values) === "skip") continue;
      for (const name of own) names.add(name);
      if (!wish.again.includesRow(own)) continue;
      for (const each of asked) {
        const isAgain = each.current !== undefined && wish.again.includesTask(false);
        if (each.current === undefined || isAgain) wanted.push({ ...each, isAgain });
      }
    }
  }
  return { wanted, had, names };
}

function viewOf({ calendar }: CalendarFile, row: number): RowView | undefined {
  const raw = calendar.rows[row];
  return raw && new RowView(raw, calendar);
}

/** @param seen how often each request occurred before; updated here */
function altTasksOfRow(file: CalendarFile, row: number, seen: Map<string, number>): DraftTask[] {
  const view = viewOf(file, row);
  if (view === undefined || view.value("media") === undefined) return [];
  const { references, problems } = readMediaCell(view);
  const { alt, surplus } = readAltCell(view, references.length);
  if (problems.length > 0 || surplus !== undefined) return [];
  const id = view.own("id")?.text.normalize("NFC");
  const name = id ?? rowName(view.row, view.row.at());
  return references.flatMap((reference, index): DraftTask[] => {
    // The service shows no address for its own media.
    if (reference.kind === "id") return [];
    const said = JSON.stringify([file.calendar.file, id ?? "", "alt", reference]);
    const count = (seen.get(said) ?? 0) + 1;
    seen.set(said, count);
    const request = createHash("sha256").update(`${said}${count}`).digest("hex").slice(0, 32);
    const current = alt[index] === "" ? undefined : alt[index];
    const prompt = view.value("content")?.written.trim() ?? "";
    const about = { kind: "alt", prompt, platforms: [], platform: undefined, manner: undefined } as const;
    return [{ file, row, name, ...about, picture: { reference, index }, request, current, isAgain: false }];
  });
}

/** Types that models read. */
const TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);
const MAX_BYTES = MAX_PICTURE_MB * 1e6;

interface PictureBytes {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

interface PictureProblem {
  readonly code: Code;
  readonly message: string;
}

/** Leaves out videos, and reports files that no model can read. Files at web addresses are looked at later. */
export async function withoutVideos(
  root: string,
  tasks: readonly DraftTask[],
): Promise<{ readonly wanted: readonly DraftTask[]; readonly problems: readonly Problem[] }> {
  const wanted: DraftTask[] = [];
  const problems: Problem[] = [];
  for (const task of tasks) {
    const { file, row, picture } = task;
    const found =
      picture?.reference.kind === "file" ? await locate(root, file, picture.reference) : undefined;
    if (found === undefined || "mime" in found) {
      if (found?.mime.startsWith("video/") !== true) wanted.push(task);
    } else
      problems.push(
        problem(found.code, found.message, viewOf(file, row)?.at("media") ?? { file: file.calendar.file }),
      );
  }
  return { wanted, problems };
}

interface LocatedFile {
  readonly path: string;
  readonly mime: string;
}

async function locate(
  root: string,
  { calendar }: CalendarFile,
  { path }: Extract<MediaReference, { kind: "file" }>,
): Promise<LocatedFile | PictureProblem> {
  const found = await findMedia(root, posix.dirname(calendar.file), path);
  if ("code" in found) return found;
  const { mime = "unknown" } = await hashFile(found.absolutePath);
  const isVideo = mime.startsWith("video/");
  if (isVideo || (TYPES.has(mime) && found.bytes <= MAX_BYTES)) return { path: found.absolutePath, mime };
  return { code: "ai/picture", message: undescribedText(path, TYPES.has(mime) ? "size" : "type") };
}

/** The picture of a task, or why it cannot be had. */
export async function readPicture(
  root: string,
  { file, picture }: DraftTask,
  addresses: WebMedia,
): Promise<PictureBytes | PictureProblem> {
  const reference = picture?.reference;
  if (reference?.kind === "file") {
    const found = await locate(root, file, reference);
    return "mime" in found ? { mime: found.mime, bytes: await readFile(found.path) } : found;
  }
  const loaded = reference?.kind === "url" ? await loadPicture({ url: reference.url }, addresses) : undefined;
  const mime =
    loaded !== undefined && "bytes" in loaded ? `image/${loaded.extension.replace("jpg", "jpeg")}` : "";
  if (loaded !== undefined && "bytes" in loaded && loaded.bytes.length <= MAX_BYTES)
    return { mime, bytes: loaded.bytes };
  const address = reference?.kind === "url" ? displayAddress(reference.url) : "";
  return { code: "ai/picture", message: undescribedText(address, "web") };
}
