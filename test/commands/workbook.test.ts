/** Workbooks from the command to the service: the messages and the requests. */
import { describe, expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { startScenario } from "../support/scenario.ts";
import { styled, xlsx, type TestCell } from "../support/workbook-files.ts";

const HEADER = ["id", "content", "date", "time", "platforms"];
/** 1 March 2036, as a workbook stores it. */
const DAY = 49_735;
const FORMATS = { formats: ["dd/mm/yyyy", "h:mm"] };

function plan(...rows: readonly (readonly TestCell[])[]): Uint8Array {
  return xlsx(
    [
      { name: "Notes", rows: [["Ideas"]] },
      { name: "Plan", rows: [HEADER, ...rows] },
    ],
    FORMATS,
  );
}

test("schedules the posts of a workbook once, and changes nothing on the next run", async () => {
  const rows = [
    ["a", "Bonjour 🎉\nà tous", styled(DAY, 1), styled(9.5 / 24, 2), "linkedin"],
    ["b", "Salut", styled(DAY, 1), styled(2.5 / 24, 2), "linkedin"],
  ];
  // The file that Excel puts next to an open workbook is not a calendar.
  const files = { "calendars/plan.xlsx": plan(...rows), "calendars/~$plan.xlsx": new Uint8Array(165) };
  const { apply, run, summary, service } = await startScenario({ files });
  expect((await run("plan")).stdout).toContain("calendars/plan.xlsx Plan!A2");
  expect((await apply()).summary).toMatchObject({ created: 2 });
  const sent = [...service.posts.values()].map(({ content, scheduled_at }) => `${scheduled_at} ${content}`);
  expect(sent.toSorted()).toEqual(["2036-03-01T01:30:00Z Salut", "2036-03-01T08:30:00Z Bonjour 🎉\nà tous"]);
  expect(await summary()).toEqual({ keep: 2 });
});

test("names the other row by its cell in a message about two rows", async () => {
  const row = ["a", "x", "2036-03-01", "09:00", "linkedin"];
  const { run } = await startScenario({ files: { "calendars/plan.xlsx": plan(row, row) } });
  const { stdout } = await run("validate");
  expect(stdout).toMatch(
    /plan\.xlsx Plan!A3 error row\/duplicate-id\n.*also the id of calendars\/plan\.xlsx Plan!A2\./,
  );
});

test("names the sheet and the cell of a problem in text, JSON and Markdown", async () => {
  const broken = { xml: '<c r="@" t="e"><v>#REF!</v></c>' };
  const files = {
    "calendars/plan.xlsx": plan(
      ["a", broken, styled(DAY, 1), "09:00", "linkedin"],
      ["b", "x", "soon", "09:00", "linkedin"],
    ),
  };
  const { run } = await startScenario({ files });
  const text = await run("validate");
  expect(text.code).toBe(1);
  expect(text.stdout).toContain("calendars/plan.xlsx Plan!B2 error sheet/formula\n");
  expect(text.stdout).toContain("calendars/plan.xlsx Plan!C3 error schedule/format\n");
  const { problems } = JSON.parse((await run("plan", "--format", "json")).stdout);
  expect(problems).toMatchObject([
    { file: "calendars/plan.xlsx", line: 2, column: 2, cell: "Plan!B2" },
    { file: "calendars/plan.xlsx", line: 3, column: 3, cell: "Plan!C3" },
  ]);
  expect((await run("plan", "--format", "markdown")).stdout).toMatch(
    /\*\*error\*\* calendars\/plan\.xlsx, sheet Plan, cell B2:/,
  );
});

function zonedSheet(name: string, zone: string) {
  const header = ["date", `time (${zone})`, "platforms", "content"];
  return { name, rows: [header, ["2036-03-03", "09:00", "linkedin", name]] };
}

test("sheets whose headers say different zones need separate entries", async () => {
  const sheets = [zonedSheet("Global", "UTC"), zonedSheet("New York", "America/New_York")];
  const config = { service: { url: "embedded" }, timezone: "UTC" };
  const project = await makeProject({ files: { "plan.xlsx": xlsx(sheets) }, config });
  const times = async (calendars: readonly unknown[]) => {
    await project.write("plancast.yaml", JSON.stringify({ ...config, calendars }));
    const { stdout } = await runCommand(["plan", "--format", "json"], { cwd: project.root });
    const { changes, problems } = JSON.parse(stdout);
    const errors = problems.filter((each: { severity: unknown }) => each.severity === "error");
    return [...errors, ...changes].map((each) => each.code ?? each.post.scheduled_at);
  };
  expect(await times([{ files: "plan.xlsx", sheet: "*" }])).toEqual(["csv/header-zone"]);
  const apart = ["Global", "New York"].map((name) => ({ files: "plan.xlsx", sheet: name }));
  expect(await times(apart)).toEqual(["2036-03-03T09:00:00Z", "2036-03-03T14:00:00Z"]);
});

test("the place of a post includes its sheet", async () => {
  const header = ["date", "time", "platforms", "content"];
  const sheets = [
    { name: "Jan", rows: [header, ["2036-01-05", "09:00", "linkedin", "One"]] },
    { name: "Feb's plan", rows: [header, ["2036-02-05", "09:00", "twitter", "x".repeat(300)]] },
  ];
  const config = { service: { url: "embedded" }, timezone: "UTC", calendars: ["plan.xlsx"], sheet: "*" };
  const project = await makeProject({ files: { "plan.xlsx": xlsx(sheets) }, config });
  await runCommand(["preview", "--offline"], { cwd: project.root });
  const page = await project.read("preview.html");
  const { posts } = JSON.parse(/id="data">(.*?)<\/script>/.exec(page)?.[1] ?? "");
  expect(posts.map((post: { problems: unknown }) => post.problems)).toEqual([[], [0]]);
  const rest = { ...config, rules: { "content/too-long": "off" } };
  await project.write("plancast.yaml", JSON.stringify(rest));
  const { stdout } = await runCommand(["plan", "--format", "json"], { cwd: project.root });
  expect(JSON.parse(stdout).changes.map((change: { source: unknown }) => change.source)).toEqual([
    { file: "plan.xlsx", sheet: "Jan", line: 2 },
    { file: "plan.xlsx", sheet: "Feb's plan", line: 2 },
  ]);
});

test("reads sheets, hidden rows and merged cells as the project or a calendar entry says", async () => {
  const sheet = {
    rows: [
      HEADER,
      ["a", "one", "2036-03-01", "09:00", "linkedin"],
      ["b", "two", undefined, "10:00", "linkedin"],
    ],
  };
  const after = '<mergeCells><mergeCell ref="C2:C3"/></mergeCells>';
  const sheets = [
    { name: "March", ...sheet, after },
    { name: "April", ...sheet, hiddenRows: [3] },
  ];
  const counts = async (settings: object): Promise<unknown> => {
    const config = { timezone: "UTC", hidden_rows: "skip", calendars: [{ files: "plan.xlsx", ...settings }] };
    const project = await makeProject({ files: { "plan.xlsx": xlsx(sheets) }, config });
    const { stdout } = await runCommand(["validate", "--format", "json"], { cwd: project.root });
    const { summary, problems } = JSON.parse(stdout);
    return [summary.posts, problems.map(({ code }: { code: string }) => code)];
  };
  expect(await counts({})).toEqual([0, ["sheet/unclear"]]);
  expect(await counts({ sheet: "april" })).toEqual([1, []]);
  expect(await counts({ sheet: "March" })).toEqual([2, ["sheet/merged-cells"]]);
  expect(await counts({ sheet: "March", merged_cells: "carry" })).toEqual([2, []]);
});

const post = (text: string, day: string) => [text, `2036-${day}`, "09:00", "linkedin"];

describe("a workbook with several calendars", () => {
  const SHEET_HEADER = ["content", "date", "time", "platforms"];
  const sheets = [
    { name: "Ideas", rows: [["Topic"], ["Garden"]] },
    {
      name: "December",
      rows: [
        ["Caption", "Date"],
        ["Snow", "2036-12-01"],
      ],
    },
    { name: "January", rows: [SHEET_HEADER, post("Ice", "01-02"), post("Sun", "01-03")] },
    { name: "Old", rows: [SHEET_HEADER, post("Old", "01-09")], state: "hidden" as const },
  ];
  const DEFAULTS = { platforms: ["linkedin"], time: "10:00" };

  async function project(config: object) {
    return makeProject({ files: { "plan.xlsx": xlsx(sheets) }, config: { timezone: "UTC", ...config } });
  }

  async function validated(config: object): Promise<{ counts: unknown; codes: unknown; messages: string }> {
    const { root } = await project(config);
    const { stdout } = await runCommand(["validate", "--format", "json"], { cwd: root });
    const { summary, problems }: { summary: Record<string, number>; problems: Record<string, string>[] } =
      JSON.parse(stdout);
    return {
      counts: [summary["calendars"], summary["posts"]],
      codes: problems.map(({ code }) => code),
      messages: problems.map(({ message }) => message).join("\n"),
    };
  }

  test("suggests the sheet with the most known columns, and asks", async () => {
    const { codes, messages } = await validated({ calendars: ["plan.xlsx"], defaults: DEFAULTS });
    expect(codes).toEqual(["sheet/unclear"]);
    expect(messages).toContain("for example `sheet: January`");
    expect(messages).toContain("`sheet: [December, January]`");
  });

  test("is read with a list of sheets, each with its own header", async () => {
    const entry = { files: "plan.xlsx", sheet: ["January", "December"], defaults: DEFAULTS };
    expect(await validated({ calendars: [entry] })).toMatchObject({ counts: [1, 3], codes: [] });
  });

  test("is read as a whole, and other sheets are named", async () => {
    const { counts, codes, messages } = await validated({
      calendars: [{ files: "plan.xlsx", sheet: "*", defaults: DEFAULTS }],
    });
    expect([counts, codes]).toEqual([[1, 3], ["sheet/left-out"]]);
    expect(messages).toContain("Ideas");
    expect(messages).not.toContain("Old");
  });

  test("is read by several entries, each with its own settings", async () => {
    const calendars = [
      { files: "plan.xlsx", timezone: "Asia/Tokyo" },
      { files: "plan.xlsx", sheet: "December", defaults: DEFAULTS },
      { files: "plan.xlsx", sheet: "January", only: { content: "Ice" } },
    ];
    expect(await validated({ calendars })).toMatchObject({ counts: [1, 2], codes: [] });
    const { root } = await project({ calendars, service: { url: "embedded" } });
    const plan = await runCommand(["plan", "--format", "json"], { cwd: root });
    const times = JSON.parse(plan.stdout).changes.map(
      (each: { post: { scheduled_at: string } }) => each.post.scheduled_at,
    );
    expect(times).toEqual(["2036-01-02T00:00:00Z", "2036-12-01T01:00:00Z"]);
  });

  test("is not converted if its sheets have different settings", async () => {
    const { root } = await project({
      calendars: [
        { files: "plan.xlsx", sheet: "December" },
        { files: "plan.xlsx", sheet: "January" },
      ],
    });
    const convert = await runCommand(["convert", "plan.xlsx", "--to", "csv"], { cwd: root });
    expect([convert.code, convert.stderr.includes("several entries")]).toEqual([1, true]);
    const shown = await runCommand(["columns", "plan.xlsx", "--format", "json"], { cwd: root });
    expect(JSON.parse(shown.stdout).calendars).toHaveLength(2);
  });

  test("two entries for the same sheet are an error", async () => {
    const calendars = [
      { files: "plan.xlsx", sheet: ["December", "January"], defaults: DEFAULTS },
      { files: "plan.xlsx", sheet: "January" },
    ];
    expect((await validated({ calendars })).codes).toContain("sheet/unclear");
  });

  test("becomes one file with all posts", async () => {
    const { root } = await project({
      calendars: [{ files: "plan.xlsx", sheet: ["December", "January"], defaults: DEFAULTS }],
    });
    const { stdout } = await runCommand(["convert", "plan.xlsx", "--to", "csv"], { cwd: root });
    expect(["Snow", "Ice", "Sun"].filter((text) => stdout.includes(text))).toHaveLength(3);
  });
});
