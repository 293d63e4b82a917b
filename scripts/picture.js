/** Makes docs/terminal.svg, the README's picture: a plan after somebody edited the example calendars. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { editExample } from "./edit-example.js";
import { inSandbox } from "./sandbox.js";

await inSandbox(({ folder, plancast }) => {
  plancast(["apply", "--yes"], "pipe");
  editExample(folder);
  const input = `$ plancast plan\n${plancast(["plan", "--color"], "pipe")}`;
  const tool = fileURLToPath(new URL("terminal-picture.js", import.meta.url));
  const args = [tool, "--columns", "100", "--title", "plancast plan"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(new URL("../docs/terminal.svg", import.meta.url), stdout);
});
