import { mkdir, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type CommandResult, runCommand } from "../../support/run-command.ts";
import { TestClock } from "../../support/test-clock.ts";
import { tinyPng } from "../../support/tiny-media.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plancast-init-"));
});

/** A person who types these lines, one after the other, and then leaves. */
function initAtTerminal(args: readonly string[], lines: readonly string[]): Promise<CommandResult> {
  const left = [...lines];
  const terminal = { columns: 120, type: () => left.shift() };
  const env = { TZ: "Europe/Paris", NO_COLOR: "1" };
  return runCommand(["init", ...args], { cwd: folder, terminal, env, clock: new TestClock() });
}

function init(...args: string[]): Promise<CommandResult> {
  return runCommand(["init", ...args], { cwd: folder, env: { TZ: "Europe/Paris" }, clock: new TestClock() });
}

async function settings(): Promise<unknown> {
  return parse(await readFile(join(folder, "plancast.yaml"), "utf8"));
}

const ENTER = "";

const BAKERY = `Riverside Bakery,,,,,,
All times UK time,,,,,,
Date,Time,Channel,Copy,Pillar,Approved by,Status
2036-03-03,09:30,LinkedIn,We open on Monday.,Education,Kim,Approved
2036-03-04,12:00,Instagram,Buns are back.,Promo,Ana,Pending
2036-03-05,12:00,Instagram,Behind the counter.,Promo,,Approved
2020-03-05,12:00,Instagram,Long ago.,Promo,Kim,Approved
`;

describe("init with a calendar, at a terminal", () => {
  test("shows columns, values, rows and the next posts: four prompts for two columns of statuses", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    const { code, stdout, stderr } = await initAtTerminal(
      ["plan.csv"],
      // Columns, values with a question, the rows, the posts.
      [ENTER, "5 draft", ENTER, ENTER],
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/Approved by +Kim · Ana +which rows are ready: a status or an approval/);
    expect(stderr).toMatch(/\? 5 +Status: Pending +1 +\?/);
    expect(stderr).toMatch(/Time zone +the note "All times UK time" +Europe\/London/);
    // A past post shows nothing about the next ones.
    expect(stdout).toContain("Mon 3 March 2036 09:30  LinkedIn");
    expect(stdout).not.toContain("Long ago");
    expect(stdout).toContain("1 post in the past");
    expect(await settings()).toMatchObject({
      project: "Riverside Bakery",
      timezone: "Europe/London",
      columns: { Channel: "platforms", Copy: "content", Pillar: "ignore", "Approved by": "status" },
      values: {
        "Approved by": { Kim: "ready", Ana: "ready", "": "draft" },
        Status: { Approved: "ready", Pending: "draft" },
      },
    });
    const validated = await runCommand(["validate"], { cwd: folder });
    expect([validated.code, validated.stderr.includes("columns/unknown")]).toEqual([0, false]);
  });

  test("a line can be changed by its number, several lines at once, and one can go back", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    const { code, stderr } = await initAtTerminal(
      ["plan.csv"],
      [
        // Line 5 is Pillar: its choices, and then the one that is typed.
        "5",
        "content+",
        ENTER,
        // Who approved: back to the columns, which still have the answer.
        "b",
        "5 ignore",
        ENTER,
        "1,2 draft, 5 skip",
        ENTER,
        ENTER,
      ],
    );
    expect(stderr).toMatch(/5 +Pillar +Education · Promo +more text, added at the end/);
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({
      columns: { Pillar: "ignore" },
      values: { "Approved by": { Kim: "draft", Ana: "draft" }, Status: { Pending: "skip" } },
    });
  });

  test("from the posts, one can go back to each table before", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    const { code } = await initAtTerminal(
      ["plan.csv"],
      [ENTER, ENTER, ENTER, "draft", "b", "5 ready", ENTER, "1 Europe/Madrid", ENTER, "b", ENTER],
    );
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({
      timezone: "Europe/Madrid",
      values: { Status: { Pending: "ready" } },
    });
  });

  test("Enter does not answer what only the team knows", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    const { code, stderr } = await initAtTerminal(["plan.csv"], [ENTER, ENTER, ENTER, "2", ENTER, ENTER]);
    expect(stderr).toContain("Only your team knows this.");
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ values: { Status: { Pending: "ready" } } });
  });

  test("the last table is below the posts, so a usual sheet takes three prompts", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    const { code, stderr, stdout } = await initAtTerminal(["plan.csv"], [ENTER, "5 draft", ENTER]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("plancast will publish")]);
    expect(stderr).toMatch(/Name of the project.*\nwrote plancast\.yaml/);
  });

  test("writes nothing if the person leaves", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    const { code } = await initAtTerminal(["plan.csv"], [ENTER, ENTER]);
    expect(code).toBe(1);
    expect(await readdir(folder)).toEqual(["plan.csv"]);
  });

  test("says why an answer is none, and takes a city for a zone", async () => {
    await writeFile(join(folder, "plan.csv"), "Date,Time,Network,Caption\n2036-04-21,09:30,linkedin,Hello\n");
    const answers = [ENTER, "9", "1 Deutschland", "1 berlin", ENTER, ENTER];
    const { code, stderr } = await initAtTerminal(["plan.csv"], answers);
    expect(code).toBe(0);
    expect(stderr).toContain('"9" is not the number of a line.');
    expect(stderr).toContain('"Deutschland" is not a time zone.');
    expect(await settings()).toMatchObject({ timezone: "Europe/Berlin" });
  });

  test("a table without a header has its letters as columns", async () => {
    await writeFile(
      join(folder, "plan.csv"),
      "2036-03-01,09:00,linkedin,We open on Monday.\n2036-03-02,09:00,x,Again.\n",
    );
    const { code } = await initAtTerminal(["plan.csv"], [ENTER, ENTER, ENTER, ENTER]);
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({
      calendars: [{ files: "plan.csv", header_row: "none" }],
      columns: { A: "date", B: "time", C: "platforms", D: "content" },
    });
  });

  test("a language without words: the cells propose the columns, and the status is a question", async () => {
    const rows = [
      "Dátum,Szöveg,Csatorna,Állapot",
      "2036-03-01 10:00,Hétfőn nyitunk.,Instagram,Kész",
      "2036-03-02 10:00,Kenyér és vaj.,Facebook,Vázlat",
    ];
    await writeFile(join(folder, "terv.csv"), rows.join("\n"));
    const { code, stderr, stdout } = await initAtTerminal(
      ["terv.csv"],
      [ENTER, "2", "1 ready, 2 draft", ENTER, ENTER],
    );
    expect(stderr).toContain("Does it say which rows are published?");
    expect(code).toBe(0);
    expect(stdout).toContain("Hétfőn nyitunk.");
    expect(stdout).not.toContain("Kenyér");
    expect(await settings()).toMatchObject({
      columns: { Dátum: "date", Szöveg: "content", Csatorna: "platforms", Állapot: "status" },
      values: { Állapot: { Kész: "ready", Vázlat: "draft" } },
    });
  });

  test("finds the folder of the pictures", async () => {
    await mkdir(join(folder, "pictures"));
    await writeFile(join(folder, "pictures/cup.png"), tinyPng());
    await writeFile(
      join(folder, "plan.csv"),
      "date,time,platforms,content,media\n2036-04-21,09:30,linkedin,Hello,cup.png\n",
    );
    const { code, stderr } = await initAtTerminal(["plan.csv"], [ENTER, ENTER, ENTER]);
    expect(stderr).toMatch(/Folder of the pictures +1 picture is there +pictures/);
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ media: { folders: ["pictures"] } });
  });

  test("asks for networks and times that the calendar does not say", async () => {
    await writeFile(join(folder, "plan.csv"), "date,caption\n2036-04-01,Hello\n");
    const { code } = await initAtTerminal(
      ["plan.csv"],
      [ENTER, ENTER, "18:30", "LinkedIn, instagram", ENTER],
    );
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({
      defaults: { platforms: ["linkedin", "instagram"], time: "18:30" },
    });
  });
});

function plan(text: string): string {
  return `Datum,Uhrzeit,Kanal,Text,Rubrik\n2036-04-21,09:30,linkedin,${text},Neu\n`;
}

describe("init with a calendar, without a terminal", () => {
  test("--propose prints YAML with ? for what only the team knows, and --answers takes it", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    const proposed = await init("plan.csv", "--propose");
    expect(proposed.code).toBe(0);
    expect(proposed.stdout).toContain("  Pillar: ignore # Education · Promo\n");
    expect(proposed.stdout).toContain('    Pending: "?" # 1 row · one of: draft, ready, skip\n');
    expect(await readdir(folder)).toEqual(["plan.csv"]);
    await writeFile(join(folder, "answers.yaml"), proposed.stdout);
    const open = await init("plan.csv", "--answers", "answers.yaml");
    expect([open.code, open.stderr.includes('still has ? for "Pending"')]).toEqual([1, true]);
    await writeFile(join(folder, "answers.yaml"), proposed.stdout.replace('"?"', "skip"));
    const answered = await init("plan.csv", "--answers", "answers.yaml");
    expect(answered.code).toBe(0);
    expect(await settings()).toMatchObject({
      timezone: "Europe/London",
      values: { Status: { Pending: "skip" } },
      columns: { Pillar: "ignore" },
    });
  });

  test.each([
    ["a header that names no exact zone", "Date,Time (HQ),Network,Text\n2036-03-14,08:00,x,Hi\n", []],
    [
      "a note that contradicts --timezone",
      "All times UK time,,,\nDate,Time,Network,Text\n2036-03-14,08:00,x,Hi\n",
      ["--timezone", "America/New_York"],
    ],
  ])("asks for the zone: %s", async (_what, text, flags) => {
    await writeFile(join(folder, "plan.csv"), text);
    const { stdout } = await init("plan.csv", "--propose", ...flags);
    expect(stdout).toMatch(
      /^timezone: "\?" # (?:the header "Time \(HQ\)"|the note .* · --timezone) · one of: /m,
    );
  });

  test("what a yes means under a header such as Done? is asked, and a ? in plancast.yaml is an error", async () => {
    await writeFile(
      join(folder, "plan.csv"),
      "Date,Time,Network,Text,Done?,Clearance\n2036-03-14,08:00,x,Hi,no,calm\n2036-03-15,08:00,x,Ho,yes,calm\n",
    );
    const { stdout } = await init("plan.csv", "--propose");
    expect(stdout).toMatch(/^ {4}no: "\?" # 1 row .*\n {4}yes: "\?" # 1 row /m);
    await writeFile(join(folder, "plancast.yaml"), "timezone: UTC\ncalendars: [plan.csv]\n");
    const found = await runCommand(["validate"], { cwd: folder });
    const line =
      '    Clearance: "?" # Does it say which rows are published? (ignore, status, type, platforms)';
    expect(found.stdout + found.stderr).toContain(`\n  ${line}\n`);
    await writeFile(
      join(folder, "plancast.yaml"),
      `timezone: UTC\ncalendars: [plan.csv]\ncolumns:\n${line}\n`,
    );
    expect((await runCommand(["validate"], { cwd: folder })).stderr).toContain("`Clearance` still has `?`.");
  });

  test("--yes accepts known columns and notes, and stops at guesses", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    const { code, stdout, stderr } = await init("plan.csv", "--yes");
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      'missing: "Approved by", "Status: Pending", "Time zone"',
    );
    expect(stdout).toContain("Approved by: status");
    expect(await readdir(folder)).toEqual(["plan.csv"]);
    await writeFile(
      join(folder, "plain.csv"),
      "Date,Time,Network,Caption,Owner\n2036-04-21,09:30,linkedin,Hello,Kim\n",
    );
    expect((await init("plain.csv", "--yes")).code).toBe(0);
    expect(await settings()).toMatchObject({ columns: { Owner: "ignore" }, timezone: "UTC" });
  });

  test("without --yes, not even a note is decided", async () => {
    await writeFile(
      join(folder, "plan.csv"),
      "Date,Time,Network,Caption,Owner\n2036-04-21,09:30,linkedin,Hello,Kim\n",
    );
    const { code, stderr } = await init("plan.csv");
    expect([code, stderr.includes('1 answer is missing: "Owner"')]).toEqual([1, true]);
  });

  test("answers that are not settings are errors with their place", async () => {
    await writeFile(join(folder, "plan.csv"), BAKERY);
    await writeFile(join(folder, "answers.yaml"), "colums: { Pillar: ignore }\n");
    const wrong = await init("plan.csv", "--answers", "answers.yaml");
    expect([wrong.code, wrong.stderr.includes("answers.yaml:1")]).toEqual([1, true]);
    const missing = await init("plan.csv", "--answers", "none.yaml");
    expect([missing.code, missing.stderr.includes("disk/unreadable")]).toEqual([1, true]);
  });

  test("several files and folders are one project, and a header means the same in all of them", async () => {
    await mkdir(join(folder, "posts"));
    await writeFile(join(folder, "april.csv"), plan("Hallo"));
    await writeFile(join(folder, "posts/mai.csv"), plan("Servus"));
    const { code, stderr } = await init("april.csv", "posts", "--yes");
    expect([code, stderr.includes("2 upcoming posts")]).toEqual([0, true]);
    expect(await settings()).toMatchObject({
      calendars: ["april.csv", "posts/mai.csv"],
      columns: { Rubrik: "ignore" },
    });
  });

  test("a folder with calendars becomes the project", async () => {
    await mkdir(join(folder, "clients/acme"), { recursive: true });
    await writeFile(
      join(folder, "clients/acme/plan.csv"),
      "date,time,platforms,content\n2036-04-21,09:30,linkedin,Hello\n",
    );
    expect((await init("clients/acme", "--yes")).code).toBe(0);
    expect((await readdir(join(folder, "clients/acme"))).toSorted()).toContain("plancast.yaml");
    expect(await readdir(folder)).toEqual(["clients"]);
  });

  test("copies a calendar from elsewhere into calendars/", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "plancast-downloads-"));
    await writeFile(
      join(elsewhere, "April plan.csv"),
      "date,time,platforms,content\n2036-04-01,09:00,linkedin,Hi\n",
    );
    const { code } = await init(join(elsewhere, "April plan.csv"));
    expect(code).toBe(0);
    expect(await readdir(join(folder, "calendars"))).toEqual(["April plan.csv"]);
    expect((await runCommand(["validate"], { cwd: folder })).code).toBe(0);
  });

  test("writes the encoding that somebody confirmed", async () => {
    const text =
      "Date,Time,Network,Caption\n2036-04-01,09:30,linkedin,Hello\n2036-04-02,10:00,linkedin,Schöne Grüße\n";
    await writeFile(join(folder, "plan.csv"), Buffer.from(text, "latin1"));
    const { code, stderr } = await initAtTerminal(
      ["plan.csv"],
      ["1 windows-1252", ENTER, ENTER, ENTER, ENTER],
    );
    expect(stderr).toMatch(/Schöne/);
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ calendars: [{ files: "plan.csv", encoding: "windows-1252" }] });
  });

  test("an address that plancast cannot fetch creates no folder", async () => {
    const { code, stderr } = await init("ftp://files.example/plan.xlsx");
    expect([code, stderr.includes("is not an address that begins with https://")]).toEqual([1, true]);
    expect(await readdir(folder)).toEqual([]);
  });

  test("changes no project, and names a calendar that does not exist", async () => {
    await writeFile(join(folder, "plan.csv"), "date,time,platforms,content\n2036-04-01,09:00,linkedin,Hi\n");
    expect((await init("plan.csv", "--yes")).code).toBe(0);
    const again = await init("plan.csv", "--yes");
    expect([again.code, again.stderr.includes("write/exists")]).toEqual([1, true]);
    const { code, stderr } = await runCommand(["init", "plan.xlsx"], {
      cwd: await mkdtemp(join(tmpdir(), "plancast-")),
    });
    expect([code, stderr.includes("plan.xlsx")]).toEqual([1, true]);
  });
});

test("init FOLDER starts the project there, and --no-sample leaves the sample out", async () => {
  await mkdir(join(folder, "clients"));
  const { code, stderr } = await runCommand(["init", "clients/acme", "--no-sample"], { cwd: folder });
  expect(code).toBe(0);
  expect(stderr).toContain("Next: cd clients/acme");
  expect((await readdir(join(folder, "clients/acme"))).sort()).toEqual([
    ".gitattributes",
    ".github",
    ".gitignore",
    "calendars",
    "plancast.yaml",
  ]);
  expect(await readdir(join(folder, "clients/acme/calendars"))).toEqual(["README.md"]);
});

test("in a git repository, the command that lets git merge lockfiles is on its own line", async () => {
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
  const { stderr } = await runCommand(["init", "--no-sample"], { cwd: folder });
  expect(stderr).toContain(
    '\n    git config merge.plancast.driver "npx --no-install plancast lockfile merge %O %A %B"\n',
  );
});

test.each([
  ["https://github.com/acme/posts.git", true],
  ["git@github.com:acme/posts.git", true],
  ["ssh://git@github.acme.example/acme/posts", true],
  ["https://gitlab.com/github.com/posts.git", false],
  [undefined, false],
])("mentions GitHub only in a repository on GitHub: %s", async (address, isOnGithub) => {
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
  const remote = address === undefined ? "" : `[remote "origin"]\n\turl = ${address}\n`;
  await writeFile(join(folder, ".git/config"), `[core]\n\tbare = false\n${remote}`);
  const { stderr } = await runCommand(["init", "--no-sample"], { cwd: folder });
  expect(stderr).toContain("Next: plancast validate");
  expect(stderr.includes("On GitHub, it needs")).toBe(isOnGithub);
});
