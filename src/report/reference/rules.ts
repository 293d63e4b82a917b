/** The rules and the networks' limits: `plancast rules` for people and as JSON, and docs/write/rules.md. */

import type { ListedNetwork, ListedRule, RuleList } from "../../checks/rules/list-rules.ts";
import type { Problem } from "../../model/problem.ts";
import { type Limits, COUNT_MEANINGS } from "../../settings/limits.ts";
import { problemDocument } from "../problems/problems-json.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { codeCell, markdownTable } from "../text/markdown.ts";
import type { Style } from "../text/style.ts";
import { paragraph } from "../text/wrap.ts";

export function rulesText({ rules, networks }: RuleList, style: Style): string {
  const { bold } = style.colors;
  return terminalText([
    bold("Checks before posting"),
    ...paragraph(
      "`plancast.yaml` sets each to error, warning or off, such as `rules: { content/too-long: error }`.",
      style,
    ),
    "",
    ...rules.flatMap((rule) => [...ruleLines(rule, style), ""]),
    bold("Limits by network"),
    ...paragraph(
      "`plancast.yaml` may set others for a platform, such as `limits: { twitter: { text: 25000 } }`.",
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
function limitTexts(limits: Limits): string[] {
  return Object.entries(limits)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? `[${value.join(", ")}]` : String(value)}`);
}

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/checks and src/settings. Do not edit. -->

# Rules

\`plancast rules\` prints this page as it is in your project. All other codes stand in the
[reference of problems](../reference/problems.md); they cannot be set.

## Checks before posting

What a network would refuse or cut is a warning, unless \`plancast.yaml\` says otherwise. \`validate\`, \`plan\` and
\`apply\` check the posts that are still to come; drafts and past rows are left alone.

\`\`\`yaml
rules:
  content/too-long: error # stops plan and apply
  row/same-minute: off
\`\`\`
`;

const LIMITS = `## Limits by network

The networks change them; each stands with the month in which it was compared with its sources. A project may set any of
them for its platforms, and for platforms that are not listed here. The most common case is X with Premium:

\`\`\`yaml
limits:
  twitter: { text: 25000 }
  our-forum: { text: 1000, count: graphemes, images: 1, image_size: 2MB }
\`\`\`

The name is the platform's identifier, or an alias of it. A platform of an unusual name is taken for the network whose
name is an alias of it (\`platforms: { x: account_17 }\`).
`;

export function rulesMarkdown({ rules, networks }: RuleList): string {
  return [
    INTRODUCTION,
    markdownTable(
      ["code", "severity", "what is checked"],
      rules.map(({ code, usual, rule }) => [codeCell(code), usual, rule]),
    ),
    LIMITS,
    markdownTable(
      ["`count`", "what is counted"],
      Object.entries(COUNT_MEANINGS).map(([count, meaning]) => [codeCell(count), meaning]),
    ),
    markdownTable(["network", "limits", "sources"], networks.map(networkCells)),
  ].join("\n");
}

function networkCells({ title, names, limits, checked, sources }: ListedNetwork): string[] {
  const links = sources.map((source, index) => `[${index + 1}](${source})`).join(" ");
  return [
    `${title} (${names.map(codeCell).join(", ")})`,
    limitTexts(limits).map(codeCell).join(" "),
    `${links}, ${checked}`,
  ];
}
