/** A video is never in memory as a whole: peak memory of the real command, with a small video and one of 50 MB. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { GIT_ENV, makeRepository } from "../support/github/repository.ts";
import { MASTODON_TOKEN, type MastodonStandIn, startMastodon } from "../support/networks/mastodon.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { runProcess, startProcess } from "../support/run-process.ts";
import { TestClock } from "../support/test-clock.ts";
import { tinyMp4 } from "../support/tiny-media.ts";

vi.setConfig({ testTimeout: 180_000 });
const PRELOAD = fileURLToPath(new URL("../support/print-memory.js", import.meta.url));
const MB = 1024 * 1024;
/** Time between the apply and now, in which the post becomes due, in ms. */
const HOUR_MS = 3_600_000;

function calendar(): string {
  const due = new Date(Date.now() - HOUR_MS / 2).toISOString();
  return `posts:\n  - { id: film, scheduled_at: "${due}", platforms: mastodon, content: Film, media: clip.mp4 }\n`;
}

function accounts({ origin }: MastodonStandIn): object {
  return { masto: { network: "mastodon", server: origin, token_env: "MASTO" } };
}

function envFor({ origin }: MastodonStandIn): Record<string, string> {
  return { MASTO: MASTODON_TOKEN, PLANCAST_TRUSTED_ORIGINS: `${origin}=MASTO`, ...GIT_ENV };
}

async function writeVideo(project: TestProject, bytes: number): Promise<void> {
  await project.write("calendars/clip.mp4", tinyMp4());
  const file = await open(join(project.root, "calendars/clip.mp4"), "r+");
  await file.truncate(bytes);
  await file.close();
}

async function applyBefore(project: TestProject, env: Record<string, string>): Promise<void> {
  const clock = new TestClock(undefined, Date.now() - HOUR_MS);
  const { code, stderr, stdout } = await runCommand(["apply", "--yes"], { cwd: project.root, env, clock });
  expect([code, stdout + stderr]).toEqual([0, expect.any(String)]);
}

/** Peak memory of `plancast serve`, in bytes, while it publishes a video of this size. */
async function memoryOfServe(bytes: number): Promise<number> {
  const mastodon = await startMastodon();
  const project = await makeProject({
    config: { service: { url: "embedded" }, accounts: accounts(mastodon) },
    files: { "calendars/a.yaml": calendar() },
  });
  await writeVideo(project, bytes);
  await applyBefore(project, envFor(mastodon));
  const memory = join(project.root, "memory");
  const serving = startProcess(["serve", "--port", "0", "--stay"], {
    cwd: project.root,
    env: { ...envFor(mastodon), NODE_OPTIONS: `--import ${PRELOAD}`, MEMORY_FILE: memory },
  });
  await serving.waitFor("Published post_");
  serving.kill("SIGINT");
  expect((await serving.ended).code).toBe(0);
  expect(mastodon.statuses).toMatchObject([{ media: [{}] }]);
  return Number(await project.read("memory"));
}

/** The same of `plancast publish`. */
async function memoryOfPublish(bytes: number): Promise<number> {
  const mastodon = await startMastodon();
  const repository = await makeRepository(
    { "calendars/a.yaml": calendar() },
    { service: { url: "repository" }, accounts: accounts(mastodon) },
  );
  const { project } = repository;
  await writeVideo(project, bytes);
  await applyBefore(project, envFor(mastodon));
  repository.push("applied");
  const memory = join(project.root, "memory");
  const { code, stderr } = await runProcess(["publish"], {
    cwd: project.root,
    env: { ...envFor(mastodon), NODE_OPTIONS: `--import ${PRELOAD}`, MEMORY_FILE: memory },
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining("Published")]);
  expect(mastodon.statuses).toMatchObject([{ media: [{}] }]);
  return Number(await project.read("memory"));
}

test.each([
  ["serve", memoryOfServe],
  ["publish", memoryOfPublish],
])(
  "%s publishes a video of 50 MB with at most 20 MB more memory than a small one, and 110 MB in all",
  async (_name, measure) => {
    const small = await measure(1 * MB);
    const large = await measure(50 * MB);
    console.info(`peak memory: ${Math.round(small / MB)} MB and ${Math.round(large / MB)} MB`);
    expect(small).toBeGreaterThan(40 * MB);
    expect((large - small) / MB).toBeLessThan(20);
    expect(large / MB).toBeLessThan(110);
  },
);
