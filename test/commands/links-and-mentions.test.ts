/** Campaigns, UTM parameters and mentions, from plancast.yaml and the calendar to the service. */

import { expect, test } from "vitest";
import { z } from "zod";
import { PostEdit } from "../../src/calendars/edit/edit-post.ts";
import { makeProject } from "../support/project.ts";
import { calendar, config, row } from "../support/rows.ts";
import { runCommand } from "../support/run-command.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const FILE = "calendars/a.csv";
const HEADER = ["id", "scheduled_at", "platforms", "content", "Kampagne"];
const ROW = ["tulips", "2030-03-01 09:00", "bluesky, linkedin", "Hi @acme: https://example.com/a", "Spring"];

const document = z.object({
  summary: z.record(z.string(), z.number()),
  changes: z.array(
    z.object({
      action: z.string(),
      key: z.string(),
      campaign: z.string().optional(),
      reason: z.string().optional(),
      post: z.looseObject({ content: z.string().optional(), platforms: z.array(z.string()).optional() }),
    }),
  ),
  problems: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});

async function startProject(files: Record<string, string>, config: Readonly<Record<string, unknown>> = {}) {
  const clock = new TestClock();
  const project = await makeProject({
    config: { timezone: "Europe/Paris", service: { url: "embedded" }, ...config },
    files,
  });
  const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock });
  const plan = async (...args: string[]) =>
    document.parse(JSON.parse((await run("plan", "--format", "json", ...args)).stdout));
  const posts = async () =>
    (await plan()).changes.map(({ key, post }) => `${key} ${post.platforms?.join("+")} ${post.content}`);
  const apply = async (...args: string[]) =>
    expect(await run("apply", "--yes", ...args)).toMatchObject({ code: 0 });
  return { project, run, plan, posts, apply };
}

test("a campaign is in the plan, and changing it changes no post", async () => {
  const { project, run, plan, apply } = await startProject({ [FILE]: csv(HEADER, ROW) });
  expect(await plan()).toMatchObject({
    changes: [
      { action: "create", campaign: "Spring", post: expect.not.objectContaining({ campaign: "Spring" }) },
    ],
    problems: [],
  });
  expect((await run("plan")).stdout).toContain("campaign: Spring");
  expect((await run("plan", "--format", "markdown")).stdout).toContain("campaign: Spring");
  await apply();
  await project.write(FILE, csv(HEADER, [...ROW.slice(0, 4), "Summer"]));
  expect(await plan()).toMatchObject({ changes: [], summary: { keep: 1 }, problems: [] });
});

test("--only selects a campaign, whatever its column is called", async () => {
  const other = ["roses", "2030-03-02 09:00", "linkedin", "Roses", ""];
  const { plan } = await startProject({ [FILE]: csv(HEADER, ROW, other) });
  expect((await plan("--only", "campaign=spring")).changes.map(({ key }) => key)).toEqual(["tulips"]);
});

test("calendar shows campaigns as text, JSON and a feed", async () => {
  const { run } = await startProject({ [FILE]: csv(HEADER, ROW) });
  expect((await run("calendar", "--month", "2030-03")).stdout).toContain("Campaigns: Spring 1");
  expect(JSON.parse((await run("calendar", "--format", "json")).stdout)).toMatchObject({
    posts: [{ key: "tulips", campaign: "Spring" }],
  });
  expect((await run("calendar", "--format", "ics")).stdout).toContain("Campaign: Spring");
});

test("campaigns go through every format", async () => {
  const { project, run, plan } = await startProject({ [FILE]: csv(HEADER, ROW) });
  let file = FILE;
  for (const format of ["yaml", "xlsx", "csv"]) {
    const out = `calendars/b-${format}.${format}`;
    expect(await run("convert", file, "--out", out)).toMatchObject({ code: 0 });
    await project.remove(file);
    expect((await plan()).changes).toMatchObject([{ campaign: "Spring" }]);
    file = out;
  }
});

const UTM = { source: "{platform}", campaign: "{campaign}" };

test("each network gets its own parameters and mentions, as separate posts", async () => {
  const mentions = { "@acme": { bluesky: "acme.com" } };
  const { posts } = await startProject({ [FILE]: csv(HEADER, ROW) }, { utm: UTM, mentions });
  expect(await posts()).toEqual([
    "tulips@bluesky bluesky Hi @acme.com: https://example.com/a?utm_source=bluesky&utm_campaign=Spring",
    "tulips@linkedin linkedin Hi @acme: https://example.com/a?utm_source=linkedin&utm_campaign=Spring",
  ]);
});

test("networks that get the same text share a post", async () => {
  const row = [ROW[0] ?? "", ROW[1] ?? "", "bluesky, linkedin, facebook", ROW[3] ?? "", "Spring"];
  const mentions = { "@acme": { bluesky: "acme.com" } };
  const { posts } = await startProject({ [FILE]: csv(HEADER, row) }, { utm: { source: "social" }, mentions });
  expect(await posts()).toEqual([
    "tulips facebook+linkedin Hi @acme: https://example.com/a?utm_source=social",
    "tulips@bluesky bluesky Hi @acme.com: https://example.com/a?utm_source=social",
  ]);
});

test("the only network of a row keeps the row's id, and a second network does not change its post", async () => {
  const only = [ROW[0] ?? "", ROW[1] ?? "", "linkedin", ROW[3] ?? "", "Spring"];
  const { project, plan, posts, apply } = await startProject({ [FILE]: csv(HEADER, only) }, { utm: UTM });
  expect(await posts()).toEqual([expect.stringMatching(/^tulips linkedin /)]);
  await apply();
  await project.write(FILE, csv(HEADER, ROW));
  expect(await plan()).toMatchObject({
    summary: { keep: 1, create: 1, cancel: 0, replace: 0 },
    changes: [{ action: "create", key: "tulips@bluesky" }],
  });
});

test("threads and first comments get parameters and mentions too, and alt texts do not", async () => {
  const header = ["scheduled_at", "platforms", "content", "thread", "first_comment"];
  const link = "@acme https://example.com/a";
  const row = ["2030-03-01 09:00", "bluesky", "One", `Two ${link}\n---\nThree`, link];
  const config = { utm: { source: "{platform}" }, mentions: { "@acme": { bluesky: "acme.com" } } };
  const { plan } = await startProject({ [FILE]: csv(header, row) }, config);
  const changed = "@acme.com https://example.com/a?utm_source=bluesky";
  expect((await plan()).changes).toMatchObject([
    { post: { content: "One", thread: [`Two ${changed}`, "Three"], first_comment: changed } },
  ]);
});

test("a network's own text gets parameters and mentions, and keeps its key", async () => {
  const header = [...HEADER.slice(0, 4), "content:bluesky"];
  const row = [...ROW.slice(0, 4), "Own @acme https://example.com/b"];
  const config = { utm: { medium: "social" }, mentions: { "@acme": { bluesky: "acme.com" } } };
  const { posts } = await startProject({ [FILE]: csv(header, row) }, config);
  expect(await posts()).toEqual([
    "tulips linkedin Hi @acme: https://example.com/a?utm_medium=social",
    "tulips@bluesky bluesky Own @acme.com https://example.com/b?utm_medium=social",
  ]);
});

test("if the networks of a row shared a post, the plan says why it cancels that post", async () => {
  const { project, plan, run, apply } = await startProject({ [FILE]: csv(HEADER, ROW) });
  await apply();
  await project.write(
    "plancast.yaml",
    `${await project.read("plancast.yaml")}\nutm: { source: "{platform}" }\n`,
  );
  const { changes } = await plan();
  expect(changes.find(({ action }) => action === "cancel")).toMatchObject({
    key: "tulips",
    reason: "Its row no longer makes this post, because its networks or their texts have changed.",
  });
  await project.write(FILE, csv(HEADER));
  expect((await run("plan")).stdout).toContain("The row is gone.");
});

test("pull leaves out posts whose texts would change, and says why", async () => {
  const { project, run, apply } = await startProject({ [FILE]: csv(HEADER, ROW) });
  await apply();
  await project.remove(FILE);
  await project.remove("plancast.lock.json");
  await project.write(
    "plancast.yaml",
    `${await project.read("plancast.yaml")}\nutm: { source: "{platform}" }\n`,
  );
  const { stderr } = await run("pull", "--out", "calendars/b.yaml");
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    "`utm:` or `mentions:` in plancast.yaml would change their texts",
  );
});

test("posts without links and mentions stay as they are when a project sets utm and mentions", async () => {
  const rows = [
    ["plain", "2030-03-01 09:00", "bluesky, linkedin", "No link", ""],
    ["foreign", "2030-03-02 09:00", "bluesky, linkedin", "https://other.example.org @other", ""],
    ROW,
  ];
  const {
    service: _service,
    project,
    plan,
    apply,
  } = await startScenario({
    files: { [FILE]: csv(HEADER, ...rows) },
    config: { utm: undefined },
  });
  await apply();
  const before = await project.read("plancast.lock.json");
  const config = await project.read("plancast.yaml");
  await project.write(
    "plancast.yaml",
    `${config}\nutm: { source: "{platform}", hosts: [example.com] }\nmentions: { "@acme": { x: acme } }\n`,
  );
  const { changes, summary } = await plan();
  expect(summary).toMatchObject({ keep: 2 });
  expect(changes.map(({ action, key }) => `${action} ${key}`).sort()).toEqual([
    "cancel tulips",
    "create tulips@bluesky",
    "create tulips@linkedin",
  ]);
  await project.write("plancast.yaml", config);
  expect(await plan()).toMatchObject({ changes: [], summary: { keep: 3 } });
  expect(await project.read("plancast.lock.json")).toBe(before);
});

test("editing a post offers the text of the row, without parameters and handles", () => {
  const settings = config({ utm: { source: "{platform}" }, mentions: { "@acme": { bluesky: "acme.com" } } });
  const text = "Hi @acme https://example.com/a";
  const cells = { id: "a", scheduled_at: "2036-03-01 09:00", platforms: "bluesky, linkedin", content: text };
  const read = calendar([row(cells)], {}, settings);
  const edit = PostEdit.of(read, 0, ["bluesky"], settings);
  expect(edit?.post.content).toBe("Hi @acme.com https://example.com/a?utm_source=bluesky");
  expect(edit?.text()).toEqual({ value: text });
  expect(edit?.cells({ text: `${text}!` })).toEqual({ cells: new Map([["content", `${text}!`]]) });
});

test("the length of a text includes its link parameters", async () => {
  const text = `${"x".repeat(260)} https://example.com/a`;
  const row = ["a", "2030-03-01 09:00", "bluesky", text, "Spring"];
  const { project, plan } = await startProject({ [FILE]: csv(HEADER, row) });
  expect((await plan()).problems).toEqual([]);
  await project.write(
    "plancast.yaml",
    `${await project.read("plancast.yaml")}\nutm: { source: "{platform}" }\n`,
  );
  expect((await plan()).problems).toMatchObject([{ code: "content/too-long" }]);
});

test("a link whose end is not clear stays as it is, with one warning", async () => {
  const text = "詳細はhttps://example.com/aをご覧 https://example.com/b";
  const { plan } = await startProject(
    { [FILE]: csv(HEADER, ["a", "2030-03-01 09:00", "bluesky, linkedin", text, ""]) },
    { utm: { source: "{platform}" } },
  );
  expect(await plan()).toMatchObject({
    changes: [
      { post: { content: "詳細はhttps://example.com/aをご覧 https://example.com/b?utm_source=bluesky" } },
      { post: { content: "詳細はhttps://example.com/aをご覧 https://example.com/b?utm_source=linkedin" } },
    ],
    problems: [{ code: "row/untagged-link", file: FILE, line: 2, column: 44 }],
  });
});

test("an entry of calendars has its own parameters and mentions", async () => {
  const config = {
    calendars: [
      "calendars/a.csv",
      { files: "calendars/b.csv", utm: { source: "b" }, mentions: { "@jo": { linkedin: "jo_b" } } },
    ],
    utm: { source: "a", medium: "social" },
    mentions: { "@acme": { linkedin: "acme_inc" } },
  };
  const header = ["scheduled_at", "platforms", "content"];
  const { posts } = await startProject(
    {
      "calendars/a.csv": csv(header, ["2030-03-01 09:00", "linkedin", "@acme @jo https://example.com/a"]),
      "calendars/b.csv": csv(header, ["2030-03-02 09:00", "linkedin", "@acme @jo https://example.com/b"]),
    },
    config,
  );
  expect((await posts()).map((each) => each.replace(/^\S+ /, ""))).toEqual([
    "linkedin @acme_inc @jo https://example.com/a?utm_source=a&utm_medium=social",
    "linkedin @acme_inc @jo_b https://example.com/b?utm_source=b&utm_medium=social",
  ]);
});

test.each([
  ['utm: { source: "{network}" }', "`utm.source` must be text, in which {platform}, {campaign} and {id}"],
  ["utm: { sauce: x }", "Unknown key `utm.sauce`. The known keys are source,"],
  ['utm: { hosts: ["https://example.com"] }', "`utm.hosts.0` must be a host such as example.com"],
  ["mentions: { acme: { x: acme } }", "must be a name such as @acme"],
  ['mentions: { "@acme": { x: "ac me" } }', "must be a handle such as @acme"],
  [
    'mentions: { "@acme": { blusky: acme.com } }',
    "`blusky` is not a network that plancast knows. Did you mean `bluesky`?",
  ],
])("a wrong setting is an error: %s", async (setting, message) => {
  const { project, run } = await startProject({ [FILE]: csv(HEADER, ROW) });
  await project.write("plancast.yaml", `${await project.read("plancast.yaml")}\n${setting}\n`);
  const { code, stdout, stderr } = await run("validate");
  expect(code).toBe(1);
  expect((stdout + stderr).replaceAll(/\s+/g, " ")).toContain(message);
});
