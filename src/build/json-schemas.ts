/** JSON Schemas for editors, made from the definitions that validate at run time. */

import { z } from "zod";
import { yamlCalendarSchema } from "../calendars/read/yaml/yaml-schema.ts";
import { configSchema } from "../calendars/config-schema.ts";

/** Of the project file. What people write is the input side: what has a default may be left out. */
export function projectSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(configSchema, { io: "input" });
}

/** By file name below `schemas/`. */
export function jsonSchemas(): Readonly<Record<string, unknown>> {
  return {
    "config.schema.json": projectSchema(),
    "calendar.schema.json": z.toJSONSchema(yamlCalendarSchema, { io: "input" }),
  };
}
