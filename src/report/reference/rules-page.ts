/** docs/rules.md: the checks before posting, and what the networks accept. */

import type { ListedNetwork, RuleList } from "../../checks/rules/list-rules.ts";
import { COUNT_MEANINGS } from "../../settings/limits.ts";
import { markdownTable } from "../text/markdown.ts";
import { limitTexts } from "./rules.ts";

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/checks and src/settings. Do not edit. -->

# Rules

\`plancast rules\` prints this page as it is in your project. All other codes stand in the
[reference of problems](reference/problems.md); they cannot be set.

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

export function rulesMarkdown({ rules, networks }: RuleList): string {
  return [
    INTRODUCTION,
    markdownTable(
      ["code", "severity", "what is checked"],
      rules.map(({ code, usual, rule }) => [tick(code), usual, rule]),
    ),
    LIMITS,
    markdownTable(
      ["`count`", "what is counted"],
      Object.entries(COUNT_MEANINGS).map(([count, meaning]) => [tick(count), meaning]),
    ),
    markdownTable(["network", "limits", "sources"], networks.map(networkCells)),
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
