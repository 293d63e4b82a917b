/** Edits between two runs: each leads to the smallest correct plan, with the fewest requests. */

import { describe, expect, test } from "vitest";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const HEADER = ["id", "date", "time", "platforms", "content", "media"];
const ROWS = [
  ["launch", "2036-03-01", "09:00", "twitter", "We are open", "media/a.png"],
  ["thanks", "2036-03-02", "09:00", "linkedin", "Thank you all", "media/a.png"],
  ["", "2036-03-03", "09:00", "instagram", "A picture", "media/b.png"],
  ["", "2036-03-04", "09:00", "facebook", "Some words", ""],
  ["later", "2036-03-05", "09:00", "mastodon", "See you", ""],
] as const;
const FILE = "calendars/march.csv";

function calendar(edit: (rows: string[][]) => string[][] = (rows) => rows): string {
  return csv(HEADER, ...edit(ROWS.map((row) => [...row])));
}

async function applied(): Promise<Scenario> {
  const scenario = await startScenario({
    files: { [FILE]: calendar(), "media/a.png": tinyPng(1), "media/b.png": tinyPng(2) },
  });
  await scenario.apply();
  return scenario;
}

function set(row: number, column: number, value: string): (rows: string[][]) => string[][] {
  return (rows) => rows.map((cells, index) => (index === row ? cells.with(column, value) : cells));
}

describe("an edit costs only its own requests, and the next plan is empty", () => {
  test.each<[string, (rows: string[][]) => string[][], Record<string, number>, number]>([
    // Requests: the list of posts; platforms if something will be written; then uploads, creates and cancels.
    ["nothing", (rows) => rows, { keep: 5 }, 1],
    ["a changed text", set(1, 4, "Thank you"), { keep: 4, replace: 1 }, 5],
    ["a moved time", set(4, 2, "10:00"), { keep: 4, replace: 1 }, 4],
    ["a changed text of a row without id", set(3, 4, "Some other words"), { keep: 4, replace: 1 }, 4],
    ["a moved row without id", set(3, 1, "2036-04-04"), { keep: 4, replace: 1 }, 4],
    ["a removed row", (rows) => rows.toSpliced(4, 1), { keep: 4, cancel: 1 }, 3],
    ["a reordered file", (rows) => rows.toReversed(), { keep: 5 }, 1],
    ["an id for a row that had none", set(3, 0, "words"), { keep: 5 }, 2],
    ["an id that was renamed", set(4, 0, "see-you"), { keep: 5 }, 2],
    [
      "a new row",
      (rows) => [...rows, ["", "2036-03-06", "09:00", "threads", "New", ""]],
      { keep: 5, create: 1 },
      4,
    ],
    ["other media", set(4, 5, "media/b.png"), { keep: 4, replace: 1 }, 5],
    ["a draft", (rows) => set(4, 4, "See you soon")(rows), { keep: 4, replace: 1 }, 4],
  ])("%s", async (_name, edit, expected, requests) => {
    const { project, summary, apply, service } = await applied();
    await project.write(FILE, calendar(edit));
    expect(await summary()).toEqual(expected);
    const before = service.requests.length;
    const ran = await apply();
    expect(service.requests.length - before).toBe(requests);
    expect(ran.requests).toBe(requests);
    expect(await summary()).toEqual({ keep: edit(ROWS.map((row) => [...row])).length });
    expect(service.duplicates()).toEqual([]);
  });

  test("a renamed calendar, a renamed picture and a copied picture change nothing on the service", async () => {
    const { project, summary, apply, service } = await applied();
    await project.remove(FILE);
    await project.remove("media/b.png");
    await project.write("media/renamed.png", tinyPng(2));
    await project.write("media/copy.png", tinyPng(1));
    const edited = set(0, 5, "media/copy.png")(set(2, 5, "media/renamed.png")(ROWS.map((row) => [...row])));
    await project.write("calendars/spring.csv", csv(HEADER, ...edited));
    expect(await summary()).toEqual({ keep: 5 });
    const before = service.requests.length;
    await apply();
    // One list, and the accounts, because plancast writes the lockfile.
    expect(service.requests.length - before).toBe(2);
    expect(await project.read("plancast.lock.json")).toContain("calendars/spring.csv");
    expect(await project.read("plancast.lock.json")).not.toContain(FILE);
  });

  test("a row that moves to another file keeps its post, even when a run is narrowed to one file", async () => {
    const { project, summary } = await applied();
    await project.write(
      FILE,
      calendar((rows) => rows.toSpliced(0, 1)),
    );
    await project.write("calendars/other.csv", csv(HEADER, [...ROWS[0]]));
    expect(await summary()).toEqual({ keep: 5 });
    expect(await summary(FILE)).toEqual({ keep: 4 });
    expect(await summary("calendars/other.csv")).toEqual({ keep: 1 });
  });

  test("a run of some calendars does not touch the posts of other calendars, even when another calendar is broken", async () => {
    const { project, plan, apply, service } = await applied();
    await project.write("calendars/other.csv", csv(HEADER, ["x", "2036-05-01", "09:00", "x", "Other", ""]));
    const { changes } = await plan(FILE);
    expect(changes).toEqual([]);
    await project.write("calendars/other.csv", 'id,date\n"');
    await project.write(
      FILE,
      calendar((rows) => set(0, 4, "Edited")(rows).toSpliced(4, 1)),
    );
    const narrowed = await plan(FILE);
    expect(narrowed.changes.map(({ action, key }) => `${action} ${key}`)).toEqual(["replace launch"]);
    expect(narrowed.problems.map(({ code }) => code)).toEqual(["plan/cancels-withheld"]);
    await apply({ args: [FILE] });
    expect(service.scheduled().length).toBe(5);
  });
});

test("media that the service lost are uploaded again", async () => {
  const { project, apply, service } = await startScenario({
    service: { requireMedia: true },
    files: { [FILE]: calendar(), "media/a.png": tinyPng(1), "media/b.png": tinyPng(2) },
  });
  await apply();
  const [first] = [...service.media.keys()];
  service.forgetMedia(first ?? "");
  await project.write(
    FILE,
    calendar((rows) => set(0, 4, "Edited")(set(1, 4, "Edited too")(set(2, 4, "And this")(rows)))),
  );
  const ran = await apply();
  expect(ran.summary).toMatchObject({ replaced: 3, uploaded: 1, failed: 0 });
  for (const { media_ids } of service.scheduled()) {
    expect(media_ids.every((id) => service.media.has(id))).toBe(true);
  }
});

test("apply restores posts that somebody edited on the service, and leaves those that somebody cancelled", async () => {
  const { plan, apply, service, summary } = await applied();
  const [cancelled, edited] = service.scheduled();
  service.cancelByHand(cancelled?.id ?? "");
  service.edit(edited?.id ?? "", { content: "Somebody was here" });
  const { changes, missing } = await plan();
  expect(changes.map(({ action }) => action)).toEqual(["replace"]);
  expect(missing.map(({ reason }) => reason)).toEqual([
    "It was scheduled, but somebody cancelled it on the service.",
  ]);
  expect((await apply({ exit: 1 })).summary).toMatchObject({ created: 0, replaced: 1, missing: 1 });
  expect(await summary()).toEqual({ keep: 4, missing: 1 });
  await apply({ args: ["--allow-recreates", "1"] });
  expect(await summary()).toEqual({ keep: 5 });
});

test("apply never touches unmanaged posts, and names an unmanaged post that a new row would duplicate", async () => {
  const { project, service, plan, apply } = await applied();
  const foreign = service.addForeignPost({
    scheduled_at: "2036-03-06T08:00:00Z",
    platforms: ["threads"],
    content: "Older",
  });
  await project.write(
    FILE,
    calendar((rows) => [...rows, ["", "2036-03-06", "09:00", "threads", "New", ""]]),
  );
  const { problems, summary } = await plan();
  expect(summary["unmanaged"]).toBe(1);
  expect(problems.map(({ code }) => code)).toEqual(["plan/possible-older-version"]);
  await apply();
  expect(service.posts.get(foreign.id)).toMatchObject({ status: "scheduled", content: "Older" });
});

describe("guards", () => {
  test("too many cancels stop apply until the exact number or the reviewed plan is given", async () => {
    const { project, run, plan, apply, service } = await applied();
    await project.write(
      FILE,
      calendar((rows) => rows.slice(2)),
    );
    expect((await plan()).guards.map(({ code }) => code)).toEqual(["guard/too-many-cancels-percent"]);
    const refused = await run("apply", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--allow-cancels 2");
    expect((await run("apply", "--yes", "--allow-cancels", "3")).code).toBe(1);
    expect(service.scheduled().length).toBe(5);
    expect((await run("plan", "--out", "plan.json")).code).toBe(0);
    await apply({ args: ["--plan", "plan.json"] });
    expect(service.scheduled().length).toBe(3);
  });

  test("the guard covers an empty calendar folder and a project's only post", async () => {
    const { project, run, service } = await startScenario({ files: { [FILE]: csv(HEADER, [...ROWS[4]]) } });
    expect((await run("apply", "--yes")).code).toBe(0);
    await project.write(FILE, csv(HEADER));
    const refused = await run("apply", "--yes");
    expect(refused.code).toBe(1);
    await project.remove(FILE);
    expect((await run("apply", "--yes")).code).toBe(1);
    expect(service.scheduled().length).toBe(1);
    expect((await run("apply", "--yes", "--allow-cancels", "1")).code).toBe(0);
    expect(service.scheduled().length).toBe(0);
  });

  test("a saved plan is refused when something changed or its hash is wrong", async () => {
    const { project, run, service } = await applied();
    await project.write(FILE, calendar(set(0, 4, "Edited")));
    await run("plan", "--out", "plan.json");
    await project.write(FILE, calendar(set(1, 4, "Edited instead")));
    const moved = await run("apply", "--yes", "--plan", "plan.json");
    expect(moved.code).toBe(1);
    expect(moved.stderr).toContain("apply/plan-changed");
    expect(moved.stderr).toContain("launch");
    for (const broken of [
      "{}",
      "no json",
      '{"version":1,"hash":"sha256:1","changes":[]}',
      '{"version":1,"hash":"","changes":[]}',
    ]) {
      await project.write("broken.json", broken);
      const refused = await run("apply", "--yes", "--plan", "broken.json");
      expect([refused.code, refused.stderr.includes("apply/plan-file")]).toEqual([1, true]);
    }
    expect(service.scheduled().some(({ content }) => content.startsWith("Edited"))).toBe(false);
  });

  test("an edited saved plan is refused; an unchanged plan is applied, even for one calendar", async () => {
    const { project, run, service } = await applied();
    await project.write(
      "calendars/other.csv",
      csv(HEADER, ["x", "2036-05-01", "09:00", "twitter", "Other", ""]),
    );
    await project.write(FILE, calendar(set(0, 4, "Edited")));
    expect((await run("plan", FILE, "--out", "plan.json")).code).toBe(0);
    const saved = await project.read("plan.json");
    await project.write("edited.json", saved.replace('"Edited"', '"Approved"'));
    const refused = await run("apply", "--yes", "--plan", "edited.json");
    expect([refused.code, refused.stderr.includes("apply/plan-file")]).toEqual([1, true]);
    expect((await run("apply", "--yes", "--plan", "plan.json")).code).toBe(0);
    const texts = service.scheduled().map(({ content }) => content);
    expect([texts.includes("Edited"), texts.includes("Other")]).toEqual([true, false]);
  });

  test("a saved plan is only for the project of its name and settings file", async () => {
    const { project, run, service } = await startScenario({ files: { [FILE]: csv(HEADER, [...ROWS[4]]) } });
    await run("plan", "--out", "plan.json");
    const settings = await project.read("plancast.yaml");
    await project.write("other.yaml", settings);
    const byFile = await run("apply", "--yes", "--plan", "plan.json", "--config", "other.yaml");
    expect([byFile.code, byFile.stderr]).toEqual([1, expect.stringContaining('is for the project ""')]);
    await project.write("plancast.yaml", `project: Acme\n${settings}`);
    const byName = await run("apply", "--yes", "--plan", "plan.json");
    expect([byName.code, byName.stderr]).toEqual([1, expect.stringContaining("Acme")]);
    expect(service.scheduled()).toEqual([]);
  });

  test("apply refuses without --yes when there is no terminal", async () => {
    const { run, service } = await startScenario({ files: { [FILE]: csv(HEADER, [...ROWS[4]]) } });
    const { code, stderr } = await run("apply");
    expect([code, stderr.includes("run/needs-terminal")]).toEqual([1, true]);
    expect(service.scheduled()).toEqual([]);
  });
});

describe("lists", () => {
  test("a first list of a suspicious length stops the run until service.list_limit is set", async () => {
    const { project, run, service } = await startScenario({
      service: { paging: "cap", cap: 10 },
      files: { [FILE]: csv(HEADER, [...ROWS[4]]) },
    });
    for (let day = 1; day <= 10; day += 1) service.addForeignPost({ content: `Post ${day}` });
    const refused = await run("apply", "--yes");
    expect([refused.code, refused.stderr.includes("service/list-not-whole")]).toEqual([1, true]);
    expect(refused.stderr).toContain("service.list_limit");
    await project.write("plancast.yaml", "timezone: Europe/Paris\nservice: { list_limit: 50 }\n");
    expect((await run("apply", "--yes")).code).toBe(0);
  });

  test("a list that lacks an owned post stops the run", async () => {
    const { service, run } = await applied();
    service.faults.plan(({ method, path }) =>
      method === "GET" && path === "/v1/posts" ? { kind: "short-list", items: 3 } : undefined,
    );
    const { code, stderr } = await run("apply", "--yes");
    expect([code, stderr.includes("service/list-not-whole")]).toEqual([1, true]);
    expect(service.scheduled().length).toBe(5);
  });

  test("the plan after an apply waits for a service that lists late", async () => {
    const scenario = await startScenario({
      service: { listLagMs: 2_000 },
      files: { [FILE]: csv(HEADER, [...ROWS[4]]) },
    });
    await scenario.apply();
    expect(await scenario.summary()).toEqual({ keep: 1 });
  });
});
