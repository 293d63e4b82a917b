/** docs/write/presets.md: how each preset reads a file, and what its users must set themselves. */

import { ACCOUNTS, IGNORE, NOT_CARRIED, REFUSE, WILDCARD, splitTarget } from "../../model/columns.ts";
import type { Preset } from "../../settings/presets/preset.ts";
import { codeCell, headingAnchor, markdownTable } from "../text/markdown.ts";

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/settings/presets. Do not edit. -->

# Presets

With a preset, plancast reads the bulk files of another scheduler as they are. A preset says what the columns of these files
mean. Set it for some files, or for the whole project:

\`\`\`yaml
calendars:
  - files: calendars/publer/*.csv
    preset: publer
    columns: { CTA: ignore } # your settings have priority over the preset
\`\`\`

To try a preset, run \`plancast validate --preset publer FILE\`. plancast never chooses a preset automatically. If it cannot read
a header but knows the scheduler, the message suggests the preset.

- plancast reads alt texts and first comments, which [not every service stores](media.md#describe-pictures-with-alt-texts). It does not publish boards, labels and separate links.
  **One warning per file names each of these columns, with the number of rows that use it.** To stop the warning, set the
  column to \`ignore\` under \`columns:\`.
- To publish a link, put it into the text. No preset does this for you.
- Upper and lower case and spaces in column names do not matter. In \`columns:\`, \`*\` matches anything: \`Slide *: media\`.
- You can also write everything in a preset yourself in \`plancast.yaml\`. A column can be a field, or one of these:
  - \`not_carried\`: a warning if the column contains something.
  - \`accounts\`: ids of accounts, which \`platforms:\` translates to platforms.
  - \`refuse\`: an error if a cell of the column says yes.
- Separate several pictures in one cell with commas, with or without spaces. \`;\`, \`|\` and line ends also work.
- A \`preset\` under an entry of \`calendars:\` replaces the project's preset. It has priority over the project's settings. The
  entry's own settings have priority over both.
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
    ? `The header: ${header.map(codeCell).join(", ")}.`
    : `The files have no header. The columns are, in this order: ${header.join(", ")}.`;
  return [
    `## ${title}\n`,
    `${first}\n`,
    markdownTable(
      [isNamed ? "column" : "position", "becomes"],
      used.map(([column, target]) => [nameOf(column, preset), meaningOf(target)]),
    ),
    lost.length === 0 ? "plancast publishes all columns.\n" : `Not published: ${lost.join(", ")}.\n`,
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
    return "`platforms`. Set the network of each account under `platforms:` in `plancast.yaml`";
  if (target === REFUSE) return "an error if it says yes";
  const { name, of } = splitTarget(target.replace(WILDCARD, "x")) ?? {};
  if (name === "platforms") return `if it says yes, ${codeCell(of ?? "")} is one of the platforms`;
  if (name === "status") return `if it says yes, the row is a ${of}`;
  return name === undefined ? codeCell(target) : `${codeCell(name)} for that platform only`;
}

/** Facts that no file of that kind contains. */
function needs({ settings, times }: Preset): string[] {
  const zone = {
    account: "Set `timezone:`, because the files do not contain the account's time zone.",
    column: "The file contains the time zone. `timezone:` is for rows without one.",
    date: "The times contain their time zone.",
  }[times.zone];
  const order = times.isOrderOpen === true ? " Set `date_order:` (dmy or mdy) if the year is not first." : "";
  const targets = Object.values(settings.columns);
  const platforms = targets.some((target) => target.startsWith("platforms"))
    ? []
    : [
        targets.includes(ACCOUNTS)
          ? "Under `platforms:`, set the platform of each account id. An unknown id is an error."
          : "Set the platforms, because the files do not contain them: `defaults: { platforms: [linkedin] }`.",
      ];
  return [`Times look like ${times.form}. ${zone}${order}`, ...platforms];
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
