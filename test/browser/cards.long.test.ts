/** Cards that look like each network, in a real browser. */
import { expect, test, vi } from "vitest";
import type { Locator } from "playwright-core";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterThisTest } from "../support/after-test.ts";
import { startCommand } from "../support/run-command.ts";
import { until } from "../support/until.ts";
import { useBrowser } from "./browser.ts";
import { pageOf, projectOf, row } from "./calendar-pages.ts";

const open = useBrowser();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const FIRST = "The glasshouse stays lit until eleven, and the moths come to the evening primrose. ".repeat(3);

/** Opens the dialog of the first post of a calendar with these cells. */
async function openPost(platforms: string, content: string, media = "") {
  const project = await projectOf([row("a", "2036-03-03 09:00", platforms, content, media, "")], {
    platforms: { forum: "our_forum" },
  });
  const { page, said } = await open(await pageOf(project, "--offline"));
  await page.locator(".chip").click();
  return { page, said, dialog: page.getByRole("dialog"), project };
}

test("a reader chooses a network, sees where it folds the text and its limit, and opens the rest of the text", async () => {
  const { page, dialog, said } = await openPost("linkedin, instagram, bluesky", FIRST);
  const tabs = dialog.getByRole("tab");
  expect(await tabs.allInnerTexts()).toEqual(["Bs\nBluesky", "Ig\nInstagram", "in\nLinkedIn"]);
  expect(await tabs.evaluateAll((all) => all.map((tab) => tab.tabIndex))).toEqual([0, -1, -1]);
  const more = dialog.locator(".see-more");
  expect(await more.count()).toBe(0);
  // Arrows on the tabs choose a network, and do not go to another post.
  await tabs.first().focus();
  await page.keyboard.press("ArrowLeft");
  await dialog.getByRole("tabpanel", { name: "LinkedIn" }).waitFor();
  expect(await more.innerText()).toBe("more");
  expect((await dialog.locator(".text").innerText()).length).toBeLessThan(150);
  expect(await dialog.locator(".meter").innerText()).toMatch(/of 3,000/);
  await more.click();
  expect(await more.getAttribute("aria-expanded")).toBe("true");
  expect(await dialog.locator(".text").innerText()).toBe(FIRST.trim());
  await page.keyboard.press("Escape");
  // The next post and the list keep the chosen network.
  await page.getByRole("button", { name: "List" }).click();
  await page.getByRole("tab", { name: "LinkedIn", selected: true }).waitFor();
  expect(said).toEqual([]);
});

test.each([
  ["youtube", "5 of 5,000 bytes"],
  ["x", "5 of 280"],
  ["bluesky", "5 of 300"],
])("shows one limit of %s", async (network, shown) => {
  const { dialog } = await openPost(network, "Short");
  expect(await dialog.locator(".meter-count").allInnerTexts()).toEqual([shown]);
});

test("the page says what is approximate, with the network's own figures", async () => {
  const { dialog } = await openPost("linkedin, forum", "Short");
  await dialog.getByRole("tab", { name: "LinkedIn" }).click();
  await dialog
    .getByText("LinkedIn shows about 140 characters or 3 lines on a phone, and 210 on a computer")
    .waitFor();
  await dialog.getByRole("tab", { name: "our_forum" }).click();
  await dialog.getByText("plancast does not know how our_forum shows posts").waitFor();
});

const FOUR = "media/one.jpg, media/two.jpg, media/three.jpg, media/four.jpg";

async function shapesIn(dialog: Locator): Promise<number[]> {
  return dialog.locator(".network .box").evaluateAll((all) =>
    all.map((each) => {
      const { width, height } = each.getBoundingClientRect();
      return Math.round((width / height) * 10) / 10;
    }),
  );
}

test("each network crops four pictures in its own way", async () => {
  const project = await projectOf([
    row("a", "2036-03-03 09:00", "x, linkedin, instagram, threads", "Four", FOUR, ""),
  ]);
  for (const name of ["one", "two", "three", "four"])
    await copyFile(join(project.root, "media/orchid-1.jpg"), join(project.root, `media/${name}.jpg`));
  const { page, said } = await open(await pageOf(project, "--offline"));
  await page.locator(".chip").click();
  const dialog = page.getByRole("dialog");
  const show = (name: string) => dialog.getByRole("tab", { name, exact: true }).click();
  await show("X");
  expect(await shapesIn(dialog)).toEqual([1.8, 1.8, 1.8, 1.8]);
  await show("LinkedIn");
  const [lead = 0, ...others] = await shapesIn(dialog);
  expect(lead).toBeLessThan(others[0] ?? 0);
  await show("Threads");
  expect(await shapesIn(dialog)).toEqual([1, 1, 1, 1]);

  await show("Instagram");
  const shown = () => dialog.locator(".slides .box.is-shown img").getAttribute("alt");
  expect(await shown()).toBe("Picture one.jpg");
  await dialog.getByRole("button", { name: "Next picture" }).click();
  await page.keyboard.press("ArrowRight");
  expect(await shown()).toBe("Picture three.jpg");
  await page.keyboard.press("ArrowRight");
  // At the last post, the button keeps the focus and does nothing.
  await page.keyboard.press("Enter");
  expect(await shown()).toBe("Picture four.jpg");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Next picture");
  const [tile] = await dialog
    .locator(".tile")
    .evaluateAll((all) => all.map((each) => each.clientWidth / each.clientHeight));
  expect(tile).toBeCloseTo(3 / 4, 1);
  expect(said).toEqual([]);
});

test("the first or the last link becomes a card, with its real host", async () => {
  const { dialog } = await openPost(
    "x, facebook, instagram",
    "See https://one.example/a and https://one.example@two.example/b",
  );
  const host = dialog.locator(".link-host");
  await dialog.getByRole("tab", { name: "Facebook" }).click();
  expect(await host.innerText()).toBe("one.example");
  await dialog.getByRole("tab", { name: "X", exact: true }).click();
  expect(await host.innerText()).toBe("two.example");
  await dialog.getByRole("tab", { name: "Instagram" }).click();
  expect(await host.count()).toBe(0);
});

test("a video plays from the project, and elsewhere becomes a labelled box", async () => {
  const { dialog, project, said } = await openPost("youtube", "Ferns", "media/fern.mp4");
  const video = dialog.locator("video");
  await until(async () => (await video.evaluate((each: HTMLVideoElement) => each.readyState)) > 0);
  await video.evaluate((each: HTMLVideoElement) => {
    each.muted = true;
    return each.play();
  });
  expect(said).toEqual([]);
  const away = join(project.root, "calendars/preview.html");
  await copyFile(join(project.root, "preview.html"), away);
  const { page } = await open(pathToFileURL(away).href);
  await page.locator(".chip").click();
  await page.getByRole("dialog").getByText("cannot play this file here").waitFor();
  await page.getByRole("dialog").getByText("fern.mp4").waitFor();
});

test("a served page plays videos, too", async () => {
  const project = await projectOf([row("a", "2036-03-03 09:00", "youtube", "Ferns", "media/fern.mp4", "")]);
  const serving = startCommand(["preview", "--serve", "--offline"], { cwd: project.root });
  afterThisTest(() => serving.stop());
  await serving.waitFor(/1 upcoming post[,;]/);
  const [url = ""] = /http:\S+/.exec(serving.stdout()) ?? [];
  const { page, said } = await open(url);
  await page.locator(".chip").click();
  const video = page.locator("video");
  await until(async () => (await video.evaluate((each: HTMLVideoElement) => each.readyState)) > 0);
  expect(said).toEqual([]);
});
