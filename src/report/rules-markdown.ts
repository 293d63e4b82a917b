/** docs/rules.md: the reference of all codes and of what the networks accept. */
import { CHECKS } from "../calendar/checks.ts";
import { CODES } from "../calendar/codes.ts";
import { COUNT_MEANINGS } from "../calendar/limits.ts";
import type { ListedNetwork, RuleList } from "../calendar/rule-list.ts";
import { limitTexts } from "./limit-text.ts";

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/rules and src/calendar. Do not edit. -->

# Rules

\`plancast rules\` prints this page's first two parts as they are in your project.

## Checks before posting

What a network would refuse or cut is a warning, unless the project file says otherwise. \`validate\`, \`plan\` and
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

const OTHERS = `## All other codes

These are of what plancast itself cannot work with, or has to tell. They cannot be set.
`;

export function rulesMarkdown({ checks, networks }: RuleList): string {
  const others = Object.entries(CODES).filter(([code]) => !Object.hasOwn(CHECKS, code));
  return [
    INTRODUCTION,
    table(
      ["code", "severity", "what is checked"],
      checks.map(({ code, usual, rule }) => [tick(code), usual, rule]),
    ),
    LIMITS,
    table(
      ["`count`", "what is counted"],
      Object.entries(COUNT_MEANINGS).map(([count, meaning]) => [tick(count), meaning]),
    ),
    table(["network", "limits", "sources"], networks.map(networkCells)),
    OTHERS,
    table(
      ["code", "severity", "rule"],
      others.map(([code, { severity, rule }]) => [tick(code), severity, rule]),
    ),
  ].join("\n");
}

function networkCells({ title, names, limits, checked, sources }: ListedNetwork): string[] {
  const links = sources.map((source, index) => `[${index + 1}](${source})`).join(" ");
  return [
    `${title} (${names.map(tick).join(", ")})`,
    limitTexts(limits).map(tick).join(" "),
    `${links}, ${checked}`,
  ];
}

function tick(text: string): string {
  return `\`${text}\``;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map(tableLine).join("");
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}
