/** `plancast rules` for people. */
import type { ListedCheck, ListedNetwork, RuleList } from "../calendar/rule-list.ts";
import { escapeTerminal, terminalText } from "./escape-terminal.ts";
import { limitTexts } from "./limit-text.ts";
import { paragraph } from "./paragraph.ts";
import type { Style } from "./style.ts";

export function rulesText({ checks, networks }: RuleList, style: Style): string {
  const { bold } = style.colors;
  return terminalText([
    bold("Checks before posting"),
    ...paragraph(
      "The project file sets each to error, warning or off, such as `rules: { content/too-long: error }`.",
      style,
    ),
    "",
    ...checks.flatMap((check) => [...checkLines(check, style), ""]),
    bold("Limits by network"),
    ...paragraph(
      "The project file may set others for a platform, such as `limits: { twitter: { text: 25000 } }`.",
      style,
    ),
    "",
    ...networks.flatMap((network) => [...networkLines(network, style), ""]).slice(0, -1),
  ]);
}

function checkLines({ code, severity, usual, rule }: ListedCheck, style: Style): string[] {
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
