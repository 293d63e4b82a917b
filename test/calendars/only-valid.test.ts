/** --only-valid leaves out rows with errors, and neither cancels nor replaces posts that may be theirs. */
import { describe, expect, test } from "vitest";
import { csv, startScenario } from "../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content", "media"];
const A = ["a", "2036-03-01 09:00", "linkedin", "First", ""];
const B = ["b", "2036-03-02 09:00", "linkedin", "Second", ""];
const C = ["c", "2036-03-03 09:00", "linkedin", "Third", ""];
const NO_ID = ["", "2036-03-04 09:00", "linkedin", "Fourth", ""];

const FILE = "calendars/a.csv";

async function applied(...rows: (readonly string[])[]) {
  const scenario = await startScenario({
    config: { timezone: "UTC" },
    files: { [FILE]: csv(HEADER, ...rows) },
  });
  await scenario.apply();
  const edit = (...edited: (readonly string[])[]): Promise<void> =>
    scenario.project.write(FILE, csv(HEADER, ...edited));
  return { ...scenario, edit };
}

const withCell = (row: readonly string[], at: number, text: string): string[] =>
  row.map((cell, index) => (index === at ? text : cell));

describe("a row with an error and an id", () => {
  test.each([
    ["an unreadable time", withCell(A, 1, "7 Novermber")],
    ["a missing picture", withCell(A, 4, "missing.png")],
    ["a platform that cannot be one", withCell(A, 2, "our page!")],
  ])("with %s keeps its post, and does not stop the others", async (_what, broken) => {
    const { plan, edit } = await applied(A, B);
    await edit(broken, B, C);
    expect((await plan()).changes).toEqual([]);
    expect((await plan("--only-valid")).changes).toMatchObject([{ action: "create", key: "c" }]);
  });

  test("is named, and its post stays; the other rows change", async () => {
    const { plan, apply, edit, service } = await applied(A, B);
    await edit(withCell(A, 1, "7 Novermber"), withCell(B, 3, "Second, edited"), C);
    const { changes, problems } = await plan("--only-valid");
    expect(changes.map(({ action, key }) => [action, key])).toEqual([
      ["replace", "b"],
      ["create", "c"],
    ]);
    const [leftOut] = problems;
    expect(leftOut?.code).toBe("plan/rows-left-out");
    expect(leftOut?.message).toContain("1 row with errors");
    expect(leftOut?.message).toContain(`${FILE}:2`);
    await apply({ args: ["--only-valid"] });
    expect(
      service
        .scheduled()
        .map(({ content }) => content)
        .toSorted(),
    ).toEqual(["First", "Second, edited", "Third"]);
  });

  test("keeps the posts of all rows with the same id", async () => {
    const { plan, edit } = await applied(A, B);
    await edit(A, B, withCell(B, 3, "Copied"));
    expect((await plan("--only-valid")).changes).toEqual([]);
  });

  test("does not protect the post of a row that is gone", async () => {
    const { plan, edit } = await applied(A, B, C);
    await edit(withCell(A, 1, "soon"), B);
    expect((await plan("--only-valid")).changes).toMatchObject([{ action: "cancel", key: "c" }]);
  });
});

describe("a row with an error and no id", () => {
  test("stops every cancel and replacement in its calendar, but no new post", async () => {
    const { plan, edit } = await applied(A, B, NO_ID);
    await edit(withCell(A, 3, "First, edited"), withCell(NO_ID, 1, "soon"), C);
    const { changes, problems } = await plan("--only-valid");
    expect(changes).toMatchObject([{ action: "create", key: "c" }]);
    expect(problems.map(({ code }) => code)).toEqual([
      "plan/rows-left-out",
      "schedule/format",
      "plan/cancels-withheld",
    ]);
  });

  test("leaves the post of its earlier version in place", async () => {
    const { apply, edit, service } = await applied(A, NO_ID);
    await edit(A, withCell(NO_ID, 4, "missing.png"));
    await apply({ args: ["--only-valid"] });
    expect(service.scheduled()).toHaveLength(2);
  });
});

test("a saved plan is applied with the same rows", async () => {
  const { run, edit, service } = await applied(A, B);
  await edit(withCell(A, 1, "soon"), withCell(B, 3, "Second, edited"));
  await run("plan", "--only-valid", "--out", "plan.json");
  const { code } = await run("apply", "--plan", "plan.json", "--yes");
  expect(code).toBe(0);
  expect(
    service
      .scheduled()
      .map(({ content }) => content)
      .toSorted(),
  ).toEqual(["First", "Second, edited"]);
});

test("an error of the whole file still stops the plan", async () => {
  const { project, plan } = await applied(A, B);
  await project.write(FILE, csv(["id", "Slogan"], ["a", "First"]));
  const { changes, problems } = await plan("--only-valid");
  expect([changes, problems.map(({ code }) => code)]).toEqual([
    [],
    expect.arrayContaining(["columns/unknown"]),
  ]);
});
