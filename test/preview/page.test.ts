/** The page in a real browser: what a reader sees and does, and what no caption can do. */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import { expectNoSideways, useBrowser, violations } from "./browser.ts";
import { makeProject, type TestProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const open = useBrowser();
// Each starts processes and pages, beside others that do.
vi.setConfig({ testTimeout: 120_000 });

const HEAD = "id,scheduled_at,platforms,content,media,status";
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** A row of CSV. */
function row(...cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}

async function projectOf(
  rows: readonly string[],
  config: Record<string, unknown> = {},
): Promise<TestProject> {
  const project = await makeProject({
    config: { service: { url: "embedded" }, timezone: "Europe/Paris", project: "Spring", ...config },
    files: { "calendars/a.csv": [HEAD, ...rows, ""].join("\n") },
  });
  const media = new URL("../../calendars/media/", import.meta.url);
  await mkdir(join(project.root, "media"));
  for (const name of ["orchid-1.jpg", "fern.mp4"]) {
    // oxlint-disable-next-line no-await-in-loop
    await copyFile(new URL(name, media), join(project.root, "media", name));
  }
  return project;
}

/** Writes the page and gives its address. */
async function pageOf({ root }: TestProject, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCommand(["preview", ...args], { cwd: root });
  expect(stdout, stderr).toMatch(/in preview\.html/);
  return pathToFileURL(join(root, "preview.html")).href;
}

const MARCH = [
  row("one", "2036-03-03 09:00", "linkedin, bluesky", "The first lantern #light", "media/orchid-1.jpg", ""),
  row("two", "2036-03-03 10:00", "mastodon", "A second one", "", ""),
  row("film", "2036-03-05 12:00", "linkedin", "A film of ferns", "media/fern.mp4", ""),
  row("later", "2036-04-01 08:00", "bluesky", "Only in April", "", "draft"),
  row("long", "2036-03-20 08:00", "bluesky", "word ".repeat(80), "", ""),
];

test("a month, its posts and one of them, with mouse and keys", async () => {
  const { page, said, asked } = await open(await pageOf(await projectOf(MARCH)));
  expect(await page.title()).toBe("Spring: content calendar");
  await page.getByRole("grid", { name: "March 2036" }).waitFor();
  expect(await page.getByRole("columnheader").allTextContents()).toEqual(
    "Mon Tue Wed Thu Fri Sat Sun".split(" "),
  );
  const third = page.getByRole("gridcell", { name: /^Monday,? 3 March 2036, 2 posts/ });
  expect(await third.getByRole("button").count()).toBe(2);

  // With the focus nowhere, keys lead into the month.
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
    expect.stringMatching(/inLinkedIn24 of 3,000/),
  ]);
  await page.keyboard.press("ArrowRight");
  await dialog.getByText("A second one").waitFor();
  expect(await dialog.locator(".position").textContent()).toBe("2 of 5");
  await page.keyboard.press("ArrowRight");
  await dialog.getByText(/0:\d\d/).waitFor();
  await page.keyboard.press("Escape");
  expect(await dialog.count()).toBe(0);
  // Back on the day of the post that was read last.
  await vi.waitFor(async () => expect(await focusedDay()).toBe("2036-03-05"));
  await page.keyboard.press("PageDown");
  await page.getByRole("grid", { name: "April 2036" }).waitFor();
  expect(await focusedDay()).toBe("2036-04-05");
  expect([said, asked]).toEqual([[], [asked[0]]]);
});

test("filters by text, platform, status and problems; a legend with counts", async () => {
  const { page, said } = await open(await pageOf(await projectOf(MARCH)));
  const chips = page.locator(".chip");
  const legend = page.getByRole("group", { name: "Filter by status" });
  expect(await legend.getByRole("button").allTextContents()).toEqual(["Create4", "Draft1", "Problems1"]);
  expect(await chips.count()).toBe(4);
  await page.keyboard.press("/");
  await page.keyboard.type("LANTERN");
  expect(await chips.count()).toBe(1);
  expect(await page.getByRole("status").textContent()).toBe("1 post in March 2036, 1 post of 5 match.");
  // Esc empties the search, and what it had filtered comes back.
  await page.keyboard.press("Escape");
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
  expect(await chips.count()).toBe(4);
  await page.keyboard.press("/");
  await page.keyboard.type("lantern nothing like it");
  await page.getByRole("button", { name: "Clear all filters" }).click();
  expect(await chips.count()).toBe(4);
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
  // The list begins with the day of the post that was read last.
  await page.getByRole("button", { name: /^Show earlier/ }).click();
  expect(await page.locator(".list .card").count()).toBe(5);
  expect(said).toEqual([]);
});

test("what a plan would do, in words and colour; offline it says that it was not asked", async () => {
  const project = await projectOf(MARCH);
  expect((await runCommand(["apply", "--yes"], { cwd: project.root })).code).toBe(0);
  const edited = [
    ...MARCH.slice(1, 3),
    (MARCH[4] ?? "").replace("word ", "Word "),
    row("new", "2036-03-25 08:00", "bluesky", "New", "", ""),
  ];
  await project.write("calendars/a.csv", [HEAD, ...edited, ""].join("\n"));
  const { page } = await open(await pageOf(project));
  const legend = page.getByRole("group", { name: "Filter by status" });
  expect(await legend.getByRole("button").allTextContents()).toEqual([
    "Create1",
    "Replace1",
    "Cancel1",
    "Scheduled2",
    "Problems1",
  ]);
  const tones = await page
    .locator(".chip")
    .evaluateAll((chips) => chips.map((chip) => getComputedStyle(chip).borderLeftColor));
  expect(new Set(tones).size).toBe(4);
  await page.locator(".chip.is-replace").click();
  expect(await page.getByRole("dialog").locator("del").textContent()).toMatch(/^word word/);
  const offline = await open(await pageOf(project, "--offline"));
  await offline.page.getByText("Made without asking the service").waitFor();
  expect(await offline.page.locator(".filter.is-ready").textContent()).toBe("Ready4");
});

test("without a key, and with errors, the page says why there is no plan", async () => {
  const project = await projectOf(MARCH, { service: { url: "https://api.example.com" } });
  const noKey = await open(await pageOf(project));
  await noKey.page.getByText("PLANCAST_API_KEY").waitFor();
  const lines = [
    HEAD,
    row("a", "2036-13-01", "linkedin", "Never", "", ""),
    row("b", "2036-03-02 10:00", "x", "Soon", "gone.png", ""),
  ];
  await project.write("calendars/a.csv", lines.join("\n"));
  const { page } = await open(await pageOf(project));
  await page.getByText("There are errors to mend first").waitFor();
  await page.getByText("calendars/a.csv:2:").waitFor();
  await page.locator(".chip").click();
  await page.getByRole("dialog").getByText("gone.png").first().waitFor();
});

const NETWORKS = "linkedin, bluesky, mastodon, facebook, instagram, threads, pinterest";

test.each([1280, 768])(
  "%d px: a post on many networks shows whole marks, and how many more",
  async (width) => {
    const rows = [
      row("many", "2036-03-03 09:00", NETWORKS, "word ".repeat(80), "media/orchid-1.jpg", ""),
      row("four", "2036-03-04 09:00", "linkedin, bluesky, mastodon, facebook", "Four", "", ""),
    ];
    const { page } = await open(await pageOf(await projectOf(rows)), { viewport: { width, height: 900 } });
    expect(await page.locator(".chip .sign").count()).toBe(1);
    const marks = page.locator(".chip .marks");
    expect(
      await marks.evaluateAll((all) => all.map((each) => each.querySelectorAll(".mark").length)),
    ).toEqual([3, 4]);
    expect(await page.locator(".more-marks").allTextContents()).toEqual(["+4"]);
    expect(await marks.first().getAttribute("title")).toMatch(/^(?:[^,]+, ){6}[^,]+$/);
    const cut = await page.locator(".mark, .more-marks, .sign").evaluateAll(
      (all) =>
        all.filter((each) => {
          const chip = each.closest(".chip");
          if (chip === null) return false;
          const [inner, outer] = [each.getBoundingClientRect(), chip.getBoundingClientRect()];
          const middle = [inner.right - 1, inner.top + inner.height / 2] as const;
          const isSeen = each.contains(document.elementFromPoint(...middle));
          return (
            inner.left < outer.left || inner.right > outer.right || inner.bottom > outer.bottom || !isSeen
          );
        }).length,
    );
    expect(cut).toBe(0);
  },
);

const HOSTILE = [
  "<script>globalThis.pwned = 1</script>",
  "</script><script>globalThis.pwned = 1</script>",
  "<!--<script>",
  "]]><img src=x onerror='globalThis.pwned = 1'>",
  "<svg/onload=globalThis.pwned=1> javascript:alert(1) https://evil.example/?<b>",
  "\u{202e}reversed\u{202c} \u{2066}isolated",
  "{{constructor.constructor('globalThis.pwned = 1')()}} ${globalThis.pwned = 1}",
  "&lt;img src=x onerror=alert(1)&gt; &#60;",
  '" onmouseover="globalThis.pwned = 1" x="',
  "مرحبا بالعالم ١٢٣ abc",
  "A".repeat(2_900),
  `e${"\u{301}".repeat(100)}`,
];

test("no caption, name or title is ever more than text", async () => {
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
    // oxlint-disable-next-line no-await-in-loop
    await page.keyboard.press("ArrowRight");
  }
  expect(
    await page.evaluate(() => [
      Reflect.get(globalThis, "pwned"),
      document.scripts.length,
      document.querySelectorAll("a, iframe, object, embed, form").length,
    ]),
  ).toEqual([undefined, 2, 0]);
  await expectNoSideways(page);
  expect([said, asked]).toEqual([[], [asked[0]]]);
});

test("the page's policy stops what its own code would not do", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH)));
  const tried = await page.evaluate(async () => {
    const broken: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => broken.push(event.effectiveDirective));
    // It goes into the page as it stands here, so that it holds what it uses.
    // oxlint-disable-next-line unicorn/consistent-function-scoping
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch {
        // The policy refuses it outright.
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

describe.each(["light", "dark"] as const)("axe finds nothing, %s", (colorScheme) => {
  test.each([{}, PHONE])("%j", async (size) => {
    const address = await pageOf(await projectOf(MARCH));
    const { page } = await open(`${address}#view=month&month=2036-03`, {
      colorScheme,
      reducedMotion: "reduce",
      ...size,
    });
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "List" }).click();
    expect(await violations(page)).toEqual([]);
    await page.locator(".card-time").first().click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox").fill("nothing like it");
    expect(await violations(page)).toEqual([]);
    await expectNoSideways(page);
  });
});

test("on a phone a list comes first; a day of the month leads to its posts", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH)), PHONE);
  expect(await page.locator(".card").count()).toBe(5);
  await page.getByRole("button", { name: "Month", exact: true }).tap();
  expect(await page.locator(".chip:visible").count()).toBe(0);
  // What is wrong with a day is seen, and said.
  const wrong = page.locator("td", { has: page.locator(".day-sign:visible") });
  expect(await wrong.evaluateAll((cells) => cells.map((cell) => cell.dataset["day"]))).toEqual([
    "2036-03-20",
  ]);
  await page.getByRole("gridcell", { name: /20 March 2036, 1 post, 1 with problems/ }).waitFor();
  await page.locator('[data-day="2036-03-05"]').tap();
  expect(await page.locator(".list-day h3").first().textContent()).toContain("5 March 2036");
  expect(await page.getByRole("button", { name: "Show earlier (2 posts)" }).count()).toBe(1);
});

test("Tab leads to what a full day leaves out, and the focus goes with the reader", async () => {
  const rows = Array.from({ length: 12 }, (_, index) =>
    row(`p${index}`, `2036-03-0${3 + (index % 2)} ${index + 10}:00`, "linkedin", `Post ${index}`, "", ""),
  );
  const { page } = await open(await pageOf(await projectOf(rows)));
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.locator('[data-day="2036-03-03"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("3 more");
  await page.keyboard.press("Enter");
  await page.locator(".card").first().waitFor();
  expect(await focused()).toMatch(/^Tuesday,? 4 March 2036$/);
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("11:00 open post");
});

test("on paper there are no controls, and posts are not cut", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH)), { colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".search:visible, .filter:visible, .tab:visible").count()).toBe(0);
  expect(await page.locator(".chip:visible").count()).toBe(4);
  const tone = await page
    .locator(".chip")
    .first()
    .evaluate((chip) => getComputedStyle(chip).backgroundColor);
  expect(tone).toBe("rgb(230, 245, 236)");
  const back = await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(back).toBe("rgb(255, 255, 255)");
});

test("on paper a month has all posts of a day, however narrow the paper is", async () => {
  const rows = Array.from({ length: 12 }, (_, index) =>
    row(`p${index}`, `2036-03-03 ${index + 10}:00`, "linkedin", `Post ${index}`, "", ""),
  );
  const { page } = await open(await pageOf(await projectOf(rows)));
  expect(await page.locator(".chip").count()).toBe(3);
  await page.evaluate(() => {
    addEventListener("beforeprint", () => {
      const chips = document.querySelectorAll(".chip").length;
      document.body.dataset["printed"] = `${chips}, ${document.querySelectorAll(".more-posts").length}`;
    });
  });
  await page.pdf({ format: "A4" });
  expect(await page.locator("body").getAttribute("data-printed")).toBe("12, 0");
  expect(await page.locator(".chip").count()).toBe(3);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 600, height: 800 });
  expect(await page.locator(".chip:visible").count()).toBe(3);
});

/** @returns the keys of the posts that go on paper, with each that is seen */
async function printed(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    addEventListener("beforeprint", () => {
      const cards = [...document.querySelectorAll(".card .text")].filter((each) => each.checkVisibility());
      document.body.dataset["printed"] = JSON.stringify(cards.map(({ textContent }) => textContent));
    });
  });
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const texts: string[] = JSON.parse((await page.locator("body").getAttribute("data-printed")) ?? "[]");
  return texts;
}

test("on paper a list has all posts, and the screen is then as it was", async () => {
  const rows = Array.from({ length: 90 }, (_, index) =>
    row(
      `p${index}`,
      `2036-0${1 + Math.floor(index / 28)}-${10 + (index % 18)} 09:00`,
      "linkedin",
      `#${index}`,
      "",
      "",
    ),
  );
  const project = await projectOf(rows);
  const { page, said } = await open(`${await pageOf(project, "--offline")}#view=list&month=2036-02`);
  await page.locator(".card-time").nth(3).focus();
  await page.evaluate(() => scrollTo(0, 500));
  const before = await page.locator(".card").count();
  expect(before).toBeLessThan(60);
  expect((await printed(page)).length).toBe(90);
  expect(await page.locator(".card").count()).toBe(before);
  expect(await page.evaluate(() => [scrollY, document.activeElement?.className])).toEqual([500, "card-time"]);
  // What is filtered away stays away.
  await page.getByRole("searchbox").fill("#33");
  expect(await printed(page)).toEqual(["#33"]);
  expect(said).toEqual([]);
});

test("an open post is printed by itself", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH)));
  await page.locator(".chip").first().click();
  expect(await page.getByRole("dialog").isVisible()).toBe(true);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("h1").isVisible()).toBe(false);
  expect(await page.getByRole("dialog").getByText("The first lantern").isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await page.locator("h1").isVisible()).toBe(true);
});

test("a large picture is shown from beside the page, and said to be missing where it is not", async () => {
  const name = "a ü%20?#.jpg";
  const project = await projectOf([row("big", "2036-03-03 09:00", "linkedin", "Big", `media/${name}`, "")]);
  const small = await readFile(join(project.root, "media/orchid-1.jpg"));
  // What follows the end of a JPEG is no part of the picture.
  await writeFile(join(project.root, "media", name), Buffer.concat([small, Buffer.alloc(5_000_000)]));
  const address = await pageOf(project, "--offline");
  expect((await readFile(join(project.root, "preview.html"))).length).toBeLessThan(200_000);
  const beside = await open(address);
  await beside.page.locator(".chip img").waitFor();
  await beside.page.locator(".chip").click();
  await vi.waitFor(async () =>
    expect(
      await beside.page.locator(".box img").evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBe(1080),
  );
  expect(beside.said).toEqual([]);

  await mkdir(join(project.root, "elsewhere"));
  await copyFile(join(project.root, "preview.html"), join(project.root, "elsewhere/preview.html"));
  const { page } = await open(pathToFileURL(join(project.root, "elsewhere/preview.html")).href);
  await page.locator(".chip span.thumb").waitFor();
  await page.locator(".chip").click();
  await page.getByText("Larger pictures stay beside the page, and this one is not there.").waitFor();
  await page.getByText("1080 × 1080 · 5 MB").waitFor();
});

test("5,000 posts: only what is near the screen is made, and all of it can be reached", async () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => {
    const day = new Date(
      Date.UTC(2036, 0, 1, 8) + Math.floor(index / 14) * 86_400_000 + (index % 14) * 1_800_000,
    );
    return row(
      `p${index}`,
      day.toISOString().slice(0, 16),
      "linkedin",
      `Post number ${index} of many`,
      "",
      "",
    );
  });
  const { page, said } = await open(await pageOf(await projectOf(rows), "--offline"));
  const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
  expect(await page.getByRole("status").textContent()).toMatch(
    /^434 posts in January 2036, 5,000 posts in all/,
  );
  expect(await elements()).toBeLessThan(4_000);
  await page.locator(".more-posts").first().click();
  await page.locator(".card").first().waitFor();
  expect(await elements()).toBeLessThan(4_000);
  await page.getByRole("searchbox").fill("P4998");
  expect(await page.locator(".card").count()).toBe(1);
  await page.getByRole("searchbox").fill("");
  const before = await page.locator(".card").count();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForFunction((count) => document.querySelectorAll(".card").length > count, before);
  expect(said).toEqual([]);
});
