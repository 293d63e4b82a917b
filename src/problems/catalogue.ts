import { CSV_CODES, SHEET_CODES, WORKBOOK_CODES, YAML_CODES } from "./calendar-formats.ts";
import { CALENDAR_CODES, FILTER_CODES } from "./calendar.ts";
import { CHECKS } from "./checks.ts";
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

/**
 * Every code that plancast prints, with its severity and the rule it stands for. Codes are part of the contract:
 * scripts match them, so one is never renamed. The messages, which name the place and the way on, stand where the
 * rule is checked. A code stands in the file of its family: `row/id` in `codes/row.ts`. The order here is that of the
 * reference.
 */
export const CODES = {
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
  ...CHECKS,
  ...CLIENT_CODES,
  ...USAGE_CODES,
  ...INTERNAL_CODES,
} as const satisfies Record<string, ProblemEntry>;

export type Code = keyof typeof CODES;
