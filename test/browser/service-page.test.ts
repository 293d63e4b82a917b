/** The page of the embedded service in a real browser, with posts, failures and deliveries on it. */
import { expect, test, vi } from "vitest";
import { PNG, type TestService, at, draft, startTestService, upload } from "../support/embedded-service.ts";
import { startReceiver } from "../support/receiver.ts";
import { expectNoSideways, expectNothingRan, expectNoViolations, useBrowser } from "./browser.ts";
import { HOSTILE, PHONE } from "./calendar-pages.ts";

const open = useBrowser();
// A browser starts slowly while other tests run.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const START = Date.UTC(2027, 2, 1, 8);

async function busyService(): Promise<TestService> {
  const service = await startTestService({
    clockAt: START,
    memory: true,
    title: "Spring",
    timezone: "Europe/Paris",
    failures: ["platform=instagram"],
  });
  const receiver = await startReceiver();
  receiver.answers.push(204, 500);
  await service.call("POST", "/webhooks", { url: receiver.url, events: ["post.published", "post.failed"] });
  const picture = await service.call("POST", "/media", upload(PNG));
  const media_ids = [at(picture.body, "id")];
  const posts = [
    draft({
      scheduled_at: "2027-03-01T09:00:00Z",
      platforms: ["instagram", "linkedin"],
      content: "Workshop",
      media_ids,
    }),
    draft({
      scheduled_at: "2027-03-01T09:00:01Z",
      platforms: ["instagram"],
      content: "Only a picture",
      media_ids,
    }),
    draft({
      scheduled_at: "2027-03-02T09:00:00Z",
      platforms: ["linkedin", "bluesky"],
      content: "The ferns are here.\n\n#ferns",
    }),
    ...HOSTILE.map((content, index) =>
      draft({
        scheduled_at: `2027-03-${String(index + 3).padStart(2, "0")}T09:00:00Z`,
        platforms: ["linkedin"],
        content,
      }),
    ),
  ];
  for (const post of posts) expect((await service.call("POST", "/posts", post)).status).toBe(201);
  await service.besides("POST", "/_control/clock", { by: "2h" });
  return service;
}

function pageOf({ url, keys }: TestService, scope: "read" | "admin" = "admin") {
  return { address: new URL("/", url).href, httpCredentials: { username: "ana", password: keys[scope] } };
}

test("people filter posts and move the clock with the keyboard, and no text runs", async () => {
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

test("axe finds no fault in light and dark, on a phone, and for a visitor with the read key", async () => {
  const service = await busyService();
  const { address, httpCredentials } = pageOf(service);
  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, PHONE] as const) {
    const { page } = await open(address, { httpCredentials, ...options });
    await expectNoViolations(page);
    await expectNoSideways(page);
    await page.goto(`${address}?text=none`);
    await expectNoViolations(page);
  }
  const { page } = await open(address, { httpCredentials: pageOf(service, "read").httpCredentials });
  await expectNoViolations(page);
  expect(await page.getByRole("region", { name: "Delivery log" }).count()).toBe(0);
});
