import type { Preset } from "./preset.ts";
import { buffer } from "./presets/buffer.ts";

/** The presets, by the name that the project file knows them by. */
export const PRESETS = {
  buffer,
} satisfies Record<string, Preset>;

export const PRESET_NAMES: readonly string[] = Object.keys(PRESETS);

const BY_NAME: ReadonlyMap<string, Preset> = new Map(Object.entries(PRESETS));

export function presetNamed(name: string | undefined): Preset | undefined {
  return name === undefined ? undefined : BY_NAME.get(name);
}
