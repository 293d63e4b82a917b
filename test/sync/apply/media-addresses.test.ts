/** Media given as addresses, from the calendar to the service: with the built command, a real host and a real service. */

import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MediaHost, startMediaHost } from "../../support/media-host.ts";
import { startProcess } from "../../support/run-process.ts";
import { type Scenario, type ScenarioOptions, csv, startScenario } from "../../support/scenario.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content", "media"];
const FILE = "calendars/a.csv";

type Row = readonly [id: string, content: string, media: string, at?: string];

function calendar(...rows: readonly Row[]): string {
  const cells = rows.map(([id, content, media, at = "2036-03-01 09:00"]) => [
    id,
    at,
    "linkedin",
    content,
    media,
  ]);
  return csv(HEADER, ...cells);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

interface World extends Scenario {
  readonly host: MediaHost;
  /** The paths that were requested since the last call, sorted. */
  readonly asked: () => readonly string[];
  /** Removes the cache, as on a machine that never downloaded anything. */
  readonly forgetDownloads: () => Promise<void>;
}

async function start(
  rows: (host: MediaHost) => readonly Row[],
  options: Partial<ScenarioOptions> = {},
): Promise<World> {
  const host = await startMediaHost();
  const scenario = await startScenario({
    ...options,
    config: { media: { allow_hosts: [`127.0.0.1:${host.port}`], timeout: "20s" }, ...options.config },
    files: { [FILE]: calendar(...rows(host)), ...options.files },
  });
  return {
    ...scenario,
    host,
    asked: () =>
      host.asked
        .splice(0)
        .map(({ url = "" }) => url)
        .sort(),
    forgetDownloads: () =>
      rm(join(scenario.project.root, ".plancast/media"), { recursive: true, force: true }),
  };
}

test("a media address is downloaded once, uploaded once and then trusted not to change", async () => {
  const { host, asked, apply, summary, service, project, forgetDownloads } = await start((from) => [
    ["one", "First", from.url("/ok.png")],
    ["two", "Second", `${from.url("/ok.png")}, ${from.url("/w_4,h_4/same.png")}`, "2036-03-02 09:00"],
  ]);
  host.serve("/w_4,h_4/same.png", tinyPng());
  const { summary: applied } = await apply();
  expect(applied).toMatchObject({ created: 2, uploaded: 1 });
  expect(asked()).toEqual(["/ok.png", "/w_4,h_4/same.png"]);
  expect([...service.media.values()]).toMatchObject([
    { sha256: sha256(tinyPng()), filename: "ok.png", mime: "image/png" },
  ]);
  // Another machine, another text, and a host that now serves something else or nothing.
  await forgetDownloads();
  host.serve("/ok.png", (response) => response.writeHead(404).end());
  expect(await summary()).toEqual({ keep: 2 });
  await project.write(FILE, (await project.read(FILE)).replace("First", "Changed"));
  expect((await apply()).summary).toMatchObject({ replaced: 1, uploaded: 0 });
  expect(asked()).toEqual([]);
});

test("--refresh-media downloads again, even for a saved plan", async () => {
  const { host, asked, apply, summary, run, service } = await start((from) => [
    ["one", "First", from.url("/new.png")],
  ]);
  let now = 1;
  host.serve("/new.png", (response, request) =>
    request.headers["if-none-match"] === `"v${now}"`
      ? response.writeHead(304).end()
      : response.writeHead(200, { etag: `"v${now}"` }).end(tinyPng(now)),
  );
  await apply();
  expect(await summary("--refresh-media")).toEqual({ keep: 1 });
  now = 2;
  expect(asked()).toEqual(["/new.png", "/new.png"]);
  expect((await run("plan", "--refresh-media", "--out", "saved.json")).code).toBe(0);
  expect((await apply({ args: ["--plan", "saved.json"] })).summary).toMatchObject({
    replaced: 1,
    uploaded: 1,
  });
  expect([...service.media.values()].map((each) => each.sha256)).toContain(sha256(tinyPng(2)));
});

test("apply refuses a reviewed plan when another machine downloads different bytes", async () => {
  const { host, run, apply, service, forgetDownloads } = await start((from) => [
    ["one", "First", from.url("/ok.png")],
  ]);
  await run("plan", "--out", "saved.json");
  await forgetDownloads();
  host.serve("/ok.png", tinyPng(5));
  const refused = await run("apply", "--plan", "saved.json", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("apply/plan-changed");
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(
    `files that differ from the review: ${host.url("/ok.png")}`,
  );
  expect(service.posts.size + service.media.size).toBe(0);
  await forgetDownloads();
  host.serve("/ok.png", tinyPng());
  expect((await apply({ args: ["--plan", "saved.json"] })).summary).toMatchObject({
    created: 1,
    uploaded: 1,
  });
});

test("media that the service lost are downloaded again if the address still has them", async () => {
  const { host, service, apply, project, forgetDownloads } = await start((from) => [
    ["one", "First", from.url("/ok.png")],
  ]);
  await apply();
  for (const id of service.media.keys()) service.forgetMedia(id);
  await forgetDownloads();
  await project.write(FILE, (await project.read(FILE)).replace("First", "Changed"));
  host.serve("/ok.png", tinyPng(5));
  const { outcomes } = await apply({ exit: 1 });
  expect(outcomes).toMatchObject([{ key: "one", status: "failed" }]);
  host.serve("/ok.png", tinyPng());
  expect((await apply()).summary).toMatchObject({ replaced: 1, uploaded: 1 });
});

test("an incomplete file in the download cache is downloaded again", async () => {
  const { project, apply, plan, asked } = await start((from) => [["one", "First", from.url("/ok.png")]]);
  await apply();
  await project.remove("plancast.lock.json");
  const { hash } = await plan();
  expect(asked()).toEqual(["/ok.png"]);
  const [file = ""] = Object.keys(await project.tree()).filter((path) =>
    path.startsWith(".plancast/media/files/"),
  );
  await project.write(file, tinyPng().slice(0, 20));
  expect((await plan()).hash).toBe(hash);
  const [entry = ""] = Object.keys(await project.tree()).filter((path) =>
    path.startsWith(".plancast/media/addresses/"),
  );
  await project.write(entry, '{"sha256":"../../../etc/passwd"}');
  expect((await plan()).hash).toBe(hash);
  expect(asked()).toEqual(["/ok.png", "/ok.png"]);
});

test("plan checks downloads, and leaves only them for the next run", async () => {
  const { project, plan, asked } = await start((from) => [["one", "First", from.url("/ok.png")]]);
  const before = await project.tree();
  const temporary = await readdir(tmpdir());
  const { hash } = await plan();
  expect((await plan()).hash).toBe(hash);
  expect(asked()).toEqual(["/ok.png"]);
  const written = Object.keys(await project.tree()).filter((path) => !(path in before));
  expect(written.filter((path) => !path.startsWith(".plancast/media/"))).toEqual([]);
  const left = (await readdir(tmpdir())).filter((name) => !temporary.includes(name));
  expect(left.filter((name) => name.startsWith("plancast-media-"))).toEqual([]);
});

test("a process killed during a download leaves only files that the next run ignores", async () => {
  const { host, project, env, plan } = await start((from) => [["one", "First", from.url("/slow.png")]]);
  host.serve("/slow.png", (response) => response.writeHead(200).write(tinyPng().slice(0, 20)));
  const running = startProcess(["apply", "--yes", "--verbose"], { cwd: project.root, env });
  await running.waitFor("Downloading");
  running.kill("SIGKILL");
  expect((await running.ended).signal).toBe("SIGKILL");
  host.serve("/slow.png", tinyPng());
  expect((await plan()).uploads).toEqual([{ path: host.url("/slow.png") }]);
});

test("validate downloads nothing, says so, and checks what is cached", async () => {
  const { asked, run } = await start((from) => [["one", "First", from.url("/ok.png")]], {
    config: { limits: { linkedin: { image_types: ["image/gif"] } } },
  });
  const before = await run("validate", "--format", "json");
  expect(JSON.parse(before.stdout)).toMatchObject({ summary: { unseen_addresses: 1 }, problems: [] });
  expect(before.stderr).toContain("1 media address not checked");
  expect(asked()).toEqual([]);
  expect((await run("apply", "--yes")).code).toBe(0);
  const after = await run("validate", "--format", "json");
  expect(JSON.parse(after.stdout).summary).not.toHaveProperty("unseen_addresses");
  expect(JSON.parse(after.stdout).problems).toMatchObject([{ code: "media/unsupported", line: 2 }]);
  expect(asked()).toEqual(["/ok.png"]);
});

test("each address without media is reported with its row; past rows are not downloaded", async () => {
  const { plan, asked } = await start((from) => [
    ["one", "First", `${from.url("/ok.png")}, ${from.url("/gone.png")}`],
    ["two", "Second", from.url("/page"), "2036-03-02 09:00"],
    ["three", "Third", from.url("/text"), "2036-03-03 09:00"],
    ["four", "Fourth", "https://me:secret@example.com/a.png", "2036-03-04 09:00"],
    ["five", "Fifth", from.url("/past"), "2020-03-04 09:00"],
  ]);
  const { problems } = await plan();
  expect(problems.map(({ code, file, line }) => [code, file, line])).toEqual([
    ["media/url", FILE, 2],
    ["media/type", FILE, 3],
    ["media/type", FILE, 4],
    ["media/url", FILE, 5],
  ]);
  expect(problems[1]?.message).toContain("web page");
  expect(asked()).toEqual(["/gone.png", "/ok.png", "/page", "/text"]);
});

test("the secret part of a signed address never appears in output or files", async () => {
  const { project, run, host } = await start((from) => [
    ["one", "First", from.url("/ok.png?sig=s3cret")],
    ["two", "Second", from.url("/late.png?sig=s3cret"), "2036-03-02 09:00"],
  ]);
  const refused = await run("plan", "--verbose");
  expect(refused.stderr).toContain("/late.png?…");
  host.serve("/late.png", tinyPng(2));
  const runs = [
    refused,
    await run("plan", "--out", "saved.json", "--format", "json"),
    await run("plan", "--format", "markdown"),
    await run("apply", "--verbose", "--plan", "saved.json", "--yes"),
    await run("plan", "--verbose"),
  ];
  expect(runs.map(({ code }) => code)).toEqual([1, 0, 0, 0, 0]);
  const files = Object.keys(await project.tree()).filter((path) => path !== FILE);
  const written = await Promise.all(files.map((path) => project.read(path)));
  for (const text of [...runs.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...written])
    expect(text).not.toContain("s3cret");
});

test("the service's key is never sent to a media host", async () => {
  const { host, apply, service } = await start((from) => [["one", "First", from.url("/hop1")]]);
  await apply();
  expect(host.asked.length).toBe(3);
  for (const { rawHeaders } of host.asked) expect(rawHeaders.join("\n")).not.toContain(service.key);
  expect(host.asked.flatMap(({ headers }) => headers.authorization ?? [])).toEqual([]);
});

test("convert keeps media addresses in both directions", async () => {
  const { project, run, plan } = await start((from) => [
    ["one", "First", `${from.url("/ok.png?a=1,2;3")} ; ${from.url("/ok.png")}`],
  ]);
  const { hash } = await plan();
  const there = await run("convert", FILE, "--out", "calendars/b.yaml");
  expect(there.stderr).toBe("");
  await project.remove(FILE);
  expect((await plan()).hash).toBe(hash);
  expect((await run("convert", "calendars/b.yaml", "--out", FILE)).code).toBe(0);
  await project.remove("calendars/b.yaml");
  expect((await plan()).hash).toBe(hash);
});
