/** Pictures as a model would make them: landscapes, the same for the same prompt and size. */
import { drawLandscape, SCENE_SIDE, type Scene } from "../picture/landscape.ts";
import type { Color, Size } from "../picture/png.ts";
import { createPicker, pickNumber, type Picker } from "./draw.ts";

const HILLS = 3;

export function simulatedPicture(prompt: string, size: Size): Uint8Array {
  return drawLandscape(sceneOf(createPicker(prompt)), size);
}

function sceneOf(pick: Picker): Scene {
  const near = pickColor(pick, 10, 90);
  const bottom = pickColor(pick, 150, 255);
  return {
    sky: { top: pickColor(pick, 30, 160), bottom },
    sun: {
      x: pickNumber(pick, 150, SCENE_SIDE - 150),
      y: pickNumber(pick, 150, 500),
      radius: pickNumber(pick, 70, 170),
      color: pickColor(pick, 225, 255),
    },
    hills: Array.from({ length: HILLS }, (_, index) => ({
      color: blend(bottom, near, (index + 1) / HILLS),
      height: 640 + 130 * index,
      swell: pickNumber(pick, 30, 70),
      length: pickNumber(pick, 200, 400),
      shift: pickNumber(pick, 0, 62) / 10,
    })),
  };
}

function pickColor(pick: Picker, least: number, most: number): Color {
  return [pickNumber(pick, least, most), pickNumber(pick, least, most), pickNumber(pick, least, most)];
}

/** Hills grow paler with distance, towards the sky behind them. */
function blend(far: Color, near: Color, share: number): Color {
  return [
    far[0] + (near[0] - far[0]) * share,
    far[1] + (near[1] - far[1]) * share,
    far[2] + (near[2] - far[2]) * share,
  ];
}
