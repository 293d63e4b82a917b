/** JSON Schemas for editors, made from the definitions that validate at run time. */
import { z } from "zod";
import { configSchema } from "./calendar/config.ts";
import { yamlCalendarSchema } from "./calendar/yaml-calendar.ts";

/** By file name below `schemas/`. What people write is the input side: what has a default may be left out. */
export function jsonSchemas(): Readonly<Record<string, unknown>> {
  return {
    "config.schema.json": z.toJSONSchema(configSchema, { io: "input" }),
    "calendar.schema.json": z.toJSONSchema(yamlCalendarSchema, { io: "input" }),
  };
}
