/** Files of other schedulers, from the command to the embedded service. */

import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ALL_RULES } from "../../src/checks/rules/all-rules.ts";
import { PRESET_NAMES } from "../../src/settings/presets/presets.ts";
import { ACCOUNT_NAMES, PRESET_FILES } from "../support/preset-files.ts";
import { makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";
import { tinyMp4, tinyPng } from "../support/tiny-media.ts";

const planned = z.object({
  summary: z.record(z.string(), z.number()),
  changes: z.array(
    z.object({
      source: z.object({ file: z.string(), line: z.number() }),
      post: z.object({
        content: z.string(),
        platforms: z.array(z.string()),
        scheduled_at: z.string(),
        media: z.array(z.string()),
        alt: z.array(z.string()).optional(),
        thread: z.array(z.string()).optional(),
        first_comment: z.string().optional(),
      }),
    }),
  ),
  problems: z.array(
    z.object({ code: z.string(), severity: z.string(), file: z.string(), message: z.string() }),
  ),
});

const MEDIA = { "a.png": tinyPng(1), "b.png": tinyPng(2), "c.png": tinyPng(3), "clip.mp4": tinyMp4() };
const BASE = { service: { url: "embedded" }, timezone: "Europe/Paris", platforms: ACCOUNT_NAMES };
/** The network of the embedded service that replaces Google Business. */
const OTHER_NAMES = { googlebusiness: "mastodon" };

test("every preset has a file in this test", () => {
  expect(Object.keys(PRESET_FILES)).toEqual(PRESET_NAMES);
});

describe("one project reads a file of each scheduler", () => {
  let plan: z.infer<typeof planned>;

  beforeAll(async () => {
    const all = Object.entries(PRESET_FILES);
    const project = await makeProject({
      files: { ...MEDIA, ...Object.fromEntries(all.map(([name, { text }]) => [`c/${name}.csv`, text])) },
      config: {
        ...BASE,
        platforms: { ...ACCOUNT_NAMES, ...OTHER_NAMES },
        rules: { "row/repeated-text": "off", "row/same-minute": "off", "content/html": "off" },
        calendars: all.map(([name, { settings }]) => ({ files: `c/${name}.csv`, preset: name, ...settings })),
      },
    });
    const { stdout } = await runCommand(["plan", "--format", "json"], {
      cwd: project.root,
      clock: new TestClock(),
    });
    plan = planned.parse(JSON.parse(stdout));
  });

  test.each(Object.entries(PRESET_FILES))("%s", (name, { posts, extras = {}, notCarried }) => {
    const found: Record<number, string> = {};
    const more: Record<number, object> = {};
    for (const { source, post } of plan.changes.filter(({ source: { file } }) => file === `c/${name}.csv`)) {
      const text = [post.scheduled_at, post.platforms.join(), post.content, post.media.join()].join(" | ");
      const before = found[source.line];
      const { content: _text, platforms: _where, scheduled_at: _when, media: _media, ...rest } = post;
      if (Object.keys(rest).length > 0) more[source.line] = rest;
      found[source.line] = before === undefined ? text : `${before} + ${text}`;
    }
    expect(found).toEqual(posts);
    expect(more).toEqual(extras);
    const own = plan.problems.filter(({ file }) => file === `c/${name}.csv`);
    expect(own.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(own.filter(({ code }) => code === "columns/unknown")).toEqual([]);
    const told = own.filter(({ code }) => code === "service/not-stored");
    expect(told).toHaveLength(notCarried.length === 0 ? 0 : 1);
    expect(told.map(({ message }) => message).join()).toContain(notCarried.join(", "));
  });

  test("drafts are counted", () => {
    const drafts = Object.values(PRESET_FILES).reduce((sum, each) => sum + (each.drafts ?? 0), 0);
    expect(plan.summary["draft"]).toBe(drafts);
  });
});

const checked = z.object({
  problems: z.array(z.object({ code: z.string(), line: z.number().optional(), message: z.string() })),
});

type Problem = z.infer<typeof checked>["problems"][number];

async function validate(
  text: string,
  settings: Readonly<Record<string, unknown>>,
  ...args: string[]
): Promise<{ readonly problems: readonly Problem[]; readonly ended: CommandResult }> {
  const project = await makeProject({
    files: { ...MEDIA, "c/file.csv": text },
    config: { ...BASE, platforms: {}, calendars: [{ files: "c/*.csv", ...settings }] },
  });
  const ended = await runCommand(["validate", "--format", "json", ...args], { cwd: project.root });
  return { problems: checked.parse(JSON.parse(ended.stdout)).problems, ended };
}

const brief = (problems: readonly Problem[]): string[] =>
  problems.filter(({ code }) => code !== "service/not-stored").map(({ code, line }) => `${code} ${line}`);

const LINKEDIN = { defaults: { platforms: ["linkedin"] } };

test("rows of a carousel: differences are errors, repetitions are duplicates, and media problems name their row", async () => {
  const time = "2036-03-01 19:00";
  const text = csv(
    ["message", "type", "link", " time"],
    ["One", "image", "a.png", time],
    ["One", "image", "missing.png", time],
    ["Two", "image", "a.png", time],
    ["Two", "video", "clip.mp4", time],
    ["Three", "image", "a.png", time],
    ["Three", "image", "a.png", time],
    ["Four", "image", "a.png", "now"],
    ["Five", "image", "a.png", "queue next"],
  );
  const { problems } = await validate(text, {
    preset: "vista",
    ...LINKEDIN,
  });
  const errors = brief(problems.filter(({ code }) => !ALL_RULES.some((rule) => rule.code === code)));
  expect(errors).toEqual([
    "media/missing 3",
    "row/carousel 5",
    "row/duplicate-post 7",
    "schedule/format 8",
    "schedule/format 9",
  ]);
  expect(problems.find(({ code }) => code === "row/carousel")?.message).toContain("`type` differs");
});

test("types that plancast cannot publish are refused under a preset, too", async () => {
  const text = csv(
    ["message", "type", "link", " time"],
    ["One", "article", "https://example.com/a", "2036-03-01 19:00"],
    ["Two", "story", "a.png", "2036-03-02 19:00"],
    ["Three", "image", "a.png", "2036-03-03 19:00"],
  );
  const { problems } = await validate(text, { preset: "vista", ...LINKEDIN });
  expect(brief(problems.filter(({ code }) => code === "row/type"))).toEqual(["row/type 2", "row/type 3"]);
});

test("without the preset, each row of a carousel is a separate post", async () => {
  const text = csv(
    ["message", "media", "scheduled_at"],
    ["One", "a.png", "2036-03-01 19:00"],
    ["One", "b.png", "2036-03-01 19:00"],
  );
  expect(brief((await validate(text, LINKEDIN)).problems)).toContain("row/duplicate-post 3");
  expect((await validate(text, { ...LINKEDIN, carousel_rows: "join" })).problems).toEqual([]);
});

function slide(name: string): string[] {
  return ["One", "image", name, "2036-03-01 19:00"];
}

test("a different slide replaces the post of a carousel, and reordered rows create no new post", async () => {
  const header = ["message", "type", "link", " time"];
  const { apply, summary, project } = await startScenario({
    files: { ...MEDIA, "c/file.csv": csv(header, slide("a.png"), slide("b.png")) },
    config: { calendars: [{ files: "c/*.csv", preset: "vista", ...LINKEDIN }] },
  });
  expect((await apply()).summary).toMatchObject({ created: 1, uploaded: 2 });
  await project.write(
    "c/file.csv",
    csv(header, ["Two", "image", "c.png", "2036-03-02 19:00"], slide("a.png"), slide("b.png")),
  );
  expect(await summary()).toEqual({ create: 1, keep: 1 });
  await project.write("c/file.csv", csv(header, slide("b.png"), slide("a.png"), slide("c.png")));
  expect(await summary()).toEqual({ replace: 1 });
});

test("accounts have no platforms until the project maps them", async () => {
  const text = csv(["Hello", "", "Mar 01, 2036 9:30 AM", "123456", "", "", ""]);
  const { problems } = await validate(text, { preset: "socialpilot" });
  expect(brief(problems)).toEqual(["platform/unknown 1"]);
  expect(problems[0]?.message).toContain('platforms: { "123456": linkedin }');
});

test("a file that cannot name the platforms shows where to name them", async () => {
  const text = csv(["Text", "Image URL", "Tags", "Posting Time"], ["Hello", "", "", "2036-03-01 09:30"]);
  const { problems } = await validate(text, { preset: "buffer" });
  expect(brief(problems)).toEqual(["row/missing-field 2"]);
  expect(problems[0]?.message).toContain("defaults: { platforms: [linkedin] }");
});

test("a request for a time that is not in the file is refused", async () => {
  const header = ["post_content", "platforms", "schedule_time", "publish_now", "use_queue"];
  const rows = [
    ["One", "linkedin", "2036-03-01 09:30", "true", "no"],
    ["Two", "linkedin", "2036-03-01 09:31", "", "maybe"],
  ];
  const { problems } = await validate(csv(header, ...rows), { preset: "zernio" });
  expect(brief(problems)).toEqual(["row/type 2", "row/type 3"]);
});

test("dates with an unknown order need a setting in plancast.yaml", async () => {
  const text = csv(["date", "time_24hr", "message_text"], ["02/03/2036", "09:30", "Hello"]);
  const { problems } = await validate(text, { preset: "sprout", ...LINKEDIN });
  expect(brief(problems)).toEqual(["schedule/ambiguous-date 2"]);
});

test("reports a header if files of that scheduler have none", async () => {
  const text = csv(["Date", "Message", "Link"], ["2036-03-01 09:30", "Hello", ""]);
  const settings = { preset: "hootsuite", ...LINKEDIN };
  const { problems } = await validate(text, settings);
  expect(brief(problems)).toEqual(["csv/missing-header 1", "schedule/format 1"]);
  expect(problems[0]?.message).toContain("`header_row: 1`");
  const said = await validate(text, { ...settings, header_row: 1 });
  expect(said.problems).toEqual([]);
});

test("if a file lacks the columns of its preset, the message lists these columns, and no other preset", async () => {
  const { problems } = await validate(csv(["Text", "Foo"], ["x", "y"]), { preset: "publer", ...LINKEDIN });
  expect(problems.map(({ code }) => code)).toEqual(["columns/unknown"]);
  expect(problems[0]?.message).toContain(
    "With `preset: publer`, the columns of Publer are Date, Text, Link(s)",
  );
});

test("--preset replaces the project's preset for one run", async () => {
  const text = csv(["Text", "Image URL", "Tags", "Posting Time"], ["Hello", "", "x", "2036-03-01 09:30"]);
  const other = await validate(text, { preset: "hootsuite", ...LINKEDIN }, "--preset", "buffer");
  expect(other.problems.map(({ code }) => code)).toEqual(["service/not-stored"]);
  const none = await validate(text, LINKEDIN);
  expect(none.problems[0]?.message).toContain("--preset buffer");
  const wrong = await validate(text, LINKEDIN, "--preset", "bufer");
  expect(wrong.ended.code).toBe(1);
  expect(wrong.problems).toMatchObject([{ code: "usage/arguments" }]);
  expect(wrong.ended.stderr).toContain("Did you mean `buffer`?");
});

test("a converted file keeps the meaning that the preset gives it", async () => {
  const { vista } = PRESET_FILES;
  const project = await makeProject({
    files: { ...MEDIA, "c/file.csv": vista?.text ?? "" },
    config: { ...BASE, calendars: [{ files: "c/*.csv", preset: "vista", ...vista?.settings }] },
  });
  const { code, stdout, stderr } = await runCommand(
    ["convert", "c/file.csv", "--to", "yaml", "--out", "new.yaml"],
    {
      cwd: project.root,
    },
  );
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  expect(await project.read("new.yaml")).toContain("platforms: [linkedin]");
  expect((await project.read("new.yaml")).match(/a\.png/g)).toHaveLength(2);
});
