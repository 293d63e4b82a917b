import type { Preset } from "./preset.ts";
import { ayrshare } from "./presets/ayrshare.ts";
import { buffer } from "./presets/buffer.ts";
import { contentstudio } from "./presets/contentstudio.ts";
import { highlevel } from "./presets/highlevel.ts";
import { hootsuite } from "./presets/hootsuite.ts";
import { metricool } from "./presets/metricool.ts";
import { postfast } from "./presets/postfast.ts";
import { publer } from "./presets/publer.ts";
import { socialpilot } from "./presets/socialpilot.ts";
import { sprout } from "./presets/sprout.ts";
import { vista } from "./presets/vista.ts";
import { zernio } from "./presets/zernio.ts";

/** The presets, by the name that the project file knows them by. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  ayrshare,
  buffer,
  contentstudio,
  highlevel,
  hootsuite,
  metricool,
  postfast,
  publer,
  socialpilot,
  sprout,
  vista,
  zernio,
};

export const PRESET_NAMES: readonly string[] = Object.keys(PRESETS);

export function presetNamed(name: string | undefined): Preset | undefined {
  return name === undefined || !Object.hasOwn(PRESETS, name) ? undefined : PRESETS[name];
}
