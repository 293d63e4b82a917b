/** `rules --format json`: the contract with scripts. */
import type { RuleList } from "../calendar/rule-list.ts";
import type { Problem } from "../calendar/problem.ts";
import { problemDocument } from "./problem-document.ts";

/** @param problems why there is no list */
export function rulesDocument({ checks, networks }: RuleList, problems: readonly Problem[] = []) {
  return {
    version: 1,
    rules: checks.map(({ code, severity, usual, rule }) => ({ code, severity, default: usual, rule })),
    networks: networks.map(({ title, names, limits, own, checked, sources }) => ({
      title,
      names,
      ...(checked === undefined ? {} : { checked }),
      sources,
      limits,
      overridden: Object.keys(own),
    })),
    problems: problems.map(problemDocument),
  };
}
