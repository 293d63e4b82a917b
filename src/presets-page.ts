import { PRESETS } from "./calendar/presets.ts";
import { presetsMarkdown } from "./report/presets-markdown.ts";

/** docs/presets.md, from the data that files are read by. */
export function presetsPage(): string {
  return presetsMarkdown(PRESETS);
}
