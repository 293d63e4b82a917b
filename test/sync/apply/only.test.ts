/** Runs for some rows only: posts of rows that a filter leaves out are neither created nor cancelled. */

import { describe, expect, test } from "vitest";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";

const HEADER = ["id", "date", "time", "platforms", "content", "Client", "status"];
const ROWS = [
  ["a1", "2036-03-01", "09:00", "twitter", "Acme one", "Acme", ""],
  ["b1", "2036-03-02", "09:00", "linkedin", "Beta one", "Beta", ""],
  ["", "2036-03-03", "09:00", "linkedin", "Acme two", "ACME ", ""],
  ["", "2036-04-04", "09:00", "twitter", "Beta two", "Beta", ""],
] as const;
const FILE = "calendars/march.csv";
const ACME = ["--only", "Client=acme"];

type Edit = (rows: string[][]) => string[][];

function calendar(edit: Edit = (rows) => rows): string {
  return csv(HEADER, ...edit(ROWS.map((row) => [...row])));
}

function set(row: number, column: string, value: string): Edit {
  return (rows) =>
    rows.map((cells, index) => (index === row ? cells.with(HEADER.indexOf(column), value) : cells));
}

async function started(config: Record<string, unknown> = {}): Promise<Scenario> {
  return startScenario({
    files: { [FILE]: calendar() },
    config: { columns: { Client: "ignore" }, ...config },
  });
}

async function applied(): Promise<Scenario> {
  const scenario = await started();
  await scenario.apply();
  return scenario;
}

test("--only creates the matching rows and counts the others", async () => {
  const { apply, run, summary } = await started();
  expect(await summary(...ACME)).toEqual({ create: 2 });
  expect((await run("plan", ...ACME)).stderr).toContain("filter left out 2 rows");
  expect((await apply({ args: ACME })).summary).toMatchObject({ created: 2 });
  expect(await summary(...ACME)).toEqual({ keep: 2 });
  expect(await summary()).toEqual({ keep: 2, create: 2 });
});

test.each([
  [["--only", "platform=LinkedIn"], 2],
  [["--only", "date=2036-03"], 3],
  [["--only", "date=2036-03-02..2036-03-03"], 2],
  [["--only", "date=..2036-03-02", "--only", "Client=Acme"], 1],
  [["--only", "Client=Acme", "--only", "Client=Beta"], 4],
  [["--only", "id="], 2],
  [["--only", "status=", FILE], 4],
])("%j matches %i rows", async (args, count) => {
  const { summary } = await started({ platforms: { LinkedIn: "linkedin" } });
  expect(await summary(...args)).toEqual({ create: count });
});

describe("rows that a filter leaves out keep their posts", () => {
  test.each<[string, Edit, Record<string, number>]>([
    ["nothing has changed", (rows) => rows, { keep: 2 }],
    ["their texts have", (rows) => set(1, "content", "x")(set(3, "content", "y")(rows)), { keep: 2 }],
    ["a row of the filter's has", set(0, "content", "Acme!"), { keep: 1, replace: 1 }],
    ["they are moved", set(3, "date", "2036-05-05"), { keep: 2 }],
    ["they are broken", (rows) => set(1, "date", "TBD")(set(3, "date", "TBD")(rows)), { keep: 2 }],
    ["they are drafts", (rows) => set(1, "status", "draft")(set(3, "status", "skip")(rows)), { keep: 2 }],
    ["a row moves out of the filter", set(0, "Client", "Beta"), { keep: 1 }],
    ["a row moves into it", set(1, "Client", "Acme"), { keep: 3 }],
  ])("when %s", async (_name, edit, expected) => {
    const { project, summary, run } = await applied();
    await project.write(FILE, calendar(edit));
    expect(await summary(...ACME)).toEqual(expected);
    await project.write("plancast.yaml", `${await project.read("plancast.yaml")}only: { Client: Acme }\n`);
    expect(await summary()).toEqual(expected);
    expect((await run("validate")).code).toBe(0);
  });

  test("when they have a status that plancast does not know: then nothing is planned", async () => {
    const { project, run, service } = await applied();
    await project.write(FILE, calendar(set(1, "status", "?")));
    const { code, stderr } = await run("apply", "--yes", ...ACME);
    expect([code, stderr]).toEqual([1, expect.stringContaining("columns/unknown-value")]);
    expect(service.scheduled()).toHaveLength(ROWS.length);
  });

  test("even after apply, and the lockfile still lists them", async () => {
    const { project, summary, apply } = await applied();
    await project.write(
      FILE,
      calendar((rows) => set(0, "content", "Acme!")(set(1, "content", "Beta!")(rows))),
    );
    expect((await apply({ args: ACME })).summary).toMatchObject({ replaced: 1, cancelled: 0 });
    expect(await summary()).toEqual({ keep: 3, replace: 1 });
  });
});

describe("posts of deleted rows", () => {
  test("are not cancelled in a run narrowed by --only, which says so", async () => {
    const { project, summary, plan } = await applied();
    await project.write(
      FILE,
      calendar((rows) => rows.slice(2)),
    );
    const { changes, problems } = await plan(...ACME);
    expect(changes).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual(["plan/cancels-withheld"]);
    expect(await summary()).toEqual({ keep: 2, cancel: 2 });
  });

  test("are cancelled when plancast.yaml holds the filter", async () => {
    const { project, plan } = await applied();
    await project.write("plancast.yaml", `${await project.read("plancast.yaml")}only: { Client: Acme }\n`);
    await project.write(
      FILE,
      calendar((rows) => rows.slice(1)),
    );
    expect((await plan()).changes).toMatchObject([{ action: "cancel", key: "a1" }]);
  });
});

test("apply --plan uses the filter that the plan was made with", async () => {
  const { run, summary } = await started();
  expect((await run("plan", ...ACME, "--out", "plan.json")).code).toBe(0);
  expect((await run("apply", "--plan", "plan.json", "--yes")).code).toBe(0);
  expect(await summary()).toEqual({ keep: 2, create: 2 });
});

test("only problems of matching rows stop the run", async () => {
  const { project, run } = await started();
  await project.write(
    FILE,
    calendar((rows) => set(1, "date", "soon")(set(3, "platforms", "!")(rows))),
  );
  expect((await run("plan", ...ACME)).code).toBe(0);
  expect((await run("plan", "--only", "Client=Beta")).code).toBe(1);
});

test.each([
  [["--only", "Clinet=Acme"], "columns/not-found"],
  [["--only", "Client"], "usage/arguments"],
  [["--only", "date=march"], "usage/arguments"],
])("plan refuses %j: %s", async (args, code) => {
  const { run } = await started();
  const { code: exit, stderr } = await run("plan", ...args);
  expect([exit, stderr.includes(code)]).toEqual([1, true]);
});

test("a filter that matches no row is a warning and cancels nothing", async () => {
  const { plan } = await applied();
  const { changes, problems } = await plan("--only", "Client=Gamma");
  expect([changes, problems.map(({ code }) => code)]).toEqual([[], ["filter/no-rows"]]);
});
