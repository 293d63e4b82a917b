/** The JSON documents with a published schema, by command. Only the build and tests import this. */

import { z } from "zod";
import { applySchema, planSchema, publishRunSchema, statusRunSchema } from "./runs.ts";
import {
  aiSchema,
  approvalsSchema,
  calendarSchema,
  columnsSchema,
  convertSchema,
  draftSchema,
  pullSchema,
  validateSchema,
} from "./calendars.ts";
import {
  accountsSchema,
  automationsSchema,
  doctorSchema,
  lockfileSchema,
  mediaSchema,
  platformsSchema,
  postsSchema,
  resolveSchema,
  rulesSchema,
  webhooksSchema,
} from "./service-records.ts";

export const DOCUMENTS = {
  accounts: accountsSchema,
  ai: aiSchema,
  apply: applySchema,
  approvals: approvalsSchema,
  automations: automationsSchema,
  calendar: calendarSchema,
  columns: columnsSchema,
  convert: convertSchema,
  doctor: doctorSchema,
  draft: draftSchema,
  lockfile: lockfileSchema,
  media: mediaSchema,
  plan: planSchema,
  platforms: platformsSchema,
  posts: postsSchema,
  publish: publishRunSchema,
  pull: pullSchema,
  resolve: resolveSchema,
  rules: rulesSchema,
  status: statusRunSchema,
  validate: validateSchema,
  webhooks: webhooksSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** By file name below `schemas/`. They allow unknown fields, because later versions may add some. */
export function documentSchemas(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(DOCUMENTS).map(([name, schema]) => [
      `${name}.output.schema.json`,
      z.toJSONSchema(schema, { io: "input" }),
    ]),
  );
}
