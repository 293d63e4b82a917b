/** Which saved files make a difference. Paths are relative to the project root, with `/`. */
import { realpath } from "node:fs/promises";
import { join, normalize, posix, sep } from "node:path";
import type { Project } from "../calendar/config.ts";
import type { ListedPost } from "../calendar/listed-post.ts";
import { findCalendars } from "../read/find-calendars.ts";

/** The files after which nothing that was read before holds. */
export function settingsFiles({ file, config }: Project): readonly string[] {
  return [file, normalize(config.lockfile).split(sep).join("/")];
}

/** What was read last. */
export interface LastRead {
  readonly calendars: readonly { readonly file: string }[];
  readonly posts: readonly ListedPost[];
}

/**
 * Whether one of the saved files is a calendar, was one, or may be media of the posts. Media are told by their names
 * alone, because a link may lead to the file; where some are missing, any file may be the one.
 */
export async function isRelevantChange(
  files: readonly string[],
  { calendars, posts }: LastRead,
  { root, config }: Project,
): Promise<boolean> {
  const named = posts.flatMap(({ media }) => media.filter((each) => each.kind === "file"));
  if (named.some((each) => !("sha256" in each))) return true;
  const names = new Set(named.map(({ path }) => normalizedName(path)));
  const found = await findCalendars(root, config.calendars);
  const known = new Set([...found.files, ...calendars.map(({ file }) => file)]);
  const isNamed = files.some((file) => known.has(file) || names.has(normalizedName(file)));
  return isNamed || (await isLinkTarget(files, known, root));
}

/** Whether a saved file is what one of the known ones links to. */
async function isLinkTarget(
  files: readonly string[],
  known: ReadonlySet<string>,
  root: string,
): Promise<boolean> {
  const real = (file: string): Promise<string> => realpath(join(root, file)).catch(() => file);
  const behind = new Set(await Promise.all([...known].map(real)));
  return (await Promise.all(files.map(real))).some((path) => behind.has(path));
}

/** As file systems tell it that compose letters in their own way. */
function normalizedName(path: string): string {
  return posix.basename(path).normalize("NFC");
}
