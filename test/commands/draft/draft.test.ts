/** Texts and pictures for rows with a prompt are requested once, written into the row, and never lost. */

import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HEAD, answering, asked, calendars, json, row } from "../../support/drafts.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess } from "../../support/run-process.ts";
import { csv, startScenario } from "../../support/scenario.ts";
import { TestClock } from "../../support/test-clock.ts";
import { tinyPng } from "../../support/tiny-media.ts";
import { ods } from "../../support/workbook-files.ts";

/** The changed lines of `git diff`. */
function diff({ root }: TestProject): string[] {
  const lines = git(root, "diff", "--unified=0", "--", "calendars").split("\n");
  return lines.filter((line) => /^[+-](?![+-]{2} )/.test(line));
}

function git(root: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
    cwd: root,
    encoding: "utf8",
  });
}

function commit({ root }: TestProject): void {
  git(root, "init", "-q");
  git(root, "add", "calendars");
  git(root, "commit", "-qm", "x");
}

test("a row whose text is not drafted yet stops a plan, which names the command; a draft row does not", async () => {
  const head = [...HEAD, "status", "image_prompt"];
  const files = {
    "calendars/a.csv": csv(
      head,
      row("a"),
      row("b", "twitter", "", "", "A fern"),
      row("c", "twitter", "Later", "draft"),
      row("d", "twitter", "Never", "skip"),
      ["e", "2036-03-01 10:00", "twitter", "Was asked", "Written", "", ""],
    ),
  };
  const scenario = await startScenario({ files });
  const { problems } = await scenario.plan();
  expect(problems.map(({ code, line, column }) => [code, line, column])).toEqual([
    ["row/not-drafted", 2, 34],
    ["row/not-drafted", 3, 43],
  ]);
  expect(problems[0]?.message).toContain("plancast draft calendars/a.csv");
  expect(asked(scenario)).toBe(0);
});

test("in YAML, CSV and workbooks, changes only the generated text", async () => {
  const yaml = `# March\n\n- id: y # ours\n  scheduled_at: 2036-03-01 10:00\n  platforms: [x]\n  prompt: "Spring: sale" # short\n  status: ready   # please\n`;
  const sheet = `ID;Datum;Uhrzeit;Plattform;Prompt;Caption;Notiz\r\n"c";01.03.2036;09:00;linkedin, x;"Grüße\r\naus ""Köln""";"";"x;y"\r\n`;
  const project = await makeProject({
    config: {
      service: { url: "embedded" },
      timezone: "Europe/Paris",
      platforms: { x: "twitter" },
      date_order: "dmy",
      status_values: { Entwurf: "draft" },
      columns: { Notiz: "ignore" },
      encoding: "windows-1252",
    },
    files: {
      "calendars/a.yaml": yaml,
      "calendars/b.csv": Buffer.from(sheet, "latin1"),
      "calendars/c.csv": csv(HEAD, row("w")),
    },
  });
  const { root } = project;
  await runCommand(["convert", "calendars/c.csv", "--out", "calendars/d.xlsx"], { cwd: root });
  await project.remove("calendars/c.csv");
  commit(project);
  const ended = await runCommand(["draft", "--yes"], { cwd: root });
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("Drafted 3 rows in 3 calendars.")]);
  const own = (start: string): string =>
    diff(project)
      .find((line) => line.startsWith(`+${start}`))
      ?.slice(start.length + 1) ?? "";
  expect(diff(project)).toEqual([
    "-  status: ready   # please",
    "+  status: Entwurf   # please",
    `+  content: ${own("  content: ")}`,
    "-ID;Datum;Uhrzeit;Plattform;Prompt;Caption;Notiz\r",
    "+ID;Datum;Uhrzeit;Plattform;Prompt;Caption;Notiz;status;content:linkedin;content:twitter\r",
    expect.stringMatching(/^-aus ""K.*ln""";"";"x;y"\r$/),
    expect.stringMatching(/^\+aus ""K.*ln""";"";"x;y";Entwurf;"[^;]+";"[^;]+"\r$/),
  ]);
  const again = await runCommand(["draft", "--yes"], { cwd: root });
  expect([again.code, again.stdout]).toEqual([0, "Nothing was written.\n"]);
  expect(
    await json(await runCommand(["plan", "--format", "json"], { cwd: root, clock: new TestClock() })),
  ).toMatchObject({
    summary: { create: 0, draft: 3 },
  });
  expect(readdirSync(join(root, ".plancast"))).not.toContain("drafts.log");
});

test("requests nothing without confirmation; a dry run lists the requests", async () => {
  const scenario = await startScenario({
    files: { "calendars/a.csv": csv(HEAD, row("a", "twitter, linkedin"), row("b")) },
  });
  const before = await scenario.project.tree();
  const dry = await scenario.run("draft", "--dry-run", "--format", "json");
  expect(await json(dry)).toMatchObject({
    summary: { requests: 3 },
    wanted: [
      { row: "a", platform: "linkedin", source: { file: "calendars/a.csv", line: 2 } },
      { row: "a", platform: "twitter" },
      { row: "b", platform: "twitter" },
    ],
  });
  expect(await scenario.project.tree()).toEqual(before);
  const refused = await scenario.run("draft");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("run/needs-terminal")]);
  expect([asked(scenario), await calendars(scenario)]).toEqual([
    0,
    csv(HEAD, row("a", "twitter, linkedin"), row("b")),
  ]);
});

test("sends one request for each row and platform, and writes equal texts once", async () => {
  const scenario = await startScenario({
    files: { "calendars/a.csv": csv(HEAD, row("a", "twitter, linkedin")) },
  });
  answering(scenario, "Same", " \nSame\r\n");
  await json(await scenario.run("draft", "--yes", "--format", "json"));
  expect([asked(scenario), (await calendars(scenario)).split("\n")[1]]).toEqual([
    2,
    '"a","2036-03-01 10:00","twitter, linkedin","About a","Same",draft',
  ]);
});

test("writes the other rows when one fails, and asks only for that one in the next run", async () => {
  const rows = [row("a", "twitter, linkedin"), row("b"), row("c", "nowhere!"), row("d")];
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEAD, ...rows) } });
  answering(scenario, "One", "Two", "Three", "Four");
  scenario.service.faults.at(2, { kind: "refused", code: "validation_error" }, { path: "/v1/ai/text" });
  const { code, stdout, stderr } = await scenario.run("draft", "--yes");
  expect([code, stderr]).toEqual([1, expect.stringContaining("platform/unknown")]);
  expect(stdout).toMatch(/the text for \w+ was not drafted: .*\(validation_error\)/s);
  expect(stdout).toContain("Drafted 3 rows in 1 calendar, 1 failed.");
  const before = asked(scenario);
  answering(scenario, "Late");
  await scenario.run("draft", "--yes");
  expect(asked(scenario) - before).toBe(1);
  expect(await calendars(scenario)).toContain("Late");
});

test("stops at a refused key, and reports a missing answer as unknown", async () => {
  const rows = Array.from({ length: 12 }, (_none, index) => row(`r${index}`));
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEAD, ...rows) } });
  answering(scenario);
  scenario.service.faults.at(1, "unauthorized-from-now-on");
  expect((await scenario.run("draft", "--yes")).code).toBe(1);
  expect(asked(scenario)).toBeLessThan(9);

  const other = await startScenario({ files: { "calendars/a.csv": csv(HEAD, row("a")) } });
  other.service.faults.at(1, "drop-after", { path: "/v1/ai/text" });
  const unknown = await other.run("draft", "--yes");
  expect([unknown.code, unknown.stdout]).toEqual([
    3,
    expect.stringContaining("may or may not have been made"),
  ]);
  expect(asked(other)).toBe(1);
});

test("stops at an answer that it cannot read, and shows all of it", async () => {
  const rows = Array.from({ length: 12 }, (_none, index) => row(`r${index}`));
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEAD, ...rows) } });
  const body = JSON.stringify({ strange: ["A fern,", "paid for"] });
  scenario.service.faults.plan(({ path }) =>
    path.startsWith("/v1/ai/") ? { kind: "answer-before", answer: { status: 200, body } } : undefined,
  );
  const ended = await scenario.run("draft", "--yes", "--format", "json");
  expect(await json(ended, 3)).toMatchObject({
    summary: { unknown: 1, not_started: 11 },
    undrafted: [{ status: "unknown", answer: body }, ...Array.from({ length: 11 }, () => ({}))],
  });
  expect(asked(scenario)).toBe(1);
  const { stdout } = await scenario.run("draft", "--yes");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(body);
});

test("does not write to a file that has changed, and keeps the answer for the next run", async () => {
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEAD, row("a"), row("b")) } });
  const edited = csv(HEAD, row("new"), row("a"), row("b"));
  let count = 0;
  scenario.service.faults.plan(({ path }) => {
    if (!path.startsWith("/v1/ai/")) return undefined;
    writeFileSync(join(scenario.project.root, "calendars/a.csv"), edited);
    count += 1;
    return { kind: "answer-before", answer: { status: 200, body: `{"text":"Text ${count}"}` } };
  });
  const first = await scenario.run("draft", "--yes", "--format", "json");
  expect(await json(first, 1)).toMatchObject({
    summary: { rows: 0, failed: 2, kept: 2 },
    undrafted: [{ code: "write/file-changed" }, { code: "write/file-changed" }],
  });
  expect(await calendars(scenario)).toBe(edited);
  const dry = await scenario.run("draft", "--dry-run", "--format", "json");
  expect(await json(dry)).toMatchObject({ summary: { requests: 1, waiting: 2 }, wanted: [{ row: "new" }] });
  await scenario.run("draft", "--yes");
  expect([asked(scenario), (await calendars(scenario)).match(/Text \d/g)?.sort()]).toEqual([
    3,
    ["Text 1", "Text 2", "Text 3"],
  ]);
});

function there(content: string, prompt = "Fern", status = "draft"): string {
  return csv([...HEAD, "status"], ["a", "2036-03-01 10:00", "twitter", prompt, content, status]);
}

test("an answer to --again replaces the old text, but not a text that somebody has written since", async () => {
  const scenario = await startScenario({ files: { "calendars/a.csv": there("Old") } });
  const path = join(scenario.project.root, "calendars/a.csv");
  let meanwhile = "";
  scenario.service.faults.plan(({ path: asks }) => {
    if (!asks.startsWith("/v1/ai/")) return undefined;
    writeFileSync(path, meanwhile);
    return { kind: "answer-before", answer: { status: 200, body: '{"text":"New"}' } };
  });
  for (const [since, status, prompt, summary] of [
    ["Mine", "ready", "Fern", { rows: 0, unwanted: 1, kept: 0 }],
    ["Old", "draft", "Another wish", { rows: 0, unwanted: 1, kept: 0 }],
    ["Old", "ready", "Fern", { rows: 1, unwanted: 0, kept: 0 }],
  ] as const) {
    writeFileSync(path, there("Old"));
    // The file changes during the run, so plancast keeps the answer.
    meanwhile = there(since, prompt, status);
    const first = await scenario.run("draft", "--yes", "--again", "a", "--format", "json");
    expect(await json(first, 1)).toMatchObject({ summary: { rows: 0, kept: 1 } });
    const asksBefore = asked(scenario);
    const next = await scenario.run("draft", "--format", "json");
    expect(await json(next)).toMatchObject({
      summary,
      undrafted: summary.unwanted === 1 ? [{ status: "unwanted", text: "New", row: "a" }] : [],
    });
    expect([asked(scenario), (await calendars(scenario)).includes(since)]).toEqual([
      asksBefore,
      summary.rows === 0,
    ]);
  }
});

test("keeps a text that the file's encoding does not support, until the encoding changes", async () => {
  const head = "id,scheduled_at,platforms,prompt,content,Ort\n";
  const before = Buffer.from(`${head}a,2036-03-01 10:00,twitter,Fern,,K\xf6ln\n`, "latin1");
  const config = { columns: { Ort: "ignore" }, encoding: "windows-1252" };
  const scenario = await startScenario({ config, files: { "calendars/a.csv": before } });
  answering(scenario, "Party 🎉");
  const refused = await scenario.run("draft", "--yes", "--format", "json");
  expect(await json(refused, 1)).toMatchObject({
    summary: { rows: 0, failed: 1, kept: 1 },
    undrafted: [
      { code: "write/not-written", text: "Party 🎉", message: expect.stringContaining("windows-1252") },
    ],
  });
  expect(await scenario.project.bytes("calendars/a.csv")).toEqual(before);
  await scenario.project.write("calendars/a.csv", before.toString("latin1"));
  const written = await scenario.run("draft", "--format", "json");
  expect(await json(written)).toMatchObject({ summary: { rows: 1, kept: 0 } });
  expect([asked(scenario), await calendars(scenario)]).toEqual([
    1,
    expect.stringContaining("Fern,Party 🎉,Köln,draft"),
  ]);
});

test("writes hostile text with a guard against formulas, and shows it without control characters", async () => {
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEAD, row("a")) } });
  answering(scenario, "=cmd|' /C calc'!A0 \u202e ::set-output ##[error]");
  const { code, stdout } = await scenario.run("draft", "--yes");
  expect([code, await calendars(scenario)]).toEqual([0, expect.stringContaining("'=cmd")]);
  expect(stdout).not.toMatch(/\u202e|##\[/);
  expect((await scenario.run("validate")).code).toBe(0);
});

test("saves pictures next to the calendar under new names, and replaces none", async () => {
  const head = [...HEAD, "image_prompt", "size"];
  const project = await makeProject({
    config: { service: { url: "embedded" }, timezone: "Europe/Paris" },
    files: {
      "calendars/a.csv": csv(
        head,
        row("../../x y", "twitter", "", "A fern", "40x30"),
        row("b", "twitter", "", "A bird", "wide"),
      ),
      "calendars/media/x-y.png": tinyPng(),
    },
  });
  const first = await runCommand(["draft", "--yes"], { cwd: project.root });
  expect([first.code, first.stderr]).toEqual([1, expect.stringContaining("draft/size")]);
  expect(await project.read("calendars/a.csv")).toContain(",media/x-y-2.png,draft");
  expect(await project.bytes("calendars/media/x-y.png")).toEqual(Buffer.from(tinyPng()));
  const picture = Buffer.from(await project.bytes("calendars/media/x-y-2.png"));
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([40, 30]);
});

test("downloads a picture in the next run if it cannot now; asks for another if it is gone", async () => {
  const head = [...HEAD, "image_prompt"];
  const scenario = await startScenario({
    files: { "calendars/a.csv": csv(head, row("a", "twitter", "", "A fern")) },
  });
  const { faults, origin } = scenario.service;
  let status = 404;
  faults.plan(({ path }) => {
    if (path.startsWith("/v1/ai/"))
      return { kind: "answer-before", answer: { status: 200, body: `{"url":"${origin}/made.png"}` } };
    return path.startsWith("/made.png")
      ? { kind: "answer-before", answer: { status, body: "not now" } }
      : undefined;
  });
  const counts: number[] = [];
  for (status of [404, 410, 403, 429, 500, 503]) {
    const ended = await scenario.run("draft", "--yes", "--format", "json");
    expect(await json(ended, 1)).toMatchObject({ undrafted: [{ code: "media/url" }] });
    counts.push(asked(scenario));
  }
  expect(counts).toEqual([1, 2, 3, 3, 3, 3]);
});

function odsCells(values: readonly string[]): string {
  return values.map((value) => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`).join("");
}

test("does not request what it could not write", async () => {
  const rows = [HEAD, row("a")].map((each) => `<table:table-row>${odsCells(each)}</table:table-row>`);
  const files = {
    "calendars/a.ods": ods(`<table:table table:name="Plan">${rows.join("")}</table:table>`),
    "calendars/b.yaml": "- &p { scheduled_at: 2036-03-01 10:00, platforms: twitter, prompt: Fern }\n- *p\n",
  };
  const scenario = await startScenario({ files });
  const { code, stderr } = await scenario.run("draft", "--yes");
  expect([code, asked(scenario)]).toEqual([1, 0]);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    "calendars/a.ods error write/not-written plancast does not write into ODS",
  );
  expect(stderr).toContain("calendars/b.yaml:2:3 error write/not-written");
});

test("the run after a kill writes the answers that arrived before it", { timeout: 120_000 }, async () => {
  const rows = Array.from({ length: 9 }, (_none, index) => row(`r${index}`));
  for (const dies of [2, 8]) {
    const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEAD, ...rows) } });
    const texts = rows.map((_row, index) => `Text ${index}`);
    answering(scenario, ...texts);
    const first = startProcess(["draft", "--yes"], { cwd: scenario.project.root, env: scenario.env });
    scenario.service.faults.at(
      dies,
      { kind: "run-before", run: () => void first.kill("SIGKILL") },
      { path: "/v1/ai/text" },
    );
    expect((await first.ended).signal).toBe("SIGKILL");
    const paid = asked(scenario);
    expect((await scenario.run("draft", "--yes")).code).toBe(0);
    // At most the requests that were running at the kill are sent again.
    expect(asked(scenario) - rows.length).toBeLessThanOrEqual(4);
    expect(paid).toBeGreaterThanOrEqual(dies);
    expect((await scenario.run("validate")).stdout).toContain("9 drafts");
  }
});
