/** What `status --write` puts into calendars, and the report by month, network and campaign. */
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { readFile } from "node:fs/promises";
import { startScenario, type Scenario } from "../../support/scenario.ts";
import { xlsx } from "../../support/workbook-files.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content", "campaign"];
const CSV = plain(
  HEADER,
  ["launch", "2036-03-01 10:00", "linkedin, twitter", "Launch 🚀", "Spring"],
  ["broken", "2036-03-02 10:00", "facebook", "Broken", "Spring"],
  ["coming", "2036-04-04 10:00", "twitter", "Coming", "@sum(1)"],
);
/** Nothing in it needs quotes, except lists. */
function plain(...rows: readonly (readonly string[])[]): string {
  return (
    rows.map((row) => row.map((cell) => (cell.includes(",") ? `"${cell}"` : cell)).join(",")).join("\n") +
    "\n"
  );
}

const YAML = `# Ours
- id: notes
  scheduled_at: 2036-03-05 10:00 # early
  platforms: [linkedin]
  content: Notes
`;
const SHEET = xlsx([
  { name: "Plan", rows: [HEADER, ["sheet", "2036-03-06 10:00", "linkedin", "Sheet", ""]] },
]);
const CONFIG = { timezone: "Europe/Paris", results: ["time", "url", "error"] };

async function afterPublishing(config: Readonly<Record<string, unknown>> = CONFIG): Promise<Scenario> {
  const scenario = await startScenario({
    config,
    files: { "calendars/a.csv": CSV, "calendars/b.yaml": YAML, "calendars/c.xlsx": SHEET },
    service: { shape: { results: "list" } },
  });
  await scenario.apply();
  const published = { status: "published" as const, published_at: "2036-03-01T09:00:07.250Z" };
  publish(scenario, "Launch", {
    ...published,
    results: [
      { platform: "linkedin", url: "https://linkedin.example/1" },
      { platform: "twitter", url: "https://x.example/1" },
    ],
  });
  publish(scenario, "Notes", {
    ...published,
    results: [{ platform: "linkedin", url: "https://linkedin.example/2" }],
  });
  publish(scenario, "Sheet", {
    ...published,
    results: [{ platform: "linkedin", url: "https://linkedin.example/3" }],
  });
  const error = "=HYPERLINK(1)\u001b[31m\nTwo lines";
  publish(scenario, "Broken", { status: "failed", results: [{ platform: "facebook", error }] });
  return scenario;
}

function publish(
  { service }: Scenario,
  text: string,
  fields: Parameters<Scenario["service"]["edit"]>[1],
): void {
  const post = [...service.posts.values()].find(({ content }) => content.startsWith(text));
  if (post === undefined) throw new Error(`No post begins with ${text}.`);
  service.edit(post.id, fields);
}

async function rowsOf({ project }: Scenario): Promise<Record<string, string>[]> {
  return parse(await readFile(`${project.root}/calendars/a.csv`), {
    columns: true,
    relax_column_count: true,
  });
}

test("writes time, address or failure beside each row, and nothing else changes", async () => {
  const scenario = await afterPublishing();
  const { code, stdout } = await scenario.run("status", "--write");
  expect(code).toBe(1);
  expect(stdout).toContain(
    "Wrote results into 2 rows of calendars/a.csv, 1 row of calendars/b.yaml, 1 row of",
  );
  const [launch, broken, coming] = await rowsOf(scenario);
  expect(launch).toMatchObject({
    content: "Launch 🚀",
    result_time: "2036-03-01 10:00:07",
    result_url: "linkedin: https://linkedin.example/1\ntwitter: https://x.example/1",
  });
  // A spreadsheet does not run the service's words as a formula.
  expect(broken).toMatchObject({ result_time: "", "'result_error": "'=HYPERLINK(1) [31m Two lines" });
  expect(coming).not.toHaveProperty("result_time");
  expect(await scenario.project.read("calendars/b.yaml")).toBe(
    `${YAML}  result_time: "2036-03-01 10:00:07"\n  result_url: https://linkedin.example/2\n`,
  );
  const columns = await scenario.run("convert", "calendars/c.xlsx", "--to", "csv");
  expect(columns.stdout).toContain("2036-03-01 10:00:07,https://linkedin.example/3");
  // No row became another post, and nothing warns about the columns.
  const plan = JSON.parse((await scenario.run("plan", "--format", "json")).stdout);
  expect([plan.changes, plan.problems.map(({ code }: { code: string }) => code)]).toEqual([
    [],
    ["apply/missing"],
  ]);
});

test("a second run writes nothing, and results that no longer hold become blank", async () => {
  const scenario = await afterPublishing();
  await scenario.run("status", "--write");
  const before = await scenario.project.tree();
  const again = await scenario.run("status", "--write", "--format", "json");
  expect(JSON.parse(again.stdout).written).toEqual([]);
  expect(await scenario.project.tree()).toEqual(before);
  publish(scenario, "Broken", {
    status: "published",
    published_at: "2036-03-02T09:30:00Z",
    results: [{ platform: "facebook" }],
  });
  const retried = await scenario.run("status", "--write", "--format", "json");
  expect(JSON.parse(retried.stdout)).toMatchObject({
    written: [{ file: "calendars/a.csv", rows: 1 }],
    summary: { failed: 0 },
  });
  expect((await rowsOf(scenario))[1]).toMatchObject({ result_time: "2036-03-02 10:30", "'result_error": "" });
});

test("writes only the results that the project asks for, under the team's own headers", async () => {
  const scenario = await afterPublishing({ results: ["url"], columns: { "Live link": "result_url" } });
  const text = CSV.replace("campaign\n", "campaign,Live link\n").replaceAll(/(Spring|=1\+1)\n/g, "$1,\n");
  await scenario.project.write("calendars/a.csv", text);
  await scenario.run("status", "--write", "calendars/a.csv");
  expect((await rowsOf(scenario))[0]).toMatchObject({
    "Live link": "linkedin: https://linkedin.example/1\ntwitter: https://x.example/1",
  });
  expect(await scenario.project.read("calendars/b.yaml")).toBe(YAML);
});

test("without `results:` nothing is written, and a file that cannot change is named", async () => {
  const scenario = await afterPublishing({});
  const before = await scenario.project.tree();
  const refused = await scenario.run("status", "--write");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("Add `results: [time, url, error]`"),
  ]);
  expect(await scenario.project.tree()).toEqual(before);

  const other = await afterPublishing({
    results: ["url"],
    calendars: [{ files: "calendars/*.xlsx", sheet: "*" }, "calendars/*.{csv,yaml}"],
  });
  await other.project.write(
    "calendars/c.xlsx",
    xlsx([
      { name: "One", rows: [HEADER, ["sheet", "2036-03-06 10:00", "linkedin", "Sheet", ""]] },
      { name: "Two", rows: [HEADER, ["two", "2036-03-07 10:00", "linkedin", "Two", ""]] },
    ]),
  );
  // Without a failed post, only the file that cannot change makes the exit code 1.
  publish(other, "Broken", { status: "published", results: [{ platform: "facebook" }] });
  const { code, stdout } = await other.run("status", "--write", "--format", "json");
  const { problems, written } = JSON.parse(stdout);
  expect([code, written]).toEqual([
    1,
    [
      { file: "calendars/a.csv", rows: 1 },
      { file: "calendars/b.yaml", rows: 1 },
    ],
  ]);
  expect(problems).toMatchObject([
    { code: "write/not-written", severity: "error", file: "calendars/c.xlsx" },
  ]);
  const again = await other.run("status", "--write");
  expect([again.code, again.stdout]).toEqual([1, expect.not.stringContaining("already have all results")]);
});

test("a file that somebody saves during the run stays as they saved it", async () => {
  const scenario = await afterPublishing();
  const { service, project } = scenario;
  publish(scenario, "Broken", { status: "published", results: [{ platform: "facebook" }] });
  const saved = CSV.replace("Launch", "Launch soon");
  const run = (): Promise<void> => project.write("calendars/a.csv", saved);
  service.faults.at(1, { kind: "run-before", run });
  const { code, stdout } = await scenario.run("status", "--write", "--format", "json");
  const { written, problems } = JSON.parse(stdout);
  expect([code, written.map(({ file }: { file: string }) => file)]).toEqual([
    1,
    ["calendars/b.yaml", "calendars/c.xlsx"],
  ]);
  expect(problems).toMatchObject([
    {
      code: "write/not-written",
      file: "calendars/a.csv",
      message: expect.stringContaining("Somebody saved"),
    },
  ]);
  expect(await project.read("calendars/a.csv")).toBe(saved);
});

test("counts posts by month, network and campaign for a spreadsheet", async () => {
  const scenario = await afterPublishing();
  const { stdout } = await scenario.run("status", "--format", "csv");
  expect(stdout).toBe(
    [
      "month,network,campaign,posts,scheduled,published,failed,expired,cancelled,missing,held,unknown,not_applied",
      "2036-03,facebook,Spring,1,0,0,1,0,0,0,0,0,0",
      "2036-03,linkedin,,2,0,2,0,0,0,0,0,0,0",
      "2036-03,linkedin,Spring,1,0,1,0,0,0,0,0,0,0",
      "2036-03,twitter,Spring,1,0,1,0,0,0,0,0,0,0",
      "2036-04,twitter,'@sum(1),1,1,0,0,0,0,0,0,0,0",
      "",
    ].join("\n"),
  );
});

test("the report for a spreadsheet is not a command for a terminal or the log of a job", async () => {
  const campaign = "Spring\n::set-env name=A::b\r##[add-path]/tmp \u001b[2J\u009b1m";
  const scenario = await startScenario({
    config: CONFIG,
    files: {
      "calendars/a.yaml": JSON.stringify([
        { id: "a", scheduled_at: "2036-03-01 10:00", platforms: "linkedin", content: "Launch", campaign },
      ]),
    },
  });
  await scenario.apply();
  const { stdout } = await scenario.run("status", "--format", "csv");
  expect(stdout).toContain("Spring");
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|^\s*::|##\[/m);
  expect(stdout.split("\n").length).toBe(3);
});

test("writes beside rows whose style says which are published", async () => {
  const styles =
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts><font/><font><strike/></font></fonts>' +
    '<cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>';
  const struck = ["gone", "2036-03-05 10:00", "linkedin", "Gone"].map((text) => ({
    xml: `<c r="@" s="1" t="inlineStr"><is><t>${text}</t></is></c>`,
  }));
  const rows = [HEADER.slice(0, 4), struck, ["sheet", "2036-03-06 10:00", "linkedin", "Sheet"]];
  const scenario = await startScenario({
    config: {
      ...CONFIG,
      columns: { "Row style": "status" },
      values: { "Row style": { "struck through": "skip", "": "ready" } },
    },
    files: {
      "calendars/c.xlsx": xlsx([{ name: "Plan", rows }], {
        parts: [{ name: "xl/styles.xml", data: styles }],
      }),
    },
    service: { shape: { results: "list" } },
  });
  await scenario.apply();
  publish(scenario, "Sheet", {
    status: "published",
    results: [{ platform: "linkedin", url: "https://in.example/3" }],
  });
  const { code, stdout } = await scenario.run("status", "--write");
  expect([code, stdout]).toEqual([0, expect.stringContaining("1 row of calendars/c.xlsx")]);
  expect((await scenario.run("convert", "calendars/c.xlsx", "--to", "csv")).stdout).toContain(
    "https://in.example/3",
  );
  expect((await scenario.run("status", "--write")).stdout).not.toContain("Wrote");
});
