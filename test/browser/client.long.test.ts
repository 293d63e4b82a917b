/** The page on which a client approves posts: accessibility in every view, and a page with very many hostile posts. */
import { expect, test, vi } from "vitest";
import type { AnswersFile } from "../../src/preview/preview-data.ts";
import { expectNoSideways, expectNothingRan, expectNoViolations, useBrowser } from "./browser.ts";
import { HOSTILE, MARCH, PHONE, clientPageOf, download, projectOf, row } from "./calendar-pages.ts";

const open = useBrowser();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

test("axe finds no fault in light and dark, on a phone, in an open post and in the month", async () => {
  const address = await clientPageOf(await projectOf(MARCH));
  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, PHONE] as const) {
    const { page } = await open(address, { reducedMotion: "reduce", ...options });
    await page.getByRole("button", { name: "Approve", exact: true }).first().click();
    await page.getByRole("button", { name: "Request changes" }).nth(1).click();
    await expectNoViolations(page);
    await expectNoSideways(page);
    await page.locator(".card-time").first().click();
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Month", exact: true }).click();
    await expectNoViolations(page);
    await expectNoSideways(page);
  }
});

test("on phones, the buttons have their labels on one line, and leave room for the posts", async () => {
  const address = await clientPageOf(await projectOf(MARCH));
  for (const width of [320, 390]) {
    const { page } = await open(address, { ...PHONE, viewport: { width, height: 740 } });
    const card = await page.locator(".card").first().boundingBox();
    for (const name of ["Approve", "Request changes", "Next unanswered", "Download answers"]) {
      const button = page.getByRole("button", { name, exact: true }).first();
      const box = await button.boundingBox();
      const lines = await button.evaluate((shown) => {
        const text = document.createRange();
        text.selectNodeContents(shown.lastChild ?? shown);
        return text.getClientRects().length;
      });
      expect([width, name, lines]).toEqual([width, name, 1]);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
    }
    const bar = await page.locator(".answer-bar").boundingBox();
    expect(bar?.height).toBeLessThan(0.25 * 740);
  }
});

test("5,000 posts with hostile captions run nothing, and the answers to all of them are in the file", async () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => {
    const day = String((index % 28) + 1).padStart(2, "0");
    const clock = `${String(Math.floor(index / 28) % 24).padStart(2, "0")}:${String(Math.floor(index / 672)).padStart(2, "0")}`;
    const text = `${HOSTILE[index % HOSTILE.length] ?? ""} ${index}`;
    return row(`<i>${index}`, `2036-03-${day} ${clock}`, "linkedin", text, "", "draft");
  });
  const project = await projectOf(rows, { project: "<img src=x onerror=alert(1)>" });
  const opened = await open(await clientPageOf(project));
  const { page, said, asked } = opened;
  expect(
    await page.getByRole("region", { name: "Your answers", exact: true }).locator("strong").textContent(),
  ).toBe("0 of 5,000 posts answered");
  await page.getByRole("textbox").first().fill("</script><script>globalThis.pwned = 1</script>");
  await page.getByRole("button", { name: "Approve", exact: true }).nth(1).click();
  const { name, text } = await download(opened);
  const { answers }: AnswersFile = JSON.parse(text);
  const given = answers.filter(({ answer, comment }) => answer !== undefined || comment !== undefined);
  expect([name, answers.length, given.length]).toEqual([
    "answers-img-src-x-onerror-alert-1-2036-03.json",
    5_000,
    2,
  ]);
  await page.reload();
  await page.locator("h1").waitFor();
  expect(await page.getByRole("textbox").first().inputValue()).toContain("</script>");
  for (let count = 0; count < 20; count += 1) await page.mouse.wheel(0, 10_000);
  await expectNothingRan(page, 1, "a, iframe, object, embed, form");
  await expectNoSideways(page);
  expect([said, new Set(asked.filter((each) => !each.startsWith("blob:"))).size]).toEqual([[], 1]);
});
