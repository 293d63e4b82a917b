import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const FILE = "calendars/a.csv";

async function withStatuses(words: readonly string[], settings = "") {
  const rows = words.map(
    (word, index) => `2036-03-${String(index + 10)} 09:00,linkedin,Post ${index},${word}`,
  );
  const project = await makeProject({
    config: `service: { url: embedded }\ntimezone: Europe/Paris\n${settings}`,
    files: { [FILE]: ["scheduled_at,platforms,content,status", ...rows, ""].join("\n") },
  });
  return { project, run: (args: string[]) => runCommand(args, { cwd: project.root }) };
}

test("plans only rows whose status word means ready", async () => {
  const { run } = await withStatuses(["Approved", "Posted", "Idée", "freigegeben", "opublikowane"]);
  const { code, stdout } = await run(["validate"]);
  expect(code).toBe(0);
  expect(stdout).toContain("2 upcoming posts, 1 draft, 2 skipped");
});

test("one error lists all unknown words, and pasting its line unchanged publishes nothing", async () => {
  const { project, run } = await withStatuses(["Done", "Check", "Done", "Approved"]);
  const { code, stdout } = await run(["validate", "--format", "json"]);
  expect(code).toBe(1);
  const { problems } = JSON.parse(stdout);
  expect(problems).toMatchObject([{ code: "columns/unknown-value", line: 1 }]);
  expect(problems[0].message).toContain('"Done" (2 rows), "Check" (1 row)');
  await project.write("plancast.yaml", `${await project.read("plancast.yaml")}${problems[0].settings}\n`);
  const validated = await run(["validate"]);
  expect([validated.code, validated.stdout.includes("1 upcoming post, 3 drafts.")]).toEqual([0, true]);
});

test("asks what scheduled means, until the project says it", async () => {
  const { run } = await withStatuses(["Scheduled", "geplant"]);
  const { code, stdout } = await run(["validate"]);
  expect(code).toBe(1);
  expect(stdout).toContain("columns/unknown-value");
  const said = await withStatuses(["Scheduled"], "status_values: { Scheduled: ready }\n");
  expect((await said.run(["validate"])).stdout).not.toContain("columns/unknown-value");
});

test("columns --propose shows the words that plancast knows, asks for the others, and takes the answers", async () => {
  const { project, run } = await withStatuses(["Approved", "Posted", "ready", "Done", "Scheduled"]);
  const { stdout } = await run(["columns", "--propose"]);
  expect(stdout).toMatch(
    /\n {4}Approved: ready #.*\n {4}Posted: skip #.*\n {4}Done: "\?" #.*\n {4}Scheduled: "\?" #.*\n$/,
  );
  const answers = stdout.replace('Done: "?"', "Done: ready").replace('Scheduled: "?"', "Scheduled: skip");
  await project.write("answers.yaml", answers);
  await run(["columns", "--answers", "answers.yaml"]);
  const config = await project.read("plancast.yaml");
  expect(config).toMatch(
    /values:\n +status:\n +Approved: ready\n +Posted: skip\n +Done: ready\n +Scheduled: skip\n/,
  );
  expect((await run(["columns", "--propose"])).stdout).toBe("{}\n");
});
