import { encodePng, type Color, type Size } from "./png.ts";

/** Side of the square on which a scene is laid out. */
export const SCENE_SIDE = 1080;

/** A sun over hills, laid out on a square of SCENE_SIDE, y from the top. */
export interface Scene {
  readonly sky: { readonly top: Color; readonly bottom: Color };
  readonly sun: { readonly x: number; readonly y: number; readonly radius: number; readonly color: Color };
  /** From far to near: `height` is where a hill stands on average, `swell` how far it goes up and down. */
  readonly hills: readonly {
    readonly color: Color;
    readonly height: number;
    readonly swell: number;
    readonly length: number;
    readonly shift: number;
  }[];
}

/** Where the sky has the colour of its bottom. */
const HORIZON = 700;

/** `share` is how much of `over` covers `under`; what lies outside 0 to 1 counts as its end. */
function mix(under: Color, over: Color, share: number): Color {
  if (share <= 0) return under;
  if (share >= 1) return over;
  const [r, g, b] = under;
  return [r + (over[0] - r) * share, g + (over[1] - g) * share, b + (over[2] - b) * share];
}

function colorAt(x: number, y: number, sky: Color, { sun, hills }: Scene): Color {
  // Half a pixel on either side of an edge is where it is mixed, so that it looks smooth.
  const behindHills = mix(sky, sun.color, sun.radius - Math.hypot(x - sun.x, y - sun.y) + 0.5);
  return hills.reduce<Color>((behind, { color, height, swell, length, shift }) => {
    const edge = height - swell * Math.sin(x / length + shift);
    return mix(behind, color, y - edge + 0.5);
  }, behindHills);
}

/** The scene as a PNG file of that size: all of its height, and of its width as much as there is room for. */
export function drawLandscape(scene: Scene, size: Size): Uint8Array {
  const { top, bottom } = scene.sky;
  const scale = SCENE_SIDE / size.height;
  return encodePng(size, (line) => {
    const y = line * scale;
    const sky = mix(top, bottom, y / HORIZON);
    return (column) => colorAt(column * scale, y, sky, scene);
  });
}
