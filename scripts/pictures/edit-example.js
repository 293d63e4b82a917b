/** The edits to the example calendars that the pictures show. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The file, the old text, and the new text. */
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

/** In April, so that a page of that month shows all kinds of changes. */
const EDITS_IN_APRIL = [
  ["in-flower.csv", "2036-04-09,09:00", "2036-04-12,11:00"],
  ["in-flower.csv", "The white one has more to say.", "The white one has the stronger scent."],
  [
    "in-flower.csv",
    "2036-04-18,",
    '2036-04-16,12:30,Instagram & Mastodon,"Witch hazel is not in flower. We only wanted to show you its leaves.",media/witch-hazel.jpg\n2036-04-18,',
  ],
];

/** @param folder the project's */
export function editExample(folder) {
  edit(folder, EDITS);
}

/** @param folder the project's */
export function editApril(folder) {
  edit(folder, EDITS_IN_APRIL);
}

function edit(folder, edits) {
  for (const [file, before, after] of edits) {
    const path = join(folder, "calendars", file);
    const text = readFileSync(path, "utf8");
    const edited = text.replace(before, after);
    if (edited === text) throw new Error(`${file} no longer holds ${before}`);
    writeFileSync(path, edited);
  }
}
