/** The rules and the networks' limits: `plancast rules` for people and as JSON, and docs/write/rules.md. */

import type { ListedNetwork, ListedRule, RuleList } from "../../checks/rules/check-posts.ts";
import { type Limits, COUNT_MEANINGS } from "../../settings/limits.ts";
import type { RulesDocument } from "../documents/project.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { codeCell, markdownTable } from "../text/markdown.ts";
import type { Style } from "../text/style.ts";
import { paragraph } from "../text/wrap.ts";

export function rulesText({ rules, networks }: RuleList, style: Style): string {
  const { bold } = style.colors;
  return terminalText([
    bold("Rules for posts"),
    ...paragraph(
      "Set each one to error, warning or off in `plancast.yaml`, for example `rules: { content/too-long: error }`.",
      style,
    ),
    "",
    ...rules.flatMap((rule) => [...ruleLines(rule, style), ""]),
    bold("Limits by network"),
    ...paragraph(
      "Set other limits in `plancast.yaml`, for example `limits: { twitter: { text: 25000 } }`.",
      style,
    ),
    "",
    ...networks.flatMap((network) => [...networkLines(network, style), ""]).slice(0, -1),
  ]);
}

function ruleLines({ code, severity, usual, rule }: ListedRule, style: Style): string[] {
  const { colors } = style;
  const paint = { error: colors.red, warning: colors.yellow, off: colors.dim }[severity];
  const changed = severity === usual ? "" : colors.dim(` (default: ${usual})`);
  return [`${colors.bold(code)} ${paint(severity)}${changed}`, ...paragraph(rule, style, "  ")];
}

function networkLines(
  { title, names, limits, own, checked, sources }: ListedNetwork,
  style: Style,
): string[] {
  const { colors, marks } = style;
  const origin = checked === undefined ? "set in this project" : `checked ${checked}`;
  const list = (of: typeof limits): string => limitTexts(of).join(` ${marks.separator} `);
  const changed =
    checked === undefined || limitTexts(own).length === 0 ? [] : [`changed in this project: ${list(own)}`];
  return [
    `${colors.bold(escapeTerminal(title))} ${colors.dim(escapeTerminal(`(${names.join(", ")}) ${origin}`))}`,
    ...[list(limits), ...changed].flatMap((text) => paragraph(text, style, "  ")),
    ...sources.map((source) => colors.dim(`  ${source}`)),
  ];
}

export function rulesDocument({ rules, networks }: RuleList): RulesDocument {
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

At the end of this page, you know how plancast checks posts for each network, and how to change these checks. \`plancast rules\`
prints the rules and limits with the settings of your project. The [problems](../reference/problems.md) page lists all other codes.
You cannot change those.

## Rules for posts

By default, plancast warns you about posts that a network would refuse or cut. You can change that in \`plancast.yaml\`.
\`validate\`, \`plan\` and \`apply\` check only posts in the future, and do not check drafts.

\`\`\`yaml
rules:
  content/too-long: error # stops plan and apply
  row/same-minute: off
\`\`\`
`;

const LIMITS = `## Limits by network

The networks change these limits. The month next to the sources shows when plancast's limits were last compared with them. You can
set any limit for your platforms, even for platforms that are not in this table. The most common case is X with Premium:

\`\`\`yaml
limits:
  twitter: { text: 25000 }
  our-forum: { text: 1000, count: graphemes, images: 1, image_size: 2MB }
\`\`\`

The name is the platform's identifier or an alias of it. If the identifier does not name its network, give it the network's name
as an alias: \`platforms: { x: account_17 }\`.
`;

export function rulesMarkdown({ rules, networks }: RuleList): string {
  return [
    INTRODUCTION,
    markdownTable(
      ["code", "severity", "rule"],
      rules.map(({ code, usual, rule }) => [codeCell(code), usual, rule]),
    ),
    LIMITS,
    markdownTable(
      ["`count`", "unit"],
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
