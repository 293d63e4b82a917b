/** `plancast preview --serve` in a real browser, while files are saved in the ways that editors have. */
import { rename, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeProject, type TestProject } from "../support/project.ts";
import { watchProject } from "../../src/live/watch-project.ts";
import { systemClock } from "../../src/service/system-clock.ts";
import { afterThisTest } from "../support/after-test.ts";
import { startForeignService } from "../support/foreign-service.ts";
import { startProcess, type RunningProcess } from "../support/run-process.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { useBrowser } from "./browser.ts";

const open = useBrowser();
// Each starts processes and pages, beside others that do.
vi.setConfig({ testTimeout: 120_000 });

const CONFIG = "service: { url: embedded }\ntimezone: Europe/Paris\nproject: Spring\n";
const calendar = (...texts: readonly string[]): string =>
  `scheduled_at,platforms,content,media\n${texts.map((text, index) => `2036-03-0${index + 1} 09:00,linkedin,${text},\n`).join("")}`;

async function serve(): Promise<{ project: TestProject; serving: RunningProcess; url: string }> {
  const project = await makeProject({ config: CONFIG, files: { "calendars/a.csv": calendar("First") } });
  const serving = startProcess(["preview", "--serve"], { cwd: project.root });
  await serving.waitFor(/1 post, /);
  const [url = ""] = /http:\S+/.exec(serving.stdout()) ?? [];
  return { project, serving, url };
}

/** As editors save that write beside a file and rename over it. */
async function saveByRename(project: TestProject, path: string, text: string): Promise<void> {
  await writeFile(join(project.root, `${path}.new`), text);
  await rename(join(project.root, `${path}.new`), join(project.root, path));
}

test("the page follows saves of calendars, project file and media, and tells what is broken", async () => {
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
  await page.getByText("does not exist").waitFor();
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
  await page.getByText("What follows is as it was before").waitFor();
  await chip("Renamed again").waitFor();
  await project.write("plancast.yaml", CONFIG.replace("Spring", "Summer"));
  await page.getByRole("heading", { name: "Summer" }).waitFor();
  await rm(join(project.root, "calendars/new"), { recursive: true });
  await chip("With").waitFor({ state: "detached" });
  expect(said).toEqual([]);

  serving.kill("SIGTERM");
  expect((await serving.ended).code).toBe(0);
  await page.getByText("no longer follows your files").waitFor();
});

test("a page that was made before the last save shows it as soon as it is connected, again after a restart", async () => {
  const { project, serving, url } = await serve();
  const { port } = new URL(url);
  const { page, said } = await open(url);
  const chip = (text: string) => page.locator(".chip", { hasText: text });
  const { body: older } = await get(url, { host: `127.0.0.1:${port}` });
  expect(older).toContain("First");
  await project.write("calendars/a.csv", calendar("Second"));
  await chip("Second").waitFor();
  // From here on the server has nothing to tell.
  await page.route(url, async (route) => route.fulfill({ response: await route.fetch(), body: older }));
  await page.reload();
  await chip("Second").waitFor();
  await chip("First").waitFor({ state: "detached" });

  serving.kill("SIGTERM");
  await serving.ended;
  const gone = page.getByText("no longer follows your files");
  await gone.waitFor();
  await project.write("calendars/a.csv", calendar("Third"));
  const again = startProcess(["preview", "--serve", "--port", port], { cwd: project.root });
  await chip("Third").waitFor();
  await gone.waitFor({ state: "detached" });
  expect(said.filter((line) => !line.includes("ERR_"))).toEqual([]);
  again.kill("SIGTERM");
  await again.ended;
});

test("a save asks the service nothing that it told a moment ago, and what is no calendar is not read", async () => {
  const service = await startForeignService();
  afterThisTest(() => service.close());
  const project = await makeProject({
    config: CONFIG.replace("embedded", JSON.stringify(service.url)),
    files: { "calendars/a.csv": calendar("First") },
  });
  const env = { PLANCAST_API_KEY: service.key };
  const serving = startProcess(["preview", "--serve"], { cwd: project.root, env });
  await serving.waitFor("1 post, ");
  const before = service.requests.length;
  expect(before).toBeGreaterThan(0);
  const told = new AbortController();
  afterThisTest(() => told.abort());
  await new Promise<void>((resolve) => {
    void watchProject([project.root], () => resolve(), told.signal, systemClock).then(() =>
      project.write("notes.txt", "Not a calendar"),
    );
  });
  // In one step, so that it is one save however slow the machine is.
  await saveByRename(project, "calendars/a.csv", calendar("First", "Second"));
  await serving.waitFor("2 posts, ");
  expect(serving.stderr().match(/\d posts?, /g)).toEqual(["1 post, ", "2 posts, "]);
  expect(service.requests.length).toBe(before);
  const config = await project.read("plancast.yaml");
  await saveByRename(project, "plancast.yaml", config.replace("Spring", "Summer"));
  await serving.waitFor(/2 posts, [^]*2 posts, /);
  expect(service.requests.length).toBeGreaterThan(before);
  serving.kill("SIGTERM");
  await serving.ended;
});

function get(
  url: string,
  headers: Record<string, string>,
  path = "/",
  method = "GET",
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { headers, method }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (part: string) => (body += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on("error", reject).end();
  });
}

async function status(...given: Parameters<typeof get>): Promise<number> {
  return (await get(...given)).status;
}

test("only those get something who were pointed here, and only what the page shows", async () => {
  const { serving, url } = await serve();
  const { host, port } = new URL(url);
  expect(await status(url, { host })).toBe(200);
  expect(await status(url, { host: `localhost:${port}` })).toBe(200);
  for (const wrong of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    `127.0.0.1.evil.example:${port}`,
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    const refused = await get(url, { host: wrong }, "/data");
    expect([refused.status, refused.body.includes("First")]).toEqual([421, false]);
  }
  for (const path of [
    "/media/../plancast.yaml",
    "/media/%2e%2e/plancast.yaml",
    "/plancast.yaml",
    "/media/",
    "/media/constructor",
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await status(url, { host }, path)).toBe(404);
  }
  expect(await status(url, { host }, "/", "POST")).toBe(405);
  serving.kill("SIGINT");
  expect((await serving.ended).code).toBe(0);
});

test("a port that is taken is told, with what to do", async () => {
  const { project, url } = await serve();
  const second = startProcess(["preview", "--serve", "--port", new URL(url).port], { cwd: project.root });
  const { code, stderr } = await second.ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining("preview/address")]);
});
