/** `plancast preview --serve` without a browser: who gets an answer, and which requests a save causes. */

import { rename, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchSaves } from "../../../src/preview/live/watch.ts";
import { systemClock } from "../../../src/service/system-clock.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { startForeignService } from "../../support/foreign-service.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { type RunningCommand, runCommand, startCommand } from "../../support/run-command.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const CONFIG = "service: { url: embedded }\ntimezone: Europe/Paris\nproject: Spring\n";
const NOW = Date.parse("2036-01-01T08:00:00Z");
const HEAD = "scheduled_at,platforms,content,media";

async function serve(): Promise<{ project: TestProject; serving: RunningCommand; url: string }> {
  const project = await makeProject({
    config: CONFIG,
    files: {
      "calendars/a.csv": `${HEAD}\n2036-03-01 09:00,linkedin,First,a.png\n`,
      "calendars/a.png": tinyPng(),
    },
  });
  const serving = startCommand(["preview", "--serve"], { cwd: project.root });
  await serving.waitFor("1 upcoming post; ");
  return { project, serving, url: serving.stdout().trim() };
}

interface Asked {
  readonly path?: string;
  readonly host?: string;
  readonly method?: string;
}

/** `fetch` does not let a caller set another host. */
function ask(url: string, { path = "/", host = new URL(url).host, method = "GET" }: Asked = {}) {
  return new Promise<{ status: number; body: string; type: string }>((resolve, reject) => {
    const asked = request({ port: new URL(url).port, path, method, headers: { host } }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (part: string) => (body += part));
      const type = answer.headers["content-type"] ?? "";
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body, type }));
    });
    asked.on("error", reject).end();
  });
}

test("serves the page, its data and its pictures until it is stopped", async () => {
  const { serving, url } = await serve();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#edit=[\w-]{36}$/);
  expect(await ask(url)).toMatchObject({ status: 200, body: expect.stringContaining("First") });
  const data = await ask(url, { path: "/data" });
  const path = /\/media\/[0-9a-f]{64}/.exec(data.body)?.[0] ?? "";
  expect(await ask(url, { path })).toMatchObject({ status: 200, type: "image/png" });
  expect(await ask(url, { path, method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  serving.stop();
  expect((await serving.ended).code).toBe(0);
  await expect(ask(url)).rejects.toThrow("ECONNREFUSED");
});

test("answers only requests that name this machine as their host", async () => {
  const { url } = await serve();
  const { port } = new URL(url);
  expect((await ask(url, { host: `localhost:${port}` })).status).toBe(200);
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    `127.0.0.1.evil.example:${port}`,
  ]) {
    const refused = await ask(url, { host, path: "/data" });
    expect([host, refused.status, refused.body.includes("First")]).toEqual([host, 421, false]);
  }
});

test("serves no file that the page does not show, and changes nothing", async () => {
  const { url } = await serve();
  for (const path of [
    "/media/../plancast.yaml",
    "/media/%2e%2e/plancast.yaml",
    "/plancast.yaml",
    "/media/",
    "/media/constructor",
  ]) {
    expect([path, (await ask(url, { path })).status]).toEqual([path, 404]);
  }
  expect((await ask(url, { method: "POST" })).status).toBe(405);
});

test("refuses a port that is in use", async () => {
  const { project, url } = await serve();
  const { port } = new URL(url);
  const { code, stderr } = await runCommand(["preview", "--serve", "--port", port], { cwd: project.root });
  expect([code, stderr]).toEqual([1, expect.stringContaining("run/port")]);
});

test("asks the service again after plancast.yaml is saved, but not after a calendar or another file is", async () => {
  const service = await startForeignService({ now: () => NOW });
  afterThisTest(() => service.close());
  const rows = [1, 2].map((day) => `2036-03-0${day} 09:00,linkedin,Post ${day},\n`);
  const project = await makeProject({
    config: CONFIG.replace("embedded", JSON.stringify(service.url)),
    files: { "calendars/a.csv": `${HEAD}\n${rows[0]}` },
  });
  const serving = startCommand(["preview", "--serve"], {
    cwd: project.root,
    env: { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key },
    // Answers of the service never expire here, because the machine may be slow.
    clock: { now: () => NOW, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
  });
  await serving.waitFor("1 upcoming post; ");
  const before = service.requests.length;
  expect(before).toBeGreaterThan(0);
  await saveAndSee(project, "notes.txt", "Not a calendar");
  await saveAtOnce(project, "calendars/a.csv", `${HEAD}\n${rows.join("")}`);
  await serving.waitFor("2 upcoming posts; ");
  expect(serving.stderr().match(/\d upcoming posts?; /g)).toEqual([
    "1 upcoming post; ",
    "2 upcoming posts; ",
  ]);
  expect(service.requests.length).toBe(before);
  await saveAtOnce(
    project,
    "plancast.yaml",
    (await project.read("plancast.yaml")).replace("Spring", "Summer"),
  );
  await serving.waitFor(/2 upcoming posts; [^]*2 upcoming posts; /);
  expect(service.requests.length).toBeGreaterThan(before);
});

/** Resolves when a watch has reported the save. */
async function saveAndSee(project: TestProject, path: string, text: string): Promise<void> {
  const seen = new AbortController();
  afterThisTest(() => seen.abort());
  const saves = await watchSaves(project.root, { stop: seen.signal, clock: systemClock });
  await project.write(path, text);
  await saves.next();
}

/** In one step, so that even a slow machine notices only one save. */
async function saveAtOnce({ root }: TestProject, path: string, text: string): Promise<void> {
  await writeFile(join(root, "saved.tmp"), text);
  await rename(join(root, "saved.tmp"), join(root, path));
}
