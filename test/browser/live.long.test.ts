/** `plancast preview --serve` in a real browser, while files are saved as editors save them. */
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeProject, type TestProject } from "../support/project.ts";
import { startCommand, type RunningCommand } from "../support/run-command.ts";
import { startProcess } from "../support/run-process.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { useBrowser } from "./browser.ts";

const open = useBrowser();
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const CONFIG = "service: { url: embedded }\ntimezone: Europe/Paris\nproject: Spring\n";
const calendar = (...texts: readonly string[]): string =>
  `scheduled_at,platforms,content,media\n${texts.map((text, index) => `2036-03-0${index + 1} 09:00,linkedin,${text},\n`).join("")}`;

async function serve(): Promise<{ project: TestProject; serving: RunningCommand; url: string }> {
  const project = await makeProject({ config: CONFIG, files: { "calendars/a.csv": calendar("First") } });
  const serving = startCommand(["preview", "--serve"], { cwd: project.root });
  await serving.waitFor(/1 upcoming post[,;]/);
  const [url = ""] = /http:\S+/.exec(serving.stdout()) ?? [];
  return { project, serving, url };
}

/** Saves like editors that write a new file and rename it over the old one. */
async function saveByRename(project: TestProject, path: string, text: string): Promise<void> {
  await writeFile(join(project.root, `${path}.new`), text);
  await rename(join(project.root, `${path}.new`), join(project.root, path));
}

test("a page that is opened before the calendars are read shows the place that its address names", async () => {
  const project = await makeProject({
    config: `${CONFIG}bogus: 1\n`,
    files: { "calendars/a.csv": calendar("First", "Second") },
  });
  const serving = startCommand(["preview", "--serve"], { cwd: project.root });
  await serving.waitFor(/bogus/);
  const [url = ""] = /http:\S+/.exec(serving.stdout()) ?? [];
  const { page } = await open(`${url}&view=week&post=calendars%2Fa.csv%3A3`);
  const { page: other } = await open(url);
  await project.write("plancast.yaml", CONFIG);
  await page.getByRole("dialog").getByText("Second").waitFor();
  await page.getByRole("grid", { name: /2 March 2036/ }).waitFor();
  await other.getByRole("grid", { name: "March 2036" }).waitFor();
});

test("the page updates after a save of a calendar, plancast.yaml or media, and shows errors", async () => {
  const { project, serving, url } = await serve();
  const { page, said } = await open(url);
  const chip = (text: string) => page.locator(".chip", { hasText: text });
  await chip("First").waitFor();
  await saveByRename(project, "calendars/a.csv", calendar("Renamed over"));
  await chip("Renamed over").waitFor();
  await saveByRename(project, "calendars/a.csv", calendar("Renamed again"));
  await chip("Renamed again").waitFor();

  await project.write("calendars/new/b.csv", calendar("Elsewhere"));
  await chip("Elsewhere").waitFor();
  await project.write(
    "calendars/new/b.csv",
    "scheduled_at,platforms,content\n2036-13-01 09:00,linkedin,Broken\n",
  );
  await page.getByText("is not a real date").waitFor();
  await project.write(
    "calendars/new/b.csv",
    `scheduled_at,platforms,content,media\n2036-03-02 09:00,linkedin,With,a.png\n`,
  );
  await page.locator(".sign.is-error").waitFor();
  await project.write("calendars/new/a.png", tinyPng());
  await page.locator(".sign.is-error").waitFor({ state: "detached" });
  await page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>(".chip img")?.naturalWidth ?? 0) > 0,
  );

  await project.write("plancast.yaml", `${CONFIG}bogus: 1\n`);
  await page.getByText("The rest of the page shows the previous state").waitFor();
  await chip("Renamed again").waitFor();
  await project.write("plancast.yaml", CONFIG.replace("Spring", "Summer"));
  await page.getByRole("heading", { name: "Summer" }).waitFor();
  await rm(join(project.root, "calendars/new"), { recursive: true });
  await chip("With").waitFor({ state: "detached" });
  expect(said).toEqual([]);

  serving.stop();
  expect((await serving.ended).code).toBe(0);
  await page.getByText("has stopped, so this page no longer updates").waitFor();
});

test("if a page is older than the last save, it updates when it connects, even after a restart", async () => {
  const project = await makeProject({ config: CONFIG, files: { "calendars/a.csv": calendar("First") } });
  const serving = startProcess(["preview", "--serve"], { cwd: project.root });
  await serving.waitFor("1 upcoming post");
  const url = serving.stdout().trim();
  const { port } = new URL(url);
  const { page, said } = await open(url);
  const chip = (text: string) => page.locator(".chip", { hasText: text });
  const older = await (await fetch(url)).text();
  expect(older).toContain("First");
  await project.write("calendars/a.csv", calendar("Second"));
  await chip("Second").waitFor();
  // From here on, the server sends nothing.
  await page.route(url, async (route) => route.fulfill({ response: await route.fetch(), body: older }));
  await page.reload();
  await chip("Second").waitFor();
  await chip("First").waitFor({ state: "detached" });

  serving.kill("SIGTERM");
  expect((await serving.ended).code).toBe(0);
  const gone = page.getByText("has stopped, so this page no longer updates");
  await gone.waitFor();
  await project.write("calendars/a.csv", calendar("Third"));
  const again = startProcess(["preview", "--serve", "--port", port], { cwd: project.root });
  await chip("Third").waitFor();
  await gone.waitFor({ state: "detached" });
  expect(said.filter((line) => !line.includes("ERR_"))).toEqual([]);
  again.kill("SIGTERM");
  await again.ended;
});
