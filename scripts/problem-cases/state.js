/** What is wrong with the lockfile or a plan, or what a guard stops. */
import { csv, row } from "./csv.js";

const days = (count) =>
  Array.from({ length: count }, (_, day) =>
    row({ time: `2036-03-${String(day + 1).padStart(2, "0")} 09:00`, content: `Day ${day + 1}` }),
  );
const files = { "calendars/march.csv": csv(...days(12)) };
const applied = { files, before: ["plancast apply --yes"] };
const withLockfile = (text) => ({ run: "plancast plan", files: { ...files, "plancast.lock.json": text } });

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const STATE_CASES = {
  "lockfile/invalid": withLockfile('{ "version": 1, "posts": 3 }\n'),
  "ci/stdout": { run: "plancast convert calendars/march.csv --to yaml", files, env: { CI: "true" } },
  "lockfile/conflict": withLockfile("{\n<<<<<<< HEAD\n"),
  "run/newer-version": withLockfile('{ "version": 99 }\n'),
  "run/needs-terminal": {
    run: "plancast platforms disconnect account_twitter",
    files,
  },
  "apply/plan-file": {
    run: "plancast apply --plan plan.json --yes",
    files: { ...files, "plan.json": "{}\n" },
  },
  "apply/plan-changed": {
    run: "plancast apply --plan plan.json --yes",
    files,
    before: ["plancast plan --out plan.json"],
    edits: { "calendars/march.csv": csv(...days(11)) },
  },
  "guard/too-many-cancels": {
    run: "plancast apply --yes",
    ...applied,
    edits: { "calendars/march.csv": csv(...days(1)) },
  },
  "guard/too-many-cancels-percent": {
    run: "plancast apply --yes",
    ...applied,
    edits: { "calendars/march.csv": csv(...days(4)) },
  },
  "plan/rows-left-out": {
    run: "plancast plan --only-valid",
    files: { "calendars/march.csv": csv(row({}), row({ time: "2036-03-32 09:00", content: "Hi" })) },
  },
  "guard/no-rows": {
    run: "plancast plan",
    ...applied,
    edits: { "calendars/march.csv": "scheduled_at,platforms,content\n" },
  },
};
