/** Somebody swaps a folder and a link while plancast writes into the folder. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createWhole,
  makeFolder,
  openNew,
  removeFile,
  streamToNew,
  tryFolder,
  writeTyped,
} from "../../src/disk/files.ts";
import { placeTyped } from "../../src/disk/place.ts";
import { afterThisTest } from "../support/after-test.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** Swaps as fast as it can, for at most 20 seconds. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const end = Date.now() + 20_000;
process.stdout.write("swapping");
process.stdin.on("data", () => process.exit());
let time = 0;
/** plancast may have made a folder where this looks. Then this works on the next one. */
function attempt(work) {
  try { work() } catch {}
}
function swap() {
  for (const last = time + 200; time < last; time += 1) {
    attempt(() => renameSync("out", "kept" + time));
    attempt(() => symlinkSync(process.argv[1], "out"));
    attempt(() => unlinkSync("out"));
    attempt(() => renameSync("kept" + time, "out"));
  }
  if (Date.now() < end) setImmediate(swap);
}
swap();`;

const RUNS = 150;

test.runIf(process.platform === "linux").each([
  ["a page", (path: string, root: string) => placeTyped(path, root).then((at) => writeTyped(at, "text"))],
  [
    "a new file",
    (path: string, root: string) => placeTyped(path, root).then(({ place }) => createWhole(place, "text")),
  ],
  [
    "a file in pieces",
    async (path: string, root: string) => (await openNew((await placeTyped(path, root)).place)).close(),
  ],
  [
    "a stream",
    async (path: string, root: string) =>
      pipeline(Readable.from([Buffer.from("text")]), streamToNew((await placeTyped(path, root)).place)),
  ],
  [
    "a folder",
    (path: string, root: string) =>
      placeTyped(join(path, "a/b"), root).then(({ place }) => makeFolder(place)),
  ],
  ["a trial", (path: string, root: string) => placeTyped(path, root).then(({ place }) => tryFolder(place))],
  [
    "the end of a file",
    (path: string, root: string) => placeTyped(path, root).then(({ place }) => removeFile(place)),
  ],
])("a link that comes and goes leads %s nowhere else", async (_what, work) => {
  const parent = await tempFolder({
    "project/.git/HEAD": "ref: refs/heads/main\n",
    "outside/0.html": "kept",
  });
  const [root, outside] = [join(parent, "project"), join(parent, "outside")];
  await mkdir(join(root, "out"));
  const swapper = spawn(process.execPath, ["-e", SWAPPER, outside], { cwd: root });
  afterThisTest(() => void swapper.kill("SIGKILL"));
  await once(swapper.stdout, "data");
  let refused = 0;
  for (let run = 0; run < RUNS; run += 1)
    await work(join(root, "out", `${run}.html`), root).catch(() => (refused += 1));
  expect(swapper.exitCode).toBeNull();
  expect(await readdir(outside)).toEqual(["0.html"]);
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(RUNS);
});
