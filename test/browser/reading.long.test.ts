/** How readers find their way on the page: views, links, times, keys, and what a screen reader gets. */
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { expectNoViolations, expectNoSideways, useBrowser } from "./browser.ts";
import { HEAD, MARCH, pageOf, PHONE, projectOf, row } from "./calendar-pages.ts";

const open = useBrowser();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent;
  });
}

test("a month without a match offers the matches elsewhere, and goes there", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH), "--offline"));
  await page.getByRole("searchbox").fill("only in");
  await page.getByText("No match in March 2036.").waitFor();
  await page.getByRole("button", { name: "Show 1 match" }).click();
  await page.getByRole("grid", { name: "April 2036" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-day"))).toBe("2036-04-01");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "Next month" }).click();
  await page.getByText("No posts in May 2036.").waitFor();
  await page.getByRole("button", { name: "Go to 1 April 2036" }).click();
  expect(await page.locator(".chip").count()).toBe(1);
});

test("a link keeps the view, the day, the filters and the post", async () => {
  const address = await pageOf(await projectOf(MARCH), "--offline");
  const { page } = await open(address);
  // The month's first week has no post.
  await page.getByRole("button", { name: "Week" }).click();
  await page.getByRole("grid", { name: /3\D+9 March 2036/ }).waitFor();
  await page.getByRole("button", { name: "LinkedIn", exact: true }).click();
  await page.getByRole("searchbox").fill("film");
  await page.locator(".chip").click();
  const link = page.url();
  const { page: other } = await open(link);
  const dialog = other.getByRole("dialog", { name: /^Wednesday,? 5 March 2036, 12:00$/ });
  await dialog.getByText("A film of ferns").waitFor();
  expect(await dialog.locator(".position").innerText()).toMatch(/^1 of 1/);
  await other.keyboard.press("Escape");
  expect(await other.getByRole("searchbox").inputValue()).toBe("film");
  expect(await other.getByRole("button", { name: "LinkedIn", pressed: true }).count()).toBe(1);
  expect(await other.getByRole("button", { name: "Week", pressed: true }).count()).toBe(1);
  expect(other.url()).not.toContain("post=");
  // A link that somebody pastes into the open page.
  await other.evaluate(() => (location.hash = "#view=month&day=2036-04-01&post=later"));
  await other.getByRole("dialog").getByText("Only in April").waitFor();
  await other.evaluate(() => (location.hash = "#view=list&month=2036-03"));
  await other.locator(".card").first().waitFor();
  expect(await other.getByRole("dialog").count()).toBe(0);
});

test("a link that names only a post opens its month, and the week is the one of the chosen day", async () => {
  const { page } = await open(`${await pageOf(await projectOf(MARCH), "--offline")}#post=later`);
  await page.getByRole("dialog").getByText("Only in April").waitFor();
  await page.getByRole("grid", { name: "April 2036" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Previous month" }).click();
  await page.locator('[data-day="2036-03-12"]').focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("button", { name: "Week" }).click();
  await page.getByRole("grid", { name: /17\D+23 March 2036/ }).waitFor();
});

test("a post whose time is the next free slot says so in the month, the list and its dialog", async () => {
  const project = await projectOf([row("free", "", "linkedin", "Any time", "", ""), ...MARCH], {
    slots: { default: ["daily 23:45"] },
  });
  const { page } = await open(`${await pageOf(project, "--offline")}#post=free`);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The next free slot. It may change until the next apply.").waitFor();
  await page.keyboard.press("Escape");
  const chip = page.locator(".chip", { hasText: "Any time" });
  expect(await chip.getAttribute("title")).toBe("23:45, next free slot");
  await page.getByRole("button", { name: "List" }).click();
  await page.locator(".card", { hasText: "Any time" }).getByText("next free slot").waitFor();
  expect(await page.locator(".card").getByText("next free slot").count()).toBe(1);
});

test("week, weekdays and clocks follow the reader's locale, and a post shows the time of each person", async () => {
  const rows = [row("one", "2036-03-03 02:30", "linkedin", "Early", "", "")];
  const address = await pageOf(await projectOf(rows), "--offline");
  const { page } = await open(address, { locale: "en-US", timezoneId: "America/New_York" });
  expect(await page.getByRole("columnheader").allTextContents()).toEqual(
    "Sun Mon Tue Wed Thu Fri Sat".split(" "),
  );
  await page.locator('[data-day="2036-03-03"]').focus();
  await page.keyboard.press("Home");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-day"))).toBe("2036-03-02");
  await page.locator(".chip").click();
  const dialog = page.getByRole("dialog", { name: "Monday, March 3, 2036, 2:30 am" });
  expect(await dialog.locator(".times").innerText()).toBe(
    "Project\n2:30 am Europe/Paris, UTC+01:00\nYou\nSunday, March 2, 2036, 8:30 pm America/New_York",
  );
});

test("the dialog starts with what changes, and its buttons stay in place", async () => {
  const project = await projectOf(MARCH);
  expect((await runCommand(["apply", "--yes"], { cwd: project.root })).code).toBe(0);
  const lantern = MARCH[0]?.replace("first lantern", "second lantern") ?? "";
  await project.write("calendars/a.csv", [HEAD, lantern, ...MARCH.slice(1), ""].join("\n"));
  const { page } = await open(await pageOf(project));
  await page.locator(".chip.is-replace").click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.locator(".sheet-body > *").nth(1).innerText()).toMatch(/^What changes\s+text/);
  expect(await dialog.locator("del").allInnerTexts()).toEqual(["first"]);
  expect(await dialog.locator("ins").allInnerTexts()).toEqual(["second"]);
  expect(await focused(page)).toMatch(/^Monday,? 3 March 2036, 09:00$/);

  const next = dialog.getByRole("button", { name: "Next post" });
  const before = await next.boundingBox();
  await next.click();
  for (let post = 2; post < MARCH.length; post += 1) {
    await page.keyboard.press("Enter");
    expect(await next.boundingBox()).toEqual(before);
    expect(await focused(page)).toBe("Next post");
  }
  // The scrollbar takes no strip of its own.
  const { edges } = await dialog.evaluate((shown) => ({
    edges: [shown, shown.querySelector(".sheet-head")].map((each) => each?.getBoundingClientRect().right),
  }));
  expect(edges[0]).toBeCloseTo((edges[1] ?? 0) + 1, 0);
  // At the end, it does nothing more, and keeps the focus.
  await page.keyboard.press("Enter");
  expect(await dialog.locator(".position").innerText()).toMatch(/^5 of 5/);
  expect(await focused(page)).toBe("Next post");
});

test("Tab has few stops on the page, and arrows move within each group", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH), "--offline"));
  const stops: (string | null | undefined)[] = [];
  for (let stop = 0; stop < 9; stop += 1) {
    await page.keyboard.press("Tab");
    stops.push(await focused(page));
  }
  expect(stops.slice(0, -1)).toEqual([
    "Skip to posts",
    "Search posts",
    "Ready4",
    "BsBluesky",
    "Previous month",
    "Today",
    "Next month",
    "Month",
  ]);
  expect(stops.at(-1)).toMatch(/^Saturday,? 1 March 2036, no posts/);
  await page.locator(".filter.is-ready").focus();
  await page.keyboard.press("ArrowRight");
  expect(await focused(page)).toBe("Draft1");
  await page.keyboard.press("End");
  expect(await focused(page)).toBe("Problems1");
  // A pressed button keeps the focus, and the group's tab stop.
  await page.keyboard.press("Enter");
  expect(await focused(page)).toBe("Problems1");
  expect(await page.locator('.chips:first-child [tabindex="0"]').count()).toBe(1);
  await page.keyboard.press("Enter");

  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-day"))).toBe("2036-03-01");
});

test("a screen reader gets names, roles and states of an open post", async () => {
  const { page } = await open(`${await pageOf(await projectOf(MARCH), "--offline")}#view=month&post=one`);
  const dialog = page.getByRole("dialog");
  await dialog.locator("img").waitFor();
  const tree = await dialog.ariaSnapshot();
  for (const line of [
    /- heading "Monday,? 3 March 2036, 09:00" \[level=2\]/,
    /- status: "?1 of 5 ?: Monday/,
    /- button "Previous post" \[disabled\]/,
    /- button "Next post"/,
    /- tab "Bluesky" \[selected\]/,
    /- tab "LinkedIn"/,
    /- tabpanel "Bluesky"/,
    /- img "Picture orchid-1\.jpg"/,
    /- list "Length of the text"/,
  ])
    expect(tree).toMatch(line);
  // Drawings say nothing.
  expect(tree).not.toMatch(/img(?! "Picture)|banner/);
});

test("a week on a phone is a list of days, and nothing is cut off", async () => {
  const { page } = await open(`${await pageOf(await projectOf(MARCH))}#view=week&day=2036-03-05`, PHONE);
  expect(await page.locator(".chip:visible").count()).toBe(3);
  const lefts = await page
    .locator(".day")
    .evaluateAll((days) => days.map((day) => day.getBoundingClientRect().left));
  expect(new Set(lefts).size).toBe(1);
  await expectNoSideways(page);
  expect(await page.getByRole("gridcell", { name: /Wednesday,? 5 March/ }).count()).toBe(1);
});

test("in forced colours, drawings have the colour of the text beside them", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH), "--offline"), { forcedColors: "active" });
  for (const place of [".notice", ".filter.is-draft", ".chip-head"]) {
    const colours = await page
      .locator(place)
      .first()
      .evaluate((all) =>
        [all, all.querySelector(".icon")].map((each) => each && getComputedStyle(each).color),
      );
    expect(colours[1]).toBe(colours[0]);
  }
});

test("in forced colours, the chosen item still looks different from the others", async () => {
  const { page } = await open(`${await pageOf(await projectOf(MARCH))}#view=week&day=2036-03-03`, {
    forcedColors: "active",
  });
  await page.getByRole("button", { name: "Bluesky", exact: true }).click();
  const colours = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  for (const group of [".tab", ".filter"]) {
    const [chosen] = await colours(`${group}[aria-pressed="true"]`);
    const others = await colours(`${group}[aria-pressed="false"]`);
    expect(others.length).toBeGreaterThan(0);
    expect(others).not.toContain(chosen);
  }
  await page.locator(".chip").first().click();
  const [tab] = await colours('.network-tab[aria-selected="true"]');
  expect(await colours('.network-tab[aria-selected="false"]')).not.toContain(tab);
});

test("problems of a post that are alike take one place, and open on request", async () => {
  const files = ["one", "two", "three", "four"].map((name) => `media/${name}.jpg`);
  const rows = [row("a", "2036-03-03 09:00", "instagram", "Four", files.join(", "), "")];
  const { page } = await open(await pageOf(await projectOf(rows), "--offline"));
  await page.locator(".chip").click();
  const problems = page.getByRole("dialog").locator(".problem");
  expect(await problems.locator("visible=true").count()).toBe(1);
  await page.getByRole("dialog").getByText("3 more like this").click();
  expect(await problems.locator("visible=true").count()).toBe(4);
});

test("a failed post says on which network and why, and only an address of the web is a link", async () => {
  const project = await projectOf(MARCH);
  const address = await pageOf(project, "--offline");
  // Results from the service are part of the page's data. test/commands/preview tests how they get there.
  const html = await project.read("preview.html");
  const results = [
    { network: "Bluesky", state: "published", url: "javascript:alert(1)" },
    { network: "Mastodon", state: "published", url: "https://example.social/@ana/1" },
    { network: "LinkedIn", state: "failed", reason: "<b>No</b> rights" },
  ];
  const failed = html.replace(
    '"status":"ready"',
    `"status":"failed","results":${JSON.stringify(results).replaceAll("<", String.raw`\u003c`)}`,
  );
  await project.write("preview.html", failed);
  const { page, said } = await open(address);
  await page.locator(".chip.is-failed").click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual([
    "Bluesky: published\njavascript:alert(1)",
    "Mastodon: published\nhttps://example.social/@ana/1",
    "LinkedIn: failed\n<b>No</b> rights",
    expect.stringContaining("24 of 300"),
  ]);
  const links = await dialog
    .locator("a")
    .evaluateAll((all) => all.map((each) => [each.getAttribute("href"), each.getAttribute("rel")]));
  expect(links).toEqual([["https://example.social/@ana/1", "noopener noreferrer"]]);
  await expectNoViolations(page);
  expect(said).toEqual([]);
  // The list shows it, too.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "List" }).click();
  expect(await page.locator(".card.is-failed .result").count()).toBe(3);
});
