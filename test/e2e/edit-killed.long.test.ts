/** Editing on the page of `preview --serve` while the built program is killed: the calendar is always whole. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { EditingPage } from "../support/edit-requests.ts";
import { makeProject } from "../support/project.ts";
import { startProcess } from "../support/run-process.ts";

vi.setConfig({ testTimeout: 600_000 });

const PRELOAD = pathToFileURL(new URL("../support/kill-at-step.js", import.meta.url).pathname).href;
const CALENDAR = "date,time,platforms,content\n2036-03-03,09:00,linkedin,First\n";
const EDITED = CALENDAR.replace("03-03", "03-10");

/** Edits with a server that dies at a step. Returns whether it died because of the edit. */
async function editAndKill(at: number): Promise<"early" | "killed" | "survived"> {
  const project = await makeProject({
    config: "service: { url: embedded }\ntimezone: Europe/Paris\n",
    files: { "calendars/a.csv": CALENDAR },
  });
  const serving = startProcess(["preview", "--serve", "--offline"], {
    cwd: project.root,
    env: { NODE_OPTIONS: `--import=${PRELOAD}`, CHAOS_KILL_AT: String(at) },
  });
  const isReady = await serving.waitFor("1 upcoming post").then(
    () => true,
    () => false,
  );
  if (!isReady) return "early";
  const page = new EditingPage(serving.stdout().trim());
  const post = await page.post("First");
  const answer = await page
    .ask({ ask: "change", post, change: { day: "2036-03-10" } })
    .catch(() => undefined);
  const file = await readFile(join(project.root, "calendars/a.csv"), "utf8");
  expect([CALENDAR, EDITED]).toContain(file);
  // An incomplete file is never among the calendars.
  expect(await readdir(join(project.root, "calendars"))).toEqual(["a.csv"]);
  if (answer === undefined) return "killed";
  expect([answer.answer, file]).toEqual(["changed", EDITED]);
  serving.kill("SIGKILL");
  await serving.ended;
  return "survived";
}

test("a server that is killed at any step of an edit leaves the old or the new file", async () => {
  const ends = new Map<string, number>();
  let end = "";
  for (let at = 1; end !== "survived"; at += 1) {
    end = await editAndKill(at);
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  expect(ends.get("killed")).toBeGreaterThan(5);
});
