/**
 * Makes the pictures of the example calendars: a plan, a month, what `plan --watch` shows after an edit, and the
 * preview.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inSandbox } from "../sandbox.js";
import { editApril, editExample } from "./edit-example.js";
import { savePreview } from "./preview.js";
import { savePicture } from "./save-picture.js";

const WATCH = ["plan", "--watch", "--only", "platform=linkedin"];

/** An edit far down in a long text. */
function editLongText(folder) {
  const path = join(folder, "calendars", "spring-season.csv");
  const text = readFileSync(path, "utf8");
  const edited = text.replace("half of them species", "a third of them species");
  if (edited === text) throw new Error("spring-season.csv no longer holds the text to edit");
  writeFileSync(path, edited);
}

/** @param {import("../sandbox.js").Sandbox} sandbox @returns what is said after an edit, from the save on */
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
  savePicture(
    "month.svg",
    "plancast calendar --month 2036-03",
    plancast(["calendar", "--month", "2036-03", "--color"], "pipe"),
  );
  savePicture("watch.svg", `plancast ${WATCH.join(" ")}`, await watched(sandbox));
  plancast(["apply", "--yes"], "pipe");
  editExample(folder);
  savePicture("plan.svg", "plancast plan", plancast(["plan", "--color"], "pipe"));
  appendFileSync(join(folder, "plancast.yaml"), "\nproject: Belvoisin\n");
  editApril(folder);
  plancast(["preview"], "pipe");
  await savePreview(folder, "preview.jpg", { month: "2036-04", height: 1060 });
});
