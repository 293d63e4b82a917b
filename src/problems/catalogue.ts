/** The catalogue of problems. */

import { CSV_CODES, SHEET_CODES, WORKBOOK_CODES, YAML_CODES } from "./calendar-formats.ts";
import { CALENDAR_CODES, FILTER_CODES } from "./calendar.ts";
import {
  CI_CODES,
  DRAFT_CODES,
  INTERNAL_CODES,
  LISTEN_CODES,
  OUTCOMES_CODES,
  PREVIEW_CODES,
  USAGE_CODES,
  WRITE_CODES,
} from "./commands.ts";
import { MEDIA_CODES } from "./media.ts";
import type { ProblemEntry } from "./problem-entry.ts";
import { PROJECT_CODES } from "./project.ts";
import { PLATFORM_CODES, ROW_CODES, SCHEDULE_CODES } from "./row.ts";
import { CLIENT_CODES, EMBEDDED_CODES, SERVICE_CODES, SHARE_CODES } from "./service.ts";
import { DISK_CODES, JOURNAL_CODES, LOCKFILE_CODES, RUN_CODES } from "./state.ts";
import { APPLY_CODES, GUARD_CODES, PLAN_CODES, PULL_CODES, RESOLVE_CODES } from "./sync.ts";

const BEFORE_THE_RULES = {
  ...PROJECT_CODES,
  ...CALENDAR_CODES,
  ...CSV_CODES,
  ...WORKBOOK_CODES,
  ...SHEET_CODES,
  ...YAML_CODES,
  ...ROW_CODES,
  ...FILTER_CODES,
  ...SCHEDULE_CODES,
  ...PLATFORM_CODES,
  ...MEDIA_CODES,
  ...PLAN_CODES,
  ...SERVICE_CODES,
  ...LOCKFILE_CODES,
  ...JOURNAL_CODES,
  ...LISTEN_CODES,
  ...OUTCOMES_CODES,
  ...SHARE_CODES,
  ...RUN_CODES,
  ...EMBEDDED_CODES,
  ...DISK_CODES,
  ...GUARD_CODES,
  ...APPLY_CODES,
  ...WRITE_CODES,
  ...PULL_CODES,
  ...DRAFT_CODES,
  ...PREVIEW_CODES,
  ...RESOLVE_CODES,
  ...CI_CODES,
} as const satisfies Record<string, ProblemEntry>;

const AFTER_THE_RULES = {
  ...CLIENT_CODES,
  ...USAGE_CODES,
  ...INTERNAL_CODES,
} as const satisfies Record<string, ProblemEntry>;

/**
 * Every code that plancast prints, except those of the rules, which are defined in checks/rules. Codes are part of the
 * contract: scripts match them, so one is never renamed. Each family (`row` of `row/id`) is in one file of this folder.
 * The messages, which name the place and what to do, are where the problem is found.
 */
export const CODES = { ...BEFORE_THE_RULES, ...AFTER_THE_RULES };

export type Code = keyof typeof CODES;

/** Code of a rule, such as `content/too-long`. Which rules there are is known in checks/rules. */
export type RuleCode = `content/${string}` | `media/${string}` | `row/${string}`;

export type ProblemCode = Code | RuleCode;

/** All codes with those of the rules, in the order of the reference. */
export function catalogueWith(
  rules: Readonly<Record<string, ProblemEntry>>,
): Readonly<Record<string, ProblemEntry>> {
  return { ...BEFORE_THE_RULES, ...rules, ...AFTER_THE_RULES };
}
