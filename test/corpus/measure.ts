/**
 * Reads the calendars of the corpus with plancast, and compares the posts with those that their authors meant (README.md).
 */

import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { configSchema } from "../../src/calendars/check-project.ts";
import {
  type Choice,
  type ProposalLine,
  mergeSettings,
  settingsOfLines,
} from "../../src/calendars/proposal/proposal.ts";
import { settle } from "../../src/calendars/proposal/settle.ts";
import { readProject } from "../../src/calendars/project.ts";
import { SELECT_ALL, selectCalendars } from "../../src/calendars/select.ts";
import { checkPosts } from "../../src/checks/rules/check-posts.ts";
import { validate } from "../../src/checks/validate.ts";
import { ProjectProblems } from "../../src/model/failure.ts";
import { type Post, writtenMedia } from "../../src/model/post.ts";
import { type Problem, hasErrors } from "../../src/model/problem.ts";
import type { ProblemCode } from "../../src/problems/catalogue.ts";
import type { ProjectSettings } from "../../src/settings/config.ts";

export const FOLDER = fileURLToPath(new URL(".", import.meta.url));

const post = z.strictObject({
  at: z.coerce.date(),
  platforms: z.array(z.string()).min(1),
  content: z.string(),
  media: z.array(z.string()).default([]),
});

const description = z.strictObject({
  about: z.string(),
  made: z.string(),
  kind: z.string(),
  files: z.array(z.string()).min(1),
  timezone: z.string(),
  init: z.string().default(""),
  five: z.string().default(""),
  refused: z.boolean().default(false),
  posts: z.array(post),
});

/** A calendar of the corpus, with the posts that its author meant. */
export interface Case extends z.infer<typeof description> {
  readonly name: string;
}

/** The settings that somebody writes: only the time zone, the answers to `init`, or up to five lines. */
const LEVELS = ["zone", "init", "five"] as const;
type Level = (typeof LEVELS)[number];

/** How plancast reads a case at one level. Counts posts. */
export interface Reading {
  readonly case: Case;
  readonly level: Level;
  /** The posts that their author meant. */
  readonly right: number;
  /** Not planned, because the calendar has errors. */
  readonly stopped: number;
  /** Wrong, missing or additional posts, although the calendar has no error. */
  readonly wrong: readonly string[];
  /** Whether a warning says that something is left out, or may mean something else. */
  readonly isWarned: boolean;
  readonly problems: readonly Problem[];
}

/** All cases, by name. */
export async function readCases(): Promise<Case[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const names = entries.filter((each) => each.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(join(FOLDER, name, "case.yaml"), "utf8");
      return { name, ...description.parse(parse(text)) };
    }),
  );
}

/** Reads the calendars of a case at each level, one after the other in one folder. */
export async function readCase(each: Case): Promise<Reading[]> {
  const root = await mkdtemp(join(tmpdir(), "plancast-corpus-"));
  try {
    await cp(join(FOLDER, each.name), root, { recursive: true });
    const readings: Reading[] = [];
    for (const level of LEVELS) readings.push(await readAt(level, each, root));
    return readings;
  } finally {
    await rm(root, { recursive: true });
  }
}

/**
 * Reads the calendars as a project with only these settings. For `init`, they are the settings that its questions lead
 * to, with the answers of the case.
 */
async function readAt(level: Level, each: Case, root: string): Promise<Reading> {
  await rm(join(root, "plancast.yaml"), { force: true });
  const own = level === "zone" ? {} : level === "init" ? await settingsFromInit(each, root) : linesOf(each);
  const config = { timezone: each.timezone, calendars: each.files, ...own };
  await writeFile(join(root, "plancast.yaml"), stringify(config));
  return compare(each, level, await readFolder(root));
}

const settings = z.looseObject({});

/** At most five lines, as the case has them. */
export function linesOf(each: Case): z.infer<typeof settings> {
  return settings.parse(parse(each.five === "" ? each.init : each.five) ?? {});
}

/** What `plancast init FILE…` writes if somebody accepts its proposal, with the answers of a person who knows the team. */
async function settingsFromInit(each: Case, root: string): Promise<ProjectSettings> {
  const known = mergeSettings(linesOf(each), settings.parse(parse(each.init) ?? {}));
  const source = {
    root,
    given: { calendars: each.files, timezone: each.timezone, ...known },
    configOf: (said: ProjectSettings) => configSchema.parse(said),
    machine: undefined,
    isNew: true,
    hasPictures: false,
  };
  const { lines } = await settle(source, {}, ({ chosen }) => chosen !== undefined, answerOf);
  const answered = lines.map((line) => ({ ...line, chosen: line.chosen ?? answerOf(line) }));
  return mergeSettings(settingsOfLines(answered), known);
}

/**
 * A column that the case does not mention is a note, unless the calendar must be changed. About anything else, the person says
 * what the case says.
 */
function answerOf({ path: [kind], choices }: ProposalLine): Choice | undefined {
  if (kind !== "columns") return undefined;
  return choices.find(({ word }) => word === "fix") ?? choices.find(({ word }) => word === "ignore");
}

interface Read {
  readonly posts: readonly Post[];
  readonly problems: readonly Problem[];
}

/** A time before all posts. */
const BEFORE_ALL = Date.parse("2030-01-01T00:00:00Z");

/** The posts and problems of the project in a folder. */
export async function readFolder(root: string): Promise<Read> {
  try {
    const project = await readProject(join(root, "plancast.yaml"));
    const { calendars, problems } = await selectCalendars(project, SELECT_ALL, root);
    const checked = validate(calendars, project.config);
    const all = [
      ...problems,
      ...calendars.flatMap((calendar) => calendar.problems),
      ...checked.problems,
      // The pictures do not exist.
      ...checkPosts({ posts: [], unresolved: checked.posts, config: project.config, now: BEFORE_ALL }),
    ];
    return { posts: checked.posts, problems: all };
  } catch (error) {
    if (error instanceof ProjectProblems) return { posts: [], problems: error.problems };
    throw error;
  }
}

/** Warnings that a person must see before the posts are published. */
const DOUBTS: readonly ProblemCode[] = [
  "service/not-stored",
  "row/not-a-post",
  "sheet/hidden-rows",
  "sheet/left-out",
  "sheet/lost-link",
];

function compare(each: Case, level: Level, { posts, problems }: Read): Reading {
  const meant = each.posts.map(markOfMeant);
  const isWarned = problems.some(({ code }) => DOUBTS.includes(code));
  const reading = { case: each, level, problems, isWarned };
  // No file has such a name, so resolving the media would find an error.
  const areMissing = posts.some(({ media }) =>
    media.some((file) => !/\.\w{2,4}(?:[?#]|$)|^https?:/.test(writtenMedia(file))),
  );
  if (hasErrors(problems) || areMissing) return { ...reading, right: 0, stopped: meant.length, wrong: [] };
  const left = [...meant];
  const wrong: string[] = [];
  for (const mark of posts.map(markOfRead)) {
    const index = left.indexOf(mark);
    if (index === -1) wrong.push(`planned: ${mark}`);
    else left.splice(index, 1);
  }
  const notPlanned = left.map((mark) => `not planned: ${mark}`);
  return { ...reading, right: meant.length - left.length, stopped: 0, wrong: [...wrong, ...notPlanned] };
}

function markOfMeant({ at, platforms, content, media }: z.infer<typeof post>): string {
  return markOf(at.toISOString().replace(".000Z", "Z"), platforms, content, media);
}

function markOfRead({ scheduledAt, platforms, content, media }: Post): string {
  return markOf(scheduledAt, platforms, content, media.map(writtenMedia));
}

function markOf(at: string, platforms: readonly string[], content: string, media: readonly string[]): string {
  return JSON.stringify([at, platforms.toSorted(), content.normalize("NFC").trim(), media]);
}

/** The shares of posts over all cases, per level, in Markdown. */
export function shareTable(readings: readonly Reading[]): string {
  const rows = LEVELS.map((level) => {
    const those = readings.filter((each) => each.level === level);
    const total = sum(those.map((each) => each.case.posts.length));
    const right = sum(those.map((each) => each.right));
    const stopped = sum(those.map((each) => each.stopped));
    const silent = sum(those.filter((each) => !each.isWarned).map((each) => each.wrong.length));
    const other = total - right - stopped;
    return `| ${TITLES[level]} | ${percent(right, total)} | ${percent(stopped, total)} | ${percent(other, total)} | ${silent} |`;
  });
  return [
    "| settings | right | stopped with an error | with a warning | silently wrong |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

const TITLES: Readonly<Record<Level, string>> = {
  zone: "only `timezone:`",
  init: "the answers to the questions of `plancast init FILE`",
  five: "at most five lines",
};

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
