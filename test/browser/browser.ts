/** A real Chromium, installed on the system. */
import { source as axe } from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { browserPath } from "../../scripts/browser-path.js";
import { afterThisTest } from "../support/after-test.ts";

/** A page, with its console output and its requests. */
export interface OpenPage {
  readonly page: Page;
  /** Lines of its console, and uncaught errors. */
  readonly said: readonly string[];
  /** Addresses that it requested, except `data:` addresses. */
  readonly asked: readonly string[];
}

/** Limit for any action of a page, in ms. It is long for busy machines; each test also has its own limit. */
const PATIENCE_MS = 100_000;

/** Starts one browser for the tests of a file. */
export function useBrowser(): (address: string, options?: BrowserContextOptions) => Promise<OpenPage> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Its sandbox cannot start as root, for example in a container.
    browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());
  return async (address, options = {}) => {
    if (browser === undefined) throw new Error("The browser has not been started.");
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: "en-GB",
      timezoneId: "Europe/Paris",
      ...options,
    });
    afterThisTest(() => context.close());
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const said: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => said.push(`thrown: ${error.message}`));
    page.on("dialog", (dialog) => {
      said.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!request.url().startsWith("data:")) asked.push(request.url());
    });
    await page.goto(address);
    await page.locator("h1").waitFor();
    return { page, said, asked };
  };
}

/** The rules of axe that a page breaks, with the elements that break them. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** axe finds nothing in what the page shows now. */
export async function expectNoViolations(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

/** axe finds nothing in the month, the list, an open post and a search without results; nothing is cut off. */
export async function expectAccessible({ page }: OpenPage): Promise<void> {
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "List" }).click();
  expect(await violations(page)).toEqual([]);
  await page.locator(".card-time").first().click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").fill("nothing like it");
  expect(await violations(page)).toEqual([]);
  await expectNoSideways(page);
}

/** Nothing is cut off at the side. */
export async function expectNoSideways(page: Page): Promise<void> {
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(widths[0]).toBe(widths[1]);
}

/** No caption, name or title became code or an element of its own. @param scripts of the page itself */
export async function expectNothingRan(page: Page, scripts: number, elements: string): Promise<void> {
  const found = await page.evaluate(
    (selector) => [
      Reflect.get(globalThis, "pwned"),
      document.scripts.length,
      document.querySelectorAll(selector).length,
    ],
    elements,
  );
  expect(found).toEqual([undefined, scripts, 0]);
}
