/** What a network would refuse or cut. */
import { csv, row, table } from "./csv.js";

const inCsv = (text) => ({ files: { "calendars/march.csv": text } });
/** A PNG of one pixel, whole. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const withMedia = (platforms, media, files) => ({
  files: {
    "calendars/march.csv": table("scheduled_at,platforms,content,media", row({ platforms, more: [media] })),
    ...files,
  },
});

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const CHECK_CASES = {
  "content/too-long": inCsv(
    csv(row({ platforms: "twitter", content: "Fresh bread every day. ".repeat(13) })),
  ),
  "content/hashtags": inCsv(
    csv(
      row({
        platforms: "instagram",
        content: Array.from({ length: 31 }, (_, index) => `#bread${index + 1}`).join(" "),
      }),
    ),
  ),
  "content/link": inCsv(csv(row({ content: "See https://example..com/bread" }))),
  "content/markdown-link": inCsv(csv(row({ content: "See our [menu](https://example.com/menu)." }))),
  "content/placeholder": inCsv(csv(row({ content: "TBD" }))),
  "content/escaped-breaks": inCsv(csv(row({ content: String.raw`Tulips are here.\n\nCome and see.` }))),
  "content/mojibake": inCsv(csv(row({ content: "CafÃ© is open." }))),
  "content/unfilled": inCsv(csv(row({ content: "Hello {{first_name}}" }))),
  "content/html": inCsv(csv(row({ content: "<p>We are open.</p>" }))),
  "content/guard": inCsv(csv(row({ content: "'@acme is here." }))),
  "content/unfinished": inCsv(csv(row({ content: "DRAFT: We open in May." }))),
  "media/required": inCsv(csv(row({ platforms: "instagram" }))),
  "media/too-many": withMedia(
    "twitter",
    [1, 2, 3, 4, 5].map((n) => `${n}.png`).join("; "),
    Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [`calendars/${n}.png`, Buffer.concat([DOT, Buffer.from([n])])]),
    ),
  ),
  "media/dimensions": withMedia("twitter", "dot.png", { "calendars/dot.png": DOT }),
  "media/broken": withMedia("linkedin", "cut.png", { "calendars/cut.png": DOT.subarray(0, 50) }),
  "row/same-minute": inCsv(csv(row({}), row({ content: "Good morning" }))),
  "row/repeated-text": inCsv(csv(row({}), row({ time: "2036-03-04 09:00" }))),
};
