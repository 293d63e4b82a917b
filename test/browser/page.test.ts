/** The preview's page in a real browser: what every reader needs, and what captions must not be able to do. */
import { expect, test, vi } from "vitest";
import { until } from "../support/until.ts";
import { expectAccessible, expectNoSideways, expectNothingRan, useBrowser } from "./browser.ts";
import { HOSTILE, MARCH, pageOf, projectOf, row } from "./calendar-pages.ts";

const open = useBrowser();
// A browser starts slowly while other tests run.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

test("keys lead from the month to a post and back", async () => {
  const { page, said, asked } = await open(await pageOf(await projectOf(MARCH)));
  expect(await page.title()).toBe("Spring: content calendar");
  await page.getByRole("grid", { name: "March 2036" }).waitFor();
  expect(await page.getByRole("columnheader").allTextContents()).toEqual(
    "Mon Tue Wed Thu Fri Sat Sun".split(" "),
  );
  const third = page.getByRole("gridcell", { name: /^Monday,? 3 March 2036, 2 posts/ });
  expect(await third.getByRole("button").count()).toBe(2);

  // Without a focus, keys go to the month.
  const focusedDay = () => page.evaluate(() => document.activeElement?.getAttribute("data-day"));
  await page.keyboard.press("PageDown");
  await page.getByRole("grid", { name: "April 2036" }).waitFor();
  expect(await focusedDay()).toBe("2036-04-01");
  await page.locator("h1").click();
  await page.keyboard.press("PageUp");
  await page.getByRole("grid", { name: "March 2036" }).waitFor();
  await page.locator("h1").click();
  expect(await focusedDay()).toBeNull();
  // To the first day of the month, from there to the third, and into its posts.
  await page.keyboard.press("ArrowDown");
  expect(await focusedDay()).toBe("2036-03-01");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The first lantern").waitFor();
  expect(await dialog.locator("img").getAttribute("alt")).toBe("Picture orchid-1.jpg");
  expect(await dialog.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1080);
  expect(await dialog.getByRole("listitem").allTextContents()).toEqual([
    expect.stringMatching(/BsBluesky24 of 300/),
  ]);
  await page.keyboard.press("ArrowRight");
  await dialog.getByText("A second one").waitFor();
  expect(await dialog.locator(".position").textContent()).toMatch(/^2 of 5: Monday,? 3 March 2036, 10:00$/);
  await page.keyboard.press("ArrowRight");
  await dialog.locator("video").waitFor();
  await page.keyboard.press("Escape");
  expect(await dialog.count()).toBe(0);
  // The focus returns to the day of the last open post.
  await until(async () => (await focusedDay()) === "2036-03-05");
  await page.keyboard.press("PageDown");
  await page.getByRole("grid", { name: "April 2036" }).waitFor();
  expect(await focusedDay()).toBe("2036-04-05");
  // The page requests only itself and the video next to it.
  expect(said).toEqual([]);
  const names = asked.slice(1).map((address) => address.replace(/^file:.*\//, ""));
  expect([...new Set(names)]).toEqual(["fern.mp4"]);
});

test("filters posts by campaign, and shows it with the post", async () => {
  const project = await projectOf(MARCH);
  const rows = [
    row("one", "2036-03-03 09:00", "linkedin", "Tulips", "<b>Spring</b>"),
    row("two", "2036-03-03 10:00", "linkedin", "Roses", "<b>Spring</b>"),
    row("three", "2036-03-04 10:00", "linkedin", "Snow", "Winter"),
    row("four", "2036-03-05 10:00", "linkedin", "Rain", ""),
  ];
  await project.write(
    "calendars/a.csv",
    ["id,scheduled_at,platforms,content,campaign", ...rows, ""].join("\n"),
  );
  const { page, said } = await open(await pageOf(project));
  const campaigns = page.getByRole("toolbar", { name: "Filter by campaign" });
  expect(await campaigns.getByRole("button").allTextContents()).toEqual(["<b>Spring</b>2", "Winter1"]);
  await campaigns.getByRole("button", { name: "Winter" }).click();
  expect(await page.locator(".chip").count()).toBe(1);
  expect(page.url()).toContain("campaign=Winter");
  await page.locator(".chip").click();
  await page.getByRole("dialog").getByText("campaign Winter").waitFor();
  expect(said).toEqual([]);
});

test("filters posts by text, platform, status and problems, and counts them", async () => {
  const { page, said } = await open(await pageOf(await projectOf(MARCH)));
  const chips = page.locator(".chip");
  const legend = page.getByRole("toolbar", { name: "Filter by status" });
  expect(await legend.getByRole("button").allTextContents()).toEqual(["Create4", "Draft1", "Problems1"]);
  expect(await chips.count()).toBe(4);
  await page.keyboard.press("/");
  await page.keyboard.type("LANTERN");
  expect(await chips.count()).toBe(1);
  expect(await page.getByRole("status").textContent()).toBe("1 post in March 2036, 1 of 5 posts matches.");
  // Esc empties the search and shows all posts again.
  await page.keyboard.press("Escape");
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
  expect(await chips.count()).toBe(4);
  await page.keyboard.press("/");
  await page.keyboard.type("lantern nothing like it");
  await page.getByRole("button", { name: "Clear all filters" }).click();
  expect(await chips.count()).toBe(4);
  // One of the two goes to LinkedIn too.
  await page.getByRole("button", { name: "Bluesky", exact: true }).click();
  expect(await chips.count()).toBe(2);
  await page.getByRole("button", { name: "Bluesky", exact: true }).click();
  await page.getByRole("button", { name: "Mastodon", exact: true }).click();
  expect(await chips.count()).toBe(1);
  await page.getByRole("button", { name: "Mastodon", exact: true }).click();
  await legend.getByRole("button", { name: "Problems" }).click();
  await chips.click();
  expect(
    await page.getByRole("dialog").getByText("Bluesky takes").or(page.getByText("too many")).count(),
  ).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  await legend.getByRole("button", { name: "Problems" }).click();
  await page.getByRole("button", { name: "List" }).click();
  // The list starts on the day of the last open post.
  await page.getByRole("button", { name: /^Show earlier/ }).click();
  expect(await page.locator(".list .card").count()).toBe(5);
  expect(said).toEqual([]);
});

test("hostile captions, names and titles appear as text and never run", async () => {
  const rows = HOSTILE.map((text, index) =>
    row(`<i>${index}`, `2036-03-${String(index + 1).padStart(2, "0")} 09:00`, "linkedin", text, "", ""),
  );
  const project = await projectOf(rows, { project: "<img src=x onerror=alert(1)>" });
  const { page, said, asked } = await open(await pageOf(project));
  expect(await page.locator("h1").textContent()).toBe("<img src=x onerror=alert(1)>");
  await page.getByRole("button", { name: "List" }).click();
  await page.mouse.wheel(0, 20_000);
  await page.waitForFunction((count) => document.querySelectorAll(".card").length === count, HOSTILE.length);
  const texts = await page.locator(".card .text").allTextContents();
  expect(texts.map((text) => text.replaceAll(/\\u\{[\da-f]+\}/g, ""))).toEqual(
    HOSTILE.map((text) =>
      text
        .normalize("NFC")
        .replaceAll(/[\u{202e}\u{202c}\u{2066}]/gu, "")
        .replace(/(?<=\u{301}{8})\u{301}+/u, ""),
    ),
  );
  await page.locator(".card-time").first().click();
  for (const _ of HOSTILE) {
    await page.keyboard.press("ArrowRight");
  }
  await expectNothingRan(page, 1, "a, iframe, object, embed, form");
  await expectNoSideways(page);
  expect([said, asked]).toEqual([[], [asked[0]]]);
});

test("the page's policy blocks inline handlers, injected scripts, foreign images and requests", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH)));
  const tried = await page.evaluate(async () => {
    const broken: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => broken.push(event.effectiveDirective));
    // This function is sent to the page as text, so it contains everything that it uses.
    // oxlint-disable-next-line unicorn/consistent-function-scoping
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch {
        // The page's policy blocks it.
      }
    };
    attempt(() => {
      document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='globalThis.pwned = 1'>");
    });
    attempt(() => {
      const script = document.createElement("script");
      script.append("globalThis.pwned = 1");
      document.body.append(script);
    });
    const image = document.createElement("img");
    image.src = "https://example.com/a.png";
    document.body.append(image);
    await fetch("https://example.com/").catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { broken: [...new Set(broken)].sort(), pwned: Reflect.get(globalThis, "pwned") };
  });
  expect(tried.pwned).toBeUndefined();
  expect(tried.broken).toEqual(
    expect.arrayContaining(["connect-src", "img-src", "require-trusted-types-for"]),
  );
});

test("axe finds no fault in the month, the list, a post and an empty search", async () => {
  const address = await pageOf(await projectOf(MARCH));
  const options = { colorScheme: "light", reducedMotion: "reduce" } as const;
  await expectAccessible(await open(`${address}#view=month&month=2036-03`, options));
});
