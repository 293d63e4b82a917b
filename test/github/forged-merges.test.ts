/** Some of the forgeries, each in another way. `forged-merges.long.test.ts` tries others each time. */
import { test } from "vitest";
import { attack, wayAt } from "./forged-merges.ts";
import { FORGERIES } from "./forgeries.ts";

/** No common factor with the numbers of forgeries and ways, so that all of both come up. */
const [STEP, OTHER_STEP, CASES] = [13, 11, 5];

const cases = Array.from({ length: CASES }, (_each, index) => {
  const forgery = FORGERIES[(index * STEP) % FORGERIES.length] ?? FORGERIES[0];
  const [start, shape] = wayAt(index * OTHER_STEP);
  return [forgery[0], shape.how, start, forgery, shape] as const;
});

test.each(cases)(
  "a plan shows %s, or a run refuses: %s, begun with a %s",
  (_what, _how, start, forgery, shape) => attack(start, forgery, shape),
);
