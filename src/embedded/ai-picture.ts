/** Pictures as a model would make them: landscapes, the same for the same prompt and size. */
import { landscape, SCENE_SIDE, type Scene } from "../picture/landscape.ts";
import type { Color, Size } from "../picture/png.ts";
import { draw, drawNumber, type Draw } from "./draw.ts";

const HILLS = 3;

export function aiPicture(prompt: string, size: Size): Uint8Array {
  return landscape(sceneOf(draw(prompt)), size);
}

function sceneOf(pick: Draw): Scene {
  const near = color(pick, 10, 90);
  const bottom = color(pick, 150, 255);
  return {
    sky: { top: color(pick, 30, 160), bottom },
    sun: {
      x: drawNumber(pick, 150, SCENE_SIDE - 150),
      y: drawNumber(pick, 150, 500),
      radius: drawNumber(pick, 70, 170),
      color: color(pick, 225, 255),
    },
    hills: Array.from({ length: HILLS }, (_, index) => ({
      color: between(bottom, near, (index + 1) / HILLS),
      height: 640 + 130 * index,
      swell: drawNumber(pick, 30, 70),
      length: drawNumber(pick, 200, 400),
      shift: drawNumber(pick, 0, 62) / 10,
    })),
  };
}

function color(pick: Draw, least: number, most: number): Color {
  return [drawNumber(pick, least, most), drawNumber(pick, least, most), drawNumber(pick, least, most)];
}

/** Hills grow paler with distance, towards the sky behind them. */
function between(far: Color, near: Color, share: number): Color {
  return [
    far[0] + (near[0] - far[0]) * share,
    far[1] + (near[1] - far[1]) * share,
    far[2] + (near[2] - far[2]) * share,
  ];
}
