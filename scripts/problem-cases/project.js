/** Problems of plancast.yaml, of arguments, and of files that a command writes. */
import { csv, row } from "./csv.js";

const HELLO = { "calendars/march.csv": csv(row({})) };

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const PROJECT_CASES = {
  "project/not-found": { project: false },
  "disk/unreadable": { project: Buffer.from("timezone: Europe/Paris # caf\xe9\n", "latin1") },
  "project/invalid": { project: "calendars: spring.csv\n", files: HELLO },
  "project/unknown-key": { project: "time_zone: Europe/Paris\n", files: HELLO },
  "calendar/none-found": {},
  "calendar/not-in-project": { run: "plancast plan notes.csv", files: { ...HELLO, "notes.csv": "" } },
  "calendar/unknown-format": {
    project: "timezone: Europe/Paris\ncalendars: [calendars/*]\n",
    files: { ...HELLO, "calendars/april.xls": "" },
  },
  "schedule/unknown-timezone": { project: "timezone: Europe/Pari\n", files: HELLO },
  "columns/not-found": { run: "plancast validate --only Team=Paris", files: HELLO },
  "filter/no-rows": { run: "plancast validate --only platform=x", files: HELLO },
  "usage/arguments": { run: "plancast paln", files: HELLO },
  "write/exists": {
    run: "plancast convert calendars/march.csv --out calendars/march.yaml",
    files: { ...HELLO, "calendars/march.yaml": "" },
  },
  "usage/not-found": { run: "plancast resolve spring-1 --absent", files: HELLO },
};
