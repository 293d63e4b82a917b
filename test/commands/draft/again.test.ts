/** Which drafts --again requests once more: existing texts, and texts that do not fit into their calendars. */

import { expect, test } from "vitest";
import { HEAD, answering, asked, calendars, json, row } from "../../support/drafts.ts";
import { csv, startScenario } from "../../support/scenario.ts";
import { xlsx } from "../../support/workbook-files.ts";

test("--again asks for the named rows, or for all drafts", async () => {
  const head = [...HEAD, "status"];
  const rows = [
    row("a", "twitter", "About a", "draft"),
    row("b", "twitter", "About b", ""),
    ["c", "2036-03-01 10:00", "twitter", "About c", "Checked", "ready"],
  ];
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(head, ...rows) } });
  answering(scenario, "1", "2", "3", "4", "5", "6");
  await scenario.run("draft", "--yes");
  expect(asked(scenario)).toBe(2);
  await scenario.run("draft", "--yes", "--again");
  expect([asked(scenario), await calendars(scenario)]).toEqual([
    4,
    expect.stringContaining('"Checked","ready"'),
  ]);
  const named = await scenario.run("draft", "calendars/a.csv", "--yes", "--again", "c", "calendars/a.csv:2");
  expect([asked(scenario), named.stdout]).toEqual([6, expect.stringContaining("- content: Checked")]);
  expect(await calendars(scenario)).not.toContain("Checked");
  const stranger = await scenario.run("draft", "--yes", "--again", "nobody");
  expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringContaining("usage/not-found")]);
});

test("--again with a name asks only for that row", async () => {
  const rows = [row("a"), row("b"), row("c", "nowhere!"), row("d", "twitter", "")];
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEAD, ...rows) } });
  answering(scenario, "One", "Two");
  const dry = await scenario.run("draft", "--again", "a", "--dry-run", "--format", "json");
  expect(await json(dry)).toMatchObject({ summary: { requests: 1 }, wanted: [{ row: "a" }], problems: [] });
  expect((await scenario.run("draft", "--yes", "--again", "a")).code).toBe(0);
  expect([asked(scenario), (await calendars(scenario)).match(/One|Two/g)]).toEqual([1, ["One"]]);
  // The message for an existing row that cannot be drafted says why.
  const faulty = await scenario.run("draft", "--yes", "--again", "c");
  expect([faulty.code, faulty.stderr]).toEqual([1, expect.stringContaining("platform/unknown")]);
  for (const name of ["d", "calendars/a.csv:9"]) {
    const stranger = await scenario.run("draft", "--yes", "--again", name);
    expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringContaining("usage/not-found")]);
  }
  expect(asked(scenario)).toBe(1);
});

test.each([
  ["ESC", "a\u001b[31mred", "U+001B"],
  ["NUL", "a\0b", "U+0000"],
  ["half a character", "a\ud83d", "U+D83D"],
])(
  "shows a text with %s, does not keep it, and asks for another in the next run",
  async (_name, text, sign) => {
    const scenario = await startScenario({
      files: { "calendars/a.csv": csv(HEAD, row("a", "twitter, linkedin"), row("b")) },
    });
    answering(scenario, "Good", text, "Fine", "Better");
    const first = await scenario.run("draft", "--yes");
    expect([first.code, first.stdout]).toEqual([1, expect.stringContaining("ai/unusable")]);
    expect(first.stdout).toContain(sign);
    expect(first.stdout.replaceAll(/\s+/g, " ")).toContain(
      "plancast did not keep it: the next run requests another one",
    );
    expect(first.stdout).not.toMatch(/[^\P{Cc}\n]/u);
    expect(await calendars(scenario)).toContain("Good");
    const next = await scenario.run("draft", "--yes", "--format", "json");
    expect(await json(next)).toMatchObject({ summary: { rows: 1, kept: 0 } });
    expect([asked(scenario), await calendars(scenario)]).toEqual([4, expect.stringContaining("Better")]);
  },
);

test("keeps a text that does not fit into its file; --again requests another text", async () => {
  const config = { columns: { "★": "content" } };
  const files = { "calendars/a.csv": csv([...HEAD.slice(0, 4), "★"], row("a"), row("b")) };
  const scenario = await startScenario({ config, files });
  answering(scenario, "=1", "Fine", "-2", "Plain");
  const first = await scenario.run("draft", "--yes");
  const told = first.stdout.replaceAll(/\s+/g, " ");
  expect([first.code, told]).toEqual([1, expect.stringContaining("write/not-written")]);
  expect(told).toContain('the header "★" does not begin with a letter or digit');
  expect(told).toContain("1 answer kept for the next run");
  expect(told).toContain("--again");
  // The text was kept, so plancast requests it again only with --again.
  expect((await scenario.run("draft", "--yes")).code).toBe(1);
  expect(asked(scenario)).toBe(2);
  expect((await scenario.run("draft", "--yes", "--again", "a")).code).toBe(1);
  expect(asked(scenario)).toBe(3);
  const all = await scenario.run("draft", "--yes", "--again", "--format", "json");
  // With the existing draft.
  expect(await json(all)).toMatchObject({ summary: { rows: 2, kept: 0 } });
  expect([asked(scenario), await calendars(scenario)]).toEqual([5, expect.stringContaining("Plain")]);
});

test("a formula without a result and a text too long for a cell stop only their own rows", async () => {
  const formula = { xml: '<c r="D3"><f>"About "&amp;A3</f></c>' };
  const rows = [HEAD, row("a"), ["b", "2036-03-01 10:00", "twitter", formula, ""], row("c"), row("d")];
  const scenario = await startScenario({
    files: { "calendars/a.xlsx": xlsx([{ name: "Plan", rows }]) },
  });
  answering(scenario, "First", "x".repeat(32_768), "Last", "Short");
  const { code, stdout, stderr } = await scenario.run("draft", "--yes");
  expect([code, asked(scenario)]).toEqual([1, 3]);
  expect(stderr).toContain("Plan!D3");
  expect(stderr).toContain("sheet/formula");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("Drafted 2 rows in 1 calendar, 1 failed");
  const next = await scenario.run("draft", "--yes", "--format", "json");
  expect(await json(next, 1)).toMatchObject({
    summary: { rows: 1, failed: 0, kept: 0 },
    problems: [{ code: "sheet/formula", line: 3 }],
  });
  expect(asked(scenario)).toBe(4);
});
