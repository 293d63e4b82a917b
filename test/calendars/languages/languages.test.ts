/** One calendar for each language, as teams write it. plancast reads it with the time zone as the only setting. */

import { readFile, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../src/settings/languages/languages.ts";
import { inRepository } from "../../support/doc-pages.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { TestClock } from "../../support/test-clock.ts";

const FOLDER = "test/calendars/languages";

/** The expected posts of each file, by their first words, and the number of drafts and skipped rows. */
const EXPECTED: Readonly<Record<string, { readonly posts: readonly string[]; readonly held: number }>> = {
  english: {
    posts: [
      "2036-03-03T08:00:00Z instagram+linkedin Spring is here.",
      "2036-03-05T08:00:00Z facebook Thank you all!",
    ],
    held: 1,
  },
  french: { posts: ["2036-03-03T08:00:00Z instagram+linkedin Le printemps est là."], held: 3 },
  spanish: { posts: ["2036-03-03T08:00:00Z facebook+linkedin Ya es primavera."], held: 2 },
  german: {
    posts: [
      "2036-03-03T08:00:00Z facebook+linkedin Der Frühling ist da.",
      "2036-03-05T08:00:00Z facebook Danke!",
    ],
    held: 1,
  },
  italian: { posts: ["2036-03-03T08:00:00Z facebook+linkedin È primavera."], held: 2 },
  portuguese: { posts: ["2036-03-03T08:00:00Z facebook+linkedin A primavera chegou."], held: 2 },
  dutch: { posts: ["2036-03-03T08:00:00Z facebook+linkedin Het is lente."], held: 2 },
  polish: { posts: ["2036-03-03T08:00:00Z facebook+linkedin Wiosna już jest."], held: 2 },
  arabic: { posts: ["2036-03-03T08:00:00Z facebook+linkedin الربيع هنا."], held: 2 },
  japanese: { posts: ["2036-03-03T08:00:00Z facebook+linkedin 春が来ました。"], held: 2 },
};

test("each language has a calendar", async () => {
  const files = (await readdir(inRepository(FOLDER))).filter((name) => name.endsWith(".csv"));
  expect(files.toSorted()).toEqual(LANGUAGES.map(({ name }) => `${name.toLowerCase()}.csv`).toSorted());
});

interface Change {
  readonly post: {
    readonly scheduled_at: string;
    readonly platforms: readonly string[];
    readonly content: string;
  };
}

test.each(Object.entries(EXPECTED))("reads a calendar in %s", async (name, { posts, held }) => {
  const text = await readFile(inRepository(`${FOLDER}/${name}.csv`), "utf8");
  const project = await makeProject({
    config: "service: { url: embedded }\ntimezone: Europe/Paris\ncolumns: { Notes: ignore }\n",
    files: { "calendars/a.csv": text },
  });
  const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock: new TestClock() });
  const checked = JSON.parse((await run("validate", "--format", "json")).stdout);
  expect(checked.problems.filter(({ severity }: { severity: string }) => severity === "error")).toEqual([]);
  const plan = JSON.parse((await run("plan", "--format", "json")).stdout);
  const planned = plan.changes.map(
    ({ post }: Change) => `${post.scheduled_at} ${post.platforms.join("+")} ${post.content}`,
  );
  expect(planned).toEqual(posts);
  expect(plan.summary.draft + plan.summary.skipped).toBe(held);
});
