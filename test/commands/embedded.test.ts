/** The embedded service from the command line: a new project works immediately, and a plan writes nothing anywhere. */
import { expect, test } from "vitest";
import { makeProject, type TestProject } from "../support/project.ts";
import { runCommand, startCommand, type CommandResult } from "../support/run-command.ts";
import { startProcess } from "../support/run-process.ts";
import { TestClock } from "../support/test-clock.ts";

async function initialised(): Promise<{
  project: TestProject;
  run: (...args: string[]) => Promise<CommandResult>;
}> {
  const project = await makeProject({ config: false });
  const run = (...args: string[]): Promise<CommandResult> =>
    runCommand(args, { cwd: project.root, clock: new TestClock() });
  expect((await run("init", "--timezone", "Europe/Paris")).code).toBe(0);
  return { project, run };
}

test("a new project validates, plans and applies, and then has nothing to do", async () => {
  const { project, run } = await initialised();
  expect(await run("validate")).toMatchObject({ code: 0, stderr: "" });
  const before = await project.tree();
  const plan = await run("plan");
  expect(plan.code).toBe(0);
  expect(plan.stdout).toMatch(/Plan: [1-9]\d* to create/);
  expect(await project.tree()).toEqual(before);

  const apply = await run("apply", "--yes");
  expect(apply.code).toBe(0);
  expect(apply.stdout).toMatch(/Applied: [1-9]\d* created/);
  const after = await project.tree();
  const again = await run("plan", "--detailed-exitcode");
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^Nothing to do: /)]);
  expect(await project.tree()).toEqual(after);
  expect(Object.keys(after).filter((path) => path.endsWith("run.lock"))).toEqual([]);
});

test("says to people that the embedded service publishes nothing", async () => {
  const { project, run } = await initialised();
  const note = "This is the embedded service, which publishes nothing.";
  const atTerminal = (...args: string[]): Promise<CommandResult> =>
    runCommand(args, { cwd: project.root, clock: new TestClock(), terminal: {} });
  expect((await atTerminal("plan")).stderr).toContain(note);
  expect((await atTerminal("plan", "--format", "json")).stderr).not.toContain(note);
  expect((await run("apply", "--yes")).stderr.split(note).length).toBe(2);
});

test("apply refuses the embedded service in CI, unless the job says CI=false", async () => {
  const { project } = await initialised();
  const before = await project.tree();
  const apply = (CI: string): Promise<CommandResult> =>
    runCommand(["apply", "--yes", "--format", "json"], {
      cwd: project.root,
      clock: new TestClock(),
      env: { CI, GITLAB_CI: "true" },
    });
  const inCi = await apply("true");
  expect([inCi.code, inCi.stderr]).toEqual([1, expect.stringContaining("ci/embedded")]);
  expect(inCi.stderr).toContain("PLANCAST_BASE_URL");
  expect(JSON.parse(inCi.stdout)).toMatchObject({ version: 1 });
  expect(await project.tree()).toEqual(before);
  expect((await apply("false")).code).toBe(0);
});

async function initNotes(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { root } = await makeProject({ config: false });
  const { stderr } = await runCommand(["init", ...args], { cwd: root, clock: new TestClock(), env });
  return stderr.replaceAll(/\s+/g, " ");
}

test("init shows the time zone and its source, unless a flag names the zone", async () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(await initNotes([], {})).toContain(
    `Times are in ${zone}, the time zone from this machine's settings.`,
  );
  expect(await initNotes([], { TZ: zone })).toContain("from the variable TZ.");
  expect(await initNotes(["--timezone", "Europe/Paris"], {})).not.toContain("Times are in");
});

test("init refuses to overwrite a project", async () => {
  const { project, run } = await initialised();
  const before = await project.tree();
  const again = await run("init");
  expect([again.code, again.stderr.includes("write/exists")]).toEqual([1, true]);
  expect(await project.tree()).toEqual(before);
});

test("plan and apply use the running serve of their project, and its posts and keys survive a kill", async () => {
  const { project, run } = await initialised();
  const serve = startProcess(["serve", "--port", "0"], { cwd: project.root });
  await serve.waitFor("\n");
  const { url, keys } = JSON.parse(serve.stdout());
  expect((await run("apply", "--yes")).code).toBe(0);
  const list = async (address: string): Promise<unknown[]> => {
    const answer = await fetch(`${address}/posts?status=scheduled`, {
      headers: { authorization: `Bearer ${keys.read}` },
    });
    const { data }: { data: unknown[] } = JSON.parse(await answer.text());
    return data;
  };
  const posts = await list(url);
  expect(posts.length).toBeGreaterThan(0);
  serve.kill("SIGKILL");
  await serve.ended;
  expect((await run("plan")).stdout).toMatch(/^Nothing to do: /);

  const again = startCommand(["serve", "--port", "0"], { cwd: project.root });
  await again.waitFor("\n");
  expect(await list(JSON.parse(again.stdout()).url)).toEqual(posts);
  again.stop();
  expect((await again.ended).code).toBe(0);
});

test("a project without a service is an error, and does not use the embedded one", async () => {
  const project = await makeProject({
    config: {},
    files: { "calendars/a.csv": "scheduled_at,platforms,content\n2036-01-01T10:00:00Z,twitter,Hi\n" },
  });
  const { code, stdout, stderr } = await runCommand(["plan", "--format", "json"], { cwd: project.root });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).problems[0].code).toBe("service/not-configured");
  expect(stderr).toContain("PLANCAST_BASE_URL");
  expect(stderr).toContain("embedded");
});

test("text from calendars cannot control a terminal or a CI log", async () => {
  const hostile =
    "\u001b[31m\u001b]0;title\u0007\u202eevil\u2066\n::set-output name=a::b\n##[error]x\u0001\u009b1m";
  const cell = `"${hostile}"`;
  const project = await makeProject({
    config: { service: { url: "embedded" }, timezone: "UTC" },
    files: {
      "calendars/a.csv": `id,scheduled_at,platforms,content\na,2036-01-01 10:00,twitter,${cell}\n${cell},2036-01-02 10:00,${cell},x\n`,
      "calendars/b.csv": `scheduled_at,platforms,content,media,${cell},::evil a=b::c\n2036-01-01 10:00,twitter,${cell},${cell},1,2\n${cell},twitter,x,,1,2\n`,
    },
  });
  const outputs = [
    await runCommand(["plan"], { cwd: project.root }),
    await runCommand(["plan", "--format", "markdown"], { cwd: project.root }),
    await runCommand(["validate"], { cwd: project.root }),
    await runCommand(["plan", "calendars/a.csv", hostile], { cwd: project.root }),
  ];
  await project.remove("calendars/b.csv");
  await project.write(
    "calendars/a.csv",
    `id,scheduled_at,platforms,content\na,2036-01-01 10:00,twitter,${cell}\n`,
  );
  outputs.push(
    await runCommand(["plan", "--verbose"], { cwd: project.root }),
    await runCommand(["apply", "--yes", "--verbose"], { cwd: project.root }),
  );
  expect(outputs.at(-1)?.code).toBe(0);
  for (const { stdout, stderr } of outputs) {
    const text = stdout + stderr;
    expect(text).not.toBe("");
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(text).not.toMatch(/^\s*::|##\[/m);
  }
});
