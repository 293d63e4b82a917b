/** Alt texts, threads and first comments from the calendar to the service and back. */
import { expect, test } from "vitest";
import { z } from "zod";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";
import { tinyPng } from "../support/tiny-media.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content", "media", "Alt text"];
const FILE = "calendars/a.csv";

function calendar(alt: string, header: readonly string[] = HEADER): string {
  return csv(header, ["tulips", "2030-03-01 09:00", "linkedin", "Tulips", "a.png, b.png", alt]);
}

const planDocument = z.object({
  summary: z.record(z.string(), z.number()),
  changes: z.array(
    z.object({
      action: z.string(),
      post: z.looseObject({ alt: z.array(z.string()).optional() }),
      fields: z.array(z.string()).optional(),
    }),
  ),
});

/** A project on the embedded service. */
async function startEmbeddedProject(
  files: Record<string, string | Uint8Array>,
  config: Readonly<Record<string, unknown>> = {},
) {
  const clock = new TestClock();
  const project = await makeProject({
    config: { timezone: "Europe/Paris", service: { url: "embedded" }, ...config },
    files: { "a.png": tinyPng(1), "b.png": tinyPng(2), ...files },
  });
  const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock });
  const plan = async () => planDocument.parse(JSON.parse((await run("plan", "--format", "json")).stdout));
  const apply = async () => expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  /** The alt texts of the scheduled posts, as the service stores them. */
  const stored = async () => {
    const { posts } = z
      .object({ posts: z.array(z.object({ id: z.string() })) })
      .parse(JSON.parse((await run("posts", "list", "--format", "json")).stdout));
    const shown = posts.map(async ({ id }) => (await run("posts", "show", id, "--format", "json")).stdout);
    const record = z.object({ record: z.object({ alt: z.array(z.string()).optional() }) });
    return (await Promise.all(shown)).map((text) => record.parse(JSON.parse(text)).record.alt);
  };
  return { project, run, plan, apply, stored };
}

test("the embedded service stores the alt texts, and an edit of one replaces the post", async () => {
  const { project, run, plan, apply, stored } = await startEmbeddedProject({
    [FILE]: calendar("Red tulips | Yellow tulips"),
  });
  expect((await plan()).changes).toMatchObject([
    { action: "create", post: { alt: ["Red tulips", "Yellow tulips"] } },
  ]);
  await apply();
  expect(await stored()).toEqual([["Red tulips", "Yellow tulips"]]);
  expect(await plan()).toMatchObject({ changes: [], summary: { keep: 1 } });
  await project.write(FILE, calendar("Red tulips | Orange tulips"));
  expect((await plan()).changes).toMatchObject([{ action: "replace", fields: ["alt"] }]);
  expect((await run("plan")).stdout).toMatch(
    /alt text: 1\/2 Red tulips \| 2\/2 Yellow tulips[^]*1\/2 Red tulips \| 2\/2 Orange tulips/,
  );
  await apply();
  expect(await stored()).toEqual([["Red tulips", "Orange tulips"]]);
});

test("without its lockfile, a project recognises its posts by their alt texts too", async () => {
  const { project, plan, apply } = await startEmbeddedProject({ [FILE]: calendar("Red | Yellow") });
  await apply();
  await project.remove("plancast.lock.json");
  expect(await plan()).toMatchObject({ summary: { adopt: 1, create: 0 } });
  await project.write(FILE, calendar("Red | Blue"));
  // Other alt texts are another post. The row may have had one, so plancast asks.
  expect(await plan()).toMatchObject({ summary: { adopt: 0, create: 0, missing: 1, unmanaged: 1 } });
});

test("pull writes alt texts that give the same posts, in every format", async () => {
  const { project, run, plan, apply } = await startEmbeddedProject({
    [FILE]: calendar(" | Yellow, with a bee"),
  });
  await apply();
  await project.remove(FILE);
  await project.remove("plancast.lock.json");
  for (const format of ["csv", "yaml", "xlsx"]) {
    const out = `calendars/pulled.${format}`;
    expect(await run("pull", "--out", out)).toMatchObject({ code: 0 });
    expect(await plan()).toMatchObject({
      changes: [{ action: "adopt", post: { alt: ["", "Yellow, with a bee"] } }],
    });
    await project.remove(out);
  }
});

test("a service without alt texts gets none, and a warning counts the posts", async () => {
  const rows = [
    ["a", "2030-03-01 09:00", "linkedin", "A", "a.png", "Red"],
    ["b", "2030-03-02 09:00", "linkedin", "B", "a.png", "Red"],
    ["c", "2030-03-03 09:00", "linkedin", "C", "", ""],
  ];
  const without = csv(HEADER.slice(0, 5), ...rows.map((cells) => cells.slice(0, 5)));
  const scenario = await startScenario({ files: { "a.png": tinyPng(1), [FILE]: without } });
  await scenario.apply();
  await scenario.project.write(FILE, csv(HEADER, ...rows));
  const { summary, problems } = await scenario.plan();
  expect(summary).toMatchObject({ keep: 3, replace: 0 });
  expect(problems).toMatchObject([
    { code: "service/not-stored", file: FILE, line: 2, message: expect.stringContaining("2 posts") },
  ]);
  const before = await scenario.project.read("plancast.lock.json");
  await scenario.apply();
  expect(await scenario.project.read("plancast.lock.json")).toBe(before);
});

test("an alt text without a picture is a warning, and too many of them are an error", async () => {
  const header = ["scheduled_at", "platforms", "content", "media", "alt"];
  const { run } = await startEmbeddedProject({
    [FILE]: csv(
      header,
      ["2030-03-01 09:00", "linkedin", "No picture", "", "Red"],
      ["2030-03-02 09:00", "linkedin", "Two pictures", "a.png, b.png", "One|Two|Three"],
      ["2030-03-03 09:00", "linkedin", "One picture", "a.png", "One|Two"],
    ),
  });
  const { problems } = z
    .object({ problems: z.array(z.object({ code: z.string(), line: z.number(), severity: z.string() })) })
    .parse(JSON.parse((await run("validate", "--format", "json")).stdout));
  expect(problems).toMatchObject([
    { code: "row/alt-count", line: 3, severity: "error" },
    { code: "row/unused-value", line: 2, severity: "warning" },
  ]);
});

const REPLIES = ["id", "scheduled_at", "platforms", "content", "thread", "First comment"];

function withReplies(thread: string, comment: string): string {
  return csv(REPLIES, ["tulips", "2030-03-01 09:00", "linkedin", "Tulips", thread, comment]);
}

test("a thread and a first comment reach the service, and an edit of either replaces the post", async () => {
  const { project, run, plan, apply } = await startEmbeddedProject({
    [FILE]: withReplies("In red\n---\nIn yellow", "Link: https://example.com"),
  });
  const post = {
    content: "Tulips",
    thread: ["In red", "In yellow"],
    first_comment: "Link: https://example.com",
  };
  expect((await plan()).changes).toMatchObject([{ action: "create", post }]);
  await apply();
  expect((await plan()).changes).toEqual([]);
  await project.remove("plancast.lock.json");
  expect(await plan()).toMatchObject({ summary: { adopt: 1, create: 0 } });
  await apply();
  await project.write(FILE, withReplies("In red\n---\nIn blue", "Link: https://example.com"));
  expect((await plan()).changes).toMatchObject([{ action: "replace", fields: ["thread"] }]);
  await project.write(FILE, withReplies("In red\n---\nIn yellow", ""));
  expect((await plan()).changes).toMatchObject([{ action: "replace", fields: ["first_comment"] }]);
  expect((await run("plan")).stdout).toMatch(/first comment: Link: .* none/);
});

/** The cell of a thread with this many texts. */
function replies(count: number): string {
  return Array.from({ length: count }, (_, index) => `Reply ${index}`).join("\n---\n");
}

test("a thread of more than 50 replies is an error at the row, and reaches nothing", async () => {
  const { run, plan, project } = await startEmbeddedProject({ [FILE]: withReplies(replies(51), "") });
  const problems = async (): Promise<unknown> =>
    JSON.parse((await run("validate", "--format", "json")).stdout).problems;
  expect(await problems()).toMatchObject([
    {
      code: "row/too-many-replies",
      line: 2,
      severity: "error",
      message: expect.stringContaining("51 texts"),
    },
  ]);
  const applied = await run("apply", "--yes");
  expect([applied.code, applied.stdout + applied.stderr]).toEqual([
    1,
    expect.stringContaining("row/too-many"),
  ]);
  await project.write(FILE, withReplies(replies(50), ""));
  expect((await plan()).changes).toHaveLength(1);
  await project.remove(FILE);
  const list = Array.from({ length: 400 }, (_, index) => `R${index}`).join(", ");
  await project.write("calendars/b.yaml", withThread(`[${list}]`));
  expect(await problems()).toMatchObject([{ code: "row/too-many-replies", line: 1 }]);
});

function withThread(thread: string): string {
  return `- { id: a, scheduled_at: 2030-03-01 09:00, platforms: bluesky, content: Hello, thread: ${thread} }\n`;
}

test("a plan shows how many replies a thread has, whatever they contain", async () => {
  const { project, run, apply } = await startEmbeddedProject({ "calendars/a.yaml": withThread('["a | b"]') });
  await apply();
  await project.write("calendars/a.yaml", withThread("[a, b]"));
  const { stdout } = await run("plan", "--no-color");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("thread: 1/1 a | b → 1/2 a | 2/2 b");
});

test("a text with a line --- stays one text, and a thread without a text is a thread", async () => {
  const { plan } = await startEmbeddedProject({
    [FILE]: csv(
      REPLIES,
      ["one", "2030-03-01 09:00", "linkedin", "One\n---\ntext", "", ""],
      ["three", "2030-03-02 09:00", "linkedin", "", "One\n---\n\nTwo\n ----- \nThree", ""],
    ),
  });
  const posts = (await plan()).changes.map((each) => each.post);
  expect(posts).toMatchObject([{ content: "One\n---\ntext" }, { content: "One", thread: ["Two", "Three"] }]);
  expect(posts[0]).not.toHaveProperty("thread");
});

test("threads and first comments go through every format", async () => {
  const { project, run, plan } = await startEmbeddedProject({
    [FILE]: csv(
      REPLIES,
      ["a", "2030-03-01 09:00", "linkedin", "A", "One\nand a half\n---\nTwo", "Look:\nhttps://example.com"],
      ["b", "2030-03-02 09:00", "linkedin", "", "One\n---\nTwo", ""],
    ),
  });
  const before = await plan();
  let file = FILE;
  for (const format of ["yaml", "xlsx", "csv"]) {
    const out = `calendars/b-${format}.${format}`;
    expect(await run("convert", file, "--out", out)).toMatchObject({ code: 0 });
    await project.remove(file);
    expect((await plan()).changes.map(({ post }) => post)).toEqual(before.changes.map(({ post }) => post));
    file = out;
  }
});

const TAGGED = [
  ["2030-03-01 09:00", "linkedin", "One", "", "", "spring, garden"],
  ["2030-03-02 09:00", "linkedin", "Two", "", "Look", "#spring"],
  ["2030-03-03 09:00", "linkedin", "", "Three\n---\nFour", "", "#spring"],
  ["2030-03-04 09:00", "linkedin", "Five", "", "", ""],
];

test.each([
  [
    "first_comment+",
    [
      { content: "One", first_comment: "#spring #garden" },
      { content: "Two", first_comment: "Look\n\n#spring" },
      { content: "Three", thread: ["Four"], first_comment: "#spring" },
      { content: "Five" },
    ],
  ],
  [
    "content+",
    [
      { content: "One\n\n#spring #garden" },
      { content: "Two\n\n#spring", first_comment: "Look" },
      { content: "Three\n\n#spring", thread: ["Four"] },
      { content: "Five" },
    ],
  ],
  ["ignore", [{ content: "One" }, { content: "Two" }, { content: "Three" }, { content: "Five" }]],
])("hashtags go where the project says: %s", async (use, posts) => {
  const header = ["scheduled_at", "platforms", "content", "thread", "first_comment", "Hashtags"];
  const table = csv(header, ...TAGGED);
  const yaml = TAGGED.map(
    ([at, where, content, thread, comment, tags]) =>
      `- { scheduled_at: ${at}, platforms: ${where}, content: "${content}", thread: ${JSON.stringify(thread?.split("\n---\n"))}, first_comment: "${comment}", hashtags: ${JSON.stringify(tags?.split(", "))} }`,
  ).join("\n");
  for (const files of [{ [FILE]: table }, { "calendars/a.yaml": yaml }]) {
    const { plan } = await startEmbeddedProject(files, { columns: { Hashtags: use } });
    const found = (await plan()).changes.map(({ post }) => post);
    expect(found).toMatchObject(posts);
    expect(found.map((post) => "first_comment" in post)).toEqual(
      use === "ignore" ? [false, true, false, false] : posts.map((post) => "first_comment" in post),
    );
  }
});

test("a link in a separate column is added once to the end of the text, and only as a whole", async () => {
  const link = "https://example.com/spring";
  const texts: [text: string, expected: string][] = [
    ["Come and see", `Come and see\n\n${link}`],
    [`See ${link}!`, `See ${link}!`],
    [`(${link})\nSoon`, `(${link})\nSoon`],
    [`詳しくは${link}`, `詳しくは${link}`],
    [`${link}/tulips`, `${link}/tulips\n\n${link}`],
    [`${link}.html, or ${link}?a=1`, `${link}.html, or ${link}?a=1\n\n${link}`],
    [`not${link}`, `not${link}\n\n${link}`],
  ];
  const rows = texts.map(([text], index) => [`2030-03-01 09:${10 + index}`, "linkedin", text, link]);
  const table = csv(["scheduled_at", "platforms", "content", "Link"], ...rows);
  const yaml = JSON.stringify(
    rows.map(([at, platforms, content]) => ({ scheduled_at: at, platforms, content, link })),
  );
  for (const files of [{ [FILE]: table }, { "calendars/a.yaml": yaml }]) {
    const { plan } = await startEmbeddedProject(files, { columns: { Link: "content+" } });
    expect((await plan()).changes.map(({ post }) => post["content"])).toEqual(
      texts.map(([, expected]) => expected),
    );
  }
});
