/**
 * The GitHub Action: the steps of action.yml, run in a shell as a runner does, with the built command, a real service,
 * a repository with a remote, and GitHub's API as a server. Needs `npm run build`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { afterThisTest } from "../support/after-test.ts";
import { startForeignService, type ForeignService } from "../support/foreign-service.ts";
import { startFakeGitHub, type FakeGitHub } from "../support/github/fake-api.ts";
import { GIT_ENV, makeRepository, type TestRepository } from "../support/github/repository.ts";
import { commandsIn, runAction, TOKEN, type JobOptions, type JobRecord } from "../support/github/runner.ts";
import { csv } from "../support/scenario.ts";

// A test is several jobs of several processes each.
vi.setConfig({ testTimeout: 120_000 });

const HEADER = ["id", "scheduled_at", "platforms", "content", "status"];
const launch = ["launch", "2036-03-01T08:00:00Z", "linkedin", "We are live.", ""];
const second = ["second", "2036-03-02T08:00:00Z", "linkedin", "And again.", ""];
const draft = launch.with(4, "draft");
const bad = (id: string, status = "maybe"): string[] => [
  id,
  "2036-03-03T08:00:00Z",
  "linkedin",
  `Text ${id}.`,
  status,
];

const CALENDAR = "calendars/march.csv";
const MAIN = "refs/heads/main";

interface World {
  readonly service: ForeignService;
  readonly github: FakeGitHub;
  readonly repository: TestRepository;
  /** Runs the action on pull request 12 of the checkout. */
  readonly pullRequest: (over?: Partial<JobOptions> & { fork?: boolean }) => Promise<JobRecord>;
  /** Runs it on a push to main; unless said, as the merge of pull request 12. */
  readonly merge: (over?: Partial<JobOptions>) => Promise<JobRecord>;
}

async function makeWorld(rows: readonly (readonly string[])[]): Promise<World> {
  const service = await startForeignService();
  afterThisTest(() => service.close());
  const github = await startFakeGitHub();
  const repository = await makeRepository({ [CALENDAR]: csv(HEADER, ...rows) }, { timezone: "Europe/Paris" });
  const inputs = { "base-url": service.url, "api-key": service.key };
  const workspace = repository.project.root;
  const keep: JobOptions["uses"] = async (_name, { name = "", path = "" }) => {
    github.addArtifact(name, { "plan.json": await readFile(path, "utf8") }, name.split("-").at(-1) ?? "");
  };
  const usual = { workspace, apiUrl: github.url, env: GIT_ENV, uses: keep };
  return {
    service,
    github,
    repository,
    pullRequest: ({ fork = false, ...over } = {}) => {
      const sha = repository.git("rev-parse", "HEAD");
      const repo = { full_name: fork ? "stranger/social" : "acme/social" };
      const head = { sha, repo };
      if (!github.pulls.some((pull) => pull.head.sha === sha))
        github.pulls.unshift({
          number: 12 + github.pulls.length,
          merged_at: "2026-01-02T00:00:00Z",
          base: { ref: "main" },
          head,
        });
      return runAction({
        ...usual,
        eventName: "pull_request",
        event: { pull_request: { number: 12, head, base: { ref: "main" } } },
        sha,
        refName: "12/merge",
        ...over,
        inputs: { ...(fork ? {} : inputs), command: "plan", ...over.inputs },
      });
    },
    merge: (over = {}) =>
      runAction({
        ...usual,
        eventName: "push",
        event: { ref: MAIN },
        sha: repository.git("rev-parse", "HEAD"),
        ...over,
        inputs: { ...inputs, command: "apply", ...over.inputs },
      }),
  };
}

/** Commands of the log that are no annotations of ours. */
function strangeCommands({ steps }: JobRecord): unknown[] {
  return steps
    .flatMap(({ log }) => commandsIn(log))
    .filter(({ command }) => !["error", "warning", "notice"].includes(command));
}

/** A world whose one post is scheduled, and has no row any more. */
async function withoutRow(): ReturnType<typeof makeWorld> {
  const world = await makeWorld([launch]);
  const { merge, repository } = world;
  await merge({ inputs: { "reviewed-plan": "off" } });
  repository.git("fetch", "-q", "origin", "main");
  repository.git("reset", "-q", "--hard", "FETCH_HEAD");
  await repository.project.write(CALENDAR, csv(HEADER, draft));
  repository.push("no row is left");
  return world;
}

describe("on a pull request", () => {
  test("shows the plan in log, summary and comment, keeps it, and changes nothing", async () => {
    const { pullRequest, github, service, repository } = await makeWorld([launch, second]);
    const before = await repository.project.tree();
    const job = await pullRequest();
    expect(job.failed).toBe(false);
    expect(job.outputs).toMatchObject({
      result: "changes",
      "exit-code": "0",
      changes: "2",
      create: "2",
      errors: "0",
    });
    expect(job.step(/Run/).log).toContain("We are live.");
    expect(job.step(/Run/).summary).toMatch(/^### Plan: 2 to create/);
    expect(job.step(/lockfile/).outcome).toBe("skipped");
    expect(github.comments.map(({ body }) => body.split("\n").slice(0, 2))).toEqual([
      ["<!-- plancast: plancast -->", "### Plan: 2 to create"],
    ]);
    expect(job.outputs["comment-url"]).toContain("#issuecomment-1000");
    expect(github.artifacts.map(({ name }) => name)).toEqual([job.outputs["plan-artifact"]]);
    expect(service.posts.size).toBe(0);
    expect(await repository.project.tree()).toEqual(before);
  });

  test("annotates the calendar's own line and column, worst first, and counts those beyond ten", async () => {
    const rows = [
      ["past", "2020-03-01T08:00:00Z", "linkedin", "Late.", ""],
      ...Array.from({ length: 13 }, (_, index) => bad(`r${index}`)),
    ];
    const { pullRequest, github } = await makeWorld(rows);
    const job = await pullRequest();
    expect([job.failed, job.outputs["result"], job.outputs["errors"]]).toEqual([true, "invalid", "13"]);
    const shown = commandsIn(job.step(/Run/).log);
    expect(shown.map(({ command }) => command)).toEqual([...Array<string>(10).fill("error"), "notice"]);
    expect(shown[0]?.properties).toMatchObject({ file: CALENDAR, line: "3", title: "row/status" });
    expect(Number(shown[0]?.properties["col"])).toBe(
      '"r0","2036-03-03T08:00:00Z","linkedin","Text r0.",'.length + 1,
    );
    expect(shown[10]?.properties["title"]).toBe("and 3 more problems");
    expect(job.step(/Run/).summary).toContain("13 errors");
    expect(github.comments[0]?.body).toContain("13 errors");
  });

  test("one comment is kept up to date, on whatever page it is, and that of another is left alone", async () => {
    const { pullRequest, github, repository } = await makeWorld([launch]);
    github.pageSize = 2;
    const forged = { id: 1, body: "<!-- plancast: plancast -->\nmine", user: { login: "mallory" } };
    const other = { id: 2, body: "<!-- plancast: other -->\n", user: { login: "github-actions[bot]" } };
    github.comments.push(forged, other, {
      id: 3,
      body: "> <!-- plancast: plancast -->",
      user: { login: "github-actions[bot]" },
    });
    await pullRequest();
    expect(github.comments).toHaveLength(4);
    await repository.project.write(CALENDAR, csv(HEADER, launch, second));
    repository.push("more");
    await pullRequest();
    expect(github.comments).toHaveLength(4);
    expect(github.comments[3]?.body).toContain("Plan: 2 to create");
    expect(github.comments.slice(0, 2)).toEqual([forged, other]);
  });

  test("says nothing where there is nothing to do, but brings an old comment up to date", async () => {
    const { pullRequest, github, repository } = await makeWorld([draft]);
    expect((await pullRequest()).outputs["result"]).toBe("nothing");
    expect(github.comments).toEqual([]);
    await repository.project.write(CALENDAR, csv(HEADER, launch));
    await pullRequest();
    await repository.project.write(CALENDAR, csv(HEADER, draft));
    await pullRequest();
    expect(github.comments.map(({ body }) => body.split("\n")[1])).toEqual(["### Plan: nothing to do"]);
  });

  test("a long plan is cut for the comment, its numbers first, with a link to the run", async () => {
    const rows = Array.from({ length: 400 }, (_, index) => [
      `row-${index}`,
      `2036-${String((index % 12) + 1).padStart(2, "0")}-0${(index % 9) + 1}T08:${String(index % 60).padStart(2, "0")}:00Z`,
      "linkedin",
      `Caption ${index} ${"👩‍🚀 & <b> ".repeat(20)}`,
      "",
    ]);
    const { pullRequest, github } = await makeWorld(rows);
    const job = await pullRequest();
    const body = github.comments[0]?.body ?? "";
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body.length).toBeGreaterThan(50_000);
    expect(body.split("\n")[1]).toBe("### Plan: 400 to create");
    expect(body).toMatch(
      /more posts\*\* did not fit here; \[the run\]\(https:\/\/github\.example\/acme\/social\/actions\/runs\/4711\)/,
    );
    expect(Buffer.byteLength(job.step(/Run/).summary)).toBeLessThanOrEqual(1024 * 1024);
  });

  test("a fork is checked without secrets, without a comment and without asking the service", async () => {
    const { pullRequest, github, service } = await makeWorld([launch]);
    const job = await pullRequest({ fork: true });
    expect([job.failed, job.outputs["result"]]).toEqual([false, "valid"]);
    expect(job.step(/Run/).summary).toContain("comes from a fork");
    expect([github.requests, service.requests.length, github.artifacts.length]).toEqual([[], 0, 0]);
  });

  test("a fork with a wrong row fails, with its annotation", async () => {
    const { pullRequest } = await makeWorld([bad("x")]);
    const job = await pullRequest({ fork: true });
    expect([job.failed, job.outputs["result"]]).toEqual([true, "invalid"]);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([
      { command: "error", properties: { file: CALENDAR, line: "2" } },
    ]);
  });

  test("apply refuses to run there", async () => {
    const { pullRequest, service } = await makeWorld([launch]);
    const job = await pullRequest({ inputs: { command: "apply" } });
    expect([job.failed, service.posts.size]).toEqual([true, 0]);
    expect(job.step(/Run/).log).toContain("ci/input");
  });

  test.each([
    ["no permission", { status: 403 }, "pull-requests: write"],
    [
      "a rate limit that lasts",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800" } },
      "rate limit",
    ],
    ["a rate limit that tells no time", { status: 429 }, "later"],
    ["a redirect", { status: 301, body: "{}" }, "renamed"],
    ["something else than JSON", { status: 200, body: "<html>::set-output name=result::x</html>" }, "JSON"],
  ])("GitHub with %s costs the comment, and nothing else", async (_name, fault, said) => {
    const { pullRequest, github } = await makeWorld([launch]);
    github.faults.set("GET /repos/acme/social/issues", fault);
    const job = await pullRequest();
    expect([job.failed, job.outputs["result"]]).toEqual([false, "changes"]);
    const [warning] = commandsIn(job.step(/Run/).log);
    expect([warning?.command, warning?.properties["title"]]).toEqual(["warning", "ci/comment"]);
    expect(warning?.message).toContain(said);
    expect(strangeCommands(job)).toEqual([]);
  });

  test("a rate limit that passes is waited for, and a comment is never sent twice", async () => {
    const { pullRequest, github } = await makeWorld([launch]);
    github.faults.set("GET /repos/acme/social/issues", {
      status: 429,
      headers: { "retry-after": "1" },
      times: 1,
    });
    await pullRequest();
    expect(github.comments).toHaveLength(1);
    github.comments.pop();
    github.faults.set("POST /repos/acme/social/issues", { status: 502 });
    await pullRequest();
    expect(github.requests.filter((line) => line.startsWith("POST"))).toHaveLength(2);
  });

  test("the embedded service is refused: it is gone with the job", async () => {
    const { pullRequest } = await makeWorld([launch]);
    const job = await pullRequest({ inputs: { "base-url": "embedded", "api-key": "" } });
    expect(job.failed).toBe(true);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([{ properties: { title: "ci/embedded" } }]);
  });
});

describe("on a merge", () => {
  test("applies what was reviewed, and commits the lockfile", async () => {
    const { pullRequest, merge, service, repository, github } = await makeWorld([launch, second]);
    await pullRequest();
    const job = await merge();
    expect(job.step(/Run/).log).not.toContain("ci/");
    expect([job.failed, job.outputs["result"], job.outputs["lockfile"]]).toEqual([
      false,
      "applied",
      "committed",
    ]);
    expect(service.scheduled()).toHaveLength(2);
    expect(repository.log()).toEqual(["Update plancast.lock.json", "first"]);
    expect(JSON.parse(repository.remoteFile("plancast.lock.json"))).toMatchObject({ posts: { launch: {} } });
    expect(job.step(/Run/).summary).toContain("### Applied: 2 created");
    // The address of the download is signed; the token is none of that host's business.
    expect(github.downloads.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test("refuses what was not reviewed, and shows it", async () => {
    const { pullRequest, merge, service, repository } = await makeWorld([launch]);
    await pullRequest();
    const edited = launch.with(3, "Another text.");
    await repository.project.write(CALENDAR, csv(HEADER, edited, second));
    const job = await merge();
    expect([job.failed, job.outputs["result"], service.posts.size]).toEqual([true, "refused", 0]);
    const [error] = commandsIn(job.step(/Run/).log);
    expect(error?.message).toContain("create launch, but not like this; create second");
    expect(job.step(/Run/).summary).toContain("Another text.");
    expect(job.outputs["lockfile"]).toBe("unchanged");
  });

  test("refuses a commit that no pull request with a plan has brought, unless the inputs say otherwise", async () => {
    const { merge, service } = await makeWorld([launch]);
    expect((await merge()).outputs["result"]).toBe("refused");
    expect(service.posts.size).toBe(0);
    expect((await merge({ inputs: { "reviewed-plan": "off" } })).outputs["result"]).toBe("applied");
  });

  test("a refused run does not review itself for the next, though its commit is the pull request's", async () => {
    const { pullRequest, merge, service, github } = await makeWorld([launch]);
    // The pull request is there, and its plan job failed.
    await pullRequest();
    github.artifacts.length = 0;
    expect((await merge()).outputs["result"]).toBe("refused");
    expect(github.artifacts).toHaveLength(1);
    expect((await merge()).outputs["result"]).toBe("refused");
    expect(service.posts.size).toBe(0);
  });

  test("a plan of another pull request that cannot be read keeps no reviewed one from being applied", async () => {
    const { pullRequest, merge, service, github, repository } = await makeWorld([second]);
    await pullRequest();
    const old = github.pulls[0]?.head.sha ?? "";
    github.artifacts.length = 0;
    github.addArtifact(`plancast-plan-${old}`, { "plan.json": "{}" }, old);
    await repository.project.write(CALENDAR, csv(HEADER, launch));
    repository.push("second pull request");
    await pullRequest();
    expect((await merge()).outputs["result"]).toBe("applied");
    expect(service.scheduled()).toHaveLength(1);
  });

  test("an input that is a slip is found before anything is scheduled", async () => {
    const { pullRequest, merge, service } = await makeWorld([launch]);
    await pullRequest();
    const job = await merge({ inputs: { lockfile: "pr" } });
    expect([job.failed, service.posts.size]).toEqual([true, 0]);
    expect(job.outputs).toMatchObject({ result: "failed", "exit-code": "1" });
    const found = commandsIn(job.step(/Run/).log);
    expect(found).toMatchObject([{ command: "error", properties: { title: "ci/input" } }]);
    expect(job.step(/Run/).summary).toContain("ci/input");
  });

  test("a reviewed plan that cannot be downloaded is not taken for none", async () => {
    const { pullRequest, merge, github, service } = await makeWorld([launch]);
    await pullRequest();
    const sha = github.pulls[0]?.head.sha ?? "";
    github.artifacts.length = 0;
    github.addArtifact(`plancast-plan-${sha}`, { "notes.txt": "x" }, sha);
    const job = await merge();
    expect([job.outputs["result"], service.posts.size]).toEqual(["refused", 0]);
    const [refused] = commandsIn(job.step(/Run/).log);
    expect(refused?.message).toContain("counts as none. The reviewed plan cannot be downloaded");
    expect(refused?.message).toContain("Run the job again");
  });

  test("cancels that a guard stops are done when the input names their number, and no other", async () => {
    const { merge, service } = await withoutRow();
    const cancel = (count: string): Promise<JobRecord> =>
      merge({ inputs: { "reviewed-plan": "off", "allow-cancels": count } });
    const stopped = await cancel("");
    expect([stopped.outputs["result"], (await cancel("2")).outputs["result"]]).toEqual([
      "refused",
      "refused",
    ]);
    expect(stopped.step(/Run/).log).toContain("run the workflow by hand with this plan's hash");
    expect(service.scheduled()).toHaveLength(1);
    expect((await cancel("1")).outputs["result"]).toBe("applied");
    expect(service.scheduled()).toEqual([]);
  });

  test("by hand, exactly the plan is applied whose hash the refused run named", async () => {
    const { pullRequest, merge, service, repository } = await makeWorld([launch]);
    await pullRequest();
    await repository.project.write(CALENDAR, csv(HEADER, launch, second));
    const refused = await merge();
    const hash = refused.outputs["hash"] ?? "";
    expect(refused.outputs["result"]).toBe("refused");
    expect(refused.step(/Run/).summary).toContain(`\n${hash}\n`);
    expect(commandsIn(refused.step(/Run/).log)[0]?.message).toContain(
      "with the hash that stands there as `plan`",
    );

    const byHand = (plan: string): Promise<JobRecord> =>
      merge({ eventName: "workflow_dispatch", inputs: { plan } });
    // Without a hash it is as strict as a merge.
    expect((await byHand("")).outputs["result"]).toBe("refused");
    service.addForeignPost();
    const moved = await byHand(hash);
    expect([moved.outputs["result"], service.scheduled()]).toEqual(["refused", [expect.anything()]]);
    expect(commandsIn(moved.step(/Run/).log)[0]?.message).toContain(`the input plan names (${hash})`);
    const now = moved.outputs["hash"] ?? "";
    expect(moved.step(/Run/).summary).toContain(`\n${now}\n`);
    expect((await byHand(now)).outputs["result"]).toBe("applied");
    expect(service.scheduled()).toHaveLength(3);
    expect((await byHand(now)).outputs["result"]).toBe("nothing");
  });

  test("a plan that is named brings its cancels, which no other plan does", async () => {
    const { merge, service } = await withoutRow();
    const refused = await merge();
    expect([refused.outputs["result"], refused.outputs["cancel"]]).toEqual(["refused", "1"]);
    const job = await merge({ inputs: { plan: refused.outputs["hash"] ?? "" } });
    expect([job.outputs["result"], service.scheduled()]).toEqual(["applied", []]);
  });

  test("what an earlier pull request brought and no run applied was reviewed, too", async () => {
    const { pullRequest, merge, service, repository } = await makeWorld([launch]);
    await pullRequest();
    await repository.project.write(CALENDAR, csv(HEADER, second));
    repository.push("second pull request");
    await pullRequest();
    await repository.project.write(CALENDAR, csv(HEADER, launch, second));
    expect((await merge()).outputs["result"]).toBe("applied");
    expect(service.scheduled()).toHaveLength(2);
  });

  test("with `exact`, a post that somebody made meanwhile is reason enough", async () => {
    const { pullRequest, merge, service } = await makeWorld([launch]);
    await pullRequest();
    service.addForeignPost();
    const exact = await merge({ inputs: { "reviewed-plan": "exact" } });
    expect(exact.outputs["result"]).toBe("refused");
    expect(exact.step(/Run/).log).toContain("not exactly the one");
    expect((await merge()).outputs["result"]).toBe("applied");
  });

  test.each([
    ["of a fork's run", true, (text: string) => text],
    ["that was edited", false, (text: string) => text.replace("We are live.", "We are dead.")],
    ["that is no JSON", false, () => "::set-output name=x::y"],
  ])("a plan %s counts for nothing", async (_name, isFork, change) => {
    const { pullRequest, merge, github, service } = await makeWorld([launch]);
    await pullRequest({
      uses: async (_action, { name = "", path = "" }) =>
        github.addArtifact(
          name,
          { "plan.json": change(await readFile(path, "utf8")) },
          name.split("-").at(-1) ?? "",
          isFork,
        ),
    });
    const job = await merge();
    expect([job.outputs["result"], service.posts.size]).toEqual(["refused", 0]);
    expect(strangeCommands(job)).toEqual([]);
  });

  test("GitHub refusing to show artifacts names the permission, and nothing is applied", async () => {
    const { pullRequest, merge, github, service } = await makeWorld([launch]);
    await pullRequest();
    github.faults.set("GET /repos/acme/social/actions/artifacts", { status: 403 });
    const job = await merge();
    expect([job.failed, service.posts.size]).toEqual([true, 0]);
    expect(commandsIn(job.step(/Run/).log)[0]?.message).toContain("actions: read");
  });

  test("the lockfile as a pull request: a branch that grows, and one pull request", async () => {
    const { merge, repository, github } = await makeWorld([launch]);
    const inputs = { "reviewed-plan": "off", lockfile: "pull-request" };
    const job = await merge({ inputs });
    expect([job.outputs["lockfile"], job.outputs["lockfile-url"]]).toEqual([
      "pull-request",
      "https://github.example/acme/social/pull/99",
    ]);
    expect(repository.log()).toEqual(["first"]);
    await repository.project.write(CALENDAR, csv(HEADER, launch, second));
    await merge({ inputs });
    expect(github.opened).toEqual([
      { head: "plancast/lockfile-plancast", base: "main", title: "Update plancast.lock.json" },
    ]);
    expect(repository.log("plancast/lockfile-plancast")[0]).toBe("Update plancast.lock.json");
    expect(
      JSON.parse(repository.remoteFile("plancast.lock.json", "plancast/lockfile-plancast")),
    ).toMatchObject({ posts: { launch: {}, second: {} } });
  });

  test("the lockfile left alone", async () => {
    const { merge, repository } = await makeWorld([launch]);
    const job = await merge({ inputs: { "reviewed-plan": "off", lockfile: "none" } });
    expect([job.outputs["lockfile"], repository.log()]).toEqual(["left", ["first"]]);
  });

  test("a post that failed is annotated at its row, and what was done is committed all the same", async () => {
    const { merge, service, repository } = await makeWorld([launch, second]);
    service.faults.at(
      1,
      { kind: "refused", code: "validation_error" },
      { method: "POST", path: "/v1/posts" },
    );
    const job = await merge({ inputs: { "reviewed-plan": "off" } });
    expect([job.failed, job.outputs["result"], job.outputs["lockfile"]]).toEqual([
      true,
      "failed",
      "committed",
    ]);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([
      { command: "error", properties: { file: CALENDAR, line: "2", title: "validation_error" } },
    ]);
    expect(Object.keys(JSON.parse(repository.remoteFile("plancast.lock.json")).posts)).toHaveLength(1);
  });
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "a job that is cancelled (%s) ends in order, and its lockfile is committed",
  async (signal) => {
    const { merge, service, repository } = await makeWorld([
      launch,
      second,
      ...Array.from({ length: 20 }, (_, n) => bad(`n${n}`, "")),
    ]);
    let isCancelled = false;
    const job = await merge({
      inputs: { "reviewed-plan": "off" },
      during: async (step, child, _log, cancel) => {
        if (!/Run/.test(step)) return;
        while (service.posts.size < 2) await new Promise((resolve) => void setTimeout(resolve, 10));
        // To the entry process alone, as the runner does.
        isCancelled = child.kill(signal);
        cancel();
      },
    });
    expect(isCancelled).toBe(true);
    expect([job.step(/Run/).code, job.outputs["result"], job.outputs["lockfile"]]).toEqual([
      130,
      "interrupted",
      "committed",
    ]);
    const { posts } = JSON.parse(repository.remoteFile("plancast.lock.json"));
    expect(Object.keys(posts)).toHaveLength(service.scheduled().length);
    expect(service.scheduled().length).toBeLessThan(22);
  },
);

test("an apply that was killed loses nothing: the lockfile is committed with what the journal tells", async () => {
  const { merge, service, repository } = await makeWorld([
    launch,
    second,
    ...Array.from({ length: 20 }, (_, n) => bad(`n${n}`, "")),
  ]);
  const job = await merge({
    inputs: { "reviewed-plan": "off" },
    during: async (step, child) => {
      if (!/Run/.test(step)) return;
      while (service.posts.size < 4) await new Promise((resolve) => void setTimeout(resolve, 10));
      child.kill("SIGKILL");
    },
  });
  await service.whenQuiet();
  expect(job.outputs["lockfile"]).toBe("committed");
  const lockfile = JSON.parse(repository.remoteFile("plancast.lock.json"));
  const known = [...Object.keys(lockfile.posts), ...Object.keys(lockfile.unknown ?? {})];
  expect(known.length).toBeGreaterThanOrEqual(service.scheduled().length);
});

test("whatever captions, ids, file names and the service say, nothing is a command and nothing is written for them", async () => {
  const evil =
    "::set-output name=result::owned\n::stop-commands::x\n##[set-env name=PATH]x\nresult=owned\r\n::add-path::/tmp ]]> <!-- -->";
  const rows = [
    ["id-::x", "2036-03-01T08:00:00Z", "linkedin", evil, ""],
    ["##[y]", "2036-03-02T08:00:00Z", "::error::z", evil, ""],
    ["plancast_0", "2036-03-03T08:00:00Z", "linkedin", evil, "::debug::\n::x::"],
  ];
  const { pullRequest, merge, service, repository, github } = await makeWorld(rows);
  await repository.project.write("calendars/::set-env name=x,y%0A##[z].csv", csv(HEADER, ...rows.slice(2)));
  for (const job of [await pullRequest(), await pullRequest({ fork: true })]) {
    expect(strangeCommands(job)).toEqual([]);
    expect(job.steps.map(({ leaked }) => leaked).join("")).toBe("");
    expect(job.outputs["result"]).toBe("invalid");
  }
  await repository.project.remove("calendars/::set-env name=x,y%0A##[z].csv");
  await repository.project.write(CALENDAR, csv(HEADER, ["::x", ...(rows[0] ?? []).slice(1)]));
  service.faults.at(1, { kind: "refused", code: "validation_error" }, { method: "POST", path: "/v1/posts" });
  const planned = await pullRequest();
  const applied = await merge({ inputs: { "reviewed-plan": "off" } });
  for (const job of [planned, applied]) {
    expect(strangeCommands(job)).toEqual([]);
    expect(job.steps.map(({ leaked }) => leaked).join("")).toBe("");
    expect(job.outputs["result"]).toMatch(/^(changes|failed)$/);
    for (const { log, summary } of job.steps)
      for (const secret of [TOKEN, service.key])
        expect([log.includes(secret), summary.includes(secret)]).toEqual([false, false]);
  }
  for (const { body } of github.comments) expect(body).not.toContain(TOKEN);
});

describe("a push race", () => {
  const inputs = { "reviewed-plan": "off" };

  test("another commit that came meanwhile stays, and the lockfile goes on top", async () => {
    const { merge, repository } = await makeWorld([launch]);
    const job = await merge({
      inputs,
      during: async (step) => {
        if (/Run/.test(step)) await repository.pushByOther("README.md", "hello");
      },
    });
    expect(job.outputs["lockfile"]).toBe("committed");
    expect(repository.log()).toEqual(["Update plancast.lock.json", "other: README.md", "first"]);
    expect(repository.remoteFile("README.md")).toBe("hello");
  });

  test("a lockfile that another run pushed is merged, entry by entry", async () => {
    const { merge, repository, service } = await makeWorld([launch]);
    const theirs = {
      version: 1,
      origin: service.origin,
      media: {},
      posts: {
        theirs: { post_id: "post_t", fingerprint: "f", scheduled_at: "2036-03-01T08:00:00Z", file: "b.csv" },
      },
    };
    const job = await merge({
      inputs,
      during: async (step) => {
        if (/Run/.test(step)) await repository.pushByOther("plancast.lock.json", JSON.stringify(theirs));
      },
    });
    expect(job.outputs["lockfile"]).toBe("committed");
    expect(Object.keys(JSON.parse(repository.remoteFile("plancast.lock.json")).posts)).toEqual([
      "launch",
      "theirs",
    ]);
  });

  test("a branch that takes no push is said, with what to do; the posts stay", async () => {
    const { merge, repository, service } = await makeWorld([launch]);
    const { writeFile } = await import("node:fs/promises");
    await writeFile(
      join(repository.origin, "hooks", "pre-receive"),
      "#!/bin/sh\necho '::error::GH006: Protected branch'\nexit 1\n",
      { mode: 0o755 },
    );
    const job = await merge({ inputs });
    expect([job.failed, job.outputs["lockfile"], service.scheduled().length]).toEqual([true, "failed", 1]);
    expect(commandsIn(job.step(/lockfile/).log)).toMatchObject([
      { command: "error", properties: { title: "ci/lockfile" } },
    ]);
    expect(job.step(/lockfile/).log).toContain("contents: write");
  });
});
