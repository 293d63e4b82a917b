/** The formats of `plancast plan`. To add one, write a file and a line in the table. */

import type { PlanRun } from "./plan-view.ts";

/** Loaded on demand. Returns the whole text, which is empty if there is nothing to show, or the JSON document. */
const PLAN_FORMATS = {
  text: async (run: PlanRun) => (await import("./plan-text.ts")).planRunText(run),
  json: async (run: PlanRun) => (await import("./plan-json.ts")).planRunDocument(run),
  markdown: async (run: PlanRun) => (await import("./plan-markdown.ts")).planRunMarkdown(run),
};

export type PlanFormat = keyof typeof PLAN_FORMATS;

export function isPlanFormat(name: string | undefined): name is PlanFormat {
  return name !== undefined && Object.hasOwn(PLAN_FORMATS, name);
}

/** Their names, as values of `--format`. */
export const PLAN_FORMAT_NAMES: readonly PlanFormat[] = Object.keys(PLAN_FORMATS).filter(isPlanFormat);

export function formatPlan(format: PlanFormat, run: PlanRun): Promise<string | object> {
  return PLAN_FORMATS[format](run);
}
