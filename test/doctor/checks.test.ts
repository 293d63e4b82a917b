/** The table of doctor's checks: its names, and the page that lists them. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHECKS } from "../../src/doctor/checks/run-checks.ts";

test("has one name for each check", () => {
  const names = CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("lists every check, in its order and words, in docs/run/doctor.md", () => {
  const page = readFileSync(new URL("../../docs/run/doctor.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(([, name, looksAt]) => [name, looksAt]);
  expect(rows).toEqual(CHECKS.map(({ name, looksAt }) => [name, looksAt]));
});
