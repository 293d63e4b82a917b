/** One file for each post, from the file to the plan, and to and from other formats. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";
import { tinyPng } from "../support/tiny-media.ts";

const CONFIG = {
  service: { url: "embedded" },
  timezone: "Europe/Paris",
  platforms: { x: "twitter" },
  defaults: { platforms: ["linkedin"], time: "10:00" },
};

async function start(files: Record<string, string | Uint8Array>, config: object = {}) {
  const project = await makeProject({ files, config: { ...CONFIG, ...config } });
  const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock: new TestClock() });
  const plan = async () => JSON.parse((await run("plan", "--format", "json")).stdout);
  const convert = async (...args: string[]) => {
    const { code, stdout, stderr } = await run("convert", ...args);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const calendars = async () =>
    Object.keys(await project.tree()).filter((path) => path.startsWith("calendars/"));
  return { project, run, plan, convert, calendars };
}

const POST = `---
id: tulips
date: 2036-03-01
time: 09:30
platforms: [bluesky]
media: [{ file: red.png, alt: Red tulips }]
campaign: Spring
---

The tulips are here.

---

Order them at https://example.com.
`;

test("a Markdown file and a .tweet file are posts, with the pictures beside them", async () => {
  const { plan } = await start({
    "calendars/spring/tulips.md": POST,
    "calendars/spring/red.png": tinyPng(1),
    "calendars/hello.tweet": "---\ndate: 2036-03-02\nplatforms: x\n---\nHello\n",
    "calendars/README.md": "# Our calendar",
  });
  expect(await plan()).toMatchObject({
    changes: [
      {
        key: "tulips",
        source: { file: "calendars/spring/tulips.md", line: 1 },
        campaign: "Spring",
        post: {
          content: "The tulips are here.",
          thread: ["Order them at https://example.com."],
          media: ["calendars/spring/red.png"],
          alt: ["Red tulips"],
          platforms: ["bluesky"],
          scheduled_at: "2036-03-01T08:30:00Z",
        },
      },
      { post: { content: "Hello", platforms: ["twitter"], scheduled_at: "2036-03-02T09:00:00Z" } },
    ],
    problems: [],
  });
});

test("a picture without an alt text is a warning if another post of the folder has one", async () => {
  const other = "---\ndate: 2036-03-02\nplatforms: linkedin\nmedia: ../red.png\n---\nHi\n";
  const { plan } = await start({
    "calendars/red.png": tinyPng(1),
    "calendars/spring/a.md": POST.replace("red.png", "../red.png"),
    "calendars/spring/b.md": other,
    "calendars/winter/c.md": other.replace("02", "03").replace("Hi", "Ho"),
  });
  expect((await plan()).problems).toMatchObject([
    { code: "media/alt-missing", file: "calendars/spring/b.md", line: 4 },
  ]);
});

test("rows keep their free slots when each becomes a file", async () => {
  const rows = [
    ["2036-03-07", "Zinnias"],
    ["2036-03-07", "Asters"],
    ["", "Yarrow"],
    ["", "Broom"],
  ];
  const slots = { default: ["fri 09:00", "fri 12:00", "fri 16:00"] };
  const { plan, convert, project, calendars } = await start(
    { "calendars/a.csv": csv(["date", "content"], ...rows) },
    { slots, defaults: { platforms: ["linkedin"] } },
  );
  const before = await plan();
  await convert("calendars/a.csv", "--to", "md", "--out", "calendars/posts");
  await rm(join(project.root, "calendars/a.csv"));
  expect(await plan()).toMatchObject({ hash: before.hash });
  expect(await calendars()).toEqual([
    "calendars/posts/1-2036-03-07-zinnias.md",
    "calendars/posts/2-2036-03-07-asters.md",
    "calendars/posts/3-post-yarrow.md",
    "calendars/posts/4-post-broom.md",
  ]);
});

test("texts of a thread or pool that end with a line end fit into a table", async () => {
  const post = "date: 2036-03-01, platforms: linkedin, content: One";
  const { plan, convert, project, calendars } = await start({
    "calendars/a.yaml": `- { ${post} }\n- id: b\n  date: 2036-03-02\n  content: One\n  thread:\n    - |\n      Two\n\n      lines\n    - |\n      Three\n- id: c\n  date: 2036-03-03\n  repeat: weekly x 2\n  pool:\n    - |\n      A\n    - |\n      B\n`,
  });
  const before = await plan();
  await convert("calendars/a.yaml", "--out", "calendars/b.csv");
  await rm(join(project.root, "calendars/a.yaml"));
  expect(await plan()).toMatchObject({ hash: before.hash });
  expect(await calendars()).toEqual(["calendars/b.csv"]);
});

test("problems of a post name its file, line and column", async () => {
  const long = "x".repeat(301);
  const { run } = await start({
    "calendars/a.md": `---\ndate: 2036-02-30\nplatfroms: x\n---\nHello\n`,
    "calendars/b.md": `---\ndate: 2036-03-01\nplatforms: bluesky\n---\n\nHello\n---\n${long}\n`,
    "calendars/notes.md": "# Ideas\n",
  });
  const { problems } = JSON.parse((await run("validate", "--format", "json")).stdout);
  expect(problems).toMatchObject([
    { code: "schedule/format", file: "calendars/a.md", line: 2, column: 7 },
    { code: "columns/unknown", file: "calendars/a.md", line: 3, column: 1 },
    { code: "content/too-long", file: "calendars/b.md", line: 8, column: 1 },
    { code: "markdown/no-front-matter", file: "calendars/notes.md", severity: "warning" },
  ]);
});

const HEADER = [
  "id",
  "scheduled_at",
  "platforms",
  "content",
  "media",
  "alt",
  "thread",
  "first_comment",
  "Campaign",
  "content:x",
  "status",
];
const TABLE = csv(
  HEADER,
  [
    "Spring Launch!",
    "2036-03-01 09:30",
    "x, linkedin",
    "  Two\n\n  lines",
    "red.png, blue.png",
    "Red | Blue",
    "One\n---\nTwo",
    "Look",
    "Spring",
    "Hi",
    "",
  ],
  ["", "2036-03-01 09:30", "linkedin", 'No id, "quotes" and 🎉 שלום', "", "", "", "", "", "", ""],
  ["", "2036-03-02 11:30", "linkedin", 'No id, "quotes" and 🎉 שלום', "", "", "", "", "", "", ""],
  ["fence", "2036-03-03 09:30", "linkedin", "One\n---\ntext", "", "", "", "", "", "", ""],
  ["thread", "2036-03-04 09:30", "linkedin", "", "", "", "One\n---\nTwo", "", "", "", ""],
  ["picture", "2036-03-05 09:30", "linkedin", "", "red.png", "", "", "", "", "", ""],
  ["../../etc/passwd", "2036-03-06 09:30", "linkedin", "A name", "", "", "", "", "", "", ""],
  ["draft", "someday", "linkedin", "Later", "", "", "", "", "", "", "draft"],
);
const MEDIA = { "calendars/red.png": tinyPng(1), "calendars/blue.png": tinyPng(2) };

function sorted(all: readonly unknown[]): readonly string[] {
  return all.map((each) => JSON.stringify(each)).sort();
}

test("a table becomes one file for each row, and the files become a table again", async () => {
  const { project, run, plan, convert, calendars } = await start({ "calendars/a.csv": TABLE, ...MEDIA });
  const before = (await plan()).changes.map(({ post, key, campaign }: Record<string, unknown>) => ({
    post,
    key,
    campaign,
  }));
  expect(before).toHaveLength(8);
  expect(await convert("calendars/a.csv", "--to", "md", "--out", "calendars/posts")).toContain(
    "Wrote 8 files into calendars/posts, one for each row of calendars/a.csv.",
  );
  await project.remove("calendars/a.csv");
  expect((await calendars()).filter((path) => path.endsWith(".md")).sort()).toEqual([
    "calendars/posts/2036-03-01-no-id-quotes-and-שלום.md",
    "calendars/posts/2036-03-01-spring-launch.md",
    "calendars/posts/2036-03-02-no-id-quotes-and-שלום.md",
    "calendars/posts/2036-03-03-fence.md",
    "calendars/posts/2036-03-04-thread.md",
    "calendars/posts/2036-03-05-picture.md",
    "calendars/posts/2036-03-06-etc-passwd.md",
    "calendars/posts/post-draft.md",
  ]);
  expect(await project.read("calendars/posts/2036-03-01-spring-launch.md")).toBe(`---
id: Spring Launch!
scheduled_at: 2036-03-01 09:30
platforms: [x, linkedin]
media: [../red.png, ../blue.png]
alt: [Red, Blue]
first_comment: Look
campaign: Spring
variants:
  x:
    content: Hi
---

  Two

  lines

---

One

---

Two
`);
  expect(await project.read("calendars/posts/2036-03-03-fence.md")).toContain(
    "content: |-\n  One\n  ---\n  text\n---\n",
  );
  const posts = async () =>
    (await plan()).changes.map(({ post, key, campaign }: Record<string, unknown>) => ({
      post,
      key,
      campaign,
    }));
  expect(sorted(await posts())).toEqual(sorted(before));

  expect(await convert("calendars/posts", "--out", "calendars/b.csv")).toContain(
    "8 rows from calendars/posts",
  );
  for (const path of await calendars()) if (path.endsWith(".md")) await project.remove(path);
  expect(sorted(await posts())).toEqual(sorted(before));
  expect((await run("plan")).stdout).toContain("1 draft");
});

test("convert replaces no file without --force, and prints one post", async () => {
  const one = csv(HEADER.slice(0, 4), ["a", "2036-03-01 09:30", "linkedin", "Hello"]);
  const two = csv(
    HEADER.slice(0, 4),
    ["a", "2036-03-01 09:30", "linkedin", "Hello"],
    ["b", "2036-03-02 09:30", "linkedin", "Hi"],
  );
  const { project, run, convert } = await start({ "calendars/one.csv": one, "calendars/two.csv": two });
  const post = "---\nid: a\nscheduled_at: 2036-03-01 09:30\nplatforms: [linkedin]\n---\n\nHello\n";
  expect(await convert("calendars/one.csv", "--to", "md")).toBe(post);
  await convert("calendars/one.csv", "--out", "calendars/a.md");
  expect(await project.read("calendars/a.md")).toBe(post);
  for (const out of [
    ["--to", "md"],
    ["--out", "calendars/b.md"],
  ]) {
    const { code, stderr } = await run("convert", "calendars/two.csv", ...out);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Name a folder with --out")]);
  }
  await project.write("calendars/posts/2036-03-02-b.md", "Mine");
  const refused = await run("convert", "calendars/two.csv", "--to", "md", "--out", "calendars/posts");
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("2036-03-02-b.md already exists"),
  });
  expect(await project.tree()).not.toHaveProperty("calendars/posts/2036-03-01-a.md");
  await convert("calendars/two.csv", "--to", "md", "--out", "calendars/posts", "--force");
  expect(await project.read("calendars/posts/2036-03-02-b.md")).toContain("Hi");
});

test("convert reports the files as JSON, and says if the project does not read them", async () => {
  const one = csv(HEADER.slice(0, 4), ["a", "2036-03-01 09:30", "linkedin", "Hello"]);
  const { run, convert } = await start({ "calendars/one.csv": one });
  const { stdout } = await run(
    "convert",
    "calendars/one.csv",
    "--to",
    "md",
    "--out",
    "posts",
    "--format",
    "json",
  );
  expect(JSON.parse(stdout)).toMatchObject({
    from: "calendars/one.csv",
    out: "posts",
    to: "md",
    rows: 1,
    files: ["posts/2036-03-01-a.md"],
  });
  expect(await convert("calendars/one.csv", "--to", "md", "--out", "other")).toContain(
    "not yet one of the project's",
  );
});

test("pull does not write Markdown, and says how to get it", async () => {
  const { run } = await start({});
  const { code, stderr } = await run("pull", "--out", "calendars/a.md");
  expect([code, stderr]).toEqual([1, expect.stringContaining("plancast convert FILE --to md --out")]);
});

test("columns shows the keys of a post", async () => {
  const { run } = await start({ "calendars/a.md": POST });
  expect((await run("columns", "calendars/a.md")).stdout).toMatch(/campaign/);
});
