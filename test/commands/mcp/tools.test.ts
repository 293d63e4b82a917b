/** What an assistant can do with each tool, and what it can read. */

import { expect, test } from "vitest";
import { dataOf, startAssistant } from "../../support/assistant.ts";
import { makeProject } from "../../support/project.ts";
import { csv } from "../../support/scenario.ts";
import { startWorld } from "./assistant-world.ts";

/** The text of a resource. */
function textIn([first]: readonly object[]): string {
  return first !== undefined && "text" in first ? String(first.text) : "";
}

test("lists its tools, says which tools change something, and explains itself", async () => {
  const { assistant } = await startWorld();
  expect(assistant.client.getInstructions()).toContain("You cannot confirm a plan");
  const { tools } = await assistant.client.listTools();
  const writing = tools
    .filter(({ annotations }) => annotations?.readOnlyHint !== true)
    .map(({ name }) => name);
  expect(tools.map(({ name }) => name)).toEqual([
    "columns",
    "validate",
    "plan",
    "preview",
    "status",
    "rules",
    "write_draft",
    "apply",
  ]);
  expect(writing).toEqual(["preview", "write_draft", "apply"]);
});

test("tools that only read give the documents of their commands", async () => {
  const { assistant, run } = await startWorld();
  for (const [name, args] of [
    ["validate", {}],
    ["status", {}],
    ["rules", {}],
  ] as const) {
    const { stdout } = await run(name, "--format", "json");
    expect(dataOf((await assistant.call(name, args)).text)).toEqual(JSON.parse(stdout));
  }
  const columns = await assistant.call("columns", { calendar: "calendars/march.csv" });
  expect(dataOf(columns.text)).toMatchObject({ calendars: [{ file: "calendars/march.csv" }] });
});

test("problems are the result of a check, and stop a plan", async () => {
  const { assistant, project } = await startWorld();
  await project.write("calendars/may.csv", csv(["scheduled_at", "platforms", "content"], ["soon", "x", ""]));
  const checked = await assistant.call("validate");
  expect([checked.isError, checked.text.split("\n")[0]]).toEqual([
    false,
    "There are errors: see the problems below.",
  ]);
  const plan = await assistant.call("plan");
  expect([plan.isError, plan.text]).toEqual([false, expect.stringContaining("There is no plan")]);
});

test("the server reports a mistake in plancast.yaml, and continues when it is fixed", async () => {
  const project = await makeProject({ config: "timezone: Nowhere\n" });
  const { call } = await startAssistant({ cwd: project.root });
  expect(await call("validate")).toEqual({ isError: true, text: expect.stringContaining("Nowhere") });
  await project.write("plancast.yaml", "timezone: Europe/Paris\n");
  await project.write("calendars/a.csv", csv(["scheduled_at", "platforms", "content"]));
  expect((await call("validate")).isError).toBe(false);
});

test("preview writes a page into the project, and never replaces another file", async () => {
  const { assistant, project } = await startWorld();
  expect((await assistant.call("preview")).text).toContain("open preview.html");
  expect(await project.read("preview.html")).toContain("We open in March.");
  await project.write("preview.html", "Mine");
  expect(await assistant.call("preview")).toEqual({
    isError: true,
    text: expect.stringContaining("write/exists"),
  });
  expect(await project.read("preview.html")).toBe("Mine");
});

test("writes another text into a draft, by its id and by its line, and changes nothing else", async () => {
  const { assistant, project, summary } = await startWorld();
  const before = await summary();
  const calendar = "calendars/march.csv";
  const text = 'New "idea",\nin two lines';
  expect((await assistant.call("write_draft", { calendar, row: "idea", content: text })).isError).toBe(false);
  expect(await project.read(calendar)).toContain('"New ""idea"",\nin two lines"');
  const { contents } = await assistant.client.readResource({
    uri: "plancast://calendars/calendars%2Fmarch.csv",
  });
  const read = dataOf(textIn(contents));
  expect(read).toMatchObject({
    rows: [{ id: "launch" }, { id: "evil" }, { id: "idea", content: text, line: 6 }],
  });
  await assistant.call("write_draft", { calendar, row: "6", content: "Shorter" });
  expect(await project.read(calendar)).toContain('"Shorter","","draft"');
  expect(await summary()).toEqual(before);
});

test.each(["calendars/new.csv", "calendars/new.yaml", "calendars/new.xlsx", "calendars/deep/new.csv"])(
  "writes new posts as drafts into %s, which no plan schedules",
  async (calendar) => {
    const { assistant, summary } = await startWorld();
    const { draft = 0, ...before } = await summary();
    const post = { scheduled_at: "2036-05-01 09:00", platforms: ["linkedin", "twitter"] };
    const posts = [
      { ...post, id: "one", content: '=1+1\n"quoted"', media: ["a.png"], alt: ["A picture"] },
      { ...post, id: "two", content: "status: ready" },
    ];
    const answer = await assistant.call("write_draft", { calendar, posts });
    expect(answer).toEqual({ isError: false, text: expect.stringContaining("Wrote 2 drafts") });
    expect(await summary()).toEqual({ ...before, draft: draft + 2 });
    const uri = `plancast://calendars/${encodeURIComponent(calendar)}`;
    const { resources } = await assistant.client.listResources();
    expect(resources.map((each) => each.uri)).toContain(uri);
    expect(JSON.stringify(await assistant.client.readResource({ uri }))).toContain("quoted");
  },
);

test.each([
  "CLAUDE.md",
  "AGENTS.md",
  "posts/claude.md",
  "GEMINI.md",
  ".github/copilot-instructions.md",
  ".cursor/2036-05-01.md",
  ".claude/new.csv",
])("does not write %s, which other programs may obey, even if calendars: matches it", async (calendar) => {
  const { assistant, project } = await startWorld();
  const settings = await project.read("plancast.yaml");
  await project.write(
    "plancast.yaml",
    `${settings}\ncalendars: ["calendars/*.csv", "**/*.{md,csv}", ".*/**"]\n`,
  );
  const post = { scheduled_at: "2036-05-01 09:00", platforms: ["linkedin"], content: "Do as I say" };
  const before = await project.tree();
  expect((await assistant.call("write_draft", { calendar, posts: [post] })).isError).toBe(true);
  expect(await project.tree()).toEqual(before);
});

test("writes a draft with the team's own word, and refuses if that word would not mean draft", async () => {
  const words = { Idee: "draft", draft: "ready" };
  const project = await makeProject({ config: { timezone: "Europe/Paris", status_values: words } });
  const { call } = await startAssistant({ cwd: project.root });
  const posts = [{ scheduled_at: "2036-05-01 09:00", platforms: ["twitter"], content: "x" }];
  expect((await call("write_draft", { calendar: "calendars/a.csv", posts })).isError).toBe(false);
  expect(await project.read("calendars/a.csv")).toContain("Idee");

  const other = await makeProject({
    config: { timezone: "Europe/Paris", status_values: { draft: "ready" } },
  });
  const assistant = await startAssistant({ cwd: other.root });
  const answer = await assistant.call("write_draft", { calendar: "calendars/a.csv", posts });
  expect(answer).toEqual({ isError: true, text: expect.stringContaining("write/unwritable") });
});

test("a confirmed plan is applied to its end, even if the assistant's program gives up", async () => {
  const { assistant, confirm, hash, service } = await startWorld();
  await confirm();
  const stop = new AbortController();
  const asked = assistant.client.callTool({ name: "apply", arguments: { hash } }, undefined, {
    signal: stop.signal,
  });
  stop.abort("too long");
  await expect(asked).rejects.toThrow("too long");
  await assistant.call("status");
  expect(service.scheduled()).toHaveLength(3);
});

test("reads the documentation for users", async () => {
  const { assistant } = await startWorld();
  const { resources } = await assistant.client.listResources();
  const pages = resources.filter(({ uri }) => uri.startsWith("plancast://docs/")).map(({ uri }) => uri);
  expect(pages).toContain("plancast://docs/run/assistants.md");
  expect(pages.filter((uri) => uri.includes("/change/"))).toEqual([]);
  const { contents } = await assistant.client.readResource({ uri: "plancast://docs/calendars.md" });
  expect(contents[0]).toMatchObject({ mimeType: "text/markdown", text: expect.stringContaining("# ") });
});

test("a long answer leaves out the ends of its lists, and says so", async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => [
    `row-${index}`,
    "2036-03-03 09:00",
    "twitter",
    `Text ${index}`,
  ]);
  const files = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...rows) };
  const { root } = await makeProject({ files, config: { timezone: "Europe/Paris" } });
  const { client } = await startAssistant({ cwd: root });
  const { contents } = await client.readResource({ uri: "plancast://calendars/calendars%2Fa.csv" });
  const text = textIn(contents);
  expect(text.length).toBeLessThan(62_000);
  expect(dataOf(text)).toMatchObject({ left_out: { rows: expect.any(Number) }, rows: expect.any(Array) });
});
