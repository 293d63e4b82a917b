/** The edits to the example calendars that the pictures show. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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

/** @param folder the project's */
export function editExample(folder) {
  for (const [file, before, after] of EDITS) {
    const path = join(folder, "calendars", file);
    const text = readFileSync(path, "utf8");
    const edited = text.replace(before, after);
    if (edited === text) throw new Error(`${file} no longer holds ${before}`);
    writeFileSync(path, edited);
  }
}
