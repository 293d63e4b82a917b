/** The list of all presets. `preset:` in plancast.yaml names one of them. */

import { ayrshare } from "./ayrshare.ts";
import { buffer } from "./buffer.ts";
import { contentstudio } from "./contentstudio.ts";
import { highlevel } from "./highlevel.ts";
import { hootsuite } from "./hootsuite.ts";
import { metricool } from "./metricool.ts";
import { postfast } from "./postfast.ts";
import type { Preset } from "./preset.ts";
import { publer } from "./publer.ts";
import { socialpilot } from "./socialpilot.ts";
import { sprout } from "./sprout.ts";
import { vista } from "./vista.ts";
import { zernio } from "./zernio.ts";

/** The presets, by their name in plancast.yaml. */
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
