/** The JSON documents with a published schema, by command. */

import { z } from "zod";
import {
  aiOutputSchema,
  approvalsSchema,
  calendarSchema,
  columnsSchema,
  convertSchema,
  draftSchema,
  fetchSchema,
  pullSchema,
  validateSchema,
} from "./calendars.ts";
import { type DocumentOf, failedSchema, problems, version } from "./parts.ts";
import {
  accountListSchema,
  doctorSchema,
  lockfileOutputSchema,
  resolveSchema,
  rulesSchema,
  storeSchema,
} from "./project.ts";
import { automationsSchema, mediaSchema, platformsSchema, postsSchema, webhooksSchema } from "./service.ts";
import {
  applySchema,
  holdSchema,
  planSchema,
  publishRunSchema,
  releaseSchema,
  statusRunSchema,
  watchSchema,
} from "./runs.ts";

export const DOCUMENTS = {
  accounts: accountListSchema,
  ai: aiOutputSchema,
  apply: applySchema,
  approvals: approvalsSchema,
  automations: automationsSchema,
  calendar: calendarSchema,
  columns: columnsSchema,
  convert: convertSchema,
  doctor: doctorSchema,
  draft: draftSchema,
  fetch: fetchSchema,
  hold: z.union([holdSchema, failedSchema]),
  lockfile: lockfileOutputSchema,
  media: mediaSchema,
  plan: planSchema,
  platforms: platformsSchema,
  posts: postsSchema,
  publish: publishRunSchema,
  pull: pullSchema,
  release: z.union([releaseSchema, failedSchema]),
  resolve: resolveSchema,
  rules: rulesSchema,
  status: statusRunSchema,
  store: storeSchema,
  validate: validateSchema,
  watch: z.union([watchSchema, failedSchema]),
  webhooks: webhooksSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** With --all: a document for several projects. */
export const ALL_DOCUMENTS = {
  apply: ofSeveral("apply", applySchema),
  doctor: ofSeveral("doctor", doctorSchema),
  hold: ofSeveral("hold", z.union([holdSchema, failedSchema])),
  plan: ofSeveral("plan", planSchema),
  posts: ofSeveral("posts", postsSchema),
  release: ofSeveral("release", z.union([releaseSchema, failedSchema])),
  status: ofSeveral("status", statusRunSchema),
  validate: ofSeveral("validate", validateSchema),
  watch: ofSeveral("watch", z.union([watchSchema, failedSchema])),
} as const satisfies Readonly<Record<string, z.ZodType>>;

function ofSeveral<Schema extends z.ZodType>(name: string, schema: Schema) {
  const project = z.string().describe("Folder of the project, relative to the working folder, with `/`.");
  const ended = z.object({ project, exit_code: z.int().min(0).describe("Exit code of this project.") });
  const notStarted = z.object({ project, exit_code: z.never().optional() });
  return z
    .object({
      version,
      projects: z.array(z.union([z.intersection(ended, schema), notStarted])),
      problems: problems.optional().describe("What stopped the run before the first project."),
    })
    .describe(`What \`plancast ${name} --all --format json\` prints.`);
}

/** What a command with --all prints, whatever it prints for one project. */
export type ProjectsDocument = DocumentOf<ReturnType<typeof ofSeveral<z.ZodType<object>>>>;

/** By file name below `schemas/`. They allow unknown fields, because later versions may add some. */
export function documentSchemas(): Readonly<Record<string, unknown>> {
  const documents = [
    ...Object.entries(DOCUMENTS),
    ...Object.entries(ALL_DOCUMENTS).map(([name, schema]) => [`${name}-all`, schema] as const),
  ];
  return Object.fromEntries(
    documents.map(([name, schema]) => [
      `${name}.output.schema.json`,
      z.toJSONSchema(schema, { io: "input" }),
    ]),
  );
}
