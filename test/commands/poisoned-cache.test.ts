/** A CI job restores `.plancast` from a cache that somebody else wrote. */

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addressKey } from "../../src/model/lockfile.ts";
import { startMediaHost } from "../support/media-host.ts";
import { runCommand, type CommandResult } from "../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

const CALENDAR = "calendars/a.csv";
const [RED, BLUE] = [Buffer.from(tinyPng(1)), Buffer.from(tinyPng(2))];

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function rowsOf(...rows: string[][]): string {
  return csv(["id", "scheduled_at", "platforms", "content", "media"], ...rows);
}

function inCi({ project, env, clock }: Scenario, env2: object, ...args: string[]): Promise<CommandResult> {
  return runCommand(args, { cwd: project.root, clock, env: { ...env, CI: "true", ...env2 } });
}

/** Hashes of the pictures of the scheduled posts, by their text. */
function shown({ service }: Scenario): Record<string, (string | undefined)[]> {
  return Object.fromEntries(
    service
      .scheduled()
      .map(({ content, media_ids: ids }) => [content, ids.map((id) => service.media.get(id)?.sha256)]),
  );
}

test("a record of an address brings no other picture into a post", async () => {
  const host = await startMediaHost();
  host.serve("/red.png", RED);
  const url = host.url("/red.png");
  const scenario = await startScenario({
    files: { [CALENDAR]: rowsOf(["a", "2036-03-01 10:00", "linkedin", "Red", url]) },
    config: { media: { allow_hosts: [`127.0.0.1:${host.port}`] } },
  });
  const { project } = scenario;
  await project.write(`.plancast/media/files/${hashOf(BLUE)}`, BLUE);
  await project.write(
    `.plancast/media/addresses/${addressKey(url)}.json`,
    JSON.stringify({ sha256: hashOf(BLUE), etag: "x" }),
  );
  const hosts = { PLANCAST_MEDIA_ALLOW_HOSTS: `127.0.0.1:${host.port}` };
  expect(await inCi(scenario, hosts, "apply", "--yes")).toMatchObject({ code: 0 });
  expect(shown(scenario)).toEqual({ Red: [hashOf(RED)] });
});

test("a record of a file gives its post no picture that the service already has", async () => {
  const scenario = await startScenario({
    files: {
      "red.png": RED,
      "blue.png": BLUE,
      [CALENDAR]: rowsOf(["b", "2036-03-01 10:00", "linkedin", "Blue", "blue.png"]),
    },
  });
  const { project, apply } = scenario;
  await apply();
  await project.write(
    CALENDAR,
    rowsOf(
      ["b", "2036-03-01 10:00", "linkedin", "Blue", "blue.png"],
      ["a", "2036-03-02 10:00", "linkedin", "Red", "red.png"],
    ),
  );
  const path = join(project.root, "red.png");
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  const forged = {
    stamp: [ino, size, mtimeNs, ctimeNs].join(" "),
    bytes: Number(size),
    sha256: hashOf(BLUE),
    mime: "image/png",
    facts: { width: 1, height: 1 },
  };
  await project.write(
    ".plancast/media/hashes.json",
    JSON.stringify({ version: 1, files: { [path]: forged } }),
  );
  expect(await inCi(scenario, {}, "apply", "--yes")).toMatchObject({ code: 0 });
  expect(shown(scenario)).toEqual({ Blue: [hashOf(BLUE)], Red: [hashOf(RED)] });
});
