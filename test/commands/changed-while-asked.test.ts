/** While a person reads a question, somebody else writes the lockfile: git pulls, or a program changes it. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand, type CommandResult } from "../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";

const CALENDAR = "calendars/a.csv";
const LOCKFILE = "plancast.lock.json";
const HEADER = ["id", "scheduled_at", "platforms", "content"];
const row = (id: string): string[] => [id, "2036-03-01 10:00", "twitter", `Post ${id}`];

/** Runs a command in a terminal. Before the person says yes, the lockfile gets a post of a colleague. */
async function pulledMeanwhile(
  { project, env, clock }: Scenario,
  args: readonly string[],
): Promise<CommandResult & { questions: readonly string[]; pulled: string }> {
  const path = join(project.root, LOCKFILE);
  const lockfile = JSON.parse(readFileSync(path, "utf8"));
  lockfile.posts.pulled = { ...lockfile.posts.a, post_id: "post_of_colleague" };
  const pulled = `${JSON.stringify(lockfile, null, 2)}\n`;
  const questions: string[] = [];
  const answer = (question: string): boolean => {
    questions.push(question);
    writeFileSync(path, pulled);
    return true;
  };
  const result = await runCommand(args, { cwd: project.root, env, clock, terminal: { answer } });
  return { ...result, questions, pulled };
}

/** @param accountIds of the service; a test may change them */
async function applied(accountIds = ["acc_1"]): Promise<Scenario> {
  const scenario = await startScenario({
    files: { [CALENDAR]: csv(HEADER, row("a")) },
    service: { platforms: ["twitter"], accountIds },
  });
  await scenario.apply();
  return scenario;
}

test("apply writes over no lockfile that it has not read, and creates nothing", async () => {
  const scenario = await applied();
  const { project, service } = scenario;
  await project.write(CALENDAR, csv(HEADER, row("a"), row("b")));
  const { code, stderr, pulled, questions } = await pulledMeanwhile(scenario, ["apply"]);
  expect(questions).toHaveLength(1);
  expect([code, stderr]).toEqual([1, expect.stringContaining("write/file-changed")]);
  expect(await project.read(LOCKFILE)).toBe(pulled);
  expect(service.scheduled()).toHaveLength(1);
});

test("accept-account writes over no lockfile that it has not read", async () => {
  const ids = ["acc_1"];
  const scenario = await applied(ids);
  ids[0] = "acc_2";
  const { code, stderr, pulled } = await pulledMeanwhile(scenario, ["lockfile", "accept-account"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("write/file-changed")]);
  expect(await scenario.project.read(LOCKFILE)).toBe(pulled);
});

test("accept-account writes the accounts that it showed, even if the service has others when the person answers", async () => {
  const ids = ["acc_1"];
  const { project, env, clock } = await applied(ids);
  ids[0] = "acc_2";
  const questions: string[] = [];
  const answer = (question: string): boolean => {
    questions.push(question);
    ids[0] = "acc_evil";
    return true;
  };
  const args = ["lockfile", "accept-account"];
  expect(await runCommand(args, { cwd: project.root, env, clock, terminal: { answer } })).toMatchObject({
    code: 0,
  });
  expect(questions.join()).toContain("Connected now: acc_2. ");
  expect(JSON.parse(await project.read(LOCKFILE)).accounts).toEqual(["acc_2"]);
});

test.each([
  "\u001b]0;pwned\u0007",
  "acc_2\n::set-env name=X::y",
  "acc_2\u202e",
  "acc_9. Should this project publish on these accounts from now on? [y/N] y\r",
  "x".repeat(100_000),
])("accept-account does not take a text for an account's id: %j", async (id) => {
  const ids = ["acc_1"];
  const { project, env, clock } = await applied(ids);
  ids[0] = id;
  const before = await project.read(LOCKFILE);
  const questions: string[] = [];
  const answer = (question: string): boolean => questions.push(question) > 0;
  const { stderr, stdout } = await runCommand(["lockfile", "accept-account"], {
    cwd: project.root,
    env,
    clock,
    terminal: { answer },
  });
  const shown = questions.join() + stderr + stdout;
  expect(shown).not.toContain(id);
  expect(shown).not.toMatch(/\u202e|^::/m);
  expect(shown).not.toContain("\u0007");
  expect(JSON.parse(await project.read(LOCKFILE)).accounts ?? []).not.toContain(id);
  expect(before).toContain("acc_1");
});

test("cancel writes over no lockfile that it has not read, and cancels nothing", async () => {
  const scenario = await applied();
  const { project, service } = scenario;
  const [post] = service.scheduled();
  const { code, stderr, pulled } = await pulledMeanwhile(scenario, ["posts", "cancel", post?.id ?? ""]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("write/file-changed")]);
  expect(await project.read(LOCKFILE)).toBe(pulled);
  expect(service.scheduled()).toHaveLength(1);
});
