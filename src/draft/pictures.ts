/**
 * Pictures of drafts: those of rows that have no alt text, and those that the service made, as bytes and as files of
 * the project.
 */

import { posix } from "node:path";
import type { CalendarFile } from "../calendars/edit/edit-calendar.ts";
import { RowFilter } from "../checks/filter-rows.ts";
import { readAltCell, readMediaCell } from "../checks/media-cells.ts";
import { RowView } from "../checks/row-view.ts";
import { readStatus } from "../checks/statuses.ts";
import { createWhole, makeTemporaryFolder, readRegular, statsAt } from "../disk/files.ts";
import { readFile } from "../disk/machine.ts";
import { placeInProject } from "../disk/place.ts";
import { type MediaPlaces, findMedia } from "../media/resolve-media.ts";
import { hashFile, readMedia } from "../media/media-file.ts";
import type { WebMedia } from "../media/web-media.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import { displayAddress } from "../model/address.ts";
import type { UndraftedReason } from "../model/plan.ts";
import type { MediaReference } from "../model/post.ts";
import { type Problem, problem, rowName } from "../model/problem.ts";
import type { Code } from "../problems/catalogue.ts";
import { MAX_PICTURE_MB, undescribedText } from "../media/media-fault.ts";
import type { Project } from "../settings/config.ts";
import { type DraftSelection, type DraftTask, requestId } from "./tasks.ts";

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
    const filter = RowFilter.of([calendar.settings.only, wish.only], wish.aliases);
    const seen = new Map<string, number>();
    for (const row of calendar.rows.keys()) {
      const asked = altTasksOfRow(file, row, seen);
      const [first] = asked;
      if (first === undefined) continue;
      const view = viewOf(file, row);
      const own = [first.name, `${calendar.file}:${view?.row.line}`];
      for (const each of asked) had.set(each.request, each);
      if (view === undefined || filter?.fitsCells(view, wish.read(view).names) === false) continue;
      if (readStatus(view.values.status, calendar.settings.status_values) === "skip") continue;
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
  if (view === undefined || view.values.media === undefined) return [];
  const { references, problems } = readMediaCell(view);
  const { alt, surplus } = readAltCell(view, references.length);
  if (problems.length > 0 || surplus !== undefined) return [];
  const id = view.id;
  const name = id ?? rowName(view.row, view.row.at());
  return references.flatMap((reference, index): DraftTask[] => {
    // The service shows no address for its own media.
    if (reference.kind === "id") return [];
    const request = requestId([file.calendar.file, id ?? "", "alt", reference], seen);
    const current = alt[index] === "" ? undefined : alt[index];
    const prompt = view.values.content?.written.trim() ?? "";
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
  places: MediaPlaces,
  tasks: readonly DraftTask[],
): Promise<{ readonly wanted: readonly DraftTask[]; readonly problems: readonly Problem[] }> {
  const wanted: DraftTask[] = [];
  const problems: Problem[] = [];
  for (const task of tasks) {
    const { file, row, picture } = task;
    const found =
      picture?.reference.kind === "file" ? await locate(places, file, picture.reference) : undefined;
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
  places: MediaPlaces,
  { calendar }: CalendarFile,
  { path }: Extract<MediaReference, { kind: "file" }>,
): Promise<LocatedFile | PictureProblem> {
  const found = await findMedia(places, posix.dirname(calendar.file), path);
  if ("code" in found) return found;
  const { mime = "unknown" } = await hashFile(found.absolutePath);
  const isVideo = mime.startsWith("video/");
  if (isVideo || (TYPES.has(mime) && found.bytes <= MAX_BYTES)) return { path: found.absolutePath, mime };
  return { code: "ai/picture", message: undescribedText(path, TYPES.has(mime) ? "size" : "type") };
}

/** The picture of a task, or why it cannot be had. */
export async function readPicture(
  places: MediaPlaces,
  { file, picture }: DraftTask,
  addresses: WebMedia,
): Promise<PictureBytes | PictureProblem> {
  const reference = picture?.reference;
  if (reference?.kind === "file") {
    const found = await locate(places, file, reference);
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

interface Picture {
  readonly bytes: Uint8Array;
  /** Its file extension, such as `png`. */
  readonly extension: string;
}

export interface UnsavedPicture {
  readonly code: string;
  readonly reason: UndraftedReason;
  /** The picture can no longer be downloaded from its address. */
  readonly isGone?: boolean;
}

/** The bytes of a new picture, or a fault if they are unavailable or not a picture. */
export async function loadPicture(
  { url, base64 }: { readonly url?: string | undefined; readonly base64?: string | undefined },
  addresses: WebMedia,
): Promise<Picture | UnsavedPicture> {
  if (base64 !== undefined) return checkPicture(Buffer.from(base64, "base64"));
  if (url === undefined) return { code: "service/unreadable", reason: { kind: "no-picture" } };
  const file = await addresses.resolve(url, true);
  if (file === undefined) return { code: "media/url-unreachable", reason: { kind: "not-downloaded" } };
  const path = "code" in file ? file : await addresses.pathOf({ ...file, url });
  if (typeof path === "string") return checkPicture(await readFile(path));
  return { ...path, reason: { kind: "message", message: path.message } };
}

async function checkPicture(bytes: Uint8Array): Promise<Picture | UnsavedPicture> {
  const folder = await makeTemporaryFolder("plancast-picture-");
  try {
    const file = folder.place.in("picture");
    await createWhole(file, bytes);
    const { mime = "unknown" } = await readMedia(file.path);
    const extension = EXTENSIONS.get(mime);
    if (extension !== undefined) return { bytes, extension };
    return { code: "media/type", reason: { kind: "no-image", mime } };
  } finally {
    await folder.remove();
  }
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/apng", "png"],
  ["image/jpeg", "jpg"],
  ["image/webp", "webp"],
  ["image/gif", "gif"],
]);

/** No row needs more pictures. */
const MAX_NAMES = 1000;

/**
 * Writes a picture into the project, beside its calendar or in the folder `media` there. Returns the name by which the
 * calendar finds it. Never replaces a file: if the name is taken by the same picture, reuses it, otherwise tries the
 * next name.
 * @param name of the row
 */
export async function savePicture(
  { root, state }: Pick<Project, "root" | "state">,
  calendar: string,
  name: string,
  { bytes, extension }: Picture,
): Promise<string | UnsavedPicture> {
  const folder = posix.dirname(calendar);
  const inner = (await isOwnFolder(root, posix.join(folder, "media"))) ? "media" : "";
  const stem = fileName(name);
  try {
    for (let count = 1; count <= MAX_NAMES; count += 1) {
      const file = posix.join(inner, `${stem}${count === 1 ? "" : `-${count}`}.${extension}`);
      const place = await placeInProject(root, posix.join(folder, file));
      // plancast tries the next name only if this name is taken.
      if (await createWhole(place, bytes, state)) return file;
      const there = await readRegular(place).catch(() => undefined);
      if (there?.equals(bytes) === true) return file;
    }
    return { code: "disk/not-writable", reason: { kind: "names-taken", stem, count: MAX_NAMES } };
  } catch (error) {
    return { code: "disk/not-writable", reason: { kind: "not-writable", why: reasonOf(error) } };
  }
}

/** A folder in the project, not a link to another place. */
async function isOwnFolder(root: string, folder: string): Promise<boolean> {
  try {
    return (await statsAt(await placeInProject(root, folder)))?.isDirectory() === true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** Reserved names of devices on Windows. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** A file name that is valid on any system and contains no separator of media lists. */
function fileName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 60);
  if (plain === "" || DEVICES.test(plain)) return `picture${plain === "" ? "" : `-${plain}`}`;
  return plain;
}
