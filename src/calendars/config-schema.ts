import { ALL_RULES } from "../checks/rules/all-rules.ts";
import { createConfigSchema } from "../settings/config.ts";
import { CALENDAR_GLOB } from "./read-calendar.ts";

/** The schema of plancast.yaml, with the rules and the calendar formats that there are. */
export const configSchema = createConfigSchema({ rules: ALL_RULES, calendars: [CALENDAR_GLOB] });
