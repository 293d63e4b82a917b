/** The generated pages, and their sources. Needs `npm run build`. */

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { jsonSchemas, projectSchema } from "../../src/build/reference-pages.ts";
import { configSchema } from "../../src/calendars/check-project.ts";
import { NETWORKS } from "../../src/checks/networks/networks.ts";
import { networkNamed } from "../../src/checks/networks/network-names.ts";
import { ALL_CODES } from "../../src/checks/rules/all-rules.ts";
import { EXAMPLE_PROJECT, keysBelow } from "../../src/report/reference/pages.ts";
import { limitsSchema } from "../../src/settings/limits.ts";
import { makeProject } from "../support/project.ts";

const PAGES = [
  "change/architecture.md",
  "change/dependencies.md",
  "reference/commands.md",
  "reference/problems.md",
  "reference/project-file.md",
  "write/options.md",
  "write/presets.md",
  "write/preview.md",
  "write/rules.md",
];

test("the generated pages are up to date (npm run docs)", { timeout: 180_000 }, async () => {
  const project = await makeProject({ config: false });
  await promisify(execFile)(process.execPath, ["scripts/write-docs.js", project.root]);
  expect(Object.keys(await project.tree())).toEqual(PAGES);
  for (const page of PAGES) {
    expect(readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8"), page).toBe(
      await project.read(page),
    );
  }
  const problems = await project.read("reference/problems.md");
  const headings = [...problems.matchAll(/^### (\S+)$/gm)].map(([, code]) => code);
  expect(headings).toEqual([...new Set(Object.keys(ALL_CODES).toSorted(byFamily))]);
  expect([...problems.matchAll(/^\$ plancast /gm)].length).toBeGreaterThan(80);
});

/** The families are in the order of the catalogue, and so are the codes of each family. */
function byFamily(one: string, other: string): number {
  const families = [...new Set(Object.keys(ALL_CODES).map((code) => code.split("/")[0]))];
  return families.indexOf(one.split("/")[0]) - families.indexOf(other.split("/")[0]);
}

test("every key of plancast.yaml has a description", () => {
  const keys = keysBelow(projectSchema(), "");
  expect(keys.length).toBeGreaterThan(60);
  expect(keys.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([]);
});

test("the example of plancast.yaml is valid", () => {
  expect(configSchema.safeParse(parse(EXAMPLE_PROJECT)).error).toBeUndefined();
});

test.each(NETWORKS.map((network) => [network.title, network] as const))(
  "%s: its limits are valid in plancast.yaml, with sources and the month of the last check",
  (_title, network) => {
    expect(limitsSchema.parse(network.limits)).toEqual(network.limits);
    expect(network.checked).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    expect(network.sources.map((source) => new URL(source).protocol)).toContain("https:");
    expect(network.names.map((name) => networkNamed(name))).toEqual(network.names.map(() => network));
  },
);

test.each(Object.entries(jsonSchemas()))(
  "schemas/%s equals the schema in src (npm run schemas writes it)",
  (name, schema) => {
    const written: unknown = JSON.parse(
      readFileSync(new URL(`../../schemas/${name}`, import.meta.url), "utf8"),
    );
    expect(written).toEqual(JSON.parse(JSON.stringify(schema)));
  },
);
