/** Edits of posts in calendars that people made: each gives exactly the wanted post and no other change, or is refused. */

import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { expect, test } from "vitest";
import { type CalendarFile, editCalendar } from "../../src/calendars/edit/edit-calendar.ts";
import { type PostChange, PostEdit } from "../../src/calendars/edit/edit-post.ts";
import { readProject } from "../../src/calendars/project.ts";
import { readContents } from "../../src/calendars/read-calendar.ts";
import { SELECT_ALL, selectCalendars } from "../../src/calendars/select.ts";
import { identify } from "../../src/checks/networks/network-names.ts";
import { aliasesOf } from "../../src/checks/platforms.ts";
import { validate } from "../../src/checks/validate.ts";
import { isUnderstood, readCalendarFiles } from "../../src/commands/project/written-files.ts";
import { ProjectProblems } from "../../src/model/failure.ts";
import type { Post } from "../../src/model/post.ts";
import { rowMark } from "../../src/model/row.ts";
import type { Calendar } from "../../src/settings/calendar-settings.ts";
import type { Config, Project } from "../../src/settings/config.ts";
import { linesOf, readCases } from "./measure.ts";

const cases = await readCases();
const DAY_MS = 86_400_000;

/** Why edits were refused, and how often. */
const refusals = new Map<string, number>();
let made = 0;

test.each(cases)("edits of $name give the wanted posts and change no other", async (own) => {
  const root = await mkdtemp(join(tmpdir(), "plancast-corpus-"));
  try {
    await cp(fileURLToPath(new URL(own.name, import.meta.url)), root, { recursive: true });
    const config = { timezone: own.timezone, calendars: own.files, ...linesOf(own) };
    await writeFile(join(root, "plancast.yaml"), stringify(config));
    const project = await readProject(join(root, "plancast.yaml"));
    const { calendars } = await selectCalendars(project, SELECT_ALL, root);
    for (const file of await readCalendarFiles(project, calendars, undefined))
      if (isUnderstood(file)) await editPosts(project, file);
  } catch (error) {
    if (!(error instanceof ProjectProblems)) throw error;
  } finally {
    await rm(root, { recursive: true });
  }
});

test("at least 88 of 100 edits can be made", () => {
  const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0);
  const list = [...refusals].map(([why, count]) => `${count} × ${why}`).toSorted();
  expect(made + refused).toBeGreaterThan(1_500);
  expect(made / (made + refused), list.join("\n")).toBeGreaterThan(0.88);
});

/** Edits the first post, one in the middle, and the last, each in several ways. */
async function editPosts({ config }: Project, file: CalendarFile): Promise<void> {
  const { posts } = validate([file.calendar], config);
  const some = new Set([0, posts.length >> 1, posts.length - 1].flatMap((index) => posts[index] ?? []));
  for (const post of some) {
    const text = `${post.content} (new)`;
    const changes: readonly (readonly [PostChange, (each: Post) => Partial<Post>])[] = [
      [{ when: { days: 1 } }, (each) => ({ scheduledAt: laterBy(each, DAY_MS) })],
      [{ when: { days: 31 } }, (each) => ({ scheduledAt: laterBy(each, 31 * DAY_MS) })],
      [
        { when: { at: Date.parse(post.scheduledAt) + 95 * 60_000 } },
        (each) => ({ scheduledAt: laterBy(each, 95 * 60_000) }),
      ],
      [{ text }, () => ({ content: text })],
      [
        { platforms: [...post.platforms, "mastodon"] },
        () => ({ platforms: [...new Set([...post.platforms, "mastodon"])].sort() }),
      ],
    ];
    for (const [change, after] of changes) await editPost(file, config, posts, post, change, after);
  }
}

function laterBy({ scheduledAt }: Post, ms: number): string {
  return new Date(Date.parse(scheduledAt) + ms).toISOString().replace(".000Z", "Z");
}

async function editPost(
  file: CalendarFile,
  config: Config,
  posts: readonly Post[],
  post: Post,
  change: PostChange,
  after: (each: Post) => Partial<Post>,
): Promise<void> {
  const row = file.calendar.rows.findIndex((each) => rowMark(each) === rowMark(post.source));
  const edit = PostEdit.of(file.calendar, row, post.platforms, config);
  if (edit === undefined) throw new Error(`no post in row ${post.source.line}`);
  const planned = edit.cells(change);
  if ("message" in planned) return note(planned.message);
  const names = aliasesOf(config);
  const edits = [{ row: edit.row, cells: planned.cells }];
  const { contents, faults } = await editCalendar(file, edits, (name) => identify(name, names));
  if (faults[0] !== undefined) return note(faults[0].message);
  made += 1;
  const read: Calendar = {
    ...(await readContents(file.calendar.file, contents, file.options)),
    settings: file.calendar.settings,
  };
  const now = validate([read], config).posts.map(contentOf);
  const others = posts.filter(({ source }) => rowMark(source) !== rowMark(post.source)).map(contentOf);
  // A text of more lines moves the rows below it.
  for (const other of others) expect(now).toContainEqual(other);
  const wanted = after(post);
  const isTime = wanted.scheduledAt !== undefined;
  const found = without(now, others);
  // Clock changes may make a day longer or shorter.
  const near = (one: string, other: string): boolean =>
    Math.abs(Date.parse(one) - Date.parse(other)) <=
    (change.when !== undefined && "days" in change.when ? 3_600_000 : 0);
  const isThere = found.some(
    (each) =>
      each.content === (wanted.content ?? post.content).trim() &&
      JSON.stringify(each.platforms) === JSON.stringify(wanted.platforms ?? post.platforms) &&
      (isTime ? near(each.scheduledAt, wanted.scheduledAt ?? "") : each.scheduledAt === post.scheduledAt),
  );
  expect([change, isThere, found]).toEqual([change, true, found]);
}

function contentOf({ scheduledAt, platforms, content, media }: Post) {
  return { scheduledAt, platforms, content, media };
}

/** The posts that remain when each of the others is taken away once. */
function without(posts: readonly ShownPost[], others: readonly ShownPost[]): readonly ShownPost[] {
  const left = [...posts];
  for (const other of others) {
    const at = left.findIndex((each) => JSON.stringify(each) === JSON.stringify(other));
    if (at !== -1) left.splice(at, 1);
  }
  return left;
}

type ShownPost = ReturnType<typeof contentOf>;

function note(message: string): void {
  const why = message
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\b[A-Z]{1,3}\d+\b/g, "A1")
    .replace(/^\S+ has no column/, "… has no column")
    .replaceAll(/\d+/g, "N");
  refusals.set(why, (refusals.get(why) ?? 0) + 1);
}
