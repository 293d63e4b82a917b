/** Ordinary work of teams on GitHub: no job says that anything is not confirmed, and none stops. */
import { expect, test, vi } from "vitest";
import { CALENDAR, calendarOf, launch, row, second } from "../support/github/action-world.ts";
import {
  type Hub,
  type Person,
  type Pull,
  type Push,
  type RanJob,
  DEEP_WORKFLOW,
  USUAL_WORKFLOW,
  WORKFLOW,
  startHub,
} from "../support/github/hub.ts";
import { GIT_ENV } from "../support/github/repository.ts";
import { runCommand } from "../support/run-command.ts";

vi.setConfig({ testTimeout: 180_000 });

type Rows = readonly (readonly string[])[];

const LOCKFILE = "plancast.lock.json";
const NOTICES = /not-confirmed|not-as-recorded|schedule-edited|no-base|setting-changed/;
const [third, fourth] = [row("third"), row("fourth").with(1, "2036-03-04T08:00:00Z")];
const edited = launch.with(3, "Edited.");

interface Team {
  readonly hub: Hub;
  readonly ann: Person;
  readonly bob: Person;
  /** A branch with these rows and its pull request, which is planned. */
  readonly propose: (who: Person, branch: string, rows: Rows) => Promise<Pull>;
  readonly plan: (pull: Pull) => Promise<void>;
  /** Runs the jobs of a push, which must end well. */
  readonly ends: (push: Push) => Promise<void>;
}

function quiet(jobs: readonly RanJob[]): void {
  for (const { steps, failed } of jobs) {
    const said = steps.map(({ log, summary }) => `${log}\n${summary}`).join("\n");
    expect([failed, said]).toEqual([false, expect.not.stringMatching(NOTICES)]);
  }
}

async function start(workflow = USUAL_WORKFLOW): Promise<Team> {
  const hub = await startHub({
    "plancast.yaml": "timezone: Europe/Paris\n",
    [CALENDAR]: calendarOf(launch, second),
    [WORKFLOW]: workflow,
  });
  const plan = async (pull: Pull): Promise<void> => quiet(await hub.plan(pull));
  return {
    hub,
    ann: await hub.clone(),
    bob: await hub.clone(),
    plan,
    propose: async (who, branch, rows) => {
      who.start(branch);
      await who.commit(branch, { [CALENDAR]: calendarOf(...rows) });
      const pull = hub.open(who);
      await plan(pull);
      return pull;
    },
    ends: async (push) => quiet(await hub.pushed(push)),
  };
}

/** A team whose first posts a job applied. */
async function applied(workflow?: string): Promise<Team> {
  const team = await start(workflow);
  const { ann, propose, hub, ends } = team;
  await ends(hub.merge(await propose(ann, "first", [launch, second, third])));
  return team;
}

function texts({ hub }: Team): readonly string[] {
  return hub.service
    .scheduled()
    .map(({ content }) => content)
    .toSorted();
}

async function applyOnLaptop({ hub }: Team, { root }: Person): Promise<void> {
  const env = { ...GIT_ENV, PLANCAST_BASE_URL: hub.service.url, PLANCAST_API_KEY: hub.service.key };
  const { code, stdout, stderr } = await runCommand(["apply", "--yes"], { cwd: root, env, clock: hub.clock });
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringMatching(NOTICES)]);
}

/** The plan job also checks what a merge queue will push. */
const QUEUE_WORKFLOW = DEEP_WORKFLOW.replace("  pull_request:\n", "$&  merge_group:\n").replace(
  "github.event_name == 'pull_request'\n",
  "github.event_name == 'pull_request' || github.event_name == 'merge_group'\n",
);

/** Applies three rows on a laptop, and pushes the result. */
async function beganOnLaptop(team: Team): Promise<Push> {
  const { hub, ann } = team;
  ann.start("laptop");
  await ann.write({ [CALENDAR]: calendarOf(launch, second, third) });
  await applyOnLaptop(team, ann);
  await ann.commit("Apply");
  return hub.push(ann);
}

const THREE = ["And again.", "Text third.", "We are live."];
const EDITED = ["And again.", "Edited.", "Text third."];

const HISTORIES: readonly [string, string[], () => Promise<Team>][] = [
  [
    "squashes",
    ["And again.", "Edited.", "Text fourth.", "Text third."],
    async () => {
      const team = await applied();
      const { hub, ann, bob, propose, ends } = team;
      await ends(hub.merge(await propose(ann, "edit", [edited, second, third]), "squash"));
      await ends(hub.merge(await propose(bob, "more", [edited, second, third, fourth]), "squash"));
      return team;
    },
  ],
  [
    "a revert, and a revert of the revert",
    EDITED,
    async () => {
      const team = await applied();
      const { hub, ann, propose, plan, ends } = team;
      await ends(hub.merge(await propose(ann, "edit", [edited, second, third]), "squash"));
      for (const branch of ["revert", "again"]) {
        ann.start(branch);
        const [commit = ""] = ann.git("log", "--format=%H", "-1", "--", CALENDAR).split("\n");
        ann.git("revert", "--no-edit", commit);
        const pull = hub.open(ann);
        await plan(pull);
        await ends(hub.merge(pull, "squash"));
      }
      return team;
    },
  ],
  [
    "a cherry-pick from a branch that is not published",
    EDITED,
    async () => {
      const team = await applied();
      const { hub, ann, plan, ends } = team;
      ann.start("next");
      await ann.commit("edit", { [CALENDAR]: calendarOf(edited, second, third) });
      await ann.commit("more", { [CALENDAR]: calendarOf(edited, second, third, fourth) });
      ann.git("push", "-q", "origin", "HEAD:next");
      ann.start("pick");
      ann.git("cherry-pick", "next~1");
      const pull = hub.open(ann);
      await plan(pull);
      await ends(hub.merge(pull));
      return team;
    },
  ],
  [
    "a long branch that takes main over",
    ["And again.", "Edited.", "Text fourth.", "Text third."],
    async () => {
      const team = await applied();
      const { hub, ann, bob, propose, plan, ends } = team;
      await propose(bob, "long", [launch, second, third, fourth]);
      await ends(hub.merge(await propose(ann, "edit", [edited, second, third])));
      bob.git("fetch", "-q", "origin");
      bob.git("merge", "-q", "--no-edit", "origin/main");
      await bob.commit("long again", { "NOTES.md": "Notes" });
      const pull = hub.open(bob);
      await plan(pull);
      await ends(hub.merge(pull));
      return team;
    },
  ],
  [
    "two people who rebase",
    ["And again.", "Edited.", "Text fourth.", "Text third."],
    async () => {
      const team = await applied(DEEP_WORKFLOW);
      const { hub, ann, bob, propose, plan, ends } = team;
      await propose(bob, "more", [launch, second, third, fourth]);
      await ends(hub.merge(await propose(ann, "edit", [edited, second, third]), "rebase"));
      bob.git("fetch", "-q", "origin");
      bob.git("rebase", "-q", "origin/main");
      const pull = hub.open(bob);
      await plan(pull);
      await ends(hub.merge(pull, "rebase"));
      return team;
    },
  ],
  [
    "a hotfix while a pull request is open, which is merged without a rebase",
    ["And again.", "Edited.", "Text fourth.", "Text third."],
    async () => {
      const team = await applied();
      const { hub, ann, bob, propose, plan, ends } = team;
      const open = await propose(bob, "more", [launch, second, third, fourth]);
      await ends(hub.merge(await propose(ann, "hotfix", [edited, second, third]), "squash"));
      await plan(open);
      await ends(hub.merge(open));
      return team;
    },
  ],
  [
    "two merges before the first job runs",
    ["And again.", "Edited.", "Text fourth.", "Text third."],
    async () => {
      const team = await applied();
      const { hub, ann, bob, propose, ends } = team;
      const one = await propose(ann, "edit", [edited, second, third]);
      const other = await propose(bob, "more", [launch, second, third, fourth]);
      const pushes = [hub.merge(one), hub.merge(other, "squash")];
      for (const push of pushes) await ends(push);
      return team;
    },
  ],
  [
    "a queue that checks two merges together, and pushes them at once",
    ["And again.", "Edited.", "Text fourth.", "Text third."],
    async () => {
      const team = await applied(QUEUE_WORKFLOW);
      const { hub, ann, bob, propose, ends } = team;
      const one = await propose(ann, "edit", [edited, second, third]);
      const other = await propose(bob, "more", [launch, second, third, fourth]);
      // The queue has both merges on a branch of its own. Its check gets no key, and only reads the calendars.
      const queued = "refs/heads/gh-readonly-queue/main/pr-13";
      ann.start("queue");
      for (const { number } of [one, other]) {
        ann.git("fetch", "-q", "origin", `refs/pull/${number}/head`);
        ann.git("merge", "-q", "--no-ff", "--no-edit", "FETCH_HEAD");
      }
      ann.git("push", "-q", "origin", `HEAD:${queued}`);
      const before = hub.service.requests.length;
      const checked = await hub.run("merge_group", { ref: queued });
      quiet(checked);
      expect(checked.map(({ job, outputs }) => [job, outputs["result"]])).toEqual([["plan", "valid"]]);
      expect(hub.service.requests).toHaveLength(before);
      const [first, last] = [hub.merge(one), hub.merge(other)];
      await ends({ branch: "main", before: first.before, after: last.after });
      return team;
    },
  ],
  [
    "a merge by hand of main into a branch that becomes main",
    EDITED,
    async () => {
      const team = await applied(DEEP_WORKFLOW);
      const { hub, ann, propose, ends } = team;
      const pull = await propose(ann, "edit", [edited, second, third]);
      ann.git("fetch", "-q", "origin");
      ann.git("merge", "-q", "--no-ff", "--no-edit", "origin/main");
      const push = hub.push(ann);
      hub.close(pull);
      await ends(push);
      return team;
    },
  ],
  [
    "a row that is deleted, and comes back",
    THREE,
    async () => {
      const team = await applied();
      const { hub, ann, propose, ends } = team;
      await ends(hub.merge(await propose(ann, "less", [second, third])));
      await ends(hub.merge(await propose(ann, "back", [launch, second, third]), "squash"));
      return team;
    },
  ],
  [
    "a daily run and a run by hand between merges",
    EDITED,
    async () => {
      const team = await applied();
      const { hub, ann, propose, ends } = team;
      quiet(await hub.run("schedule"));
      await ends(hub.merge(await propose(ann, "edit", [edited, second, third])));
      quiet(await hub.run("workflow_dispatch", { inputs: { plan: "" } }));
      return team;
    },
  ],
  [
    "a project that began on a laptop, and then runs in CI",
    EDITED,
    async () => {
      const team = await start();
      const { hub, ann, propose, ends } = team;
      await ends(await beganOnLaptop(team));
      await ends(hub.merge(await propose(ann, "edit", [edited, second, third]), "squash"));
      return team;
    },
  ],
  [
    "a project that began on a laptop, and whose first job is a daily run",
    EDITED,
    async () => {
      const team = await start();
      const { hub, ann, propose, ends } = team;
      await beganOnLaptop(team);
      quiet(await hub.run("schedule"));
      await ends(hub.merge(await propose(ann, "edit", [edited, second, third])));
      return team;
    },
  ],
  [
    "a project that began on a laptop, and gets its workflow with an edit",
    EDITED,
    async () => {
      const team = await start("on: {}\njobs: {}\n");
      const { hub, ann, ends } = team;
      await beganOnLaptop(team);
      ann.start("workflow");
      await ann.commit("workflow", {
        [WORKFLOW]: USUAL_WORKFLOW,
        [CALENDAR]: calendarOf(edited, second, third),
      });
      const pull = hub.open(ann);
      // The workflow is new, so the plan says that it changes.
      const [planned] = await hub.plan(pull);
      expect(planned?.outputs).toMatchObject({ result: "changes", warnings: "1" });
      await ends(hub.merge(pull));
      return team;
    },
  ],
  ...(["ours", "theirs"] as const).map((side): [string, string[], () => Promise<Team>] => [
    `two laptops whose lockfiles conflict, solved with ${side}`,
    ["And again.", "Text fourth.", "Text third.", "We are live."],
    async () => {
      const team = await start();
      const { ann, bob } = team;
      ann.start("main");
      await applyOnLaptop(team, ann);
      await ann.commit("Apply");
      ann.git("push", "-q", "origin", "HEAD:main");
      bob.start("main");
      await bob.write({ "calendars/bob.csv": calendarOf(fourth) });
      await applyOnLaptop(team, bob);
      await bob.commit("Apply of Bob");
      await ann.write({ "calendars/ann.csv": calendarOf(third) });
      await applyOnLaptop(team, ann);
      await ann.commit("Apply of Ann");
      ann.git("push", "-q", "origin", "HEAD:main");
      bob.git("fetch", "-q", "origin");
      if (!bob.tries("merge", "-q", "--no-edit", "origin/main")) {
        bob.git("checkout", "-q", `--${side}`, LOCKFILE);
        bob.git("add", LOCKFILE);
        bob.git("commit", "-q", "--no-edit");
      }
      await applyOnLaptop(team, bob);
      return team;
    },
  ]),
  [
    "a pull request of a fork that changes only rows, planned again by a branch of the team",
    EDITED,
    async () => {
      const team = await applied();
      const { hub, ann, bob, plan, ends } = team;
      bob.start("fork");
      await bob.commit("edit", { [CALENDAR]: calendarOf(edited, second, third) });
      quiet(await hub.plan(hub.open(bob, { isFork: true })));
      ann.start("theirs");
      ann.git("fetch", "-q", bob.root, "fork");
      ann.git("merge", "-q", "--no-ff", "--no-edit", "FETCH_HEAD");
      const pull = hub.open(ann);
      await plan(pull);
      await ends(hub.merge(pull, "squash"));
      return team;
    },
  ],
];

test.each(HISTORIES)("no job has a new message: %s", async (_what, expected, work) => {
  expect(texts(await work())).toEqual(expected);
});
