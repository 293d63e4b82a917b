import * as fc from "fast-check";
import { expect, test } from "vitest";
import { IDENTIFIER } from "../../../src/checks/networks/network-names.ts";
import { accountPlatforms } from "../../../src/service/endpoints/posts-only.ts";

const account = (id: string, network: string, ...names: readonly string[]) => ({ id, network, names });

test("the only account of a network has the network's name, and others have their own", () => {
  const found = accountPlatforms([
    account("1", "twitter", "garden"),
    account("2", "linkedin", "", "Gärtnerei & Söhne"),
    account("3", "linkedin", "founder"),
  ]);
  expect([...found.values()]).toEqual(["twitter", "linkedin/gartnerei-sohne", "linkedin/founder"]);
});

test("accounts get different names that calendars accept, in any order", () => {
  const accounts = fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1 }),
      network: fc.constantFrom("linkedin", "twitter"),
      names: fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("a", "A ", "b"))),
    }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(accounts, (given) => {
      const found = accountPlatforms(given);
      expect(new Set(found.values()).size).toBe(given.length);
      for (const name of found.values()) expect(name).toMatch(IDENTIFIER);
      const backwards = accountPlatforms(given.toReversed());
      expect(Object.fromEntries(backwards)).toEqual(Object.fromEntries(found));
    }),
  );
});
