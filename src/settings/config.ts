/** The schema of plancast.yaml. */

import { z } from "zod";
import type { StateFolder } from "../disk/state-folder.ts";
import { RESULT_PARTS } from "../model/fields.ts";
import type { Lockfile } from "../model/lockfile.ts";
import { accountsSchema } from "./accounts.ts";
import { calendarEntry, defaultsSchema, hasOneSheetEach, settingsShape } from "./calendar-settings.ts";
import { notifySchema } from "./notify.ts";
import { quietHoursSchema, seriesSchema } from "./time-settings.ts";
import { VARIABLE_NAME } from "./environment.ts";
import { durationSchema, limitsSchema, sizeSchema } from "./limits.ts";
import {
  DEFAULT_RATE_PLAN,
  RATE_PLAN_LIMITS,
  RATE_PLAN_NAMES,
  SERVICE_TYPE_NAMES,
  type ServiceType,
  serviceTypeFacts,
} from "../model/service-interface.ts";
import { type ResponseMapping, type StatusMeaning, PATH } from "./response-mapping.ts";

const answerPath = z.string().regex(PATH, "names separated by dots, such as data.items");

/** Paths that posts, media, accounts and automations have in common. @param plural such as posts */
const recordPaths = (plural: string) => ({
  list: answerPath.optional().describe(`For ${plural} only; has priority over \`shape.list\`.`),
  record: answerPath.optional().describe(`For ${plural} only; has priority over \`shape.record\`.`),
});

/** @param what a field of a record */
function fieldPath(what: string) {
  return answerPath.optional().describe(`The path to ${what}, in its record.`);
}

const STATUS_MEANINGS = [
  "scheduled",
  "published",
  "cancelled",
  "failed",
  "draft",
] as const satisfies readonly StatusMeaning[];

/** `service.shape` of plancast.yaml, and `shape` of the client. */
export const responseMappingSchema = z
  .strictObject({
    list: answerPath.optional().describe("The path to the list in an answer, such as `data.entries`."),
    record: answerPath
      .optional()
      .describe("The path to the record in an answer about one record, such as `data.entry`."),
    next: answerPath
      .optional()
      .describe("The path, in an answer, of the address or cursor of the next page."),
    next_as: z
      .string()
      .regex(/^[\w.~[\]-]+$/, "the name of a query parameter")
      .optional()
      .describe("Query parameter in which plancast sends the cursor. Default: cursor."),
    total: answerPath.optional().describe("The path to the total number of records in the answer to a list."),
    post: z
      .strictObject({
        ...recordPaths("posts"),
        id: fieldPath("a post's id"),
        content: fieldPath("a post's text"),
        platforms: fieldPath("a post's platforms"),
        scheduled_at: fieldPath("a post's scheduled time"),
        media: answerPath.optional().describe("The path to the ids of a post's media, in its record."),
        status: fieldPath("a post's status"),
      })
      .optional()
      .describe("For each field, its path in a post of the service."),
    media: z
      .strictObject({
        ...recordPaths("media"),
        id: fieldPath("a media item's id"),
        type: fieldPath("a media item's type (image or video)"),
        url: fieldPath("a media item's address"),
      })
      .optional()
      .describe("Paths of the fields of a media item, in its record."),
    platform: z
      .strictObject({
        ...recordPaths("accounts"),
        id: fieldPath("an account's id"),
        platform: fieldPath("an account's platform"),
        name: fieldPath("the name"),
      })
      .optional()
      .describe("Paths of the fields of a connected account, in its record."),
    automation: z
      .strictObject({
        ...recordPaths("automations"),
        id: fieldPath("an automation's id"),
        name: fieldPath("the name"),
      })
      .optional()
      .describe("Paths of the fields of an automation, in its record."),
    status: z
      .record(z.string(), z.enum(STATUS_MEANINGS))
      .optional()
      .describe(
        "The service's own words for the status of a post, each with its meaning. Upper and lower case do not matter.",
      ),
  })
  .describe(
    "Paths to the fields that plancast reads in the service's answers: names separated by dots. A number chooses one item of a list. Any other name applies to each item.",
  ) satisfies z.ZodType<ResponseMapping>;

/** The value of `service.url` for the embedded service. */
export const EMBEDDED = "embedded";

/** The value of `service.url` for a schedule in the repository, without any service. */
export const REPOSITORY = "repository";

/** The name of the lockfile, if `lockfile` names no other. */
export const DEFAULT_LOCKFILE = "plancast.lock.json";

/** A host name or IP address (IPv6 in brackets), perhaps with a port. */
const HOST = /^(?:[\p{L}\p{N}._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;

const VARIABLE_MEANT =
  "the name of an environment variable in capitals, such as ACME_KEY. If it is the key itself, remove it and make a new one in the service's settings";

/** A type of service, as the description of the setting names it. */
function typeText(type: ServiceType): string {
  const { title = type, isSelfHosted = false } = serviceTypeFacts(type) ?? {};
  return `\`${type}\`: ${title}${isSelfHosted ? ", in its cloud or on your own server" : ""}.`;
}

/** `service:` of plancast.yaml. */
export const serviceSettings = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Address of the service, with or without /v1, or one of two words. `embedded`: a service on this machine. `repository`: no service, but a schedule in the repository, which `plancast publish` publishes. PLANCAST_BASE_URL has priority.",
      ),
    type: z
      .enum(SERVICE_TYPE_NAMES)
      .optional()
      .describe(
        `The interface of the service. ${SERVICE_TYPE_NAMES.map(typeText).join(" ")} Default: the interface that plancast documents. It has no effect on \`embedded\` and \`repository\`.`,
      ),
    organization: z
      .string()
      .regex(/\S/, "a name")
      .max(200)
      .optional()
      .describe(
        "Only for `type: buffer`: name or id of the organization in Buffer, if the key leads to several.",
      ),
    key_env: z
      .string()
      .regex(VARIABLE_NAME, VARIABLE_MEANT)
      .optional()
      .describe(
        "Name of the environment variable with this project's key, in capitals. Default: PLANCAST_API_KEY. plancast sends the key only to an address that you confirmed for this variable.",
      ),
    list_limit: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(
        "Largest number of records that the service returns in one answer. plancast asks for this number, and treats a shorter list as complete. Set it only if you are sure that the number is right.",
      ),
    shape: responseMappingSchema.optional(),
    upload_field: z
      .string()
      .min(1)
      .default("file")
      .describe("Name of the form field that contains the file in an upload."),
    plan: z
      .enum(RATE_PLAN_NAMES)
      .optional()
      .describe(
        `Rate plan, with its requests per minute (${RATE_PLAN_LIMITS}). plancast uses it if the service does not show its limit. Default: ${DEFAULT_RATE_PLAN}. The embedded service has a limit only if you set this.`,
      ),
    reserve: z
      .union([z.int().min(0), z.string().regex(/^\d{1,2}%$/, "a number of requests, or a share such as 20%")])
      .default(0)
      .describe(
        "Requests per window that plancast leaves to other users of the key: a count, or a share such as 20%. plancast always keeps at least one request for itself.",
      ),
    timeout: durationSchema
      .default("60s")
      .describe(
        "How long plancast waits for the answer to a request. More than 5m also needs PLANCAST_MAX_REQUEST_TIME.",
      ),
    share: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Address of the Redis (redis://… or rediss://…) through which machines share the rate limit and the run lock. PLANCAST_REDIS_URL has priority, and may contain a password.",
      ),
  })
  .superRefine(({ type, ...rest }, context) => {
    if (type !== "buffer" && rest.organization !== undefined)
      context.addIssue({
        code: "custom",
        path: ["organization"],
        message: "has an effect only with service.type: buffer. Remove it",
      });
    if (type === undefined) return;
    // With a type, the answers have a published form.
    for (const name of ["shape", "list_limit"] as const)
      if (rest[name] !== undefined)
        context.addIssue({
          code: "custom",
          path: [name],
          message: "has no effect with service.type. Remove it",
        });
  });

/** @param does what the model does, as the start of a sentence */
function modelName(does: string) {
  return z
    .string()
    .max(200)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, "the name of a model, such as qwen3")
    .describe(`${does} Its name on the server, such as qwen3.`);
}

/** `ai:` of plancast.yaml: the language model that writes drafts. Never holds a key. */
export const aiSchema = z.strictObject({
  // The code that opens the model checks the rest, because a fault there must not show the address.
  url: z
    .string()
    .regex(/^https?:\/\/[^?#@\s]+$/, "an address such as http://localhost:11434/v1")
    .describe(
      "Address of a server with the API of OpenAI, up to the part before `/chat/completions`, such as http://localhost:11434/v1. Plain http is allowed only for this machine.",
    ),
  model: modelName("Model that writes the texts."),
  vision_model: modelName("Model that reads pictures, for alt texts. Default: `model`.").optional(),
  image_model: modelName("Model that makes pictures. Without it, plancast makes none.").optional(),
  key_env: z
    .string()
    .regex(
      VARIABLE_NAME,
      "the name of an environment variable in capitals, such as OPENAI_API_KEY. If it is the key itself, remove it and make a new one",
    )
    .optional()
    .describe(
      "Name of the environment variable with the key of the server. Without it, plancast sends no key. plancast sends the key only to an address that you confirmed for this variable.",
    ),
  timeout: durationSchema
    .default("5m")
    .describe("How long plancast waits for an answer. A model on this machine may be slow."),
});

export type AiSettings = z.infer<typeof aiSchema>;

const safety = z.strictObject({
  max_cancels: z.int().min(0).default(10).describe("An apply stops if it would cancel more posts than this."),
  max_cancel_percent: z
    .number()
    .min(0)
    .max(100)
    .default(30)
    .describe(
      "An apply stops if it would cancel more than this percentage of the owned posts. It does not stop for a single post.",
    ),
  lead_time: durationSchema
    .default("2m")
    .describe("plancast treats a post as past if it is due sooner than this."),
  settle: durationSchema
    .default("2m")
    .describe(
      "If plancast does not know whether a post was created: how long it waits before it creates the post again.",
    ),
});

/** A path that stays below the project's folder. */
const FOLDER_INSIDE = /^(?![/\\]|[A-Za-z]:)(?!(?:.*[/\\])?\.\.(?:[/\\]|$)).+/;

const media = z.strictObject({
  folders: z
    .array(z.string().max(1_000).regex(FOLDER_INSIDE, "a folder of the project, such as pictures"))
    .default([])
    .describe(
      "Folders, relative to plancast.yaml, in which plancast looks for media that are neither next to the calendar nor in the project's folder.",
    ),
  public_url: z
    .union([
      z.literal("repository"),
      z
        .string()
        .regex(/^https?:\/\/[^?#@\s]+$/, "an address such as https://media.example.com, or `repository`"),
    ])
    .optional()
    .describe(
      "For services such as Buffer that take media only by their addresses: where everybody can read the files of the project. An address before their paths, such as https://media.example.com/social, or `repository` for a public repository on GitHub.",
    ),
  max_size: sizeSchema
    .default("1GiB")
    .describe(
      "Largest file that plancast downloads from a media address. More than 1GiB also needs PLANCAST_MAX_DOWNLOAD_SIZE.",
    ),
  timeout: durationSchema
    .default("5m")
    .describe("Longest time for one download. More than 5m also needs PLANCAST_MAX_DOWNLOAD_TIME."),
  allow_hosts: z
    .array(z.string().regex(HOST, "a host, or host:port"))
    .default([])
    .describe(
      "Hosts (or host:port) in a private network or on this machine from which plancast may download media.",
    ),
});

const automations = z.strictObject({
  after_apply: z
    .strictObject({
      id: z
        .string()
        .regex(/^[\x21-\x7e]{1,200}$/, "an id of the service")
        .describe("Id of the automation, as `plancast automations list` shows it."),
      input: z
        .string()
        .regex(/\S/, "an address, or another input")
        .describe("Input for the automation, usually an address."),
    })
    .optional()
    .describe(
      "The automation to trigger once after each apply that changed something and had no failure. Default: none.",
    ),
});

const defaults = defaultsSchema.extend({
  timezone: z.string().optional().describe("The same as `timezone:`, but with priority over it."),
});

const ruleSeverity = z.enum(["error", "warning", "off"]);

/** The severity of a rule in a project. */
export type RuleSeverity = z.infer<typeof ruleSeverity>;

function rulesSchema(rules: SchemaParts["rules"]): z.ZodType<Partial<Record<string, RuleSeverity>>> {
  const severities = rules.map(({ code, rule }) => [code, ruleSeverity.optional().describe(rule)] as const);
  return z.strictObject(Object.fromEntries(severities));
}

/** What the schema of plancast.yaml takes from folders that build on the settings. */
interface SchemaParts {
  /** The rules that `rules:` may set, each with the sentence that describes it. */
  readonly rules: readonly { readonly code: string; readonly rule: string }[];
  /** Glob patterns for projects that name no calendars. */
  readonly calendars: string[];
}

/** Settings about when posts are published. */
const timeShape = {
  series: seriesSchema.prefault({}).describe("Rows that repeat."),
  quiet_hours: quietHoursSchema,
  holidays: z
    .string()
    .min(1)
    .optional()
    .describe(
      "An iCalendar file (.ics) of the project with holidays, as all-day events. Slots skip these days. If a post is due on one of them anyway, the rule `row/holiday` reports it.",
    ),
};

/** The names of options and their values are checked later, with the place of each fault. */
const networkOptions = z
  .record(z.string().regex(/\S/, "the name of a network or an account"), z.record(z.string(), z.unknown()))
  .optional()
  .describe(
    "Options of networks and accounts for rows that do not say them: `pinterest: { board: … }`. In a text, `{first_line}` is the first line of the post. docs/write/options.md lists the options.",
  );

/** The schema of plancast.yaml. */
export function createConfigSchema({ rules, calendars }: SchemaParts) {
  return z
    .strictObject({
      project: z
        .string()
        .regex(/\S/, "a name")
        .max(200)
        .optional()
        .describe(
          "Name of the project: the title of the preview and of the client's page, and its name among projects that share a Redis. Use the same name in each checkout, so that only one checkout applies at a time. Default: the name of the lockfile.",
        ),
      extends: z
        .string()
        .min(1)
        .optional()
        .describe(
          "A YAML file of the same repository with settings for several projects, relative to this file, such as ../agency.yaml. This file has priority: mappings are merged, and lists are replaced. Paths in the settings are relative to the project's folder.",
        ),
      service: serviceSettings.prefault({}).describe("The publishing service, and how plancast uses it."),
      accounts: accountsSchema
        .default({})
        .describe(
          "Accounts on which `plancast serve` publishes without a service, each with a name of your choice. Secrets are in environment variables.",
        ),
      ai: aiSchema
        .optional()
        .describe(
          "A language model that writes drafts for `plancast draft` and `plancast ai`, instead of the service.",
        ),
      calendars: z
        .array(calendarEntry)
        .min(1)
        .refine(hasOneSheetEach, "one sheet for each `file:`")
        .default(calendars)
        .describe(
          "Calendar files, as glob patterns relative to this file, or `files:` with their own settings.",
        ),
      lockfile: z
        .string()
        .min(1)
        .default(DEFAULT_LOCKFILE)
        .describe(
          "File that records which posts on the service belong to the project. Its name ends in `.lock.json`. Commit it to git.",
        ),
      platforms: z
        .record(z.string(), z.string())
        .default({})
        .describe(
          "Your own names for platforms, each with the service's identifier, or with several of them, separated by commas. `skip`: plancast must not publish there.",
        ),
      defaults: defaults.prefault({}).describe("Values for cells that rows leave blank."),
      options: networkOptions,
      ...settingsShape,
      results: z
        .array(z.enum(RESULT_PARTS))
        .default([])
        .describe(
          "What `plancast status --write` writes into the calendars: `time`, `url` and `error`. Each has a column: result_time, result_url and result_error. Default: none.",
        ),
      ...timeShape,
      media: media.prefault({}).describe("Media from addresses on the web."),
      safety: safety.prefault({}).describe("Limits and waiting times that protect your scheduled posts."),
      notify: notifySchema
        .default({})
        .describe("Where `plancast watch` sends alerts about failed, overdue or removed posts."),
      automations: automations
        .default({})
        .describe("Automations of the service that plancast triggers automatically."),
      rules: rulesSchema(rules)
        .default({})
        .describe("Rules for posts, each with error, warning or off. `plancast rules` lists them."),
      limits: z
        .record(z.string(), limitsSchema)
        .default({})
        .describe("Platforms, each with limits that differ from the built-in ones."),
    })
    .meta({ title: "plancast.yaml" });
}

export type Config = z.infer<ReturnType<typeof createConfigSchema>>;

/** Some of the settings in plancast.yaml, as people write them. */
export type ProjectSettings = Partial<z.input<ReturnType<typeof createConfigSchema>>>;

/** The project as if plancast.yaml named only this preset, for all calendars. */
export function withPreset(project: Project, preset: string): Project {
  const calendars = project.config.calendars.map((entry) => {
    if (typeof entry === "string") return entry;
    const { preset: _other, ...rest } = entry;
    return rest;
  });
  return { ...project, config: { ...project.config, calendars, preset } };
}

/** A project: its parsed plancast.yaml, and the folder that all paths are relative to. */
export interface Project {
  /** Absolute path of the folder with plancast.yaml. */
  readonly root: string;
  /** Name of plancast.yaml (or of the file that --config names), relative to the root. */
  readonly file: string;
  /** Its text; absent if no file was read. */
  readonly text?: string;
  readonly config: Config;
  /** The files that it extends, the nearest first; relative to the root, with `/`. */
  readonly extended?: readonly { readonly file: string; readonly text: string }[];
  /** The folder for the state of this machine. */
  readonly state: StateFolder;
  /** What counts of its lockfile before the service is asked. Absent: all of it. */
  readonly counted?: (lockfile: Lockfile) => Promise<Lockfile>;
}
