import { createHash } from "node:crypto";

/** Takes one of several. */
export type Picker = <T>(choices: readonly T[]) => T;

/** Draws that look random and are the same for the same text. Throws when there is nothing to draw from. */
export function createPicker(text: string): Picker {
  let count = 0;
  return (choices) => {
    const bytes = createHash("sha256").update(`${count} ${text}`).digest();
    count += 1;
    const drawn = choices[bytes.readUInt32BE(0) % choices.length];
    if (drawn === undefined) throw new Error("There is nothing to draw from.");
    return drawn;
  };
}

/** A whole number from `least` to `most`, both included. */
export function pickNumber(pick: Picker, least: number, most: number): number {
  return least + pick(Array.from({ length: most - least + 1 }, (_, index) => index));
}
