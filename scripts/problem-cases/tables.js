/** What is wrong with a table's header. */
import { row, table, workbook } from "./csv.js";

const inCsv = (text) => ({ files: { "calendars/march.csv": text } });

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const TABLE_CASES = {
  "csv/no-header": inCsv(table("Paris,Lyon,Lille", "one,two,three")),
  "csv/duplicate-header": inCsv(table("scheduled_at,platforms,content,Caption", row({ more: ["Hello"] }))),
  "csv/missing-header": inCsv(table("scheduled_at,platforms,Slogan", row({}))),
  "csv/row-above-header": inCsv(table(row({}), "scheduled_at,platforms,content", row({}))),
  "csv/unknown-column": inCsv(table("scheduled_at,platforms,content,Approved by", row({ more: ["Ana"] }))),
  "csv/header-zone": inCsv(table("Scheduled for (EST),platforms,content", row({}))),
  "csv/zone-in-header": inCsv(table("Scheduled for (UTC),platforms,content", row({}))),
  "csv/header-order": {
    project: "timezone: Europe/Paris\ndate_order: dmy\n",
    ...inCsv(table("Scheduled for (MM/DD/YYYY),platforms,content", row({ time: "03/04/2036 09:00" }))),
  },
  "csv/vague-name": inCsv(table("scheduled_at,platforms,description", row({}))),
  "csv/left-out": inCsv(table("scheduled_at,platforms,content,Hashtags", row({ more: ["#spring"] }))),
  "csv/several-accounts": inCsv(
    table(
      "scheduled_at,platforms,content,account",
      row({ more: ["shop_fr"] }),
      row({ content: "Hi", more: ["shop_en"] }),
    ),
  ),
  "csv/unused-column": inCsv(table("scheduled_at,content,LinkedIn", '2036-03-04 09:00,"Spring is here.",x')),
  "csv/unclear-question": inCsv(table("scheduled_at,platforms,content,Post on site", row({ more: ["yes"] }))),
  "csv/carry": {
    project: "timezone: Europe/Paris\ncarry: [Netwrok]\n",
    ...inCsv(table("scheduled_at,Network,content", row({}))),
  },
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
  "csv/not-carried": {
    project: "timezone: Europe/Paris\ncolumns: { First comment: not-carried }\n",
    ...inCsv(table("scheduled_at,platforms,content,First comment", row({ more: ["See the link"] }))),
  },
};
