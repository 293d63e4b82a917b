/** Makes the pictures of terminals in docs/pictures/: a plan, a month, and what `plan --watch` says of an edit. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { editExample } from "./edit-example.js";
import { inSandbox } from "./sandbox.js";

/**
 * @param {string} name of the file in docs/pictures/
 * @param {string} command that is shown to be typed
 * @param {string} output
 */
function picture(name, command, output) {
  const tool = fileURLToPath(new URL("terminal-picture.js", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tool, "--columns", "100", "--title", command],
    { input: `$ ${command}\n${output}`, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  writeFileSync(new URL(`../docs/pictures/${name}`, import.meta.url), stdout);
}

const WATCH = ["plan", "--watch", "--only", "platform=linkedin"];

/** An edit far down in a long text. */
function editLongText(folder) {
  const path = join(folder, "calendars", "spring-season.csv");
  const text = readFileSync(path, "utf8");
  const edited = text.replace("half of them species", "a third of them species");
  if (edited === text) throw new Error("spring-season.csv no longer holds the text to edit");
  writeFileSync(path, edited);
}

/** @param {import("./sandbox.js").Sandbox} sandbox @returns what is said after an edit, from the save on */
async function watched({ folder, start }) {
  const child = start([...WATCH, "--color"]);
  let said = "";
  let isEdited = false;
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    said += chunk;
    if (said.includes("Watching") && !isEdited) {
      isEdited = true;
      editLongText(folder);
    }
    if (/Since the last plan[\s\S]*Watching/.test(said)) child.kill("SIGTERM");
  }
  const since = said.slice(said.lastIndexOf("Plan: "));
  return `…\n${since.replaceAll(folder, "~/belvoisin").replace(/\nWhat the service has[^]*?limit\.\n/, "\n")}`;
}

await inSandbox(async (sandbox) => {
  const { folder, plancast } = sandbox;
  picture(
    "month.svg",
    "plancast calendar --month 2036-03",
    plancast(["calendar", "--month", "2036-03", "--color"], "pipe"),
  );
  picture("watch.svg", `plancast ${WATCH.join(" ")}`, await watched(sandbox));
  plancast(["apply", "--yes"], "pipe");
  editExample(folder);
  picture("plan.svg", "plancast plan", plancast(["plan", "--color"], "pipe"));
});
