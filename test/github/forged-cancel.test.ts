/** A pull request that says that plancast cancelled a post, which somebody removed on the service's page. */
import { expect, test } from "vitest";
import { CALENDAR, calendarOf, launch } from "../support/github/action-world.ts";
import { USUAL_WORKFLOW, WORKFLOW, startHub } from "../support/github/hub.ts";
import { mergeSecond } from "../support/github/merge-second.ts";

const LOCKFILE = "plancast.lock.json";

test("the plan still asks about the removed post", async () => {
  const hub = await startHub({
    "plancast.yaml": "timezone: UTC\n",
    [CALENDAR]: calendarOf(launch),
    [WORKFLOW]: USUAL_WORKFLOW,
  });
  await mergeSecond(hub);
  const attacker = await hub.clone();
  attacker.start("attack");
  const { posts, ...rest } = JSON.parse(await attacker.read(LOCKFILE));
  const { launch: removed, ...others } = posts;
  const { post_id: id, ...former } = removed;
  hub.service.cancelByHand(id);
  const cancelled = { [id]: { ...former, key: "launch", at: "2036-01-01T00:00:00Z" } };
  await attacker.commit("tidy up", { [LOCKFILE]: JSON.stringify({ ...rest, posts: others, cancelled }) });
  const [planned] = await hub.plan(hub.open(attacker));
  expect(planned?.outputs["create"]).toBe("0");
  const said = planned?.steps.map(({ summary }) => summary).join("\n");
  expect(said).toContain("1 row is missing on the service: create again?");
});
