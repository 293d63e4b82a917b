import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

describe("a property test", () => {
  test("prints, if it fails, the command that replays the failure", () => {
    const isSmall = fc.property(fc.nat(), (number) => number < 1000);
    const replay =
      /PROPERTY_SEED=\d+ PROPERTY_PATH=[\d:]+ npm run test:watch -- support\/property-tests\.test\.ts -t 'a property test\.\*prints, if it fails, the command that replays the failure'\n$/;
    expect(() => fc.assert(isSmall)).toThrow(replay);
  });

  test("prints the command for an asynchronous property, too", async () => {
    const isSmall = fc.asyncProperty(fc.nat(), async (number) => number < 1000);
    await expect(fc.assert(isSmall)).rejects.toThrow(/PROPERTY_SEED=\d+ PROPERTY_PATH=[\d:]+ npm run/);
  });

  test("reports what the failing code threw as the cause", () => {
    const fails = fc.property(fc.nat(), () => {
      throw new RangeError("no");
    });
    expect(() => fc.assert(fails)).toThrow(expect.objectContaining({ cause: new RangeError("no") }));
  });

  test("tries the values of the seed in PROPERTY_SEED, by default of 1", () => {
    const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
    expect(fc.sample(fc.string())).toEqual(fc.sample(fc.string(), { seed }));
  });
});
