/** Buffer's own command line on the same server: a client that shares no code with plancast, on the same posts. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { row } from "../../support/contract/contract-world.ts";
import { type BufferWorld, bufferWorld } from "../../support/contract/worlds.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const run = promisify(execFile);
const CLI = createRequire(import.meta.url).resolve("@bufferapp/cli");

/** Runs `buffer`, which must end with 0. Gives its output. */
async function startBufferCli({ world: { server } }: BufferWorld) {
  const settings = { apiUrl: server.url, organizationId: server.organization, disableUpdateCheck: true };
  const home = await tempFolder({ "buffer/config.json": JSON.stringify(settings) });
  const env = { PATH: process.env["PATH"], HOME: home, XDG_CONFIG_HOME: home, BUFFER_API_KEY: server.key };
  return async (...args: readonly string[]): Promise<string> =>
    (await run(process.execPath, [CLI, ...args, "--output", "json"], { cwd: home, env })).stdout;
}

test("Buffer's command line sees what plancast scheduled, and plancast sees what it changes", async () => {
  const started = await bufferWorld({ "a.png": tinyPng(1) });
  const { world, scheduled } = started;
  const buffer = await startBufferCli(started);
  await world.write(
    row("a", "01", "x", "one", "a.png,A rose,second,"),
    row("b", "02", "linkedin/founder", "two"),
    row("c", "03", "bluesky", "three"),
  );
  await world.apply();
  const { items } = JSON.parse(await buffer("posts", "list", "--fields", "all"));
  expect(items).toMatchObject([
    {
      text: "one",
      dueAt: "2030-02-01T09:00:00.000Z",
      status: "scheduled",
      assets: [{ source: expect.stringMatching(/\/public\/a\.png$/) }],
      metadata: { threadCount: 2 },
    },
    { text: "two" },
    { text: "three" },
  ]);
  const [one, two, three] = items.map(({ id }: { id: string }) => id);
  const edited = { id: two, schedulingType: "automatic", mode: "customScheduled", text: "two, in Buffer" };
  await buffer("posts", "edit", "--json", JSON.stringify(edited));
  await buffer("posts", "delete", "--id", three);
  const made = { channelId: "ch-x", schedulingType: "automatic", mode: "customScheduled" };
  const post = { ...made, dueAt: "2030-02-04T10:00:00+01:00", text: "By hand" };
  await buffer("posts", "create", "--json", JSON.stringify(post));
  expect(scheduled()).toEqual(["founder two, in Buffer", "x By hand", "x one"]);
  expect(await world.planned()).toEqual({ replace: 1, keep: 1, missing: 1, unmanaged: 1 });
  await world.write(
    row("a", "01", "x", "one", "a.png,A rose,second,"),
    row("b", "02", "linkedin/founder", "two"),
    row("d", "04", "x", "By hand"),
  );
  // The row is the post that was made by hand.
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["adopt d@twitter done", "replace b@linkedin/founder done"]);
  expect(JSON.parse(await buffer("posts", "get", "--id", one))).toMatchObject({ text: "one" });
  expect(await world.planned()).toEqual({ keep: 3 });
});

test("Buffer's command line reads the channels and the limits", async () => {
  const started = await bufferWorld({}, { dailyLimit: 7 });
  const buffer = await startBufferCli(started);
  expect(await buffer("account")).toContain("ada@example.com");
  expect(await buffer("channels", "list")).toContain("garden.bsky.social");
  const limits = await buffer("dailyPostingLimits", "list", "--channel-ids", "ch-x,ch-brand");
  expect(limits).toContain('"limit":7');
  // The key, the organization, the address and the headers of the limits.
  expect(JSON.parse(await buffer("doctor"))).toMatchObject({ summary: { failed: 0, skipped: 0 } });
});
