/** docs/write/presets.md: how each preset reads a file, and what its users must set themselves. */

import { ACCOUNTS, IGNORE, NOT_CARRIED, REFUSE, WILDCARD, splitTarget } from "../../model/columns.ts";
import type { Preset } from "../../settings/presets/preset.ts";
import { codeCell, headingAnchor, markdownTable } from "../text/markdown.ts";

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/settings/presets. Do not edit. -->

# Presets

The bulk files of other schedulers, read as they are. A preset says what the columns of such a file stand for; name it
for the files that it is about, or for the whole project:

\`\`\`yaml
calendars:
  - files: calendars/publer/*.csv
    preset: publer
    columns: { CTA: ignore } # what is said beside a preset goes first
\`\`\`

\`plancast validate --preset publer FILE\` tries one. Plancast never chooses a preset by itself: where a header looks like
that of one, and is not understood without, the message says so.

- What the service's interface has no place for (first comments, alt texts, boards, labels, links beside the text) is not
  published. **One warning a file names each such column, with the number of rows that use it.** \`ignore\` under
  \`columns:\` says that this is fine.
- A link that is to be published belongs into the text. No preset puts it there.
- The names of columns may differ in case and blanks. In \`columns:\`, \`*\` stands for anything: \`Slide *: media\`.
- Presets say nothing that a project file could not say itself. Beside the fields, a column may be \`not_carried\` (told of where it
  holds something), \`accounts\` (platforms by account ids, which \`platforms:\` translates) or \`refuse\` (an error where it says yes).
- Several pictures in one cell are separated by commas, with or without a blank; \`;\` \`|\` and line ends do as well.
- \`preset\` of an entry of \`calendars:\` takes the place of the project's. It goes before the project's settings, and the
  entry's own settings before both.
`;

export function presetsMarkdown(presets: Readonly<Record<string, Preset>>): string {
  const all = Object.entries(presets);
  const contents = all
    .map(([name, { title }]) => `[${title}](#${headingAnchor(title)}) (\`${name}\`)`)
    .join(", ");
  return [INTRODUCTION, `${contents}\n`, ...all.map(([name, preset]) => section(name, preset))].join("\n");
}

function section(name: string, preset: Preset): string {
  const { title, header, settings, notes, sources, checked } = preset;
  const isNamed = settings.header_row !== "none";
  const known = Object.entries(settings.columns);
  const used = known.filter(([, target]) => target !== NOT_CARRIED && target !== IGNORE);
  const lost = known.filter(([, target]) => target === NOT_CARRIED).map(([column]) => nameOf(column, preset));
  const first = isNamed
    ? `Its header: ${header.map(codeCell).join(", ")}.`
    : `The files have no header. What stands where: ${header.join(", ")}.`;
  return [
    `## ${title}\n`,
    `${first}\n`,
    markdownTable(
      [isNamed ? "column" : "position", "becomes"],
      used.map(([column, target]) => [nameOf(column, preset), meaningOf(target)]),
    ),
    lost.length === 0 ? "All of it is carried.\n" : `Not carried: ${lost.join(", ")}.\n`,
    [...needs(preset), ...notes].map((text) => `- ${text}\n`).join(""),
    `\`\`\`yaml\n${exampleProject(name, preset)}\`\`\`\n`,
    `Sources (${checked}): ${sources.map((source) => (source.startsWith("https:") ? `<${source}>` : source)).join("; ")}.\n`,
  ].join("\n");
}

function nameOf(column: string, { header, settings }: Preset): string {
  const label = header[Number(column) - 1];
  return settings.header_row === "none" && label !== undefined ? `${column} (${label})` : codeCell(column);
}

function meaningOf(target: string): string {
  if (target === ACCOUNTS)
    return "`platforms`: `platforms:` in `plancast.yaml` says which network each account is on";
  if (target === REFUSE) return "an error where it says yes";
  const { name, of } = splitTarget(target.replace(WILDCARD, "x")) ?? {};
  if (name === "platforms") return `where it says yes, ${codeCell(of ?? "")} is one of the platforms`;
  if (name === "status") return `where it says yes, the row is a ${of}`;
  return name === undefined ? codeCell(target) : `${codeCell(name)} for that platform alone`;
}

/** Facts that no file of that kind contains. */
function needs({ settings, times }: Preset): string[] {
  const zone = {
    account: "Say `timezone:`: it is a setting of the account, and stands in no file.",
    column: "The zone stands in the file; `timezone:` is for rows without one.",
    date: "The zone is part of the time.",
  }[times.zone];
  const order =
    times.isOrderOpen === true ? " Say `date_order:` (dmy or mdy) where the year does not come first." : "";
  const targets = Object.values(settings.columns);
  const platforms = targets.some((target) => target.startsWith("platforms"))
    ? []
    : [
        targets.includes(ACCOUNTS)
          ? "Say under `platforms:` which platform each account id is. One that is not said is an error."
          : "Say the platforms: `defaults: { platforms: [linkedin] }`. No file does.",
      ];
  return [`Times: ${times.form}. ${zone}${order}`, ...platforms];
}

/** plancast.yaml for files of one preset, with the settings that the files lack. */
export function exampleProject(name: string, { settings, times }: Preset): string {
  const targets = Object.values(settings.columns);
  const hasAccounts = targets.includes(ACCOUNTS);
  const needsPlatforms = !hasAccounts && !targets.some((target) => target.startsWith("platforms"));
  const lines = [
    "calendars:",
    `  - files: calendars/${name}/*.csv`,
    `    preset: ${name}`,
    times.zone === "date" ? undefined : "    timezone: Europe/Paris",
    times.isOrderOpen === true ? "    date_order: mdy # or dmy" : undefined,
    needsPlatforms ? "    defaults: { platforms: [linkedin] }" : undefined,
    hasAccounts ? 'platforms: { "123456": linkedin, "123457": instagram }' : undefined,
  ];
  return lines.flatMap((line) => (line === undefined ? [] : `${line}\n`)).join("");
}
