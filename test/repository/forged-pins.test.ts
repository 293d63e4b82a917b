/** A branch whose lockfile names other files and slots than its base: only the base counts. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockfileSchema } from "../../src/model/lockfile.ts";
import { GIT_ENV, type TestRepository, makeRepository } from "../support/github/repository.ts";
import { startMediaHost } from "../support/media-host.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { startWorld } from "./world.ts";

const LOCKFILE = "plancast.lock.json";
type Lockfile = ReturnType<typeof lockfileSchema.parse>;

/** On a branch, as another machine with the same service sees it. */
async function forge({ project, git }: TestRepository, edit: (lockfile: Lockfile) => void): Promise<void> {
  git("checkout", "-q", "-b", "forged");
  await rm(join(project.root, ".plancast", `${LOCKFILE}.own`));
  await rm(join(project.root, ".plancast/media"), { recursive: true, force: true });
  const lockfile = lockfileSchema.parse(JSON.parse(await project.read(LOCKFILE)));
  edit(lockfile);
  await project.write(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`);
  git("commit", "-qam", "Tidy up");
}

test("a forged record of an address puts no other picture into its post", async () => {
  const host = await startMediaHost();
  host.serve("/red.png", tinyPng(1));
  host.serve("/blue.png", tinyPng(2));
  const row = (id: string, time: string): string =>
    `- { id: ${id}, scheduled_at: 2036-03-01T${time}:00Z, platforms: [linkedin], content: The ${id} one., media: ["${host.url(`/${id}.png`)}"] }\n`;
  const repository = await makeRepository(
    { "calendars/a.yaml": row("red", "08:00") + row("blue", "09:00") },
    { service: { url: "embedded" }, media: { allow_hosts: [`127.0.0.1:${host.port}`] } },
  );
  const { project } = repository;
  const run = (...args: string[]): Promise<CommandResult> =>
    runCommand(args, { cwd: project.root, env: GIT_ENV });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  repository.push("applied");
  await forge(repository, ({ urls = {} }) => {
    const [red, blue] = ["red", "blue"].map((name) =>
      Object.values(urls).find(({ address }) => address.endsWith(`/${name}.png`)),
    );
    if (red === undefined || blue === undefined) throw new Error("The lockfile records no address.");
    red.sha256 = blue.sha256;
  });
  expect(JSON.parse((await run("plan", "--format", "json")).stdout)).toMatchObject({ changes: [] });
  const asked = host.asked.map(({ url = "" }) => url);
  expect(asked.toSorted((one, other) => one.localeCompare(other))).toEqual([
    "/blue.png",
    "/red.png",
    "/red.png",
  ]);
});

test("a forged slot moves no post, also without the service", async () => {
  const world = await startWorld({
    files: { "calendars/a.yaml": "- { id: a, platforms: [bluesky], content: Tulips are here. }\n" },
    config: {
      timezone: "UTC",
      calendars: [{ files: "calendars/a.yaml", slots: { bluesky: ["mon 08:00", "tue 08:00"] } }],
    },
  });
  await world.apply();
  const shown = async (): Promise<string> => (await world.run(["calendar", "--month", "2027-03"])).stdout;
  const before = await shown();
  expect(before).toContain("Tulips");
  await forge(world.repository, ({ posts: { a } }) => {
    if (a === undefined) throw new Error("The row a is not in the lockfile.");
    a.scheduled_at = "2027-03-09T08:00:00Z";
  });
  expect(await shown()).toBe(before);
});
