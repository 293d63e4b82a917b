/** Makes the pictures of the example calendars: a plan, a month, and the preview. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { inSandbox } from "../sandbox.js";
import { editApril, editExample } from "./edit-example.js";
import { savePreview } from "./preview.js";
import { savePicture } from "./save-picture.js";

await inSandbox(async (sandbox) => {
  const { folder, plancast } = sandbox;
  savePicture(
    "month.svg",
    "plancast calendar --month 2036-03",
    plancast(["calendar", "--month", "2036-03", "--color"], "pipe"),
  );
  plancast(["apply", "--yes"], "pipe");
  editExample(folder);
  savePicture("plan.svg", "plancast plan", plancast(["plan", "--color"], "pipe"));
  appendFileSync(join(folder, "plancast.yaml"), "\nproject: Belvoisin\n");
  editApril(folder);
  plancast(["preview"], "pipe");
  await savePreview(folder, "preview.jpg", { month: "2036-04", height: 1060 });
});
