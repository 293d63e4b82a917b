/** The formats in which `plancast plan` shows a plan. A new one is a file and a line in the table. */

import type { PlanRun } from "./plan-view.ts";

/** Each is loaded when it is asked for. Gives the whole output; empty where there is nothing to show. */
const PLAN_FORMATS = {
  text: async (run: PlanRun) => (await import("./plan-text.ts")).planRunText(run),
  json: async (run: PlanRun) => (await import("./plan-json.ts")).planRunJson(run),
  markdown: async (run: PlanRun) => (await import("./plan-markdown.ts")).planRunMarkdown(run),
};

export type PlanFormat = keyof typeof PLAN_FORMATS;

export function isPlanFormat(name: string | undefined): name is PlanFormat {
  return name !== undefined && Object.hasOwn(PLAN_FORMATS, name);
}

/** Their names, as `--format` takes them. */
export const PLAN_FORMAT_NAMES: readonly PlanFormat[] = Object.keys(PLAN_FORMATS).filter(isPlanFormat);

export function formatPlan(format: PlanFormat, run: PlanRun): Promise<string> {
  return PLAN_FORMATS[format](run);
}
