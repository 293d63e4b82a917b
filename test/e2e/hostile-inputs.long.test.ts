/** The built command on inputs that are made to be slow. Needs `npm run build`. */
import { expect, test } from "vitest";
import { INPUTS, measure } from "../../scripts/hostile-inputs.js";

test.each(Object.entries(INPUTS))("ends in time, and without an internal fault: %s", async (_name, input) => {
  const { code, reported } = await measure(input);
  expect([0, 1]).toContain(code);
  expect(reported).not.toBe("internal/fault");
});
