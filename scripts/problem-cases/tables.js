/** What is wrong with a table's header. */
import { row, table } from "./csv.js";

const inCsv = (text) => ({ files: { "calendars/march.csv": text } });

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const TABLE_CASES = {
  "csv/no-header": inCsv(table("Paris,Lyon,Lille", "one,two,three")),
  "csv/duplicate-header": inCsv(table("scheduled_at,platforms,content,Caption", row({ more: ["Hello"] }))),
  "csv/missing-header": inCsv(table("scheduled_at,platforms,Slogan", row({}))),
  "csv/row-above-header": inCsv(table(row({}), "scheduled_at,platforms,content", row({}))),
  "csv/unknown-column": inCsv(table("scheduled_at,platforms,content,Approved by", row({ more: ["Ana"] }))),
  "csv/not-carried": {
    project: "timezone: Europe/Paris\ncolumns: { First comment: not-carried }\n",
    ...inCsv(table("scheduled_at,platforms,content,First comment", row({ more: ["See the link"] }))),
  },
};
