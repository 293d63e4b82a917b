/** Every forgery, each time in another way. The name of a test says how to repeat it. */
import { expect, test, vi } from "vitest";
import { COUNT_OF_WAYS, SHAPES, attack, wayAt } from "./forged-merges.ts";
import { FORGERIES } from "./forgeries.ts";

vi.setConfig({ testTimeout: 120_000 });

const cases = FORGERIES.map((forgery) => {
  const [start, shape] = wayAt(Math.floor(Math.random() * COUNT_OF_WAYS));
  return [forgery[0], shape.how, start, forgery, shape] as const;
});

test("there are enough forgeries and ways", () => {
  expect([FORGERIES.length > 50, SHAPES.length, COUNT_OF_WAYS > 60]).toEqual([true, 13, true]);
});

test.each(cases)(
  "a plan shows %s, or a run refuses: %s, begun with a %s",
  (_what, _how, start, forgery, shape) => attack(start, forgery, shape),
);
