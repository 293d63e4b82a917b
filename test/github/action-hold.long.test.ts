/** Stopping posts with a run by hand, and releasing them with a pull request. */
import { expect, test } from "vitest";
import { USUAL_WORKFLOW, WORKFLOW, startHub, type Hub, type RanJob } from "../support/github/hub.ts";
import { csv } from "../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content", "client"];
const CALENDAR = csv(
  HEADER,
  ["lamp", "2036-03-02 10:00", "linkedin", "Our new lamp", "acme"],
  ["bread", "2036-03-04 10:00", "linkedin", "Fresh bread", "mill"],
);
const SETTINGS = 'timezone: UTC\ncolumns: { client: ignore }\ncalendars: ["*.csv"]\n';

async function startedHub(): Promise<Hub> {
  const hub = await startHub({ "plancast.yaml": SETTINGS, [WORKFLOW]: USUAL_WORKFLOW });
  await merged(hub, "rows", { "a.csv": CALENDAR });
  return hub;
}

/** Opens a pull request with the files, merges it, and runs the workflows. Returns the plan's texts. */
async function merged(hub: Hub, branch: string, files: Readonly<Record<string, string>>): Promise<string> {
  const person = await hub.clone();
  person.start(branch);
  await person.commit(branch, files);
  const pull = hub.open(person);
  const [planned] = await hub.plan(pull);
  const jobs = await hub.pushed(hub.merge(pull));
  expect(jobs.map(({ failed }) => failed)).toEqual([false]);
  return planned === undefined ? "" : summaryOf(planned);
}

function summaryOf({ steps }: RanJob): string {
  return steps.map(({ summary }) => summary).join("\n");
}

function texts({ service }: Hub): readonly string[] {
  return service
    .scheduled()
    .map(({ content }) => content)
    .toSorted();
}

test("a run by hand stops a client's posts, and a reviewed release brings each back once", async () => {
  const hub = await startedHub();
  const jobs = await hub.run("workflow_dispatch", {
    actor: "kim",
    inputs: { plan: "", hold: "client=acme", reason: "Recall of the lamp", until: "" },
  });
  expect(jobs).toMatchObject([{ failed: false, outputs: { result: "held", lockfile: "committed" } }]);
  expect(jobs.map(summaryOf).join()).toContain("Recall of the lamp");
  expect(texts(hub)).toEqual(["Fresh bread"]);
  const holds = hub.remoteFile("plancast.holds.yaml");
  expect(holds).toContain('"by":"kim"');

  // A pull request with a new row of the client: its plan shows that it is held, and its merge schedules nothing.
  const table = ["table", "2036-03-05 10:00", "linkedin", "A new table", "acme"];
  await merged(hub, "table", { "a.csv": CALENDAR + csv(table) });
  expect(texts(hub)).toEqual(["Fresh bread"]);

  const plan = await merged(hub, "release", { "plancast.holds.yaml": "" });
  expect(plan).toContain("This change releases the hold");
  expect(texts(hub)).toEqual(["A new table", "Fresh bread", "Our new lamp"]);
});

test("a hold in a pull request withholds after its merge, and its plan shows the posts", async () => {
  const hub = await startedHub();
  const line = '- {"hold":"recall","only":{"client":"acme"},"reason":"Recall"}\n';
  const plan = await merged(hub, "hold", { "plancast.holds.yaml": line });
  expect(plan).toContain("Its row is held");
  expect(texts(hub)).toEqual(["Fresh bread"]);
});

test("a pull request that says that a hold cancelled posts has a plan that shows it", async () => {
  const hub = await startedHub();
  const posts = hub.service.scheduled().map(({ id }) => id);
  const line = JSON.stringify({ hold: "old", only: { client: "none" }, reason: "Old", posts });
  const plan = await merged(hub, "tidy", { "plancast.holds.yaml": `- ${line}\n- {"release":"old"}\n` });
  expect(plan).toContain("a command cancelled 2 posts for a hold, but no hold withholds the rows");
  expect(await merged(hub, "other", { "b.md": "Words" })).not.toContain("a command cancelled");
});

test("a pull request that repairs the file of holds shows which holds it ends", async () => {
  const hub = await startedHub();
  const line = '- {"hold":"recall","only":{"client":"acme"},"reason":"Recall"}\n';
  await merged(hub, "hold", { "plancast.holds.yaml": line });
  const person = await hub.clone();
  await person.commit("broken", { "plancast.holds.yaml": `${line}<<<<<<< HEAD\n` });
  expect(await hub.pushed(hub.push(person))).toMatchObject([{ failed: true }]);
  const plan = await merged(hub, "repair", { "plancast.holds.yaml": "# repaired\n" });
  expect(plan).toContain("This change releases the hold recall");
});

test.each([
  ["no reason", { hold: "all", reason: "" }, "The input reason is empty"],
  ["a column that no calendar has", { hold: "cleint=acme", reason: "Recall" }, "cleint"],
])("a run by hand with %s stops nothing, and says so", async (_name, inputs, expected) => {
  const hub = await startedHub();
  const jobs = await hub.run("workflow_dispatch", { inputs: { plan: "", until: "", ...inputs } });
  expect(jobs).toMatchObject([{ failed: true }]);
  expect(jobs.map(summaryOf).join()).toContain(expected);
  expect(texts(hub)).toHaveLength(2);
});
