import { CHECKS } from "./checks.ts";
import type { ProblemEntry } from "./code-entry.ts";
import { APPLY_CODES } from "./codes/apply.ts";
import { CALENDAR_CODES } from "./codes/calendar.ts";
import { CI_CODES } from "./codes/ci.ts";
import { CLIENT_CODES } from "./codes/client.ts";
import { CSV_CODES } from "./codes/csv.ts";
import { DISK_CODES } from "./codes/disk.ts";
import { DRAFT_CODES } from "./codes/draft.ts";
import { EMBEDDED_CODES } from "./codes/embedded.ts";
import { FILTER_CODES } from "./codes/filter.ts";
import { GUARD_CODES } from "./codes/guard.ts";
import { INTERNAL_CODES } from "./codes/internal.ts";
import { JOURNAL_CODES } from "./codes/journal.ts";
import { LISTEN_CODES } from "./codes/listen.ts";
import { LOCKFILE_CODES } from "./codes/lockfile.ts";
import { MEDIA_CODES } from "./codes/media.ts";
import { OUTCOMES_CODES } from "./codes/outcomes.ts";
import { PLAN_CODES } from "./codes/plan.ts";
import { PREVIEW_CODES } from "./codes/preview.ts";
import { PLATFORM_CODES } from "./codes/platform.ts";
import { PROJECT_CODES } from "./codes/project.ts";
import { PULL_CODES } from "./codes/pull.ts";
import { RESOLVE_CODES } from "./codes/resolve.ts";
import { ROW_CODES } from "./codes/row.ts";
import { RUN_CODES } from "./codes/run.ts";
import { SCHEDULE_CODES } from "./codes/schedule.ts";
import { SERVICE_CODES } from "./codes/service.ts";
import { SHARE_CODES } from "./codes/share.ts";
import { SHEET_CODES } from "./codes/sheet.ts";
import { USAGE_CODES } from "./codes/usage.ts";
import { WORKBOOK_CODES } from "./codes/workbook.ts";
import { WRITE_CODES } from "./codes/write.ts";
import { YAML_CODES } from "./codes/yaml.ts";

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
