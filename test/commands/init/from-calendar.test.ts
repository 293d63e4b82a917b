import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type CommandResult, runCommand, startCommand } from "../../support/run-command.ts";
import { type TestCell, xlsx } from "../../support/workbook-files.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plancast-init-"));
});

/** Answers questions that contain these texts; the first that fits counts. At any other question, the person leaves. */
type Answers = Readonly<Record<string, string | readonly string[]>>;

/** A person who is asked the same thing for ever leaves. */
const MAX_ASKED = 20;

/** @param answers several for a question are given in turn */
function initAtTerminal(args: readonly string[], answers: Answers): Promise<CommandResult> {
  const all = Object.entries({ "Write plancast.yaml?": "", ...answers });
  const left = new Map(all.map(([part, said]) => [part, [said].flat()]));
  let asked = 0;
  const type = (prompt: string): string | undefined => {
    const question = `${command.stderr().split("\n\n").at(-1)}${prompt}`.replaceAll(/\s+/g, " ");
    const said = [...left].find(([part]) => question.includes(part))?.[1] ?? [];
    asked += 1;
    if (asked > MAX_ASKED) return undefined;
    return said.length > 1 ? said.shift() : said[0];
  };
  const terminal = { columns: 100, type };
  const options = { cwd: folder, terminal, env: { TZ: "Europe/Paris", NO_COLOR: "1" } };
  const command = startCommand(["init", ...args], options);
  return command.ended;
}

async function settings(): Promise<unknown> {
  return parse(await readFile(join(folder, "plancast.yaml"), "utf8"));
}

const PLAN = "Date,Time,Network,Caption\n1/4/2036,09:30,linkedin,Hello\n2/4/2036,10:00,linkedin,Again\n";

const ACCENTS =
  "Date,Time,Network,Caption\n2036-04-01,09:30,linkedin,Hello\n2036-04-02,10:00,linkedin,Schöne Grüße\n";

/** A row whose text has a style. */
const post = (text: string, style: number): TestCell[] => [
  { xml: `<c r="@" s="${style}" t="inlineStr"><is><t>${text}</t></is></c>` },
  "2036-04-01",
  "09:30",
  "x",
];

describe("init with a calendar, at a terminal", () => {
  test("asks for the zone and the order of dates, shows the posts, and the project can be validated", async () => {
    await writeFile(join(folder, "plan.csv"), PLAN);
    const { code, stdout, stderr } = await initAtTerminal(["plan.csv"], { zone: "", "1 to 2": "2" });
    expect(stderr).toContain("How should plancast read dates such as 1/4/2036?");
    expect(code).toBe(0);
    expect(stdout).toContain("Your posts, as plancast reads them:");
    expect(stdout).toContain("Fri 4 January 2036 09:30  LinkedIn");
    expect(await settings()).toMatchObject({ calendars: ["plan.csv"], date_order: "mdy" });
    expect((await runCommand(["validate"], { cwd: folder })).code).toBe(0);
  });

  test("asks for the zone until the answer is one, and accepts a city", async () => {
    await writeFile(join(folder, "plan.csv"), PLAN.replaceAll("1/4/", "21/4/").replaceAll("2/4/", "22/4/"));
    const zones = ["Deutschland", "1", "Europe", "nowhere", "berlin"];
    const { code, stdout, stderr } = await initAtTerminal(["plan.csv"], { zone: zones });
    expect(code).toBe(0);
    expect(stderr).toContain('"Deutschland" is not a time zone.');
    expect(stderr).toContain("The time zone is Europe/Berlin.");
    expect(stdout).toContain("Times are in Europe/Berlin.");
    expect(await settings()).toMatchObject({ timezone: "Europe/Berlin" });
  });

  test("writes nothing if the person leaves", async () => {
    await writeFile(join(folder, "plan.csv"), PLAN);
    const { code } = await initAtTerminal(["plan.csv"], { zone: "" });
    expect(code).toBe(1);
    expect(await readdir(folder)).toEqual(["plan.csv"]);
  });

  test("asks for networks and times that the calendar does not say", async () => {
    await writeFile(join(folder, "plan.csv"), "date,caption\n2036-04-01,Hello\n");
    const answers = { zone: "", "one or more names": "LinkedIn, instagram", "another time": "18:30" };
    const { code } = await initAtTerminal(["plan.csv"], answers);
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({
      defaults: { platforms: ["linkedin", "instagram"], time: "18:30" },
    });
  });

  test("asks about a channel that is not a network, and leaves it out", async () => {
    const rows =
      "Date,Time,Channel,Caption\n2036-04-01,09:00,Newsletter,Hi\n2036-04-02,09:00,LinkedIn,Hi you\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const { code, stderr } = await initAtTerminal(["plan.csv"], {
      zone: "",
      "Type 1 (or Enter)": "",
    });
    expect(stderr).toContain('"newsletter" is not a social network. What should plancast do with it?');
    expect(code).toBe(0);
    expect(stderr).toContain("1 upcoming post, 1 skipped.");
    expect(await settings()).toMatchObject({ platforms: { newsletter: "skip" } });
    const validated = await runCommand(["validate"], { cwd: folder });
    expect(validated.stdout + validated.stderr).toContain("1 skipped");
  });

  test("asks what each column of a network holds, and about blank cells", async () => {
    const rows = "Date,Time,Caption,LinkedIn,Facebook\n2036-04-01,09:00,Hi,x,\n,10:00,Again,x,x\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const answers = { zone: "", "from line 2": "2", "1 to": "1" };
    const { code, stdout, stderr } = await initAtTerminal(["plan.csv"], answers);
    expect(stderr).toContain(
      'Line 3 ("Again") has no date. Take 2036-04-01 from line 2?\n  1. no, I will fill in the dates in the calendar\n  2. yes\n',
    );
    expect(code).toBe(0);
    expect(stdout).toContain("10:00  Facebook, LinkedIn");
    expect(await settings()).toMatchObject({ carry: ["date"], columns: { LinkedIn: "platforms:linkedin" } });
  });

  test("offers the column whose cells name networks first", async () => {
    const rows =
      "Week,Date,Time,Where,Copy\n1,2036-04-01,09:00,LinkedIn + Insta,Hi\n2,2036-04-02,09:00,FB,Hi you\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const { code, stderr } = await initAtTerminal(["plan.csv"], { zone: "", "1 to 3": "" });
    expect(stderr).toContain(
      'Which column holds the networks of the posts?\n  1. Where: "LinkedIn + Insta", "FB"\n  2. Week: "1", "2"\n',
    );
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ columns: { Where: "platforms" } });
  });

  test("asks whether an unused column holds the networks, and whether a row has the time of the row above", async () => {
    await writeFile(
      join(folder, "plan.csv"),
      "Date,Best time,Venue,Caption\n2036-04-01,18:30,Grindr,Hi\n2036-04-02,,facebook,Again\n",
    );
    const answers = { zone: "", "1 to 3": "1", "from line 2": "2", "1 to 2": "1", "its name": "instagram" };
    const { code, stdout, stderr } = await initAtTerminal(["plan.csv"], answers);
    expect(stderr).toContain("Which column holds the networks of the posts?");
    expect(stderr).toContain('Line 3 ("Again") has no time. Take 18:30 from line 2?');
    expect(code).toBe(0);
    expect(stdout).toContain("18:30  Facebook");
    expect(await settings()).toMatchObject({
      columns: { "Best time": "time", Venue: "platforms" },
      carry: ["time"],
      platforms: { grindr: "instagram" },
    });
  });

  test("asks what the columns of a table without a header hold", async () => {
    const rows = "linkedin\t2036-04-01\t09:00\tHello\tAnn\nfacebook\t2036-04-02\t10:00\tAgain, all\tBob\n";
    await writeFile(join(folder, "plan.tsv"), rows);
    const { code, stdout, stderr } = await initAtTerminal(["plan.tsv"], { zone: "", "1 to 2": "1" });
    expect(stderr).toContain('C as time ("09:00")');
    expect(stderr).toContain('E as ignore ("Ann")');
    expect(code).toBe(0);
    expect(stdout).toContain("Tue 1 April 2036 09:00  LinkedIn");
    expect(await settings()).toMatchObject({
      columns: { A: "platforms", B: "date", C: "time", D: "content", E: "ignore" },
    });
    expect((await runCommand(["validate"], { cwd: folder })).code).toBe(0);
  });

  test("takes the fields of a table without a header as a person types them", async () => {
    await writeFile(join(folder, "plan.csv"), "Hello you,2036-04-01 09:00,linkedin\n");
    const answers = { zone: "", "what each column holds": "content, scheduled_at, platforms" };
    const { code } = await initAtTerminal(["plan.csv"], answers);
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ columns: { A: "content", B: "scheduled_at", C: "platforms" } });
  });

  test("says which pictures do not exist yet, and calls X by its name", async () => {
    const rows =
      "Date,Time,Network,Caption,Image\n2036-04-01,09:00,x,Hi,a.png\n2036-04-02,09:00,x,Ho,a.png\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const { code, stdout, stderr } = await initAtTerminal(["plan.csv"], { zone: "" });
    expect(code).toBe(1);
    expect(stdout).toContain("09:00  X\n");
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
      /There is no file "a\.png".* 2 rows with errors\..*plan --only-valid/,
    );
  });

  test("asks which column holds the text if no header says it", async () => {
    await writeFile(
      join(folder, "plan.csv"),
      "date,time,platforms,Blurb,Owner\n2036-04-01,09:00,linkedin,Hi,Ann\n",
    );
    const { code, stdout } = await initAtTerminal(["plan.csv"], { zone: "", "1 to 3": "1" });
    expect(code).toBe(0);
    expect(stdout).toContain("Hi");
    expect(await settings()).toMatchObject({ columns: { Blurb: "content" } });
  });

  test("if the user presses Enter, takes nothing from the row above, and shows how many rows this affects", async () => {
    const rows =
      "Date,Time,Network,Caption\n,09:30,facebook,Hi\n2036-04-01,09:30,facebook,Hi\n2036-04-02,10:00,,Ho\n";
    await writeFile(join(folder, "plan.csv"), `${rows}2036-04-03,10:00,,Hey\n`);
    const { stderr } = await initAtTerminal(["plan.csv"], {
      zone: "",
      "from line 3": "",
      "more names": "linkedin",
    });
    const text = stderr.replaceAll(/\s+/g, " ");
    expect(text).toContain('2 rows have no network; the first is line 4 ("Ho").');
    expect(text).toContain("Take the network of the row above, here facebook from line 3?");
    // No row is above line 2.
    expect(text).not.toContain("no date. Take");
    expect(await settings()).not.toHaveProperty("carry");
    expect(await settings()).toMatchObject({ defaults: { platforms: ["linkedin"] } });
  });

  test("asks which column holds the text after a no to the one that it found", async () => {
    const rows = "Date,Time,Network,Beitrag,Bild,Kommentar\n2036-04-01,09:30,linkedin,Post 1,a.png,Hello\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const answers = {
      zone: "",
      'column "Beitrag" (such as "Post 1") hold': "2",
      "Which column holds the text": "1",
    };
    const { stderr } = await initAtTerminal(["plan.csv"], answers);
    expect(stderr).toMatch(
      /Which column holds the text of the posts\?\n {2}1\. Kommentar: "Hello"\n[^?]*\. none of these\n/,
    );
    expect(await settings()).toMatchObject({ columns: { Beitrag: "ignore", Kommentar: "content" } });
  });

  test("shows a line of a file that is not UTF-8, and remembers its encoding", async () => {
    await writeFile(join(folder, "plan.csv"), Buffer.from(ACCENTS, "latin1"));
    const { code, stderr } = await initAtTerminal(["plan.csv"], { zone: "", "Is that correct?": "1" });
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      'reads line 3 as: "2036-04-02,10:00,linkedin,Schöne Grüße"',
    );
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ encoding: "windows-1252" });
    const validated = await runCommand(["validate"], { cwd: folder });
    expect(validated.stdout + validated.stderr).not.toContain("guessed-encoding");
  });

  test("shows whole texts with what is added to them, and the rows that are left out", async () => {
    const rows = [
      "Date,Time,Network,Caption,Hashtags,Image,Status",
      '2036-04-01,09:00,"linkedin, facebook","Hi\n\nSecond line\u001b[2J",#spring,a.png,ready',
      "2036-04-02,09:00,linkedin,Later,,,in Abstimmung",
      "2036-04-03,09:00,linkedin,Never,,,cancelled",
      `2036-04-04,09:00,linkedin,${"Long words ".repeat(200)},,,ready`,
    ];
    await writeFile(join(folder, "plan.csv"), `${rows.join("\n")}\n`);
    const answers = { zone: "", Abstimmung: "1", "end of the text": "1" };
    const { stdout } = await initAtTerminal(["plan.csv"], answers);
    expect(stdout).toContain("Tue 1 April 2036 09:00  Facebook, LinkedIn\n    Hi\n\n    Second line");
    expect(stdout).toContain("    #spring\n    Media: a.png\n");
    expect(stdout).not.toContain("\u001b[2J");
    expect(stdout).toContain(
      "2 rows are drafts or left out:\n    line 5: in Abstimmung, draft\n    line 6: cancelled, left out\n",
    );
    expect(stdout.match(/Long words/g)?.length).toBeLessThan(100);
  });

  test("first offers the order of dates that other dates prove", async () => {
    const rows = "Date,Time,Network,Caption\n1/4/2036,09:30,linkedin,Hello\n1/28/2036,10:00,linkedin,Again\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const { code } = await initAtTerminal(["plan.csv"], { zone: "", "1 to 2": "" });
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ date_order: "mdy" });
  });

  test("offers the zone of a header first", async () => {
    await writeFile(
      join(folder, "plan.csv"),
      "Date,Time (London),Network,Caption\n2036-04-01,09:30,linkedin,Hi\n",
    );
    const { code, stdout } = await initAtTerminal(["plan.csv"], { zone: "" });
    expect(code).toBe(0);
    expect(stdout).toContain("Tue 1 April 2036 09:30  LinkedIn");
    expect(stdout).toContain("Times are in Europe/London.");
    expect(await settings()).toMatchObject({ timezone: "Europe/London" });
  });

  test("asks for the column of the date if only a time was found", async () => {
    await writeFile(join(folder, "plan.csv"), "No,Air date,Time,Network,Caption\n7,2036-04-01,09:30,x,Hi\n");
    const { code } = await initAtTerminal(["plan.csv"], { zone: "", "1 to 2": "1" });
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ columns: { "Air date": "date" } });
  });

  test("asks for the column of the time before a time for all posts", async () => {
    const rows = "Date,Best time,Network,Caption\n2036-04-01,09:30,x,Hi\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const { code, stdout } = await initAtTerminal(["plan.csv"], { zone: "", "1 to 2": "1" });
    expect([code, stdout.includes("09:30")]).toEqual([0, true]);
    expect(await settings()).toMatchObject({ columns: { "Best time": "time" } });
  });

  test("asks what a word in a column of approvals means if it is neither yes nor no, and remembers each account", async () => {
    const rows =
      "Client,Brand,Date,Time,Network,Caption,Approval\nA,B,2036-04-01,09:30,x,Hi,OK by Ann\nC,D,2036-04-01,10:30,x,Ho,yes\nA,D,2036-04-02,10:30,x,Ha,yes\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const answers = { zone: "", "1 to 3": "1" };
    await initAtTerminal(["plan.csv"], answers);
    expect(await settings()).toMatchObject({
      columns: { Approval: "status" },
      only: { Client: "A", Brand: "B" },
      status_values: { "OK by Ann": "draft" },
    });
  });

  test("a blank cell is not approved in a column of approvals with words", async () => {
    const rows = "Date,Time,Network,Caption,Sign-off\n2036-04-01,09:30,x,Hi,JD\n2036-04-02,09:30,x,Ho,\n";
    await writeFile(join(folder, "plan.csv"), rows);
    await initAtTerminal(["plan.csv"], { zone: "", '"JD", which': "1", 'status "JD"': "2" });
    expect(await settings()).toMatchObject({ status_values: { JD: "ready", "": "draft" } });
    const { stdout, stderr } = await runCommand(["validate"], { cwd: folder });
    expect(stdout + stderr).toContain("1 upcoming post, 1 draft");
  });

  test("asks about hidden rows and colours of a workbook", async () => {
    const rows = [["content", "date", "time", "platforms"]];
    const styles =
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fills><fill/><fill><patternFill patternType="solid"><fgColor rgb="FFFF0000"/></patternFill></fill></fills><cellXfs><xf/><xf fillId="1"/></cellXfs></styleSheet>';
    const sheet = {
      name: "Plan",
      rows: [...rows, post("a", 0), post("b", 1), post("c", 0)],
      hiddenRows: [4],
    };
    await writeFile(
      join(folder, "plan.xlsx"),
      xlsx([sheet], { parts: [{ name: "xl/styles.xml", data: styles }] }),
    );
    await initAtTerminal(["plan.xlsx"], { zone: "", "is hidden": "1", "different colours": "2" });
    expect(await settings()).toMatchObject({ hidden_rows: "skip", row_colours: "ignore" });
  });

  test("never adds networks to a row that has its own marks", async () => {
    const rows = "Date,Time,Caption,LinkedIn,Facebook\n2036-04-01,09:00,Hi,x,x\n2036-04-02,10:00,Ho,x,\n";
    await writeFile(join(folder, "plan.csv"), `${rows}2036-04-03,10:00,No post,,\n`);
    const { code, stderr } = await initAtTerminal(["plan.csv"], { zone: "", "1 to 3": "1" });
    expect([code, stderr.includes("row above")]).toEqual([1, false]);
  });

  test("offers to ignore a column of pictures that says yes or no", async () => {
    const rows = "Date,Time,Network,Caption,Photo?\n2036-04-01,09:30,linkedin,Hi,yes\n";
    await writeFile(join(folder, "plan.csv"), rows);
    const { code } = await initAtTerminal(["plan.csv"], { zone: "", "1 to 2": "" });
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ columns: { "Photo?": "ignore" } });
    expect((await runCommand(["validate"], { cwd: folder })).code).toBe(0);
  });

  test("starts again if the person says no", async () => {
    await writeFile(join(folder, "plan.csv"), PLAN);
    const answers = {
      zone: "",
      "How should plancast read dates": ["1", "2"],
      "Write plancast.yaml?": ["ja", "2", "1"],
    };
    const { code, stderr } = await initAtTerminal(["plan.csv"], answers);
    expect(code).toBe(0);
    expect(stderr).toContain("Write plancast.yaml?\n  1. yes, write it\n  2. no, answer again\n");
    expect(stderr).toContain('"ja" is not one of the answers.');
    expect(await settings()).toMatchObject({ date_order: "mdy" });
  });

  test("asks what an unknown key of YAML means, and offers the date first if the key holds a date", async () => {
    const post = "- when: 2036-04-01 09:30\n  platforms: x\n  text: Hi\n  owner: Ann\n";
    await writeFile(join(folder, "plan.yaml"), post);
    const { code } = await initAtTerminal(["plan.yaml"], { zone: "", "1 to": "1" });
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({ columns: { when: "date" } });
  });
});

describe("init with a calendar, without a person", () => {
  test("writes what is certain, and lists the rest as errors", async () => {
    await writeFile(join(folder, "plan.csv"), PLAN);
    const { code, stderr } = await runCommand(["init", "plan.csv", "--timezone", "Europe/Paris"], {
      cwd: folder,
    });
    expect(code).toBe(1);
    expect(stderr).toContain("schedule/ambiguous-date");
    expect(await settings()).toMatchObject({ timezone: "Europe/Paris", calendars: ["plan.csv"] });
  });

  test("takes the time zone that a header names, with --yes too", async () => {
    await writeFile(
      join(folder, "plan.csv"),
      "Date,Time (London),Network,Caption\n2036-07-01,09:30,x,Hello\n",
    );
    const { code, stderr } = await runCommand(["init", "plan.csv", "--yes"], {
      cwd: folder,
      env: { TZ: "UTC" },
    });
    expect([code, stderr.includes("warning")]).toEqual([0, false]);
    expect(stderr).toContain("because the header `Time (London)` says so");
    expect(await settings()).toMatchObject({ timezone: "Europe/London" });
  });

  test("asks nothing with --yes", async () => {
    await writeFile(join(folder, "plan.csv"), PLAN.replaceAll("1/4/", "21/4/").replaceAll("2/4/", "22/4/"));
    const { code, stderr } = await initAtTerminal(["plan.csv", "--yes"], {});
    expect([code, stderr.includes("2 upcoming posts.")]).toEqual([0, true]);
  });

  test("writes the encoding that it found, and says so", async () => {
    await writeFile(join(folder, "plan.csv"), Buffer.from(ACCENTS, "latin1"));
    const { code, stderr } = await runCommand(["init", "plan.csv"], { cwd: folder });
    expect(code).toBe(0);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain('line 3 says "2036-04-02,10:00,linkedin,Schöne Grüße"');
    expect(stderr).not.toContain("guessed-encoding");
    expect(await settings()).toMatchObject({ encoding: "windows-1252" });
  });

  test("copies a calendar from elsewhere into calendars/", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "plancast-downloads-"));
    await writeFile(
      join(elsewhere, "April plan.csv"),
      "date,time,platforms,content\n2036-04-01,09:00,linkedin,Hi\n",
    );
    const { code } = await runCommand(["init", join(elsewhere, "April plan.csv")], { cwd: folder });
    expect(code).toBe(0);
    expect(await readdir(join(folder, "calendars"))).toEqual(["April plan.csv"]);
    expect((await runCommand(["validate"], { cwd: folder })).code).toBe(0);
  });

  test("adds no sample to a calendar, and changes no project", async () => {
    await writeFile(join(folder, "plan.csv"), PLAN);
    await runCommand(["init", "plan.csv", "--yes"], { cwd: folder });
    expect((await readdir(folder)).sort()).toEqual([
      ".gitattributes",
      ".github",
      ".gitignore",
      "plan.csv",
      "plancast.yaml",
    ]);
    const again = await runCommand(["init", "plan.csv", "--yes"], { cwd: folder });
    expect([again.code, again.stderr.includes("project/exists")]).toEqual([1, true]);
    expect(again.stderr.replaceAll(/\s+/g, " ")).toContain("delete plancast.yaml and run init again");
    // As the message says:
    await rm(join(folder, "plancast.yaml"));
    await initAtTerminal(["plan.csv"], { zone: "UTC", "1 to 2": "2" });
    expect(await settings()).toMatchObject({ timezone: "UTC", date_order: "mdy" });
    await rm(join(folder, "plancast.yaml"));
    await writeFile(join(folder, ".github/workflows/plancast.yml"), "mine");
    const kept = await runCommand(["init", "plan.csv", "--yes"], { cwd: folder });
    expect(kept.stderr).toContain(".github/workflows/plancast.yml already exists");
    expect(await readdir(folder)).not.toContain("plancast.yaml");
  });

  test("names a calendar that does not exist", async () => {
    const { code, stderr } = await runCommand(["init", "plan.xlsx"], { cwd: folder });
    expect([code, stderr.includes("plan.xlsx")]).toEqual([1, true]);
    expect(await readdir(folder)).toEqual([]);
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
