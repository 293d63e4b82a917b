/** The folders in which something can happen that a project's calendars show. */
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { patternsOf } from "../calendar/calendar-settings.ts";
import type { Project } from "../calendar/config.ts";
import type { MediaReference, Post, ResolvedPost } from "../calendar/post.ts";

const IGNORED = new Set(["node_modules", ".git", ".plancast"]);
/** Systems tell of a limited number of folders. */
const MAX_FOLDERS = 2_000;

interface Used {
  /** Calendars and media that were found, relative to the root. */
  readonly files: readonly string[];
  /** Posts whose media were not found: the files may come. */
  readonly unresolved: readonly Pick<Post, "media" | "source">[];
}

/** What checks found: the files of calendars and posts, and posts that lack some. */
export function usedFiles(checked: {
  readonly calendars: readonly { readonly file: string }[];
  readonly posts: readonly ResolvedPost[];
  readonly unresolved: readonly Post[];
}): Used {
  const media = checked.posts.flatMap((post) =>
    post.media.flatMap((each) => (each.kind === "file" ? each.path : [])),
  );
  return { files: [...checked.calendars.map(({ file }) => file), ...media], unresolved: checked.unresolved };
}

/** Absolute. The root is among them, for the project file. */
export async function projectFolders({ root, config }: Project, used: Used): Promise<Set<string>> {
  const folders = new Set([root, dirname(join(root, config.lockfile))]);
  for (const file of used.files) addWithParents(folders, root, dirname(join(root, file)));
  for (const { media, source } of used.unresolved) {
    for (const path of media.flatMap(pathOf)) {
      addWithParents(folders, root, dirname(join(root, dirname(source.file), path)));
      addWithParents(folders, root, dirname(join(root, path)));
    }
  }
  // Where calendars are looked for, also where there are none yet.
  for (const pattern of config.calendars.flatMap(patternsOf)) {
    const base = join(root, fixedPart(pattern));
    addWithParents(folders, root, base);
    // One after the other, so that no more are read than may be watched.
    // oxlint-disable-next-line no-await-in-loop
    if (pattern.includes("**")) await addBelow(folders, base);
  }
  return folders;
}

function pathOf(media: MediaReference): string[] {
  return media.kind === "file" ? [media.path] : [];
}

/** A folder within the root, with those above it: one that is made anew shows in its parent. */
function addWithParents(folders: Set<string>, root: string, folder: string): void {
  for (let each = folder; each.startsWith(root) && each !== root; each = dirname(each)) folders.add(each);
}

/** The folders of a pattern before the first that is not named outright. */
function fixedPart(pattern: string): string {
  const parts = pattern.replace(/^!/, "").split("/").slice(0, -1);
  const open = parts.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  return (open === -1 ? parts : parts.slice(0, open)).join("/");
}

async function addBelow(folders: Set<string>, base: string): Promise<void> {
  const open = [base];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (folders.size >= MAX_FOLDERS) return;
    folders.add(folder);
    // oxlint-disable-next-line no-await-in-loop
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory() && !IGNORED.has(entry.name)) open.push(join(folder, entry.name));
  }
}
