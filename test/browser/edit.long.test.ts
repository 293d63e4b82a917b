/** Editing posts on the page of `preview --serve` in a real browser: by mouse, by keyboard, and on a phone. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { makeProject, type TestProject } from "../support/project.ts";
import { startCommand } from "../support/run-command.ts";
import { until } from "../support/until.ts";
import { expectNoSideways, expectNoViolations, useBrowser } from "./browser.ts";
import { HOSTILE, PHONE, row } from "./calendar-pages.ts";

const open = useBrowser();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const CALENDAR = `date,time,platforms,content,status
2036-03-03,09:00,"linkedin, bluesky",First,
2036-03-03,12:00,linkedin,Second,
2036-03-05,09:00,mastodon,Third,draft
2026-01-05,09:00,linkedin,Past,
`;

async function serve(calendar = CALENDAR, settings = "") {
  const project = await makeProject({
    config: `service: { url: embedded }\ntimezone: Europe/Paris\nproject: Spring\n${settings}`,
    files: { "calendars/a.csv": calendar },
  });
  const serving = startCommand(["preview", "--serve", "--offline"], { cwd: project.root });
  await serving.waitFor(/\d upcoming posts?[,;]/);
  return { project, serving, address: serving.stdout().trim() };
}

function fileOf({ root }: TestProject): Promise<string> {
  return readFile(join(root, "calendars/a.csv"), "utf8");
}

const chip = (page: Page, text: string) => page.locator(".chip", { hasText: text });
const day = (page: Page, name: string) => page.locator(`td[data-day="${name}"]`);

/** Presses on a post and moves over a day, without letting go. */
async function dragOver(page: Page, text: string, name: string): Promise<void> {
  const from = await chip(page, text).boundingBox();
  const to = await day(page, name).boundingBox();
  if (from === null || to === null) throw new Error("not on the page");
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 20);
  await page.mouse.move(to.x + 40, to.y + 40, { steps: 3 });
}

test("a post that is dragged to another day is there in the file, and Undo brings it back", async () => {
  const { project, address } = await serve();
  const { page, said } = await open(address);
  expect(page.url()).not.toContain("edit=");
  await dragOver(page, "First", "2036-03-12");
  await expect.poll(() => page.locator(".is-target").getAttribute("data-day")).toBe("2036-03-12");
  await page.mouse.up();
  await page
    .getByRole("status")
    .filter({ hasText: "Moved the post to Wednesday, 12 March 2036, 09:00." })
    .waitFor();
  expect(await fileOf(project)).toBe(CALENDAR.replace("03-03,09", "03-12,09"));
  await day(page, "2036-03-12").locator(".chip", { hasText: "First" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-day"))).toBe("2036-03-12");
  expect(await page.locator("dialog[open]").count()).toBe(0);
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: the time.").waitFor();
  expect(await fileOf(project)).toBe(CALENDAR);
  await page.keyboard.press("Control+z");
  await page.getByRole("status").filter({ hasText: "Nothing to undo." }).waitFor();
  // The address no longer has the token, and the tab keeps it.
  await page.reload();
  await dragOver(page, "First", "2036-03-11");
  await page.mouse.up();
  await page.getByText("Moved the post").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Undone: the time.").waitFor();
  expect([await fileOf(project), said]).toEqual([CALENDAR, []]);
});

test("Ctrl+Z undoes one edit after the other, except in a file that somebody has changed since", async () => {
  const { project, address } = await serve();
  const { page } = await open(address);
  const moveFirst = async (name: string): Promise<void> => {
    await dragOver(page, "First", name);
    await page.mouse.up();
    await day(page, name).locator(".chip", { hasText: "First" }).waitFor();
  };
  await moveFirst("2036-03-12");
  await moveFirst("2036-03-13");
  await moveFirst("2036-03-14");
  // The second press comes before the first is done.
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await day(page, "2036-03-12").locator(".chip", { hasText: "First" }).waitFor();
  await page.getByText("Undone: the time.").waitFor();
  const once = CALENDAR.replace("03-03,09", "03-12,09");
  expect(await fileOf(project)).toBe(once);
  const theirs = once.replace("Third", "Theirs");
  await project.write("calendars/a.csv", theirs);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Not undone. The file has changed since this edit").waitFor();
  expect(await fileOf(project)).toBe(theirs);
  await project.write("calendars/a.csv", once);
  await page.keyboard.press("Control+z");
  await page.getByText("Undone: the time.").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Nothing to undo.").waitFor();
  expect(await fileOf(project)).toBe(CALENDAR);
});

test("Esc ends a drag, a click still opens a post, and a past post cannot be dragged", async () => {
  const { project, address } = await serve();
  const { page } = await open(address);
  await dragOver(page, "First", "2036-03-12");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  expect(await page.locator(".ghost").count()).toBe(0);
  await chip(page, "First").click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.goto(`${page.url().replace(/#.*/, "")}#view=month&day=2026-01-05`);
  expect(await chip(page, "Past").getAttribute("class")).not.toContain("is-movable");
  await dragOver(page, "Past", "2026-01-14");
  await page.getByText("Not saved. This post is past").waitFor();
  expect(await page.locator(".ghost").count()).toBe(0);
  await page.mouse.up();
  expect(await fileOf(project)).toBe(CALENDAR);
});

test("a post can be edited with only the keyboard, and keeps the focus", async () => {
  const { project, address } = await serve();
  const { page, said } = await open(`${address}&view=month&day=2036-03-03`);
  await page.getByRole("button", { name: "Skip to posts" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Edit post" }).focus();
  await page.keyboard.press("Enter");
  const form = dialog.getByRole("form", { name: "Edit post" });
  await form.waitFor();
  await expectNoViolations(page);
  await form.getByLabel("Day").fill("2036-03-20");
  await form.getByLabel("Time").fill("17:45");
  await form.getByRole("checkbox", { name: "Bluesky" }).focus();
  await page.keyboard.press("Space");
  await form.getByRole("textbox", { name: "Text" }).fill('A "new" text\nin two lines');
  // Nothing is lost by accident.
  await page.keyboard.press("Escape");
  await dialog.getByRole("alert").filter({ hasText: "not saved" }).waitFor();
  await dialog.getByRole("button", { name: "Next post" }).click();
  await form.getByRole("textbox", { name: "Text" }).focus();
  await page.keyboard.press("Control+Enter");
  await page
    .getByText("Moved the post to Thursday, 20 March 2036, 17:45, and saved the networks and the text.")
    .waitFor();
  expect(await fileOf(project)).toBe(
    CALENDAR.replace(
      '2036-03-03,09:00,"linkedin, bluesky",First',
      '2036-03-20,17:45,"linkedin","A ""new"" text\nin two lines"',
    ),
  );
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-day")))
    .toBe("2036-03-20");
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Undone: the time, the networks and the text.").waitFor();
  expect([await fileOf(project), said]).toEqual([CALENDAR, []]);
});

test("a post becomes ready with the calendar's own word, and keys and buttons undo and redo this", async () => {
  const long = "Waiting for the client ".repeat(8).trim();
  const calendar = `date,time,platforms,content,status
2036-03-03,09:00,linkedin,First,Approved
2036-03-04,09:00,linkedin,Second,In review
2036-03-05,09:00,linkedin,Third,<b>draft</b>
2036-03-06,09:00,linkedin,Fourth,${long}
`;
  const { project, address } = await serve(
    calendar,
    `status_values: { Approved: ready, In review: draft, "<b>draft</b>": draft, "${long}": draft }\n`,
  );
  const { page, said } = await open(address, PHONE);
  await page.goto(`${page.url().replace(/#.*/, "")}#view=list&day=2036-03-04&post=calendars%2Fa.csv%3A3`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Edit post" }).click();
  const status = page.getByRole("form", { name: "Edit post" }).getByRole("combobox", { name: "Status" });
  await status.waitFor();
  expect(await status.locator("option").allInnerTexts()).toEqual([
    "Approved (ready)",
    "In review (draft)",
    "<b>draft</b> (draft)",
    `${long} (draft)`,
  ]);
  expect(await status.inputValue()).toBe("In review");
  await expectNoSideways(page);
  await expectNoViolations(page);
  await status.selectOption({ label: "Approved (ready)" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved the status of the post of Tuesday, 4 March 2036, 09:00.").waitFor();
  const ready = calendar.replace("Second,In review", "Second,Approved");
  expect(await fileOf(project)).toBe(ready);
  const redo = page.getByRole("button", { name: "Redo" });
  expect(await redo.isVisible()).toBe(false);
  const shows = (text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();
  await page.keyboard.press("Control+z");
  await shows("Undone: the status.");
  expect(await fileOf(project)).toBe(calendar);
  await expectNoViolations(page);
  await redo.click();
  await shows("Redone: the status.");
  expect(await fileOf(project)).toBe(ready);
  await page.keyboard.press("Control+y");
  await shows("Nothing to redo.");
  await page.keyboard.press("Control+z");
  await shows("Undone: the status.");
  await page.keyboard.press("Control+Shift+z");
  await shows("Redone: the status.");
  expect([await fileOf(project), said]).toEqual([ready, []]);
});

test("an edit that makes a text too long says so at once, and can be undone", async () => {
  const { project, address } = await serve();
  const { page } = await open(address);
  await chip(page, "First").click();
  await page.getByRole("button", { name: "Edit post" }).click();
  const form = page.getByRole("form", { name: "Edit post" });
  await form.getByRole("textbox", { name: "Text" }).fill("word ".repeat(70).trim());
  await form.getByText("49 too many").waitFor();
  await form.getByRole("checkbox", { name: "Bluesky" }).uncheck();
  await form.getByText("49 too many").waitFor({ state: "detached" });
  await form.getByText("349 of 3,000").waitFor();
  await form.getByRole("checkbox", { name: "Bluesky" }).check();
  await form.getByText("49 too many").waitFor();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Saved the text of the post of .* Warning: .*349 of 300 characters/).waitFor();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: the text.").waitFor();
  expect(await fileOf(project)).toBe(CALENDAR);
});

test("a post is moved in the month with M, the arrows and Enter", async () => {
  const { project, address } = await serve();
  const { page, said } = await open(`${address}&view=month&day=2036-03-03`);
  await day(page, "2036-03-03").focus();
  await page.keyboard.press("m");
  await page.getByRole("status").filter({ hasText: "Moving the post of 09:00: “First”" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  expect(await page.getByText("Moving the post").count()).toBe(0);
  await page.keyboard.press("m");
  await page.getByText("This day has no post that can be moved.").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("m");
  await page.keyboard.press("m");
  await page.getByText("Moving the post of 12:00: “Second”").waitFor();
  await expectNoViolations(page);
  for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await page.getByText("Moved the post to Tuesday, 11 March 2036, 12:00.").waitFor();
  expect(await fileOf(project)).toBe(CALENDAR.replace("03-03,12", "03-11,12"));
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-day")))
    .toBe("2036-03-11");
  // Nothing is carried any more, so Enter opens.
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  expect(said).toEqual([]);
});

test("a form stays open while other people save, and is refused if its post has changed", async () => {
  const { project, address } = await serve();
  const { page } = await open(address);
  await chip(page, "First").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Edit post" }).click();
  const text = dialog.getByRole("textbox", { name: "Text" });
  await text.fill("Mine");
  await project.write("calendars/a.csv", CALENDAR.replace("Third", "Other"));
  await until(() =>
    page.evaluate(() => document.querySelector(".view")?.textContent?.includes("Other") === true),
  );
  expect(await text.inputValue()).toBe("Mine");
  await project.write("calendars/a.csv", CALENDAR.replace("First", "Theirs"));
  await dialog.getByText("has changed in the file since you opened it").waitFor();
  expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await text.press("Control+Enter");
  await expectNoViolations(page);
  expect(await text.inputValue()).toBe("Mine");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByText("Theirs").first().waitFor();
  expect(await fileOf(project)).toBe(CALENDAR.replace("First", "Theirs"));
});

test("a file that changed meanwhile is not overwritten, and the page says so", async () => {
  const { project, address } = await serve();
  const { page } = await open(address);
  // The page gets no newer data.
  await page.route("**/data?*", (route) => route.abort());
  const theirs = CALENDAR.replace("First", "Theirs");
  await project.write("calendars/a.csv", theirs);
  await dragOver(page, "First", "2036-03-12");
  await page.mouse.up();
  await page.getByText("Not saved. The file has changed since the page showed it").waitFor();
  await expectNoViolations(page);
  expect(await fileOf(project)).toBe(theirs);
});

test("an edit that the page does not get in time is saved, and the page says so", async () => {
  const { project, address } = await serve();
  const { page } = await open(address);
  await page.route("**/data?*", (route) => route.abort());
  await dragOver(page, "First", "2036-03-12");
  await page.mouse.up();
  await page
    .getByText("Saved. The page shows the edit as soon as plancast has read the file again.")
    .waitFor();
  expect(await fileOf(project)).toContain("2036-03-12");
});

test("without the token in its address, the page cannot edit and says why", async () => {
  const { project, address } = await serve();
  const { page } = await open(address.replace(/#.*/, ""));
  await dragOver(page, "First", "2036-03-12");
  expect(await page.locator(".ghost").count()).toBe(0);
  await page.mouse.up();
  await page.getByText("Not saved. To edit posts here, open the whole address").waitFor();
  await page.goto(`${address.replace(/#.*/, "")}#view=list&day=2036-03-03`);
  await page.locator(".card-time").first().click();
  await page.getByRole("dialog").getByText("open the whole address that plancast preview").waitFor();
  expect(await page.getByRole("button", { name: "Edit post" }).count()).toBe(0);
  expect(await fileOf(project)).toBe(CALENDAR);
});

test("on a phone, a post is edited in the form, and nothing is cut off", async () => {
  const { project, address } = await serve();
  const { page } = await open(address, PHONE);
  await page.locator(".card-time").first().click();
  await page.getByRole("button", { name: "Edit post" }).click();
  await page.getByRole("form", { name: "Edit post" }).getByLabel("Time").fill("11:30");
  await expectNoSideways(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Moved the post to Monday, 3 March 2036, 11:30.").waitFor();
  await expectNoSideways(page);
  await expectNoViolations(page);
  expect(await fileOf(project)).toBe(CALENDAR.replace("03-03,09:00", "03-03,11:30"));
});

test("hostile captions edit nothing, and go through the form unchanged", async () => {
  const head = "date,time,platforms,content,status";
  const rows = HOSTILE.map((text, index) =>
    row(`2036-03-${String(index + 1).padStart(2, "0")}`, "09:00", "linkedin", text, ""),
  );
  const calendar = [head, ...rows, ""].join("\n");
  const { project, address } = await serve(calendar);
  const { page, said, asked } = await open(address);
  for (const index of HOSTILE.keys()) {
    await page.locator(`td[data-day="2036-03-${String(index + 1).padStart(2, "0")}"] .chip`).click();
    await page.getByRole("button", { name: "Edit post" }).click();
    const form = page.getByRole("form", { name: "Edit post" });
    expect(await form.getByRole("textbox", { name: "Text" }).inputValue()).toBe(HOSTILE[index]);
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
  }
  expect([await fileOf(project), said]).toEqual([calendar, []]);
  expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
  expect(asked.every((each) => new URL(each).hostname === "127.0.0.1")).toBe(true);
});
