/** `plancast rules`: for people, and as JSON for scripts. */

import type { ListedRule, ListedNetwork, RuleList } from "../../checks/rules/list-rules.ts";
import type { Problem } from "../../model/problem.ts";
import type { Limits } from "../../settings/limits.ts";
import { problemDocument } from "../problems/problems-json.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import type { Style } from "../text/style.ts";
import { paragraph } from "../text/wrap.ts";

export function rulesText({ rules, networks }: RuleList, style: Style): string {
  const { bold } = style.colors;
  return terminalText([
    bold("Checks before posting"),
    ...paragraph(
      "The project file sets each to error, warning or off, such as `rules: { content/too-long: error }`.",
      style,
    ),
    "",
    ...rules.flatMap((rule) => [...ruleLines(rule, style), ""]),
    bold("Limits by network"),
    ...paragraph(
      "The project file may set others for a platform, such as `limits: { twitter: { text: 25000 } }`.",
      style,
    ),
    "",
    ...networks.flatMap((network) => [...networkLines(network, style), ""]).slice(0, -1),
  ]);
}

function ruleLines({ code, severity, usual, rule }: ListedRule, style: Style): string[] {
  const { colors } = style;
  const paint = { error: colors.red, warning: colors.yellow, off: colors.dim }[severity];
  const changed = severity === usual ? "" : colors.dim(` (${usual} unless set)`);
  return [`${colors.bold(code)} ${paint(severity)}${changed}`, ...paragraph(rule, style, "  ")];
}

function networkLines(
  { title, names, limits, own, checked, sources }: ListedNetwork,
  style: Style,
): string[] {
  const { colors, marks } = style;
  const origin = checked === undefined ? "this project's own" : `checked ${checked}`;
  const list = (of: typeof limits): string => limitTexts(of).join(` ${marks.separator} `);
  const changed =
    checked === undefined || limitTexts(own).length === 0 ? [] : [`set in this project: ${list(own)}`];
  return [
    `${colors.bold(escapeTerminal(title))} ${colors.dim(escapeTerminal(`(${names.join(", ")}) ${origin}`))}`,
    ...[list(limits), ...changed].flatMap((text) => paragraph(text, style, "  ")),
    ...sources.map((source) => colors.dim(`  ${source}`)),
  ];
}

/** @param problems why there is no list */
export function rulesDocument({ rules, networks }: RuleList, problems: readonly Problem[] = []) {
  return {
    version: 1,
    rules: rules.map(({ code, severity, usual, rule }) => ({ code, severity, default: usual, rule })),
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

/** Limits as a project writes them: `text: 2200`, `image_types: [image/jpeg, image/png]`. */
export function limitTexts(limits: Limits): string[] {
  return Object.entries(limits)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? `[${value.join(", ")}]` : String(value)}`);
}
