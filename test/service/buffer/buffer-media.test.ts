/** Media by address: where the files of a project are on the web, and what a plan checks there. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { PublicFiles } from "../../../src/media/public-files.ts";
import type { MediaFile } from "../../../src/model/post.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { row, sha256 } from "../../support/contract/contract-world.ts";
import { bufferWorld } from "../../support/contract/worlds.ts";
import { makeProject } from "../../support/project.ts";
import { config } from "../../support/rows.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const PICTURE = tinyPng(1);

async function planText(
  world: Awaited<ReturnType<typeof bufferWorld>>["world"],
): Promise<readonly [number | null, string]> {
  const { code, stdout, stderr } = await world.run("plan");
  return [code, (stdout + stderr).replaceAll(/\s+/g, " ")];
}

test("a plan refuses a file that nobody can read, and sends nothing", async () => {
  const { world, host } = await bufferWorld({ "a.png": PICTURE });
  await world.write(row("a", "01", "x", "one", "a.png,,,"));
  host.serve("/public/a.png", (response) => response.writeHead(404).end());
  const missing = await planText(world);
  expect(missing).toEqual([1, expect.stringContaining("media/no-address")]);
  expect(missing[1]).toContain(`${host.origin}/public/a.png answers with HTTP 404`);
  host.serve("/public/a.png", new Uint8Array([...PICTURE, 0]));
  expect(await planText(world)).toEqual([1, expect.stringContaining("has another file than a.png")]);
  expect((await world.run("apply", "--yes")).code).toBe(1);
  expect(world.server.scheduled()).toEqual([]);
  const settings = await world.project.read("plancast.yaml");
  await world.project.write("plancast.yaml", settings.replace(/public_url: "[^"]*", /, ""));
  expect(await planText(world)).toEqual([1, expect.stringContaining("Set `media: { public_url: … }`")]);
});

test("an apply compares all bytes once for each file, and a plan asks only for the size", async () => {
  const { world, host } = await bufferWorld({ "a.png": PICTURE });
  const asked = () => host.asked.map(({ method, url }) => `${method} ${url}`);
  await world.write(row("a", "01", "x", "one", "a.png,,,"), row("b", "02", "x", "two", "a.png,,,"));
  await world.planned();
  expect(asked()).toEqual(["HEAD /public/a.png"]);
  await world.apply();
  expect(asked().filter((each) => each.startsWith("GET"))).toEqual(["GET /public/a.png"]);
  await world.write(row("a", "01", "x", "one, edited", "a.png,,,"), row("b", "02", "x", "two", "a.png,,,"));
  await world.apply();
  expect(asked().filter((each) => each.startsWith("GET"))).toHaveLength(1);
  // The same size, but other bytes.
  const other = Uint8Array.from(PICTURE, (byte, index) => (index === PICTURE.length - 1 ? byte ^ 1 : byte));
  await world.project.write("b.png", other);
  host.serve("/public/b.png", PICTURE);
  await world.write(row("a", "01", "x", "one, edited", "b.png,,,"), row("b", "02", "x", "two", "a.png,,,"));
  const { outcomes } = await world.apply(1);
  expect(outcomes).toEqual(["replace a@twitter failed"]);
  expect(world.server.scheduled().map(({ assets }) => assets)).toEqual(
    [1, 2].map(() => [{ image: { url: `${host.origin}/public/a.png` } }]),
  );
});

test("an address in a row is the address of the post, without a setting", async () => {
  const { world, host } = await bufferWorld({ "a.png": PICTURE });
  const settings = await world.project.read("plancast.yaml");
  await world.project.write("plancast.yaml", settings.replace(/public_url: "[^"]*", /, ""));
  const url = `${host.origin}/public/a.png`;
  await world.write(row("a", "01", "x", "one", `${url},,,`));
  await world.apply();
  expect(world.server.scheduled().map(({ assets }) => assets)).toEqual([[{ image: { url } }]]);
  expect(await world.planned()).toEqual({ keep: 1 });
});

test("a host that answers no HEAD is asked with a GET", async () => {
  const { world, host } = await bufferWorld({ "a.png": PICTURE });
  host.serve("/public/a.png", (response, { method }) =>
    method === "HEAD" ? response.writeHead(405).end() : response.writeHead(200).end(PICTURE),
  );
  await world.write(row("a", "01", "x", "one", "a.png,,,"));
  await world.apply();
  expect(world.server.scheduled()).toHaveLength(1);
});

/** The addresses of files in a repository whose remote has this address. */
async function repositoryFiles(remote: string) {
  const project = await makeProject({
    files: { "clients/acme/media/a b.png": PICTURE, "clients/acme/new.png": PICTURE },
  });
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: project.root,
      encoding: "utf8",
    }).trim();
  git("init", "-q");
  git("remote", "add", "origin", remote);
  git("add", "clients/acme/media");
  git("commit", "-qm", "Add a picture");
  const commit = git("rev-parse", "HEAD");
  git("commit", "-q", "--allow-empty", "-m", "Later");
  const settings = config();
  const files = new PublicFiles(
    {
      root: `${project.root}/clients/acme`,
      file: "plancast.yaml",
      config: { ...settings, media: { ...settings.media, public_url: "repository" } },
    },
    { userAgent: "test", stop: new AbortController().signal },
  );
  afterThisTest(() => files.close());
  const addressOf = (path: string) => files.addressOf(fileAt(path));
  return { addressOf, commit };
}

function fileAt(path: string): MediaFile {
  return { kind: "file", path, sha256: sha256(PICTURE), bytes: PICTURE.length, mime: "image/png" };
}

test.each([
  "https://github.com/garden/social.git",
  "git@github.com:garden/social.git",
  "ssh://git@github.com/garden/social",
])("a file of a public repository has an address at the commit that last changed it: %s", async (remote) => {
  const { addressOf, commit } = await repositoryFiles(remote);
  expect(await addressOf("media/a b.png")).toEqual({
    address: `https://raw.githubusercontent.com/garden/social/${commit}/clients/acme/media/a%20b.png`,
  });
  expect(await addressOf("new.png")).toEqual({ why: expect.stringContaining("Commit and push it.") });
});

test("a repository elsewhere has no address", async () => {
  const { addressOf } = await repositoryFiles("https://gitlab.example.com/garden/social.git");
  expect(await addressOf("media/a b.png")).toEqual({ why: expect.stringContaining("github.com") });
});
