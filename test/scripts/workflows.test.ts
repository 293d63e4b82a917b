/** The workflows that build, check and publish plancast itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Files that name actions of others: plancast's own workflows, its action, and workflows that plancast writes or its
 * docs show.
 */
const WITH_ACTIONS = [
  ".github/workflows/ci.yml",
  ".github/workflows/release.yml",
  ".github/workflows/advisories.yml",
  "action.yml",
  "src/commands/init/files.ts",
  "docs/run/ci.md",
  "docs/run/after-apply.md",
];

test("other people's actions are pinned by hash, with the same hash everywhere", () => {
  const pins = WITH_ACTIONS.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/\bactions\/[\w-]+(?:@.*)?/g)]
      .map(([pin]) => pin.replace(/";$/, ""))
      .filter((pin) => pin.includes("@") || file.startsWith(".github")),
  );
  expect(pins.length).toBeGreaterThan(10);
  expect(pins.filter((pin) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(pin))).toEqual([]);
  const byName = new Map(pins.map((pin) => [pin.split("@")[0], pin]));
  expect([...new Set(pins)].sort()).toEqual([...byName.values()].sort());
});

const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.string().optional(),
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

const release = workflowSchema.parse(
  parse(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8")),
);

test("the job that may publish runs no tests and no libraries", () => {
  expect(release.permissions).toEqual({});
  const trusted = Object.entries(release.jobs).filter(
    ([, { permissions }]) => permissions?.["id-token"] !== undefined,
  );
  expect(trusted.map(([name]) => name)).toEqual(["publish"]);
  const steps = trusted.flatMap(([, job]) => job.steps);
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
    "npm publish ./plancast.tgz --provenance --access public --ignore-scripts",
  ]);
  expect(steps.some(({ uses }) => uses?.startsWith("actions/checkout"))).toBe(false);
});

test("tests and build run without any right to write or to publish", () => {
  const untrusted = Object.values(release.jobs).filter(({ steps }) =>
    steps.some(({ run }) => run !== undefined && /\.ci\/run|npm ci/.test(run)),
  );
  expect(untrusted.map(({ permissions }) => permissions)).toEqual([{ contents: "read" }]);
});
