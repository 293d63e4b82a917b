import { z } from "zod";

const UNIT_MS = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);
const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

/** A duration such as `2m`, kept as text so that the generated schema can say its pattern. */
const duration = z.string().regex(DURATION, "a number and a unit, such as 90s, 2m, 1h or 1d");

/** Milliseconds of a duration; undefined when the text is none. */
export function durationOf(text: string): number | undefined {
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  const unitMs = UNIT_MS.get(unit);
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Milliseconds of a duration that the schema has accepted. */
export function durationMs(text: string): number {
  return durationOf(text) ?? Number.NaN;
}

/** Where an address of the embedded service would stand. */
export const EMBEDDED = "embedded";

const service = z.strictObject({
  url: z
    .string()
    .min(1)
    .optional()
    .describe("Address of the service, with or without /v1; or the word `embedded`. PLANCAST_BASE_URL wins."),
  list_limit: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe("Page size of lists; says that the service honours it, so that a shorter list is a whole one."),
  upload_field: z.string().min(1).default("file").describe("Name of the file field of an upload."),
  plan: z
    .enum(["free", "pro", "business"])
    .default("free")
    .describe("Requests a minute (30, 120, 600) where the service does not say its limit."),
  reserve: z
    .union([z.int().min(0), z.string().regex(/^\d{1,2}%$/, "a number of requests, or a share such as 20%")])
    .default(0)
    .describe(
      "Requests of each window that are left to other users of the key: a count, or a share such as 20%. One request a window is made in any case.",
    ),
  timeout: duration.default("60s").describe("Longest wait for an answer to one request."),
});

const safety = z.strictObject({
  max_cancels: z.int().min(0).default(10).describe("More cancels than this stop an apply."),
  max_cancel_percent: z
    .number()
    .min(0)
    .max(100)
    .default(30)
    .describe("Cancelling more than this share of the owned posts stops an apply."),
  lead_time: duration.default("2m").describe("A post due sooner than this counts as past."),
  settle: duration.default("2m").describe("How long an absent post of unknown outcome is left alone."),
});

const defaults = z.strictObject({
  platforms: z.union([z.string(), z.array(z.string())]).optional(),
  time: z
    .string()
    .regex(/^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, "a time by the 24-hour clock, such as 09:30")
    .optional(),
  timezone: z.string().optional(),
});

/** `plancast.yaml`. The only definition: types, run-time checks and the JSON Schema all come from it. */
export const configSchema = z
  .strictObject({
    service: service.prefault({}),
    calendars: z
      .array(z.string().min(1))
      .min(1)
      .default(["calendars/**/*.{csv,tsv,yaml,yml}"])
      .describe("Calendar files, as glob patterns relative to this file."),
    timezone: z.string().optional().describe("IANA zone for times that carry no offset, e.g. Europe/Paris."),
    lockfile: z.string().min(1).default("plancast.lock.json"),
    platforms: z
      .record(z.string(), z.string())
      .default({})
      .describe("Names that people type, each with the platform identifier that the service knows."),
    defaults: defaults.prefault({}).describe("Values for the cells that rows leave blank."),
    columns: z
      .record(z.string(), z.string())
      .default({})
      .describe("Spreadsheet headers, each with the field that it stands for."),
    safety: safety.prefault({}),
  })
  .meta({ title: "plancast project file" });

export type Config = z.infer<typeof configSchema>;

/** A project: its file, understood, and the folder that all paths are relative to. */
export interface Project {
  /** Absolute path of the folder that holds the project file. */
  readonly root: string;
  /** Name of the project file, relative to the root. */
  readonly file: string;
  readonly config: Config;
}
