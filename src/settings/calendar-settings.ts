/**
 * The settings by which calendars are read, for a project or some of its files. Two of them give each network its own
 * version of a text: UTM parameters of links, and names to mention.
 */

import { z } from "zod";
import { DATE_ORDERS, ENCODINGS, STATUSES } from "../model/fields.ts";
import type { RawCalendar } from "../model/row.ts";
import { parseUrl } from "../model/address.ts";
import { foldName } from "../model/text.ts";
import { POST_TYPE_NAMES } from "./post-types.ts";
import { PRESET_NAMES, presetNamed } from "./presets/presets.ts";
import { slotsSchema } from "./time-settings.ts";

/** What `utm:` can take from a post. */
export const UTM_VARIABLES = ["platform", "campaign", "id"] as const;

export type UtmVariable = (typeof UTM_VARIABLES)[number];

const TEMPLATE = /^(?:[^{}]|\{(?:platform|campaign|id)\})*$/;

const template = (what: string) =>
  z
    .string()
    .max(200)
    .regex(TEMPLATE, "text, in which {platform}, {campaign} and {id} are the only words in braces")
    .optional()
    .describe(what);

/** A host without scheme, path and port. */
const HOST = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

const utmSchema = z
  .strictObject({
    source: template("Value of `utm_source`, such as `{platform}`."),
    medium: template("Value of `utm_medium`, such as `social`."),
    campaign: template("Value of `utm_campaign`, such as `{campaign}`."),
    term: template("Value of `utm_term`."),
    content: template("Value of `utm_content`, such as `{id}`."),
    hosts: z
      .array(z.string().regex(HOST, "a host such as example.com, which includes its subdomains"))
      .min(1)
      .optional()
      .describe("Hosts whose links get the parameters, with their subdomains. Default: every host."),
  })
  .optional()
  .describe(
    "UTM parameters that plancast adds to links in texts, threads and first comments, where a link does not have them yet. `{platform}`, `{campaign}` and `{id}` are values of the post.",
  );

export type UtmSettings = NonNullable<z.infer<typeof utmSchema>>;

/** A handle without its first `@`, perhaps with a server. */
const HANDLE = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?(?:@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)?$`;
const NAME_IN_TEXT = new RegExp(`^@${HANDLE}`, "u");
const HANDLE_ON_NETWORK = new RegExp(`^@?${HANDLE}`, "u");

const mentionsSchema = z
  .record(
    z.string().regex(NAME_IN_TEXT, "a name such as @acme, without spaces"),
    z.record(z.string(), z.string().regex(HANDLE_ON_NETWORK, "a handle such as @acme, without spaces")),
  )
  .optional()
  .describe(
    'Names that texts mention, each with its handle on some networks: `"@acme": { bluesky: acme.com }`. On other networks, the name stays as it is.',
  );

export type Mentions = NonNullable<z.infer<typeof mentionsSchema>>;

/** What a value of a column can mean: a status, an answer or a type of post. */
const VALUE_WORDS = [...STATUSES, "yes", "no", ...POST_TYPE_NAMES] as const;

export type ValueWord = (typeof VALUE_WORDS)[number];

const row = z.int().min(1);

/** How calendars are read, and their rows become posts: settings for the whole project, or for the files of one entry of `calendars:`. */
export const settingsShape = {
  preset: z
    .enum(PRESET_NAMES)
    .optional()
    .describe(
      "Scheduler that these files come from, so that you do not have to name columns: see docs/write/presets.md. Your other settings have priority over the preset.",
    ),
  timezone: z.string().optional().describe("IANA zone for times without an offset, such as Europe/Paris."),
  date_order: z
    .enum(DATE_ORDERS)
    .optional()
    .describe("Order of day, month and year in dates such as 3/4/2027, which have two possible meanings."),
  columns: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'Spreadsheet headers and keys of YAML, each with its field or `ignore`. A `*` matches anything: `Slide *: media`. `"*": ignore` covers all other columns that cannot decide what is published. Without a header, use positions from 1, or letters.',
    ),
  values: z
    .record(z.string(), z.record(z.string(), z.enum(VALUE_WORDS)))
    .optional()
    .describe(
      'What the values of a column mean, by its header, or by `status` or `type` for all of these columns: `Approved by: { Kim: ready, "": draft }`. "" means a blank cell, and "*" every other cell.',
    ),
  header_row: z
    .union([row, z.tuple([row, row]), z.literal("none")])
    .optional()
    .describe(
      "Number of the header's row; the first row is 1. For two rows: [group, name]. Without a header: `none`. You need this only if plancast does not find the header.",
    ),
  status_values: z
    .record(z.string(), z.enum(STATUSES))
    .default({})
    .describe('Your team\'s words for a status, each with ready, draft or skip. "" means a blank cell.'),
  blank_time: z
    .enum(["refuse", "draft"])
    .optional()
    .describe(
      "How plancast reads spreadsheet rows without date and time: as an error (the default), or as drafts.",
    ),
  slots: slotsSchema,
  carousel_rows: z
    .enum(["separate", "join"])
    .optional()
    .describe(
      "How plancast reads consecutive spreadsheet rows with media and the same text and time: as separate posts (the default), or as one post with all media.",
    ),
  only: z
    .record(z.string(), z.union([z.string(), z.array(z.string()).min(1)]))
    .optional()
    .describe(
      "Only these rows belong to the project. Name columns with their values, `platform`, or `date` as 2027-03-01..2027-03-31.",
    ),
  utm: utmSchema,
  mentions: mentionsSchema,
  encoding: z
    .enum(ENCODINGS)
    .optional()
    .describe("Encoding of text files. plancast detects UTF-8 and UTF-16, so you need this only for others."),
  sheet: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe(
      "The sheet of a workbook that contains the calendar, a list of sheets, or `*` for all sheets that look like calendars. You need this only if several sheets look like calendars.",
    ),
  carry: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      "Fields or columns, such as `[date, platforms]`, whose blank cells have the value of the row above.",
    ),
  merged_cells: z
    .enum(["refuse", "carry"])
    .optional()
    .describe(
      "How plancast reads blank cells that are merged with the cell above: as an error (the default), or as the same value.",
    ),
  hidden_rows: z
    .enum(["read", "skip"])
    .optional()
    .describe(
      "What plancast does with rows that somebody or a filter has hidden. By default, it reads them with a warning.",
    ),
};

/** Values for the cells that rows leave blank. */
export const defaultsSchema = z.strictObject({
  platforms: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe("Platforms for rows that name none. `skip` leaves these rows out."),
  time: z
    .string()
    .regex(/^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, "a time in the 24-hour clock, such as 09:30")
    .optional()
    .describe("Time of day for rows that have only a date."),
});

/**
 * How often `*` may occur in one part of a pattern: each one multiplies the time for a long name that does not match.
 */
const MAX_STARS = 3;

/** Patterns come from a checkout, and an attacker can choose names that would take years to match. */
function isQuick(glob: string): boolean {
  if (/[?*+@!]\(/.test(glob)) return false;
  return glob.split("/").every((part) => part === "**" || part.split("*").length - 1 <= MAX_STARS);
}

const pattern = z
  .string()
  .min(1)
  .max(1_000)
  .regex(
    /^(?!\w+:\/\/)/,
    "a file of the project, not an address. For a sheet at an address, write `{ file: calendars/plan.xlsx, from: https://… }`",
  )
  .refine(
    isQuick,
    `a glob pattern with at most ${MAX_STARS} \`*\` between two \`/\`, and without groups such as \`+(a|b)\``,
  );

/** The name of one file, which is the same as a pattern and as a path. Programs read hidden files as their settings. */
const plainName = pattern
  .regex(/^[^*?{}[\]()!\\]+$/, "the name of one file, without the characters * ? { } [ ] ( ) ! \\")
  .regex(/^(?!\.)(?!.*\/\.)/, "a file in the project whose name and folders do not begin with a dot");

const sheetAddress = z
  .url({ protocol: /^https$/, error: "an address that begins with https://" })
  .max(2_000)
  .refine((address) => {
    const { username, password } = parseUrl(address) ?? { username: "", password: "" };
    return username === "" && password === "";
  }, "an address without a user name and password");

/** Files with their own settings, or the copy of one sheet. */
const calendarFiles = z
  .strictObject({
    files: z
      .union([pattern, z.array(pattern).min(1)])
      .optional()
      .describe("Glob patterns, relative to plancast.yaml."),
    file: plainName
      .optional()
      .describe("The copy of a sheet that is elsewhere, relative to plancast.yaml. It needs `from:`."),
    from: sheetAddress
      .optional()
      .describe("The address of the sheet. `plancast fetch` downloads it into `file:`; nothing else does."),
    defaults: defaultsSchema.optional().describe("Values for cells that rows of these files leave blank."),
    ...settingsShape,
  })
  .refine(
    ({ files, ...copy }) =>
      [copy.file, copy.from].every((each) => (each === undefined) === (files !== undefined)),
    {
      message: "either `files:`, or `file:` together with `from:`",
    },
  );

/** An entry of `calendars:`: a pattern, or patterns with their own settings. */
export const calendarEntry = z.union([pattern, calendarFiles]);

export type CalendarEntry = z.infer<typeof calendarEntry>;

/** How one calendar is read. */
export type CalendarSettings = Omit<z.infer<typeof calendarFiles>, "files" | "file" | "from"> & {
  /** Keys of approvals that other files with one post have, as `columns:` names them. Never in plancast.yaml. */
  readonly approvals?: Readonly<Record<string, string>>;
};

/** A calendar with the settings for reading it. */
export interface Calendar extends RawCalendar {
  readonly settings: CalendarSettings;
}

export function patternsOf(
  entry:
    string | { readonly files?: string | readonly string[] | undefined; readonly file?: string | undefined },
): readonly string[] {
  if (typeof entry === "string") return [entry];
  return [entry.files ?? entry.file ?? []].flat();
}

/** A calendar that is a copy of a sheet elsewhere. */
export interface SheetCopy {
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly from: string;
}

/** The copies of sheets among the entries of `calendars:`. */
export function sheetCopies(entries: readonly CalendarEntry[]): readonly SheetCopy[] {
  return entries.flatMap((entry) => {
    if (typeof entry === "string") return [];
    const { file, from } = entry;
    return file === undefined || from === undefined ? [] : [{ file, from }];
  });
}

/** Whether no two entries copy a sheet into the same file. */
export function hasOneSheetEach(entries: readonly CalendarEntry[]): boolean {
  const copies = sheetCopies(entries).map(({ file }) => file.toLowerCase());
  return new Set(copies).size === copies.length;
}

/** The settings of a project for all its calendars. */
interface ProjectCalendarSettings extends CalendarSettings {
  readonly defaults: NonNullable<CalendarSettings["defaults"]> & { readonly timezone?: string | undefined };
}

/**
 * How a calendar is read. Later layers win: the project's preset, the project's own settings, an entry's preset, the
 * entry's own settings. Only the last named preset counts.
 * @param entries the entries of `calendars:` that match the file; later entries override earlier ones
 */
export function settingsOf(
  config: ProjectCalendarSettings,
  entries: readonly CalendarEntry[],
): CalendarSettings {
  const project: CalendarSettings = { ...config, timezone: config.defaults.timezone ?? config.timezone };
  const own = entries.filter((entry) => typeof entry !== "string");
  const layers = [project, ...own];
  const naming = layers.findLast(({ preset }) => preset !== undefined);
  return layers
    .flatMap((layer) => (layer === naming ? [presetSettings(layer.preset), layer] : [layer]))
    .reduce(mergeSettings);
}

function presetSettings(name: string | undefined): CalendarSettings {
  const { settings } = presetNamed(name) ?? {};
  return { columns: {}, status_values: {}, ...settings };
}

function mergeSettings(under: CalendarSettings, over: CalendarSettings): CalendarSettings {
  return {
    ...under,
    ...over,
    columns: mergeByName(under.columns, over.columns),
    ...(under.values === undefined && over.values === undefined
      ? {}
      : { values: mergeByName(under.values ?? {}, over.values ?? {}) }),
    status_values: mergeByName(under.status_values, over.status_values),
    defaults: { ...under.defaults, ...over.defaults },
    ...mergedTextSettings(under, over),
  };
}

/** Absent if neither layer has them. */
function mergedTextSettings(
  under: CalendarSettings,
  over: CalendarSettings,
): Pick<CalendarSettings, "utm" | "mentions"> {
  const utm = { ...under.utm, ...over.utm };
  const mentions = { ...under.mentions, ...over.mentions };
  return {
    ...(Object.keys(utm).length === 0 ? {} : { utm }),
    ...(Object.keys(mentions).length === 0 ? {} : { mentions }),
  };
}

/** Two records in one, by folded names. Values of the upper one win. */
function mergeByName<V>(
  under: Readonly<Record<string, V>>,
  over: Readonly<Record<string, V>>,
): Record<string, V> {
  const names = new Set(Object.keys(over).map(foldName));
  const left = Object.entries(under).filter(([name]) => !names.has(foldName(name)));
  return Object.fromEntries([...left, ...Object.entries(over)]);
}
