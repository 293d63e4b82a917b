import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { hasErrors } from "../../src/model/problem.ts";
import { type Reading, readCase, readCases, shareTable } from "./measure.ts";

const PAGE = new URL("../../docs/calendars.md", import.meta.url);
const TABLE = /(?<=<!-- corpus -->\n\n)[^]*?(?=\n\n<!-- \/corpus -->)/;

const cases = await readCases();
const readings: Reading[] = [];
for (const each of cases) readings.push(...(await readCase(each)));

describe.each(cases)("$name", (own) => {
  const those = readings.filter((each) => each.case === own);

  test("is never read differently without a report", () => {
    const silent = those.filter(({ isWarned }) => !isWarned);
    expect(silent.flatMap(({ level, wrong }) => wrong.map((each) => `${level}: ${each}`))).toEqual([]);
  });

  test("needs at most five lines of settings", () => {
    for (const text of [own.init, own.five]) expect(text.trim().split("\n").length).toBeLessThanOrEqual(5);
  });
});

test.each(cases.filter(({ refused }) => refused))("$name is refused with every setting", (own) => {
  const those = readings.filter((each) => each.case === own);
  expect(those.map(({ problems }) => hasErrors(problems))).toEqual([true, true, true]);
});

test("after the questions of init, 94 of 100 posts are right; with five lines of settings, 95", () => {
  expect(shareOf("init")).toBeGreaterThanOrEqual(0.94);
  expect(shareOf("five")).toBeGreaterThanOrEqual(0.95);
});

function shareOf(level: Reading["level"]): number {
  const those = readings.filter((each) => each.level === level);
  const right = those.reduce((sum, each) => sum + each.right, 0);
  return right / those.reduce((sum, each) => sum + each.case.posts.length, 0);
}

test("docs/calendars.md shows the shares of this version", async () => {
  const page = await readFile(PAGE, "utf8");
  const posts = cases.reduce((sum, each) => sum + each.posts.length, 0);
  const kinds = new Set(cases.map(({ kind }) => kind)).size;
  const said = `${cases.length} calendars of ${kinds} kinds, with ${posts} posts:\n\n${shareTable(readings)}`;
  if (process.env["CORPUS_WRITE"] === "1") {
    process.stdout.write(`${said}\n`);
    await writeFile(PAGE, page.replace(TABLE, said));
    return;
  }
  expect(TABLE.exec(page)?.[0]?.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-")).toBe(
    said.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-"),
  );
});
