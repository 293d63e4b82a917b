/** The previews of several projects in one file. */
import * as assets from "plancast:page";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { severalPreviewsHtml } from "../../src/preview/preview-html.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { useBrowser } from "./browser.ts";
import { MARCH, pageOf, projectOf, row } from "./calendar-pages.ts";

const open = useBrowser();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

test("each page works in its frame, its name is only text, and nothing is requested", async () => {
  const other = [row("a", "2036-03-03 09:00", "linkedin", "Of the other", "", "")];
  const pages: string[] = [];
  for (const rows of [MARCH, other]) {
    const address = await pageOf(await projectOf(rows), "--offline");
    pages.push(await readFile(fileURLToPath(address), "utf8"));
  }
  const name = '"><img src=x onerror=globalThis.pwned=1>';
  const html = severalPreviewsHtml(
    pages.map((page, index) => ({ name: index === 0 ? "clients/acme" : name, html: page })),
    assets,
  );
  const file = join(await tempFolder(), "previews.html");
  await writeFile(file, html);
  const { page, said, asked } = await open(pathToFileURL(file).href);
  const first = page.frameLocator("iframe").first();
  await first.locator(".chip").first().click();
  await first.getByRole("dialog").getByText("The first lantern").waitFor();
  await page.getByRole("link", { name }).click();
  await page.frameLocator("iframe").nth(1).locator(".chip").getByText("Of the other").waitFor();
  expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
  expect(said).toEqual([]);
  expect(asked.filter((url) => !url.startsWith("about:") && url !== pathToFileURL(file).href)).toEqual([]);
});

test("the page of a hostile project reaches neither the others nor the page around it, and requests nothing", async () => {
  const good = await readFile(fileURLToPath(await pageOf(await projectOf(MARCH), "--offline")), "utf8");
  const reached: string[] = [];
  const evil = createServer((request, response) => {
    reached.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => void evil.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void evil.close());
  const address = evil.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  // As if the project could write its page itself: its own script does not have the allowed hash.
  const script = `parent.pwned = 1; top.location = '${origin}'; fetch('${origin}');`;
  const hostile = [
    `<!doctype html><script>${script}</script>`,
    `<img src="${origin}/x.png" onerror="${script}">`,
    `<meta http-equiv="refresh" content="0; url=${origin}">`,
    `<base href="${origin}"><form action="${origin}"><button>Approve</button></form>`,
    '"></iframe><script>globalThis.pwned = 1</script><iframe srcdoc="',
  ].join("");
  const html = severalPreviewsHtml(
    [
      { name: "clients/evil", html: hostile },
      { name: "clients/acme", html: good },
    ],
    assets,
  );
  const file = join(await tempFolder(), "previews.html");
  await writeFile(file, html);
  const { page } = await open(pathToFileURL(file).href);
  await page.frameLocator("iframe").nth(1).locator(".chip").first().click();
  expect(page.url()).toBe(pathToFileURL(file).href);
  expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
  expect(await page.locator("iframe").count()).toBe(2);
  expect(reached).toEqual([]);
});
