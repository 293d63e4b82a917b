/**
 * One job of each kind that the GitHub Action has. action-jobs.test.ts runs them in this process, and
 * action-jobs.long.test.ts in real shells with the built command.
 */
import { expect } from "vitest";
import {
  CALENDAR,
  calendarOf,
  launch,
  row,
  second,
  strangeCommands,
  type StartWorld,
} from "../support/github/action-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";
import { TOKEN, type JobRecord, type StopSignal } from "../support/github/runner.ts";

export interface JobKind {
  readonly name: string;
  readonly check: (start: StartWorld) => Promise<void>;
}

const NOT_REVIEWED = { "reviewed-plan": "off" };

/** Rows and a rate limit that keep an apply waiting in the middle until somebody ends it. */
export const LONG_APPLY = {
  rows: Array.from({ length: 40 }, (_, index) => row(`row-${index}`)),
  service: { limit: { perWindow: 20, windowMs: 600_000, resetUnit: "seconds" } },
} as const;

const validate: JobKind = {
  name: "validate checks the calendars without the service, the API or the lockfile",
  check: async (start) => {
    const { merge, service, github } = await start([launch, row("x").with(1, "someday")]);
    const job = await merge({ inputs: { command: "validate" } });
    expect([job.failed, job.outputs["result"], job.outputs["errors"]]).toEqual([true, "invalid", "1"]);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([
      { command: "error", properties: { file: CALENDAR, line: "3" } },
    ]);
    expect(job.step(/lockfile/).outcome).toBe("skipped");
    expect([github.requests, service.requests.length, github.artifacts.length]).toEqual([[], 0, 0]);
  },
};

const plan: JobKind = {
  name: "a pull request shows the plan in log, summary and comment, keeps the plan file, and changes nothing",
  check: async (start) => {
    const { pullRequest, github, service, repository } = await start([launch, second]);
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
    expect(job.step(/Run/).summary).toMatch(/^### Plan: ➕ 2 to create/);
    expect(job.step(/lockfile/).outcome).toBe("skipped");
    const preview = "https://github.example/acme/social/actions/runs/4711/artifacts/2";
    expect(github.comments.map(({ body }) => body.split("\n").slice(0, 4))).toEqual([
      [
        "<!-- plancast: plancast -->",
        "### Plan: ➕ 2 to create",
        "",
        `👀 **[See the posts as readers will](${preview})**. Opens in the browser. You must be signed in to GitHub.`,
      ],
    ]);
    expect(job.outputs["comment-url"]).toContain("#issuecomment-1000");
    expect(github.artifacts.map(({ name }) => name)).toEqual([
      job.outputs["plan-artifact"],
      "plancast-preview.html",
    ]);
    expect(job.outputs["preview-url"]).toBe(preview);
    expect(job.step(/Show/).summary).toContain(`(${preview})`);
    expect(service.posts.size).toBe(0);
    expect(await repository.project.tree()).toEqual(before);
  },
};

const invalidPlan: JobKind = {
  name: "a pull request with errors annotates ten of them at line and column, and counts the others",
  check: async (start) => {
    const rows = [
      ["past", "2020-03-01T08:00:00Z", "linkedin", "Late.", ""],
      ...Array.from({ length: 13 }, (_, index) => row(`r${index}`).with(2, "linkedln")),
    ];
    const { pullRequest, github } = await start(rows);
    const job = await pullRequest();
    expect([job.failed, job.outputs["result"], job.outputs["errors"]]).toEqual([true, "invalid", "13"]);
    const shown = commandsIn(job.step(/Run/).log);
    expect(shown.map(({ command }) => command)).toEqual([...Array<string>(10).fill("error"), "notice"]);
    expect(shown[0]?.properties).toMatchObject({ file: CALENDAR, line: "3", title: "platform/unknown" });
    expect(Number(shown[0]?.properties["col"])).toBe('"r0","2036-03-03T08:00:00Z",'.length + 1);
    expect(shown[10]?.properties["title"]).toBe("and 3 more problems");
    expect(job.step(/Run/).summary).toContain("13 errors");
    expect(github.comments[0]?.body).toContain("13 errors");
  },
};

const fork: JobKind = {
  name: "a fork's pull request is checked without secrets, without a comment and without the service",
  check: async (start) => {
    const { pullRequest, github, service } = await start([launch]);
    const job = await pullRequest({ fork: true });
    expect([job.failed, job.outputs["result"]]).toEqual([false, "valid"]);
    expect(job.step(/Run/).summary).toContain("comes from a fork");
    expect([github.requests, service.requests.length]).toEqual([[], 0]);
    // An artifact needs no token. The page shows the calendars, and no plan.
    expect(github.artifacts.map(({ name }) => name)).toEqual(["plancast-preview.html"]);
    expect(job.step(/Show/).summary).toContain(job.outputs["preview-url"] ?? "none");
  },
};

const rateLimited: JobKind = {
  name: "the comment waits until a short rate limit of GitHub's API has passed",
  check: async (start) => {
    const { pullRequest, github } = await start([launch]);
    github.faults.set("GET /repos/acme/social/issues", {
      status: 429,
      headers: { "retry-after": "1" },
      times: 1,
    });
    await pullRequest();
    expect(github.comments).toHaveLength(1);
  },
};

const merge: JobKind = {
  name: "a merge applies the reviewed plan and commits the lockfile",
  check: async (start) => {
    const world = await start([launch, second]);
    const { service, repository, github } = world;
    await world.pullRequest();
    const job = await world.merge();
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
    // The download is signed and on another host, which must not get the token.
    expect(github.downloads.map(({ authorization }) => authorization)).toEqual([undefined]);
  },
};

const byHand: JobKind = {
  name: "a merge refuses what nobody reviewed, and a run by hand applies exactly that plan by its hash",
  check: async (start) => {
    const world = await start([launch]);
    const { service, repository } = world;
    await world.pullRequest();
    await repository.project.write(CALENDAR, calendarOf(launch.with(3, "Another text."), second));
    const refused = await world.merge();
    expect([refused.failed, refused.outputs["result"], service.posts.size]).toEqual([true, "refused", 0]);
    expect(refused.outputs["lockfile"]).toBe("unchanged");
    const [error] = commandsIn(refused.step(/Run/).log);
    expect(error?.message).toContain("create launch, with other contents; create second");
    expect(error?.message).toContain("with its hash as `plan`");
    const hash = refused.outputs["hash"] ?? "";
    expect(refused.step(/Run/).summary).toContain("Another text.");
    expect(refused.step(/Run/).summary).toContain(`\n${hash}\n`);
    const applied = await world.merge({ eventName: "workflow_dispatch", inputs: { plan: hash } });
    expect([applied.outputs["result"], service.scheduled().length]).toEqual(["applied", 2]);
  },
};

const lockfilePullRequest: JobKind = {
  name: "`lockfile: pull-request` pushes to a branch of its own, and opens one pull request for it",
  check: async (start) => {
    const world = await start([launch]);
    const { repository, github } = world;
    const inputs = { ...NOT_REVIEWED, lockfile: "pull-request" };
    const job = await world.merge({ inputs });
    expect([job.outputs["lockfile"], job.outputs["lockfile-url"]]).toEqual([
      "pull-request",
      "https://github.example/acme/social/pull/99",
    ]);
    expect(repository.log()).toEqual(["first"]);
    await repository.project.write(CALENDAR, calendarOf(launch, second));
    await world.merge({ inputs });
    expect(github.opened).toMatchObject([
      { head: "plancast/lockfile-plancast", base: "main", title: "Update plancast.lock.json" },
    ]);
    expect(repository.log("plancast/lockfile-plancast")[0]).toBe("Update plancast.lock.json");
    const branchFile = repository.remoteFile("plancast.lock.json", "plancast/lockfile-plancast");
    expect(JSON.parse(branchFile)).toMatchObject({ posts: { launch: {}, second: {} } });
  },
};

const lockfileNone: JobKind = {
  name: "`lockfile: none` pushes nothing",
  check: async (start) => {
    const world = await start([launch]);
    const job = await world.merge({ inputs: { ...NOT_REVIEWED, lockfile: "none" } });
    expect([job.outputs["lockfile"], world.repository.log()]).toEqual(["left", ["first"]]);
  },
};

const failedPost: JobKind = {
  name: "an apply with a failed post annotates its row, and commits the lockfile with the other posts",
  check: async (start) => {
    const world = await start([launch, second]);
    world.service.faults.at(
      1,
      { kind: "refused", code: "validation_error" },
      { method: "POST", path: "/v1/posts" },
    );
    const job = await world.merge({ inputs: NOT_REVIEWED });
    expect([job.failed, job.outputs["result"], job.outputs["lockfile"]]).toEqual([
      true,
      "failed",
      "committed",
    ]);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([
      { command: "error", properties: { file: CALENDAR, line: "2", title: "validation_error" } },
    ]);
    const lockfile = JSON.parse(world.repository.remoteFile("plancast.lock.json"));
    expect(Object.keys(lockfile.posts)).toHaveLength(1);
  },
};

const mergedLockfile: JobKind = {
  name: "a lockfile that another run pushed meanwhile is merged, entry by entry",
  check: async (start) => {
    const world = await start([launch]);
    const { repository, service } = world;
    const theirs = {
      version: 1,
      origin: service.origin,
      media: {},
      posts: {
        theirs: { post_id: "post_t", fingerprint: "f", scheduled_at: "2036-03-01T08:00:00Z", file: "b.csv" },
      },
    };
    const job = await world.merge({
      inputs: NOT_REVIEWED,
      during: async ({ name }) => {
        if (/Run/.test(name)) await repository.pushByOther("plancast.lock.json", JSON.stringify(theirs));
      },
    });
    expect(job.outputs["lockfile"]).toBe("committed");
    const { posts } = JSON.parse(repository.remoteFile("plancast.lock.json"));
    expect(Object.keys(posts)).toEqual(["launch", "theirs"]);
  },
};

const protectedBranch: JobKind = {
  name: "a branch that takes no push fails the job with what to do; the posts stay scheduled",
  check: async (start) => {
    const world = await start([launch]);
    const { repository, service } = world;
    await repository.beforePush("echo '::error::GH006: Protected branch'; exit 1");
    const job = await world.merge({ inputs: NOT_REVIEWED });
    expect([job.failed, job.outputs["lockfile"], service.scheduled().length]).toEqual([true, "failed", 1]);
    const { log } = job.step(/lockfile/);
    expect(commandsIn(log)).toMatchObject([{ command: "error", properties: { title: "repository/push" } }]);
    expect(log).toContain("contents: write");
  },
};

/** The signals of the runner: SIGINT first, and SIGTERM 7.5 s later. */
export function cancelled(signal: StopSignal): JobKind {
  return {
    name: `a job that is cancelled (${signal}) stops cleanly, and commits the lockfile with the posts so far`,
    check: async (start) => {
      const world = await start(LONG_APPLY.rows, LONG_APPLY.service);
      const { service, repository } = world;
      const job = await world.merge({
        inputs: NOT_REVIEWED,
        during: ({ name, cancel }) => {
          const run = (): void => cancel(signal);
          if (/Run/.test(name))
            service.faults.at(3, { kind: "run-after", run }, { method: "POST", path: "/v1/posts" });
        },
      });
      expect([job.step(/Run/).outcome, job.step(/Run/).code]).toEqual(["cancelled", 130]);
      expect([job.outputs["result"], job.outputs["lockfile"]]).toEqual(["interrupted", "committed"]);
      const { posts } = JSON.parse(repository.remoteFile("plancast.lock.json"));
      const scheduled = service.scheduled().length;
      expect(Object.keys(posts)).toHaveLength(scheduled);
      expect(scheduled).toBeGreaterThanOrEqual(3);
      expect(scheduled).toBeLessThan(LONG_APPLY.rows.length);
    },
  };
}

const EVIL =
  "::set-output name=result::owned\n::stop-commands::x\n##[set-env name=PATH]x\nresult=owned\r\n::add-path::/tmp ]]> <!-- -->";

function expectHarmless(job: JobRecord): void {
  expect(strangeCommands(job)).toEqual([]);
  expect(job.steps.map(({ leaked }) => leaked).join("")).toBe("");
}

const hostile: JobKind = {
  name: "no caption, id, file name or answer becomes a command, an output or a secret in the log",
  check: async (start) => {
    const rows = [
      ["id-::x", "2036-03-01T08:00:00Z", "linkedin", EVIL, ""],
      ["##[y]", "2036-03-02T08:00:00Z", "::error::z", EVIL, ""],
      ["plancast_0", "2036-03-03T08:00:00Z", "linkedin", EVIL, "::debug::\n::x::"],
    ];
    const world = await start(rows);
    const { pullRequest, service, repository, github } = world;
    const evilFile = "calendars/::set-env name=x,y%0A##[z].csv";
    await repository.project.write(evilFile, calendarOf(...rows.slice(2)));
    for (const job of [await pullRequest(), await pullRequest({ fork: true })]) {
      expectHarmless(job);
      expect(job.outputs["result"]).toBe("invalid");
    }
    await repository.project.remove(evilFile);
    await repository.project.write(CALENDAR, calendarOf(["::x", ...(rows[0] ?? []).slice(1)]));
    service.faults.at(
      1,
      { kind: "refused", code: "validation_error" },
      { method: "POST", path: "/v1/posts" },
    );
    const planned = await pullRequest();
    const applied = await world.merge({ inputs: NOT_REVIEWED });
    for (const job of [planned, applied]) {
      expectHarmless(job);
      expect(job.outputs["result"]).toMatch(/^(changes|failed)$/);
      for (const { log, summary } of job.steps)
        for (const secret of [TOKEN, service.key])
          expect([log.includes(secret), summary.includes(secret)]).toEqual([false, false]);
    }
    for (const { body } of github.comments) expect(body).not.toContain(TOKEN);
  },
};

export const JOB_KINDS: readonly JobKind[] = [
  validate,
  plan,
  invalidPlan,
  fork,
  rateLimited,
  merge,
  byHand,
  lockfilePullRequest,
  lockfileNone,
  failedPost,
  mergedLockfile,
  protectedBranch,
  cancelled("SIGINT"),
  hostile,
];
