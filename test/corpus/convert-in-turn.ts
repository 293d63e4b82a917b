/** Converts calendars of the corpus to every format in turn. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { type PostFilesResult, convertCalendars, convertToPostFiles } from "../../src/calendars/convert.ts";
import { readProject } from "../../src/calendars/project.ts";
import { selectNamed, settingsFor } from "../../src/calendars/select.ts";
import { type WriteFormatName, FORMATS } from "../../src/calendars/all-formats.ts";
import { validate } from "../../src/checks/validate.ts";
import { ProjectProblems } from "../../src/model/failure.ts";
import type { Post } from "../../src/model/post.ts";
import { hasErrors } from "../../src/model/problem.ts";
import type { Calendar } from "../../src/settings/calendar-settings.ts";
import type { Project } from "../../src/settings/config.ts";
import type { Case } from "./measure.ts";

/** `npm test` converts one of this many calendars with settings for the project. */
export const ONE_IN = 6;

/** The posts before and after each conversion, to every format in turn; undefined if the calendar has errors. */
export async function convertInTurn(each: Case, config: object): Promise<Converted | undefined> {
  const root = await mkdtemp(join(tmpdir(), "plancast-corpus-"));
  try {
    await cp(fileURLToPath(new URL(each.name, import.meta.url)), root, { recursive: true });
    await mkdir(join(root, "converted"));
    await writeFile(join(root, "plancast.yaml"), stringify({ timezone: each.timezone, ...config }));
    const project = await readProject(join(root, "plancast.yaml"));
    const converted: Converted = { before: [], after: [] };
    for (const file of each.files) {
      const read = await readPosts(project, file);
      if ("errors" in read) return undefined;
      converted.before.push(read.posts);
      converted.after.push(await passOn(project, file));
    }
    return converted;
  } catch (error) {
    if (error instanceof ProjectProblems) return undefined;
    throw error;
  } finally {
    await rm(root, { recursive: true });
  }
}

export interface Converted {
  readonly before: unknown[];
  readonly after: unknown[];
}

/** Converts a file to a workbook, the workbook to YAML, and so on; gives the posts of the last file, or what is wrong. */
async function passOn(project: Project, file: string): Promise<unknown> {
  let from: readonly string[] = [file];
  for (const format of ["xlsx", "yaml", "md", "csv"] as const) {
    const name = `converted/${format}-of-${file.replaceAll("/", "-").slice(-30)}`;
    const { calendars } = await selectNamed(project, { calendars: from, only: undefined }, project.root);
    if (calendars.length === 0) return `no ${from.join()}`;
    const made = await convertTo(project, calendars, format, name);
    if ("problems" in made) return `${format}: ${made.problems.map(({ message }) => message).join()}`;
    await mkdir(join(project.root, name), { recursive: true });
    for (const each of made.files) await writeFile(join(project.root, each.file), each.contents);
    from = made.files.map((each) => each.file);
  }
  const [last = ""] = from;
  const read = await readPosts(project, last);
  return "errors" in read ? read.errors : read.posts;
}

async function convertTo(
  project: Project,
  calendars: readonly Calendar[],
  format: WriteFormatName,
  name: string,
): Promise<PostFilesResult> {
  const settingsOf = (file: string) => settingsFor(project, file).settings;
  if (FORMATS[format].isOnePost)
    return convertToPostFiles(project, calendars, { folder: name, format, settingsOf });
  const file = `${name}.${format}`;
  const made = await convertCalendars(project, calendars, { file, settings: settingsOf(file), format });
  return "problems" in made ? made : { files: [{ file, contents: made.contents }], warnings: made.warnings };
}

async function readPosts(
  project: Project,
  file: string,
): Promise<{ readonly posts: unknown } | { readonly errors: readonly string[] }> {
  const { calendars, problems } = await selectNamed(
    project,
    { calendars: [file], only: undefined },
    project.root,
  );
  const { posts, problems: wrong } = validate(calendars, project.config);
  const all = [...problems, ...calendars.flatMap((calendar) => calendar.problems), ...wrong];
  return hasErrors(all)
    ? { errors: all.map(({ message }) => message) }
    : { posts: posts.map(contentOf).toSorted() };
}

/** What is published. Media have other paths from another folder. */
function contentOf({ scheduledAt, platforms, content, media }: Post): string {
  return JSON.stringify({ scheduledAt, platforms, content, media: media.length });
}
