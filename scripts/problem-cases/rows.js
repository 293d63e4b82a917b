/** Faults of rows. */
import { csv, row, table } from "./csv.js";

const inCsv = (text, project) => ({
  files: { "calendars/march.csv": text },
  ...(project === undefined ? {} : { project }),
});
const withId = (...rows) => inCsv(table("scheduled_at,platforms,content,id", ...rows));
const withMedia = (name, files = {}) => ({
  files: {
    "calendars/march.csv": table("scheduled_at,platforms,content,media", row({ more: [name] })),
    ...files,
  },
});

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const ROW_CASES = {
  "row/missing-field": inCsv(csv(row({ platforms: "" }))),
  "row/id": withId(row({ more: [`"a\nb"`] })),
  "row/duplicate-id": withId(row({ more: ["spring"] }), row({ content: "Bye", more: ["spring"] })),
  "row/duplicate-post": inCsv(csv(row({}), row({}))),
  "row/type": inCsv(table("scheduled_at,platforms,content,type", row({ more: ["Story"] }))),
  "row/unused-value": inCsv(table("scheduled_at,platforms,content,content:instagram", row({ more: ["Hi"] }))),
  "row/expires": inCsv(table("scheduled_at,platforms,content,expires", row({ more: ["2036-03-02"] }))),
  "row/held-back": inCsv(table("scheduled_at,platforms,content", "BACKLOG,,", row({}))),
  "platform/unknown": inCsv(csv(row({ platforms: "instagran" }))),
  "schedule/format": inCsv(csv(row({ time: "next Monday" }))),
  "schedule/ambiguous-date": inCsv(csv(row({ time: "03/04/2036 09:00" }))),
  "schedule/date-order": inCsv(
    csv(row({ time: "31/03/2036 09:00" })),
    "timezone: Europe/Paris\ndate_order: mdy\n",
  ),
  "schedule/mixed-dates": inCsv(
    csv(
      row({ time: "28/9/2036 09:00" }),
      row({ content: "We open at 8", time: "2036-01-10 09:00" }),
      row({ content: "We open at 9", time: "2036-02-10 09:00" }),
    ),
  ),
  "schedule/half-day": inCsv(
    csv(row({ time: "2036-03-03 9:00" }), row({ content: "We open at 8", time: "2036-03-04 3:00" })),
  ),
  "schedule/weekday": inCsv(csv(row({ time: "Tuesday 3 March 2036 09:00" }))),
  "row/value-twice": inCsv(table("scheduled_at,platforms,content,date", row({ more: ["2036-03-04"] }))),
  "schedule/no-timezone": inCsv(csv(row({})), "service: { url: embedded }\n"),
  "schedule/clock-change": inCsv(csv(row({ time: "2036-03-30 02:30" }))),
  "schedule/past": { run: "plancast plan", ...inCsv(csv(row({ time: "2020-03-03 09:00" }))) },
  "media/missing": withMedia("spring.png"),
  "disk/outside": withMedia("../../spring.png"),
  "media/type": withMedia("spring.png", { "calendars/spring.png": "Not a picture." }),
  "media/url": withMedia("ftp://example.com/spring.png"),
  "media/url-private": { run: "plancast plan", ...withMedia("http://127.0.0.1/spring.png") },
};
