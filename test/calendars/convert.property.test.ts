/** Rows with any content, written in any format, read back unchanged. */

import { joinThread } from "../../src/model/extras.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StateFolder } from "../../src/disk/state-folder.ts";
import { convertCalendars } from "../../src/calendars/convert.ts";
import { readContents } from "../../src/calendars/read-calendar.ts";
import { type WriteFormatName, FORMATS, WRITE_FORMAT_NAMES } from "../../src/calendars/all-formats.ts";
import { rowsToWrite } from "../../src/calendars/rows-to-write.ts";
import type { WrittenRow } from "../../src/calendars/formats/written-row.ts";
import type { Cell, RawRow, RowVariant } from "../../src/model/row.ts";
import type { Field, VariantField } from "../../src/model/fields.ts";
import { manyRuns } from "../support/property-tests.ts";
import { calendar, config, row } from "../support/rows.ts";

/** Texts that some programs do not treat as text. */
const NASTY = [
  ["=", "+", "-", "@", "＝", "＋", "－", "＠", "'", '"', "#", "|", ">", "&", "*", "!", "%", "`", "?", "\\"],
  ["{", "}", "[", "]", ",", ";", ":", "\t", "\n", " "],
  ["''", "'=", "'''@", " =", "\t=1", "\n-", "\r", "\r\n", "=HYPERLINK(1)", "+1 for this", "- a list"],
  ["null", "~", "yes", "No", "true", "08:00", "1.10", "010", "1e3", "2027-03-01", "=", "<<", "---", "..."],
  [": ", " #tag", "_x0041_", "_x005F_", "_x", "_x0041", "_", "&amp;", "<t>", "]]>", "sep=;"],
  ["\u0001", "\u000b", "\u001f", "\u007f", "\u0085", "\u00a0", "\u200f", "\u2028", "\ufeff", "\uffff"],
  ["🎉", "👩‍👩‍👧", "e\u0301", "שלום", "رمضان", "x".repeat(200)],
].flat();

const piece = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: "grapheme", maxLength: 8 }));
/** CSV cannot contain NUL. Another test covers that plancast refuses it. */
const text = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join("").replaceAll("\0", ""))
  .filter((joined) => !/\p{Surrogate}/u.test(joined) && joined.trim() !== "");
const part = text.map((each) => each.replaceAll(/[,;|\n\r،؛、，]/g, "").trim()).filter((each) => each !== "");
const parts = fc.array(part, { minLength: 1, maxLength: 3 });
const time = fc.oneof(
  fc.constantFrom(
    "2036-03-01 09:30",
    "2036-10-26 02:30",
    "2036-03-30 02:30",
    "2036-03-01T08:30:15Z",
    "2036-2-30",
    "1 March 2036, 9:30 pm",
    "13/4/2036 20h30",
    "3/4/2036",
    "'2036-03-01'",
    "20360301T093000+0100",
  ),
  fc
    .date({ min: new Date(0), max: new Date("2069-12-31"), noInvalidDate: true })
    .map((each) => each.toISOString().slice(0, 19).replace("T", " ")),
  text,
);
const cells = fc.record(
  {
    id: text,
    scheduled_at: time,
    date: fc.oneof(fc.constantFrom("2036-03-01", "1 mars 2036", "2036-03-01 08:00"), text),
    time: fc.oneof(fc.constantFrom("09:30", "23:59:59", "00:00", "8 pm"), text),
    // A zone of invisible characters only is blank, and is not written.
    timezone: fc.oneof(
      fc.constantFrom("America/New_York", "Asia/Kathmandu"),
      text.filter((zone) => zone === "" || /[\p{L}\p{N}]/u.test(zone)),
    ),
    expires: fc.oneof(
      fc.constantFrom(
        "2037-03-01",
        "3d",
        "+2 h",
        "18h",
        "2037-03-01T09:00+01:00",
        "1 March 2037, 9 pm",
        "2036-10-26 02:30",
      ),
      time,
    ),
    repeat: fc.oneof(fc.constantFrom("weekly until 30 June 2036", "FREQ=DAILY;COUNT=3", "no"), text),
    except: fc.oneof(
      fc.constantFrom("2036-12-24, 31 Dec 2036 → 2037-01-02 10:00", ["2036-12-24", "2036-12-25"], ";"),
      text,
      parts,
    ),
    pool: fc.oneof(
      text,
      parts.filter((texts) => joinThread(texts) !== undefined),
    ),
    spacing: text,
    platforms: fc.oneof(
      fc.constantFrom("X, linkedin", "x (Twitter)|facebook", ["twitter", "x", "my-net.work"]),
      text,
      parts,
    ),
    content: text,
    media: fc.oneof(text, parts),
    alt: fc.oneof(
      text,
      part.map((one) => [one]),
    ),
    // A table cannot hold a thread with a line --- in one of its texts, and says so.
    thread: fc.oneof(
      text,
      parts.filter((texts) => joinThread(texts) !== undefined),
    ),
    thread_media: fc.constantFrom("a.png", "---\na.png, b.png", "a.png\n---\nb.png"),
    thread_alt: fc.constantFrom("A", "---\nA | B", "A\n---\nB"),
    first_comment: text,
    options: fc.constantFrom(
      ["mastodon.visibility: unlisted"],
      ["youtube.title: A: b", "all.visibility: public"],
      "youtube.title: One\npinterest.board: 4711",
      "no option",
    ),
    campaign: text,
    status: fc.constantFrom("draft", "ready", "Skip", "Approved"),
    type: fc.constantFrom("post", "Photo"),
    prompt: text,
    reply_to: text,
    quote: text,
    poll: fc.constantFrom("A | B", "A\nB | C", ["A", "B"]),
    poll_length: fc.constantFrom("1d", "12h"),
    poll_multiple: fc.constantFrom("yes", "no"),
    tone: text,
    image_prompt: text,
    size: text,
    result_time: text,
    result_url: text,
    result_error: text,
  } satisfies Record<Field, fc.Arbitrary<Cell>>,
  { requiredKeys: ["content"] },
);

const variantCells = fc.record(
  {
    content: text,
    media: fc.oneof(text, parts),
    alt: text,
    thread: text,
    thread_media: fc.constantFrom("a.png", "---\na.png, b.png"),
    thread_alt: fc.constantFrom("A", "---\nA | B"),
    first_comment: text,
    scheduled_at: time,
    date: text,
    time: text,
    status: fc.constantFrom("ready", "draft"),
  } satisfies Record<VariantField, fc.Arbitrary<Cell>>,
  { requiredKeys: [] },
);
const variants = fc.dictionary(fc.constantFrom("twitter", "linkedin", "my-net.work"), variantCells, {
  maxKeys: 2,
});
const rawRow = fc.tuple(cells, variants).map(([own, others]): RawRow => {
  const base = row(own);
  const each = Object.entries(others).map(([platform, variant]): RowVariant => ({
    platform,
    cells: variant,
    at: (field, item) => base.at(field, item),
  }));
  return { ...base, variants: each };
});

const CONFIG = config({
  defaults: { platforms: ["linkedin"], time: "10:00" },
  platforms: { x: "twitter", "x (twitter)": "twitter" },
});

function asWritten(rows: readonly RawRow[]): readonly WrittenRow[] {
  const read = calendar(rows, {}, CONFIG);
  return rowsToWrite({ calendar: read, target: read.settings, mediaName: (path) => path });
}

/** In their order. */
function entries(rows: readonly WrittenRow[]): unknown {
  return rows.map((each) => [...each]);
}

/** Writes rows and reads them again, as a conversion does. */
async function through(format: WriteFormatName, rows: readonly WrittenRow[]): Promise<readonly WrittenRow[]> {
  const written = await FORMATS[format].write(rows, { platforms: ["linkedin", "x"] });
  if ("faults" in written) throw new Error(JSON.stringify(written.faults));
  const bytes =
    typeof written.contents === "string" ? new TextEncoder().encode(written.contents) : written.contents;
  const file = `calendars/a.${format}`;
  const back = await readContents(file, bytes, CONFIG);
  expect(back.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return asWritten(back.rows);
}

/** As many rows as a file of the format holds. */
function rowsFor(format: WriteFormatName): fc.Arbitrary<RawRow[]> {
  return fc.array(rawRow, { minLength: 1, maxLength: FORMATS[format].isOnePost ? 1 : 4 });
}

test.each(WRITE_FORMAT_NAMES)("any rows written as %s read back the same", async (format) => {
  await fc.assert(
    fc.asyncProperty(rowsFor(format), async (given) => {
      const rows = asWritten(given);
      expect(entries(await through(format, rows))).toEqual(entries(rows));
    }),
    { numRuns: manyRuns(150) },
  );
});

test("any rows go from CSV to YAML to XLSX to CSV unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rawRow, { minLength: 1, maxLength: 4 }), async (given) => {
      const rows = await through("csv", asWritten(given));
      const back = await through("csv", await through("xlsx", await through("yaml", rows)));
      expect(entries(back)).toEqual(entries(rows));
    }),
    { numRuns: manyRuns(100) },
  );
});

test.each(WRITE_FORMAT_NAMES)("a conversion to %s keeps every post", async (format) => {
  const project = { root: "/", file: "plancast.yaml", config: CONFIG, state: StateFolder.at("/") };
  const target = { file: `calendars/b.${format}`, settings: calendar([]).settings, format };
  await fc.assert(
    fc.asyncProperty(rowsFor(format), async (given) => {
      expect(await convertCalendars(project, [calendar(given)], target)).toHaveProperty("contents");
    }),
    { numRuns: manyRuns(150) },
  );
});

test("equal rows give equal bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .constantFrom(...WRITE_FORMAT_NAMES)
        .chain((format) => fc.tuple(fc.constant(format), rowsFor(format))),
      async ([format, given]) => {
        const rows = asWritten(given);
        const write = () => FORMATS[format].write(rows, { platforms: [] });
        expect(await write()).toEqual(await write());
      },
    ),
    { numRuns: manyRuns(150) },
  );
});
