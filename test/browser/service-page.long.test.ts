/** The page of the embedded service for everybody: contrast, names, small screens. */
import { expect, test, vi } from "vitest";
import { expectNoSideways, expectNoViolations, useBrowser } from "./browser.ts";
import { busyService, pageOf } from "./busy-service.ts";
import { PHONE } from "./calendar-pages.ts";

const open = useBrowser();
// A browser starts slowly while other tests run.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

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
