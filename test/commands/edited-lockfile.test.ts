/** A lockfile that somebody edited names posts of others. plancast cancels them only if a person confirms it. */

import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

const CALENDAR = "calendars/a.csv";
const LOCKFILE = "plancast.lock.json";
const HEADER = ["id", "scheduled_at", "platforms", "content"];
const ROWS = ["a", "b", "c"].map((id) => [id, "2036-03-01 10:00", "twitter", `Text ${id}`]);
const FOREIGN = {
  content: "Somebody else's\u001b[2J post",
  platforms: ["linkedin"],
  scheduled_at: "2036-05-01T08:00:00Z",
};
const GUARD = "guard/not-as-recorded";

const lockfileSchema = z.looseObject({
  posts: z.record(z.string(), z.looseObject({ post_id: z.string(), fingerprint: z.string() })),
  retiring: z.record(z.string(), z.looseObject({})).default({}),
});
type Lockfile = z.infer<typeof lockfileSchema>;

async function editLockfile({ project }: Scenario, edit: (lockfile: Lockfile) => void): Promise<void> {
  const lockfile = lockfileSchema.parse(JSON.parse(await project.read(LOCKFILE)));
  edit(lockfile);
  await project.write(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`);
}

async function applied(): Promise<Scenario> {
  const scenario = await startScenario({ files: { [CALENDAR]: csv(HEADER, ...ROWS) } });
  await scenario.apply();
  return scenario;
}

function entryA({ posts }: Lockfile): Lockfile["posts"][string] {
  const { a } = posts;
  if (a === undefined) throw new Error("The row a is not in the lockfile.");
  return a;
}

/** Ways in which an edited lockfile could make an apply cancel somebody else's post. */
const ATTACKS: readonly [string, (lockfile: Lockfile, foreign: string) => void][] = [
  [
    "as that of a row that is gone",
    (lockfile, post_id) => {
      lockfile.posts["zz"] = { ...entryA(lockfile), post_id };
    },
  ],
  [
    "as kept by the service in other words",
    (lockfile, post_id) => {
      lockfile.posts["zz"] = { ...entryA(lockfile), post_id, stored: { content: "Other words" } };
    },
  ],
  [
    "as kept by the service in no other words",
    (lockfile, post_id) => {
      lockfile.posts["zz"] = { ...entryA(lockfile), post_id, stored: {} };
    },
  ],
  [
    "as kept by the service in its own words, but due at another time",
    (lockfile, post_id) => {
      lockfile.posts["zz"] = { ...entryA(lockfile), post_id, stored: { content: FOREIGN.content } };
    },
  ],
  [
    "as the old half of a row's replacement",
    (lockfile, post_id) => {
      const { post_id: _own, ...old } = entryA(lockfile);
      lockfile.retiring[post_id] = { ...old, key: "a" };
    },
  ],
  [
    "as a row's own, whose post is adopted again",
    (lockfile, post_id) => {
      lockfile.posts["a"] = { ...entryA(lockfile), post_id };
    },
  ],
];

test.each(ATTACKS)(
  "another team's post that the lockfile names %s is not cancelled",
  async (_how, attack) => {
    const scenario = await applied();
    const { service, run } = scenario;
    const foreign = service.addForeignPost(FOREIGN);
    await editLockfile(scenario, (lockfile) => attack(lockfile, foreign.id));

    const { code, stderr } = await run("apply", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining(GUARD)]);
    expect(service.posts.get(foreign.id)?.status).toBe("scheduled");
    const { guards, problems } = await scenario.plan();
    expect(guards).toEqual([expect.objectContaining({ code: GUARD })]);
    const [warning] = problems.filter((each) => each.code === "plan/not-as-recorded");
    expect(warning?.message).toContain(foreign.id);
    expect(warning?.message).toContain("Somebody else's");
    expect(warning?.message).toContain(FOREIGN.scheduled_at);
    const shown = await run("plan");
    expect(shown.stdout + shown.stderr).toContain("Somebody else's");
    expect(shown.stdout + shown.stderr).not.toContain("\u001b[2J");
  },
);

/** A post that somebody edited on the service. Its row is gone. */
async function editedThere(): Promise<Scenario> {
  const scenario = await applied();
  const [post] = scenario.service.scheduled();
  scenario.service.edit(post?.id ?? "", { content: "Edited there" });
  await scenario.project.write(CALENDAR, csv(HEADER, ...ROWS.slice(1)));
  return scenario;
}

test("a post that was edited on the service is cancelled with its row after --allow-cancels", async () => {
  const { apply, run, service } = await editedThere();
  expect((await run("apply", "--yes")).stderr).toContain(GUARD);
  expect(service.scheduled()).toHaveLength(3);
  await apply({ args: ["--allow-cancels", "1"] });
  expect(service.scheduled().map(({ content }) => content)).toEqual(["Text b", "Text c"]);
});

test("a saved plan that shows a post that was edited on the service cancels this post with its row", async () => {
  const { apply, run, service } = await editedThere();
  await run("plan", "--out", "plan.json");
  await apply({ args: ["--plan", "plan.json"] });
  expect(service.scheduled()).toHaveLength(2);
});

test("a saved plan does not cancel a post that was edited on the service later", async () => {
  const scenario = await applied();
  const { run, service, project } = scenario;
  await project.write(CALENDAR, csv(HEADER, ...ROWS.slice(1)));
  await run("plan", "--out", "plan.json");
  service.edit(service.scheduled()[0]?.id ?? "", { content: "Edited there" });
  expect((await run("apply", "--yes", "--plan", "plan.json")).stderr).toContain("apply/plan-changed");
  expect(service.scheduled()).toHaveLength(3);
});

test("a post that was edited on the service is replaced if its row still exists", async () => {
  const { apply, service } = await applied();
  service.edit(service.scheduled()[0]?.id ?? "", { content: "Edited there" });
  await apply();
  expect(
    service
      .scheduled()
      .map(({ content }) => content)
      .toSorted(),
  ).toEqual(["Text a", "Text b", "Text c"]);
});

test("a picture that was uploaded again since the lockfile was lost makes no post look edited", async () => {
  const media = [...HEADER, "media"];
  const rows = ROWS.map((row) => [...row, "a.png"]);
  const files = { [CALENDAR]: csv(media, ...rows), "calendars/a.png": tinyPng() };
  const { project, service, apply } = await startScenario({ files });
  await apply();
  const [, , last] = service.scheduled();
  service.edit(last?.id ?? "", { media_ids: ["media_other"] });
  await rm(`${project.root}/${LOCKFILE}`);
  await apply();
  const more = [...rows, ["d", "2036-03-02 10:00", "twitter", "Text d", "a.png"]];
  await project.write(CALENDAR, csv(media, ...more));
  await apply();
  await project.write(CALENDAR, csv(media, ...more.toSpliced(2, 1)));
  expect(await apply()).toMatchObject({ summary: { cancelled: 1 } });
});
