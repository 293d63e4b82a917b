import type { Limits } from "../calendar/limits.ts";

/** Limits as a project writes them: `text: 2200`, `image_types: [image/jpeg, image/png]`. */
export function limitTexts(limits: Limits): string[] {
  return Object.entries(limits)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? `[${value.join(", ")}]` : String(value)}`);
}
