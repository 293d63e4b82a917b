/** What `plancast preview --for-client` puts into the page, and what it must not. How the page looks is in test/browser. */
import { expect, test } from "vitest";
import { clientPage, pageData } from "../../support/client-answers.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { mp4 } from "../../support/sized-media.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const HEAD = "id,scheduled_at,platforms,content,media,status,notes";
const CONFIG = {
  service: { url: "https://service.example/v1", key_env: "SECRET_NAME" },
  timezone: "Europe/Paris",
  project: "Spring",
  status_values: { "Waiting for boss": "draft" },
};

test("the page contains only the posts of its days: no path, id, problem, plan or other row", async () => {
  const rows = [
    "secret-id-1,2036-03-03 09:00,linkedin,Shown one,media/secret-name.png,Waiting for boss,internal note",
    "secret-id-2,2036-03-31 23:30,bluesky,Shown two,media_secretid,,",
    "secret-id-3,2036-04-01 00:30,bluesky,Hidden April,media/april.png,,",
    "secret-id-4,2036-02-29 09:00,bluesky,Hidden February,,draft,",
    "secret-id-5,2036-03-09 09:00,bluesky,Hidden skip,,skip,",
    "secret-id-7,2036-03-11 09:00,bluesky,Hidden fault,media/secret-none.png,,",
    `secret-id-6,2036-03-10 09:00,bluesky,Shown three ${"long ".repeat(80)},https://files.example/secret-address.png,,`,
  ];
  const project = await makeProject({
    config: CONFIG,
    files: {
      "secret-folder/secret-file.csv": [HEAD, ...rows, ""].join("\n"),
      "secret-folder/media/secret-name.png": tinyPng(1),
      "secret-folder/media/april.png": tinyPng(2),
      "plancast.lock.json": JSON.stringify({
        version: 1,
        service: "https://service.example",
        media: {},
        posts: {},
      }),
    },
  });
  await project.write(
    "plancast.yaml",
    (await project.read("plancast.yaml")) + 'calendars: ["secret-folder/*.csv"]\n',
  );
  const env = { SECRET_NAME: "secret-key-value", PLANCAST_API_KEY: "secret-key-value" };
  const args = ["preview", "--for-client", "--only", "date=2036-03"];
  const { code, stdout, stderr } = await runCommand(args, { cwd: project.root, env });
  expect([code, stdout]).toEqual([1, expect.stringContaining("client.html")]);
  expect(stderr).toContain("Left out 1 post with a file that cannot be used: secret-folder/secret-file.csv:");
  expect(stderr).toContain("Run plancast validate.");
  const html = await project.read("client.html");
  const [, data = ""] = /id="data">(.*)<\/script>/.exec(html) ?? [];
  expect(["Shown one", "Shown two"].filter((word) => !html.includes(word))).toEqual([]);
  const words = [
    "secret",
    "Hidden",
    "service.example",
    "files.example",
    "Waiting for boss",
    "internal note",
    project.root,
    "plancast-project",
    Buffer.from(tinyPng(2)).toString("base64").slice(40, 80),
  ];
  expect(words.filter((word) => html.includes(word))).toEqual([]);
  expect(/content\/|"draft"|"ready"|calendars|\.csv/.exec(data)?.[0]).toBeUndefined();
  expect(pageData(html)).toMatchObject({
    title: "Spring",
    notices: [],
    problems: [],
    client: { project: "Spring", from: "2036-03-01", to: "2036-03-31" },
    posts: [
      { status: "unanswered", place: "", day: "2036-03-03", meters: [], problems: [] },
      { status: "unanswered", day: "2036-03-10" },
      { status: "unanswered", day: "2036-03-31", clock: "23:30" },
    ],
  });
});

test("covers a range of days, by default the month of the next post, and leaves out past posts", async () => {
  const rows = ["01-31", "02-01", "02-15", "02-29", "03-01"].map(
    (day) => `,2036-${day} 09:00,linkedin,Post ${day},,draft,`,
  );
  const project = await makeProject({
    config: { ...CONFIG, project: undefined },
    files: {
      "calendars/a.csv": [HEAD, ...rows, ",,,No time yet,,draft,", ",,,Nor here,,draft,", ""].join("\n"),
      "calendars/b.csv": `${HEAD}\n,,,Nor there,,draft,\n`,
    },
  });
  const texts = async (...args: string[]): Promise<unknown> =>
    (await clientPage(project, ...args)).posts.map(({ content }) => content);
  expect(await texts()).toEqual(["Post 01-31"]);
  expect(await texts("--now", "2036-02-01 12:00")).toEqual(["Post 02-15", "Post 02-29"]);
  expect(await texts("--only", "date=2036-02-15..2036-03-01")).toEqual([
    "Post 02-15",
    "Post 02-29",
    "Post 03-01",
  ]);
  const page = await clientPage(project, "--only", "date=2036-02");
  expect(page.client).toMatchObject({ from: "2036-02-01", to: "2036-02-29" });
  // A folder's name says too much.
  expect(page.title).toBe("Content calendar");
  const { stdout, stderr } = await runCommand(
    ["preview", "--for-client", "--now", "2036-02-01 12:00", "--out", "feb.html"],
    { cwd: project.root },
  );
  expect(stdout).toBe("2 posts of 2036-02-01 to 2036-02-29 in feb.html. Send this file to your client.\n");
  expect(stderr).toBe(
    [
      "Left out 1 past post.",
      "Left out 3 unfinished drafts: calendars/a.csv:7, :8, calendars/b.csv:2.",
      'The title of the page is "Content calendar". To change it, add a line such as "project: Acme" to plancast.yaml.',
      "",
    ].join("\n"),
  );
});

test("a row with a post on one of the days is on the page with all its posts", async () => {
  const project = await makeProject({
    config: CONFIG,
    files: {
      "calendars/a.csv":
        'id,scheduled_at,scheduled_at:bluesky,platforms,content,status\na,2036-03-31 09:00,2036-04-01 09:00,"linkedin, bluesky",Both,draft\n',
    },
  });
  const { posts, client } = await clientPage(project, "--only", "date=2036-03");
  expect(posts.map(({ day }) => day)).toEqual(["2036-03-31", "2036-04-01"]);
  expect(client).toMatchObject({ from: "2036-03-01", to: "2036-04-01" });
});

test("pictures and videos are in the page, and those that do not fit are counted", async () => {
  const project = await makeProject({
    config: CONFIG,
    files: {
      "calendars/a.csv": [
        HEAD,
        "a,2036-03-03 09:00,linkedin,Picture,media/a.png,,",
        "b,2036-03-04 09:00,linkedin,Video,media/b.mp4,,",
        "c,2036-03-05 09:00,linkedin,Large,media/c.mp4,,",
        "",
      ].join("\n"),
      "media/a.png": tinyPng(1),
      "media/b.mp4": mp4(1),
      "media/c.mp4": Buffer.concat([mp4(1), Buffer.alloc(8_000_000)]),
    },
  });
  const { stderr } = await runCommand(["preview", "--for-client"], { cwd: project.root });
  const { media } = pageData(await project.read("client.html"));
  expect(media.map(({ kind, name, source = "" }) => [kind, name, source.slice(0, 15)])).toEqual([
    ["picture", "", "data:image/png;"],
    ["video", "", "data:video/mp4;"],
    ["video", "", ""],
  ]);
  expect(stderr).toContain("1 picture or video of the posts is not in the page.");
});

test("--serve cannot make a page for a client, which is a file", async () => {
  const project = await makeProject({ config: CONFIG, files: { "calendars/a.csv": `${HEAD}\n` } });
  const { code, stderr } = await runCommand(["preview", "--for-client", "--serve"], { cwd: project.root });
  expect([code, stderr]).toEqual([1, expect.stringContaining("--serve cannot make a page for a client.")]);
});
