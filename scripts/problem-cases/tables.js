/** What is wrong with a table's header. */
import { row, table, workbook } from "./csv.js";

const inCsv = (text) => ({ files: { "calendars/march.csv": text } });

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const TABLE_CASES = {
  "csv/missing-header": inCsv(table("scheduled_at,platforms", "2036-03-04 09:00,linkedin")),
  "csv/row-above-header": inCsv(table(row({}), "scheduled_at,platforms,content", row({}))),
  "columns/unknown": inCsv(table("scheduled_at,platforms,content,Approved by", row({ more: ["Ana"] }))),
  "csv/header-zone": inCsv(table("Scheduled for (EST),platforms,content", row({}))),
  "csv/zone-in-header": inCsv(table("Scheduled for (UTC),platforms,content", row({}))),
  "sheet/left-out": {
    project: 'timezone: Europe/Paris\nsheet: "*"\n',
    files: {
      "calendars/spring.xlsx": workbook({
        March: [
          ["scheduled_at", "platforms", "content"],
          ["2036-03-03 09:00", "linkedin", "Hello"],
        ],
        Ideas: [["Ask the baker"], ["A picture of the oven"]],
      }),
    },
  },
  "row/not-a-post": {
    project: "timezone: Europe/Paris\ncolumns: { Notes: ignore }\n",
    ...inCsv(
      table("scheduled_at,platforms,content,Notes", row({ more: [""] }), ",,,Second week: Ana is away"),
    ),
  },
  "service/not-stored": {
    project: "timezone: Europe/Paris\ncolumns: { First comment: not-carried }\n",
    ...inCsv(table("scheduled_at,platforms,content,First comment", row({ more: ["See the link"] }))),
  },
};
