import { ACCOUNTS } from "../calendar/column-target.ts";
import type { Preset } from "../calendar/preset.ts";

/** A project file, in YAML, for files of one preset: it says all that they do not. */
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
