import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StateFolder } from "../../../src/disk/state-folder.ts";
import type { Lockfile } from "../../../src/model/lockfile.ts";
import { lockfileText } from "../../../src/sync/state/lockfile.ts";
import {
  OpenState,
  confirmedLockfile,
  forgetOwnLockfile,
  readOwnLockfile,
  readState,
  stateFile,
} from "../../../src/sync/state/project-state.ts";
import { onDiskSync } from "../../support/disk-syncs.ts";
import { makeProject } from "../../support/project.ts";
import { config, lockfile, owned, post } from "../../support/rows.ts";

const ORIGIN = "https://api.example.com";
const AT = "2030-01-01T00:00:00Z";
const JOURNAL = ".plancast/plancast.lock.json.journal";
/** Of an empty folder. */
const NOTHING = {
  journal: { records: [], wholeBytes: 0 },
  hash: createHash("sha256").digest("hex"),
};
const attempt = {
  fingerprint: "sha256:new",
  attempted_at: AT,
  scheduled_at: post().scheduledAt,
  content: post().content,
  platforms: ["linkedin"],
  media_ids: [],
  file: "calendars/a.csv",
};

async function openProject() {
  const { root } = await makeProject();
  const project = { root, file: "plancast.yaml", config: config(), state: StateFolder.at(root) };
  return { root, project, read: async (): Promise<Lockfile> => (await readState(project, ORIGIN)).lockfile };
}

test("at whatever moment the process ends, lockfile and journal together show what the project owns", async () => {
  const { project, read } = await openProject();
  const state = await OpenState.open(project, lockfile({ old: owned("post_1") }), NOTHING, AT);
  expect(Object.keys((await read()).posts)).toEqual(["old"]);
  await state.record({ event: "create-started", key: "launch", attempt });
  expect((await read()).unknown).toEqual({ launch: attempt });
  await state.record({ event: "created", key: "launch", post_id: "post_2" });
  await state.record({ event: "cancelled", key: "old", post_id: "post_1", at: AT });
  const done = await read();
  expect([Object.keys(done.posts), done.unknown]).toEqual([["launch"], {}]);
  const seen: Lockfile[] = [];
  await onDiskSync(async () => void seen.push(await read()));
  await state.close();
  expect(seen.length).toBeGreaterThan(2);
  for (const each of [...seen, await read()]) expect(each).toEqual(done);
});

test("a post that nothing confirms does not become the checkout's own, whatever the run writes", async () => {
  const { project, read } = await openProject();
  const both = lockfile({ a: owned("post_1"), forged: owned("post_9") });
  const ownKeys = async (): Promise<string[]> =>
    Object.keys(JSON.parse((await readOwnLockfile(project)) ?? "{}").posts);
  const first = await OpenState.open(project, both, NOTHING, AT, new Set(["post_9"]));
  expect(await ownKeys()).toEqual(["a"]);
  await first.record({ event: "create-started", key: "b", attempt });
  await first.record({ event: "created", key: "b", post_id: "post_2" });
  const confirmed = async (): Promise<string[]> =>
    Object.keys((await confirmedLockfile(project, ORIGIN))?.posts ?? {});
  // Also if the run is killed here.
  expect(await confirmed()).toEqual(["a", "b"]);
  await first.close();
  expect([await ownKeys(), await confirmed()]).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
  // A command that compares nothing confirms nothing.
  const other = await OpenState.open(project, await read(), await readState(project, ORIGIN), AT);
  await other.close();
  expect([await ownKeys(), Object.keys((await read()).posts)]).toEqual([
    ["a", "b"],
    ["a", "b", "forged"],
  ]);
  await forgetOwnLockfile(project);
  expect(await confirmedLockfile(project, ORIGIN)).toBeUndefined();
});

test("an event is on the disk before it counts as recorded", async () => {
  const { project } = await openProject();
  const state = await OpenState.open(project, lockfile(), NOTHING, AT);
  const order: string[] = [];
  await onDiskSync(async (kind) => void order.push(`${kind} on the disk`));
  await state.record({ event: "create-started", key: "launch", attempt });
  order.push("recorded");
  expect(order).toEqual(["file on the disk", "recorded"]);
  expect(state.lockfile.unknown).toEqual({ launch: attempt });
  await state.close();
});

test("an event that is written while the run ends is in the lockfile", async () => {
  const { project, read } = await openProject();
  const state = await OpenState.open(project, lockfile(), NOTHING, AT);
  const recorded = state.record({ event: "create-started", key: "launch", attempt });
  await state.close();
  await recorded;
  expect((await read()).unknown).toEqual({ launch: attempt });
});

test("after a run ends, it records nothing, so requests that wait for a record are not sent", async () => {
  const { project, read } = await openProject();
  const state = await OpenState.open(project, lockfile(), NOTHING, AT);
  await state.seal();
  await expect(state.record({ event: "create-started", key: "launch", attempt })).rejects.toThrow(
    "has ended",
  );
  await state.close();
  expect((await read()).unknown).toEqual({});
});

test("a run that continues from a journal never loses an event of the journal", async () => {
  const { root, project, read } = await openProject();
  const cut = await OpenState.open(project, lockfile(), NOTHING, AT);
  await cut.record({ event: "create-started", key: "launch", attempt });
  await cut.record({ event: "created", key: "launch", post_id: "post_1" });
  const files = [join(root, "plancast.lock.json"), join(root, JOURNAL)];
  const texts = await Promise.all(files.map((path) => readFile(path)));
  await cut.close();
  await Promise.all(files.map((path, index) => writeFile(path, texts[index] ?? "")));
  const left = await readState(project, ORIGIN);
  expect(left.lockfile.posts["launch"]?.post_id).toBe("post_1");
  const seen: Lockfile[] = [];
  await onDiskSync(async () => void seen.push(await read()));
  const state = await OpenState.open(project, left.lockfile, left, AT);
  await state.close();
  expect(seen.length).toBeGreaterThan(4);
  for (const each of [...seen, await read()]) expect(each.posts).toEqual(left.lockfile.posts);
});

test("a finished run leaves the lockfile and no journal, and both are on the disk", async () => {
  const { root, project } = await openProject();
  const state = await OpenState.open(project, lockfile(), NOTHING, AT);
  const journal = join(root, JOURNAL);
  const order: string[] = [];
  await onDiskSync(async (kind) => {
    const isThere = await readFile(journal).then(
      () => "a journal",
      () => "no journal",
    );
    order.push(`${kind}, ${isThere}`);
  });
  await state.close();
  const written = ["file, a journal", "folder, a journal"];
  expect(order).toEqual(["file, a journal", ...written, ...written, "folder, no journal"]);
});

test("lockfiles of one folder never share files of state, whatever their names", () => {
  const state = StateFolder.at("/p");
  const nameFor = (name: string): string =>
    stateFile(
      { root: "/p", file: "plancast.yaml", config: { ...config(), lockfile: name }, state },
      "journal",
    ).path;
  const names = [
    "plancast.lock.json",
    "東京.json",
    "大阪.json",
    "locks/a.json",
    "locks_a.json",
    "locks a.json",
    "__.json",
  ];
  expect(new Set(names.map(nameFor)).size).toBe(names.length);
  expect(nameFor("plancast.lock.json")).toMatch(/plancast\.lock\.json\.journal$/);
});

test("a run writes over no lockfile that it has not read, and its journal stays", async () => {
  const { root, project, read } = await openProject();
  const path = join(root, "plancast.lock.json");
  const pulled = lockfileText(lockfile({ pulled: owned("post_9") }));
  const state = await OpenState.open(project, lockfile(), NOTHING, AT);
  await expect(OpenState.open(project, lockfile(), NOTHING, AT)).rejects.toThrow("was changed");
  await state.record({ event: "create-started", key: "launch", attempt });
  await state.record({ event: "created", key: "launch", post_id: "post_1" });
  await writeFile(path, pulled);
  await expect(state.close()).rejects.toThrow("The journal has what this run did.");
  expect(await readFile(path, "utf8")).toBe(pulled);
  expect(Object.keys((await read()).posts)).toEqual(["pulled", "launch"]);
});
