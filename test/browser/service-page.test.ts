/** The page of the embedded service in a real browser. */
import { expect, test, vi } from "vitest";
import { expectNothingRan, useBrowser } from "./browser.ts";
import { busyService, pageOf } from "./busy-service.ts";

const open = useBrowser();
// A browser starts slowly while other tests run.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

test("people filter posts and move the clock with the keyboard, and no text runs as code", async () => {
  const { address, httpCredentials } = pageOf(await busyService());
  const { page, said } = await open(address, { httpCredentials });
  expect(await page.locator("time").textContent()).toBe("Mon 1 March 2027 11:00");
  expect(await page.getByRole("heading", { level: 3 }).first().textContent()).toMatch(/Tue 2 March 2027/);
  await page.getByRole("searchbox").focus();
  await page.keyboard.type("ferns");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "1 post matches" }).waitFor();
  await page.getByRole("link", { name: /^Scheduled/ }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/status=scheduled/);
  expect(page.url()).toContain("text=ferns");
  await page.getByRole("button", { name: "Next post" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Tue 2 March 2027 10:00").first().waitFor();
  await page.getByRole("link", { name: /^Published/ }).click();
  expect(await page.locator("article .text").allTextContents()).toEqual(["The ferns are here.\n\n#ferns"]);
  await page.goto(address);
  await expectNothingRan(page, 0, "iframe, object, embed, svg");
  expect(said).toEqual([]);
});

test("shows each attempt to deliver an event", async () => {
  const { address, httpCredentials } = pageOf(await busyService());
  const { page } = await open(address, { httpCredentials });
  const log = page.getByRole("region", { name: "Delivery log" });
  expect(await log.locator(".badge").allTextContents()).toEqual(["delivered", "delivered", "delivered"]);
  const twice = log.locator(".delivery", { has: page.getByText("2 attempts") });
  await twice.locator("summary").click();
  expect(await twice.locator("ol li").allTextContents()).toEqual([
    expect.stringMatching(/^Mon 1 March 2027 10:00(:\d\d)?: 500$/),
    expect.stringMatching(/^Mon 1 March 2027 10:00:\d\d: 204$/),
  ]);
});
