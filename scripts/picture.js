/** Makes docs/terminal.svg, the README's picture: a plan after somebody edited the example calendars. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inSandbox } from "./sandbox.js";

/** File, what is there, what is written instead. */
const EDITS = [
  ["workshops.csv", "Two places left", "One place left"],
  ["workshops.csv", "both at the window bench", "at the window bench"],
  ["hudson-exchange.yaml", "2036-03-07T16:00", "2036-03-07T15:30"],
  ["hudson-exchange.yaml", /\n {2}- # No id[\s\S]*/, ""],
  [
    "night-garden.yaml",
    /\nposts:\n/,
    "\nposts:\n  - date: 2036-05-02\n    platforms: [instagram]\n    media: media/night-garden.jpg\n" +
      "    content: The lanterns are hung. All 340 of them.\n",
  ],
];

inSandbox(({ folder, plancast }) => {
  plancast(["apply", "--yes"], "pipe");
  for (const [file, before, after] of EDITS) {
    const path = join(folder, "calendars", file);
    const text = readFileSync(path, "utf8");
    const edited = text.replace(before, after);
    if (edited === text) throw new Error(`${file} no longer holds ${before}`);
    writeFileSync(path, edited);
  }
  const input = `$ plancast plan\n${plancast(["plan", "--color"], "pipe")}`;
  const tool = fileURLToPath(new URL("terminal-picture.js", import.meta.url));
  const args = [tool, "--columns", "100", "--title", "plancast plan"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(new URL("../docs/terminal.svg", import.meta.url), stdout);
});
