/** `validate`, `plan`, `preview` and `init` agree on what happens to the rows. */

import { describe, expect, test } from "vitest";
import { type TestProject, makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { TestClock } from "../support/test-clock.ts";

const CONFIG = "service: { url: embedded }\ntimezone: Europe/Paris\n";
const NOW = "2036-04-02T12:00:00Z";

/** The counts of each calendar. */
const CALENDARS: readonly (readonly [name: string, file: string, text: string, counts: string])[] = [
  [
    "rows in order",
    "plan.csv",
    "date,time,platforms,content\n2036-05-01,09:00,linkedin,One\n2036-05-02,09:00,linkedin,Two\n",
    "2 upcoming posts",
  ],
  [
    "past posts, drafts and skipped rows",
    "plan.csv",
    "date,time,platforms,content,status\n2036-04-01,09:00,linkedin,Past,\n2036-05-02,09:00,linkedin,Two,ready\n2036-05-03,09:00,linkedin,Three,draft\n2036-05-04,09:00,linkedin,Four,skip\n,,,Five,draft\n",
    "1 upcoming post, 1 past, 2 drafts, 1 skipped",
  ],
  [
    "a past post that has expired",
    "plan.csv",
    "date,time,platforms,content,expires\n2036-04-01,09:00,linkedin,Past,\n2036-04-01,09:00,linkedin,Over,2036-04-01T20:00:00Z\n2036-05-02,09:00,linkedin,Two,\n",
    "1 upcoming post, 1 past, 1 expired",
  ],
  [
    "several errors in one row, and a past row with an error",
    "plan.csv",
    "date,time,platforms,content\n2036-05-01,09:00,linkedn,One\n2036-02-30,09:00,linkdin,Two\n2036-04-01,09:00,,Past\n2036-04-01,09:00,linkedin,\n2036-05-04,09:00,linkedin,Four\n",
    "1 upcoming post, 4 rows with errors",
  ],
  [
    "a missing picture and an unknown status",
    "plan.csv",
    "date,time,platforms,content,media,status\n2036-05-01,09:00,linkedin,One,none.png,\n2036-05-02,09:00,linkedin,Two,,hmpf\n2036-05-03,09:00,linkedin,Three,,\n",
    "1 upcoming post, 2 rows with errors",
  ],
  [
    "two rows with one id",
    "plan.csv",
    "id,date,time,platforms,content\na,2036-05-01,09:00,linkedin,One\na,2036-05-02,09:00,linkedin,Two\nb,2036-05-03,09:00,linkedin,Three\n",
    "1 upcoming post, 2 rows with errors",
  ],
  [
    "a row that could not be read",
    "plan.csv",
    "date,time,platforms,content\n2036-05-01,09:00,linkedin,One,and more\n2036-05-02,09:00,linkedin,Two\n",
    "1 upcoming post, 1 row with errors",
  ],
  [
    "a text that is too long",
    "plan.csv",
    `date,time,platforms,content\n2036-05-01,09:00,x,${"a".repeat(400)}\n2036-05-02,09:00,x,Two\n`,
    "2 upcoming posts",
  ],
  [
    "a text for each network, and a column that says whether the post is out",
    "plan.csv",
    "date,time,content:linkedin,content:x,Posted?\n2036-05-01,09:00,One,Uno,\n2036-05-02,09:00,Two,,\n2036-04-01,09:00,Old,,yes\n",
    "3 upcoming posts, 1 skipped",
  ],
  [
    "YAML with a draft and an error",
    "plan.yaml",
    "- { date: 2036-05-01, time: 09:00, platforms: [linkedin], content: One }\n- { date: 2036-05-01, platforms: [linkedin], content: Draft, status: draft }\n- { date: 2036-05-33, time: 09:00, platforms: [linkedin], content: Three }\n",
    "1 upcoming post, 1 draft, 1 row with errors",
  ],
  [
    "YAML in which not every post has the key for approval",
    "plan.yaml",
    "- { date: 2036-05-01, time: 09:00, platforms: [linkedin], content: One, approved: yes }\n- { date: 2036-05-02, time: 09:00, platforms: [linkedin], content: Two }\n",
    "1 upcoming post, 1 draft",
  ],
];

/** Answers to what `init` asks about a calendar, by its name, with the counts after them. */
const ANSWERED: Readonly<Record<string, { readonly answers: string; readonly counts: string }>> = {
  "several errors in one row, and a past row with an error": {
    answers: "platforms: { linkedn: linkedin, linkdin: linkedin }\ndefaults: { platforms: linkedin }\n",
    counts: "2 upcoming posts, 1 past, 2 rows with errors",
  },
  "a missing picture and an unknown status": {
    answers: 'values: { status: { hmpf: draft, "": ready } }\n',
    counts: "1 upcoming post, 1 draft, 1 row with errors",
  },
};

async function shown(project: TestProject, ...args: string[]): Promise<string> {
  const clock = new TestClock(() => false, Date.parse(NOW));
  const { stdout, stderr } = await runCommand(args, {
    cwd: project.root,
    clock,
    env: { TZ: "Europe/Paris" },
  });
  return `${stdout} ${stderr}`.replaceAll(/\s+/g, " ");
}

/** `2 errors, 1 warning in 1 file` */
function summaryOf(text: string): string | undefined {
  return /\d+ (?:error|warning)s?[^.]*? in \d+ files?/.exec(text)?.[0];
}

describe.each(CALENDARS)("%s", (name, file, text, counts) => {
  const hasErrors = counts.includes("errors");

  test("validate, preview and init print the same counts, and plan does too", async () => {
    const project = await makeProject({ config: `${CONFIG}calendars: [${file}]\n`, files: { [file]: text } });
    const validated = await shown(project, "validate");
    expect(validated).toMatch(new RegExp(`${counts}\\.`));
    expect(await shown(project, "preview")).toContain(`Wrote preview.html: ${counts}.`);
    const planned = await shown(project, "plan");
    if (hasErrors) expect(planned).toContain(`${counts}.`);
    else {
      const [upcoming = "", ...others] = counts.split(", ");
      const rest = others.length === 0 ? "" : `; ${others.join(", ")}`;
      expect(planned).toContain(`Plan: ${Number.parseInt(upcoming, 10)} to create${rest}`);
    }
  });

  test("validate and plan have the same drafts and skipped rows in JSON", async () => {
    const project = await makeProject({ config: `${CONFIG}calendars: [${file}]\n`, files: { [file]: text } });
    const clock = new TestClock(() => false, Date.parse(NOW));
    for (const command of ["validate", "plan"]) {
      const { stdout } = await runCommand([command, "--format", "json"], { cwd: project.root, clock });
      const [drafts = "0"] = /\d+(?= drafts?)/.exec(counts) ?? [];
      const [skipped = "0"] = /\d+(?= skipped)/.exec(counts) ?? [];
      expect(JSON.parse(stdout).summary).toMatchObject({ draft: Number(drafts), skipped: Number(skipped) });
    }
  });

  test("init counts posts, drafts and left-out rows exactly as validate does afterwards", async () => {
    const project = await makeProject({ config: false, files: { [file]: text } });
    const answered = ANSWERED[name];
    const answers = answered === undefined ? [] : ["--answers", "answers.yaml"];
    if (answered !== undefined) {
      expect(await shown(project, "init", file, "--yes")).toContain("project/unanswered");
      await project.write("answers.yaml", answered.answers);
    }
    const started = await shown(project, "init", file, "--yes", ...answers);
    const validated = await shown(project, "validate");
    const after = answered?.counts ?? counts;
    expect(started).toContain(`${after}.`);
    expect(validated).toContain(`${after}.`);
    expect(summaryOf(started)).toBe(summaryOf(validated));
  });
});
