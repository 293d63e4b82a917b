/** Some of the forgeries, each in another way. `forged-merges.long.test.ts` tries others each time. */
import { expect, test } from "vitest";
import { SHAPES, attack, wayAt } from "./forged-merges.ts";
import { FORGERIES } from "./forgeries.ts";

/** No common factor with the numbers of forgeries and ways, so that all of both come up. */
const [STEP, OTHER_STEP, CASES] = [13, 11, 3];

const cases = Array.from({ length: CASES }, (_each, index) => {
  const forgery = FORGERIES[(index * STEP) % FORGERIES.length] ?? FORGERIES[0];
  const [start, shape] = wayAt(index * OTHER_STEP);
  return [forgery[0], shape.how, start, forgery, shape] as const;
});

test.each(cases)(
  "a plan shows %s, or a run refuses: %s, begun with a %s",
  (_what, _how, start, forgery, shape) => attack(start, forgery, shape),
);

test("a lockfile cannot call a post cancelled that the service has, also if nothing is confirmed yet", async () => {
  const forgery = FORGERIES.find(([what]) => what === "a cancelled post that still exists");
  const shape = SHAPES.find(({ how }) => how.endsWith("whose run is dropped, and a run by hand"));
  expect([forgery, shape]).not.toContain(undefined);
  if (forgery && shape) await attack("laptop whose run is dropped", forgery, shape);
});
