import { open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { runProcess } from "../support/run-process.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { tinyMp4 } from "../support/tiny-media.ts";

vi.setConfig({ testTimeout: 120_000 });
const PRELOAD = fileURLToPath(new URL("../support/print-memory.js", import.meta.url));
const MB = 1024 * 1024;

/** The most memory, in bytes, that an apply with one video of this size took. */
async function memoryOfApply(bytes: number): Promise<number> {
  const { project, env, service } = await startScenario({
    files: {
      "calendars/a.csv": csv(
        ["scheduled_at", "platforms", "content", "media"],
        ["2036-03-01 10:00", "tiktok", "Hi", "clip.mp4"],
      ),
      "calendars/clip.mp4": tinyMp4(),
    },
  });
  const file = await open(join(project.root, "calendars/clip.mp4"), "r+");
  await file.truncate(bytes);
  await file.close();
  const memory = join(project.root, "memory");
  const { code, stderr } = await runProcess(["apply", "--yes"], {
    cwd: project.root,
    env: { ...env, NODE_OPTIONS: `--import ${PRELOAD}`, MEMORY_FILE: memory },
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect([...service.media.values()].map((each) => each.bytes)).toEqual([bytes]);
  return Number(await project.read("memory"));
}

test("uploads a video of 300 MB with less than 60 MB more memory than a small one", async () => {
  const small = await memoryOfApply(1 * MB);
  const large = await memoryOfApply(300 * MB);
  expect(small).toBeGreaterThan(20 * MB);
  expect((large - small) / MB).toBeLessThan(60);
});
