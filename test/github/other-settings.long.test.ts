/** Pull requests that name another lockfile, where the settings are not only in plancast.yaml. */
import { expect, test } from "vitest";
import { CALENDAR, calendarOf, launch } from "../support/github/action-world.ts";
import { USUAL_WORKFLOW, WORKFLOW, startHub } from "../support/github/hub.ts";
import { mergeSecond } from "../support/github/merge-second.ts";

const OTHER_NAME = USUAL_WORKFLOW.replaceAll(/( *)command: (?:plan|apply)\n/g, "$&$1config: social.yaml\n");

test.each([
  {
    where: "in a file with another name",
    settings: { "social.yaml": "lockfile: social.lock.json\n", [WORKFLOW]: OTHER_NAME },
    lockfile: "social.lock.json",
    forged: { "social.yaml": "lockfile: old.lock.json\n" },
  },
  {
    where: "in a file that others extend",
    settings: { "plancast.yaml": "extends: base.yaml\n", "base.yaml": "timezone: UTC\n" },
    lockfile: "plancast.lock.json",
    forged: { "plancast.yaml": "extends: base.yaml\nlockfile: old.lock.json\n" },
  },
])("a lockfile of an earlier pull request proves nothing: $where", async ({ settings, lockfile, forged }) => {
  const hub = await startHub({ [WORKFLOW]: USUAL_WORKFLOW, [CALENDAR]: calendarOf(launch), ...settings });
  await mergeSecond(hub);
  const foreign = hub.service.addForeignPost({ content: "Of others", scheduled_at: "2036-06-01T08:00:00Z" });
  const attacker = await hub.clone();
  attacker.start("plant");
  const known = JSON.parse(await attacker.read(lockfile));
  const gone = { ...known.posts.launch, post_id: foreign.id, scheduled_at: "2036-06-01T08:00:00Z" };
  const posts = { ...known.posts, gone };
  await attacker.commit("old", { "old.lock.json": JSON.stringify({ ...known, posts }) });
  await hub.pushed(hub.merge(hub.open(attacker)));
  attacker.start("use");
  await attacker.commit("tidy up", forged);
  const planned = await hub.plan(hub.open(attacker));
  const said = planned.flatMap(({ steps }) => steps.map(({ summary }) => summary)).join("\n");
  expect(said).toContain("A merge changes the setting lockfile");
  expect(said).toContain("not-as-recorded");
});
