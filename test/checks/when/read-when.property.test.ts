import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DateOrder } from "../../../src/model/fields.ts";
import { manyRuns } from "../../support/property-tests.ts";
import { whenText } from "./when-text.ts";

const ORDERS: readonly (DateOrder | undefined)[] = [undefined, "dmy", "mdy", "ymd"];

interface Moment {
  readonly date: Date;
  /** What is expected: `2027-03-01 09:30:00`. */
  readonly iso: string;
}

const moment: fc.Arbitrary<Moment> = fc
  .date({ min: new Date("2000-01-01T00:00:00Z"), max: new Date("2069-12-31T23:59:00Z"), noInvalidDate: true })
  .map((given) => {
    const date = new Date(Math.floor(given.getTime() / 60_000) * 60_000);
    return { date, iso: date.toISOString().slice(0, 19).replace("T", " ") };
  });

const two = (value: number): string => String(value).padStart(2, "0");
const y = (date: Date): number => date.getUTCFullYear();
const m = (date: Date): number => date.getUTCMonth() + 1;
const d = (date: Date): number => date.getUTCDate();

const LOCALES = [
  "en-GB",
  "en-US",
  "fr-FR",
  "de-DE",
  "de-AT",
  "es-ES",
  "it-IT",
  "pt-BR",
  "pt-PT",
  "nl-NL",
  "en-AU",
  "fr-CA",
];

/** Unambiguous ways to write a day. */
const CLEAR_DAYS: readonly ((date: Date) => string)[] = [
  (date) => `${y(date)}-${two(m(date))}-${two(d(date))}`,
  (date) => `${y(date)}/${m(date)}/${d(date)}`,
  (date) => `${y(date)}${two(m(date))}${two(d(date))}`,
  ...LOCALES.flatMap((locale) =>
    (["long", "full"] as const).map((dateStyle) => {
      const format = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: "UTC" });
      return (date: Date) => format.format(date);
    }),
  ),
  ...LOCALES.filter((locale) => locale !== "pt-PT").map((locale) => {
    const format = new Intl.DateTimeFormat(locale, {
      day: "numeric",
      month: "short",
      year: "numeric",
      timeZone: "UTC",
    });
    return (date: Date) => format.format(date);
  }),
];

/** Numeric forms of a day, by the order of their parts. */
const NUMERIC_DAYS: readonly { readonly order: DateOrder; readonly write: (date: Date) => string }[] = [
  "/",
  ".",
  "-",
].flatMap((sep) => [
  { order: "dmy" as const, write: (date: Date) => [d(date), m(date), y(date)].join(sep) },
  { order: "dmy" as const, write: (date: Date) => [d(date), m(date), y(date)].map(two).join(sep) },
  { order: "mdy" as const, write: (date: Date) => [m(date), d(date), y(date)].join(sep) },
  { order: "dmy" as const, write: (date: Date) => [d(date), m(date), two(y(date) % 100)].join(sep) },
  { order: "mdy" as const, write: (date: Date) => [m(date), d(date), two(y(date) % 100)].join(sep) },
  { order: "ymd" as const, write: (date: Date) => [y(date) % 100, m(date), d(date)].map(two).join(sep) },
]);

const half = (date: Date): string => (date.getUTCHours() < 12 ? "am" : "pm");
const twelfth = (date: Date): number => date.getUTCHours() % 12 || 12;

const CLOCKS: readonly ((date: Date) => string)[] = [
  (date) => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`,
  (date) => `${date.getUTCHours()}:${two(date.getUTCMinutes())}:00`,
  (date) => `${twelfth(date)}:${two(date.getUTCMinutes())} ${half(date)}`,
  (date) => `${twelfth(date)}:${two(date.getUTCMinutes())}${half(date).toUpperCase()}`,
  (date) => `${twelfth(date)}.${two(date.getUTCMinutes())}\u202f${half(date)}`,
  (date) => `${date.getUTCHours()}h${two(date.getUTCMinutes())}`,
  (date) => `${date.getUTCHours()} h ${two(date.getUTCMinutes())}`,
  (date) => `${date.getUTCHours()}.${two(date.getUTCMinutes())} Uhr`,
  ...LOCALES.map((locale) => {
    const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
    return (date: Date) => format.format(date);
  }),
];

const joint = fc.constantFrom(" ", ", ", "  ", "\u00a0", " at ", " à ", " um ", " a las ", "\n", " @ ");

test("reads any day in words or ISO form in every date order", () => {
  fc.assert(
    fc.property(
      moment,
      fc.constantFrom(...CLEAR_DAYS),
      fc.constantFrom(...ORDERS),
      ({ date, iso }, write, order) => {
        expect([write(date), whenText(write(date), order)]).toEqual([write(date), iso.slice(0, 10)]);
      },
    ),
    { numRuns: manyRuns(3_000) },
  );
});

test("reads any time of day", () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...CLOCKS), ({ date, iso }, write) => {
      expect([write(date), whenText(write(date))]).toEqual([write(date), iso.slice(11)]);
    }),
    { numRuns: manyRuns(1_500) },
  );
});

test("reads any day and time in one text", () => {
  fc.assert(
    fc.property(
      moment,
      fc.constantFrom(...CLEAR_DAYS),
      joint,
      fc.constantFrom(...CLOCKS),
      ({ date, iso }, day, between, clock) => {
        const text = `${day(date)}${between}${clock(date)}`;
        expect([text, whenText(text)]).toEqual([text, iso]);
      },
    ),
    { numRuns: manyRuns(3_000) },
  );
});

test("reads days in numbers by the date order, and without a date order, never reads a wrong day", () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...NUMERIC_DAYS), ({ date, iso }, { order, write }) => {
      const text = write(date);
      expect([text, whenText(text, order)]).toEqual([text, iso.slice(0, 10)]);
      expect([iso.slice(0, 10), "schedule/ambiguous-date"]).toContain(whenText(text));
    }),
    { numRuns: manyRuns(3_000) },
  );
});

/** Random texts that look like times. */
const likeTimes = fc
  .array(
    fc.constantFrom(
      ..."0123456789".split(""),
      "12",
      "27",
      "2027",
      "05",
      "/",
      "-",
      ".",
      ":",
      " ",
      ",",
      "T",
      "Z",
      "+",
      "am",
      "pm",
      "h",
      "Jan",
      "mar",
      "mai",
      "Mon",
      "de",
      "th",
      "–",
      "01:00",
      "'",
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("a date order never changes the meaning of a date that is clear without it", () => {
  fc.assert(
    fc.property(likeTimes, (text) => {
      const plain = whenText(text);
      if (plain.startsWith("schedule/")) return;
      for (const order of ["dmy", "mdy", "ymd"] as const) {
        const said = whenText(text, order);
        expect([text, order, said === plain || said.startsWith("schedule/")]).toEqual([text, order, true]);
      }
    }),
    { numRuns: manyRuns(20_000) },
  );
});

test("spaces and quotes around any text change nothing", () => {
  fc.assert(
    fc.property(fc.oneof(likeTimes, fc.string({ unit: "grapheme", maxLength: 30 })), (text) => {
      expect(whenText(` \u200b${text}\u00a0`)).toBe(whenText(text.trim()));
    }),
    { numRuns: 2_000 },
  );
});

test("refuses a date next to another number", () => {
  fc.assert(
    fc.property(
      moment,
      fc.constantFrom(...CLEAR_DAYS),
      fc.integer({ min: 0, max: 99 }),
      ({ date }, write, extra) => {
        for (const text of [
          `${extra} ${write(date)}`,
          `${write(date)} ${extra}`,
          `${write(date)}/${extra}`,
        ]) {
          expect([text, whenText(text)]).toEqual([text, "schedule/format"]);
        }
      },
    ),
    { numRuns: manyRuns(1_000) },
  );
});
