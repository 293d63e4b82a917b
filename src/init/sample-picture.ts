import { drawLandscape, SCENE_SIDE, type Scene } from "../picture/landscape.ts";

const SUNSET: Scene = {
  sky: { top: [74, 64, 134], bottom: [255, 186, 142] },
  sun: { x: 690, y: 470, radius: 150, color: [255, 236, 205] },
  hills: [
    { color: [196, 116, 118], height: 640, swell: 50, length: 330, shift: 0.4 },
    { color: [128, 74, 104], height: 770, swell: 64, length: 250, shift: 2.6 },
    { color: [58, 44, 78], height: 915, swell: 46, length: 300, shift: 4.4 },
  ],
};

/**
 * The picture of the sample calendar: a sunset over hills, 1080 by 1080 pixels, which every network shows whole. It is
 * drawn here because a file of bytes in the package would be one more thing to carry.
 *
 * @returns a PNG file of some 20 kB
 */
export function samplePicture(): Uint8Array {
  return drawLandscape(SUNSET, { width: SCENE_SIDE, height: SCENE_SIDE });
}
