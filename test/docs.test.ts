import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NETWORKS } from "../src/rules/networks.ts";
import { networkNamed } from "../src/rules/platform-limits.ts";
import { limitsSchema } from "../src/calendar/limits.ts";
import { presetsPage } from "../src/presets-page.ts";
import { rulesPage } from "../src/rules-page.ts";

test("docs/rules.md is what the definitions say (npm run docs)", () => {
  expect(readFileSync(new URL("../docs/rules.md", import.meta.url), "utf8")).toBe(rulesPage());
});

test("docs/presets.md is what the presets' data say (npm run docs)", () => {
  expect(readFileSync(new URL("../docs/presets.md", import.meta.url), "utf8")).toBe(presetsPage());
});

test.each(NETWORKS.map((network) => [network.title, network] as const))(
  "%s: its limits are such as a project could write, with sources and the month",
  (_title, network) => {
    expect(limitsSchema.parse(network.limits)).toEqual(network.limits);
    expect(network.checked).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    expect(network.sources.map((source) => new URL(source).protocol)).toContain("https:");
    expect(network.names.map((name) => networkNamed(name))).toEqual(network.names.map(() => network));
  },
);
