/** The preview's page in a real browser: plans, printing, phones, large calendars. The rest is in page.test.ts. */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { gif } from "../support/sized-media.ts";
import { until } from "../support/until.ts";
import { expectAccessible, useBrowser } from "./browser.ts";
import { HEAD, HOSTILE, MARCH, pageOf, PHONE, projectOf, row } from "./calendar-pages.ts";

const open = useBrowser();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

test("shows what a plan would change, and says when it was made offline", async () => {
  const project = await projectOf(MARCH);
  expect((await runCommand(["apply", "--yes"], { cwd: project.root })).code).toBe(0);
  const edited = [
    ...MARCH.slice(1, 3),
    (MARCH[4] ?? "").replace("word ", "Word "),
    row("new", "2036-03-25 08:00", "bluesky", "New", "", ""),
  ];
  await project.write("calendars/a.csv", [HEAD, ...edited, ""].join("\n"));
  const { page } = await open(await pageOf(project));
  const legend = page.getByRole("toolbar", { name: "Filter by status" });
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
  expect(await page.getByRole("dialog").locator("del").textContent()).toBe("word");
  expect(await page.getByRole("dialog").locator("ins").textContent()).toBe("Word");
  const offline = await open(await pageOf(project, "--offline"));
  await offline.page.getByText("Made without the service").waitFor();
  expect(await offline.page.locator(".filter.is-ready").textContent()).toBe("Ready4");
});

test("says why there is no plan when the key is missing or a row has errors", async () => {
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
  await page.getByText("Fix the errors to see the planned changes").waitFor();
  await page.getByText("calendars/a.csv:2:").waitFor();
  await page.locator(".chip").click();
  await page.getByRole("dialog").getByText("gone.png").first().waitFor();
});

const NETWORKS = "linkedin, bluesky, mastodon, facebook, instagram, threads, pinterest";

test.each([
  [1280, "en-GB", [2, 4], ["+5"]],
  [1280, "en-US", [1, 2], ["+6", "+2"]],
  [768, "en-GB", [2, 4], ["+5"]],
] as const)(
  "on a page %d px wide for %s, posts on many networks show as many marks as fit beside the time, and the number of others",
  async (width, locale, shown, others) => {
    const rows = [
      row("many", "2036-03-03 09:00", NETWORKS, "word ".repeat(80), "media/orchid-1.jpg", ""),
      row("four", "2036-03-04 09:00", "linkedin, bluesky, mastodon, facebook", "Four", "", ""),
    ];
    const { page } = await open(await pageOf(await projectOf(rows)), {
      viewport: { width, height: 900 },
      locale,
    });
    expect(await page.locator(".chip .sign").count()).toBe(1);
    const marks = page.locator(".chip .marks");
    expect(
      await marks.evaluateAll((all) => all.map((each) => each.querySelectorAll(".mark").length)),
    ).toEqual(shown);
    expect(await page.locator(".more-marks").allTextContents()).toEqual(others);
    const heights = await page
      .locator(".chip-head")
      .evaluateAll((all) => all.map((each) => each.clientHeight));
    // A narrow cell has the marks below the time.
    expect(Math.max(...heights)).toBeLessThan(width < 1000 ? 45 : 24);
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

test.each([
  ["light", "on a phone", PHONE],
  ["dark", "on a desktop", {}],
  ["dark", "on a phone", PHONE],
] as const)("axe finds no fault in %s colours %s", async (colorScheme, _where, size) => {
  const address = await pageOf(await projectOf(MARCH));
  await expectAccessible(
    await open(`${address}#view=month&month=2036-03`, { colorScheme, reducedMotion: "reduce", ...size }),
  );
});

test("opens as a list on a phone, and a day of the month leads to its posts", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH)), PHONE);
  expect(await page.locator(".card").count()).toBe(5);
  await page.getByRole("button", { name: "Month", exact: true }).tap();
  expect(await page.locator(".chip:visible").count()).toBe(0);
  // The problems of a day are visible, and screen readers read them out.
  const wrong = page.locator("td", { has: page.locator(".day-sign:visible") });
  expect(await wrong.evaluateAll((cells) => cells.map((cell) => cell.dataset["day"]))).toEqual([
    "2036-03-20",
  ]);
  await page.getByRole("gridcell", { name: /20 March 2036, 1 post, 1 with problems/ }).waitFor();
  await page.locator('[data-day="2036-03-05"]').tap();
  expect(await page.locator(".list-day h3").first().textContent()).toContain("5 March 2036");
  expect(await page.getByRole("button", { name: "Show earlier (2 posts)" }).count()).toBe(1);
});

test("Tab reaches the rest of a full day, and the focus moves to that day in the list", async () => {
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

test("prints every visible post and the meaning of the signs, but no controls", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH)), { colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".search:visible, .filter.is-platform:visible, .tab:visible").count()).toBe(0);
  expect(await page.locator(".filter:visible").allInnerTexts()).toEqual(["Create", "Draft", "Problems"]);
  expect(await page.locator(".chip:visible").count()).toBe(4);
  const tone = await page
    .locator(".chip")
    .first()
    .evaluate((chip) => getComputedStyle(chip).backgroundColor);
  expect(tone).toBe("rgb(230, 245, 236)");
  const back = await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(back).toBe("rgb(255, 255, 255)");
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "List" }).click();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".filter:visible").count()).toBe(0);
});

test("prints all posts of a day of the month, even on narrow paper", async () => {
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

/** @returns the number of sheets that the page takes */
async function sheets(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
  return pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;
}

const postsOf = (days: number, eachDay: number, content: string): readonly string[] =>
  Array.from({ length: days * eachDay }, (_, index) => {
    const day = String(1 + Math.floor(index / eachDay)).padStart(2, "0");
    const time = `${10 + (index % eachDay)}:00`;
    return row(
      `p${index}`,
      `2036-04-${day} ${time}`,
      "linkedin",
      `${index} ${content}`,
      "media/orchid-1.jpg",
      "",
    );
  });

test.each([
  [2, "month", 1],
  [3, "month", 1],
  [6, "month", 2],
  [4, "week", 1],
] as const)(
  "with %i posts a day, a %s takes this many sheets of paper: %i",
  async (eachDay, view, expected) => {
    const address = await pageOf(
      await projectOf(postsOf(30, eachDay, "A longer text ".repeat(9))),
      "--offline",
    );
    const { page } = await open(`${address}#view=${view}&day=2036-04-09`);
    expect(await sheets(page)).toBe(expected);
  },
);

test("a sheet of the list can end after any post of a day", async () => {
  const address = await pageOf(await projectOf(postsOf(4, 2, "Line\n".repeat(2))), "--offline");
  const { page } = await open(`${address}#view=list&month=2036-04`);
  expect(await sheets(page)).toBe(3);
});

test("paper shows the cover of a video", async () => {
  const project = await projectOf([]);
  const head = "id,scheduled_at,platforms,content,media,all.cover\n";
  const film = row("film", "2036-03-05 12:00", "instagram", "Ferns", "media/fern.mp4", "media/orchid-1.jpg");
  await project.write("calendars/a.csv", `${head}${film}\n`);
  const { page } = await open(`${await pageOf(project)}#view=list`);
  const seen = () =>
    page
      .locator(".box > :is(video, .paper-cover)")
      .evaluateAll((all) =>
        all.map((each) => (each.checkVisibility({ visibilityProperty: true }) ? each.tagName : "")),
      );
  expect(await seen()).toEqual(["VIDEO", ""]);
  await page.emulateMedia({ media: "print" });
  expect(await seen()).toEqual(["", "IMG"]);
});

/** @returns the keys of the posts that are printed */
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

test("prints all posts of a list, then restores the screen", async () => {
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

test("a video has its length on paper, and no controls", async () => {
  const { page } = await open(`${await pageOf(await projectOf(MARCH), "--offline")}#view=list&month=2036-03`);
  const caption = page.locator(".box figcaption");
  await page.locator("video").waitFor();
  expect(await caption.isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("video").isVisible()).toBe(false);
  expect(await caption.innerText()).toMatch(/^Video 0:0\d$/);
});

test("prints only the open post", async () => {
  const { page } = await open(await pageOf(await projectOf(MARCH)));
  await page.locator(".chip").first().click();
  expect(await page.getByRole("dialog").isVisible()).toBe(true);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("h1").isVisible()).toBe(false);
  expect(await page.getByRole("dialog").getByText("The first lantern").isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await page.locator("h1").isVisible()).toBe(true);
});

/** Opens a post. @returns the width of its picture, px; 0 if it did not load */
async function widthIn(page: Page, text: string): Promise<number> {
  await page.locator(".chip", { hasText: text }).click();
  const picture = page.locator(".network .box img");
  await until(async () => picture.evaluate((image: HTMLImageElement) => image.complete));
  const width = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await page.keyboard.press("Escape");
  return width;
}

test("a page that is sent to somebody contains its pictures, and loads from its folder only the files that it cannot contain", async () => {
  const name = "a ü%20?#.gif";
  const project = await projectOf([
    row("photo", "2036-03-03 09:00", "linkedin", "Photo", "media/photo.jpg", ""),
    row("big", "2036-03-04 09:00", "linkedin", "Big", `media/${name}`, ""),
  ]);
  const small = await readFile(join(project.root, "media/orchid-1.jpg"));
  // Bytes after the end of a picture do not belong to it.
  await writeFile(join(project.root, "media/photo.jpg"), Buffer.concat([small, Buffer.alloc(5_000_000)]));
  // Larger than any picture that the page makes smaller.
  const large = Buffer.concat([gif(1080, 1080), Buffer.alloc(45_000_000)]);
  await writeFile(join(project.root, "media", name), large);
  const address = await pageOf(project, "--offline");
  expect((await readFile(join(project.root, "preview.html"))).length).toBeLessThan(300_000);
  const beside = await open(address);
  expect([await widthIn(beside.page, "Photo"), await widthIn(beside.page, "Big")]).toEqual([600, 1080]);
  expect(beside.said).toEqual([]);

  await mkdir(join(project.root, "elsewhere"));
  await copyFile(join(project.root, "preview.html"), join(project.root, "elsewhere/preview.html"));
  const { page } = await open(pathToFileURL(join(project.root, "elsewhere/preview.html")).href);
  expect(await widthIn(page, "Photo")).toBe(600);
  await page.locator(".chip span.thumb").waitFor();
  await page.locator(".chip", { hasText: "Big" }).click();
  await page.getByText("This picture is not in the page, and its file is not next to it.").waitFor();
  await page.getByText("1080 × 1080 · 45 MB").waitFor();
});

test("renders only the posts near the screen out of 5,000 hostile ones, and reaches all of them", async () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => {
    const day = new Date(
      Date.UTC(2036, 0, 1, 8) + Math.floor(index / 14) * 86_400_000 + (index % 14) * 1_800_000,
    );
    return row(
      `p${index}`,
      day.toISOString().slice(0, 16),
      "linkedin, x, instagram",
      `Post number ${index} of many: ${HOSTILE[index % HOSTILE.length]}`,
      "",
      "",
    );
  });
  const opened = await open(await pageOf(await projectOf(rows), "--offline"));
  const { page, said, asked } = opened;
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
  expect(await page.evaluate(() => Reflect.get(globalThis, "pwned"))).toBeUndefined();
  expect([said, asked]).toEqual([[], [asked[0]]]);
  await page.getByRole("button", { name: "Month", exact: true }).click();
  await expectAccessible(opened);
});
