/** Any Unicode text. fast-check's own unit "binary" needs more than a second before its first text. */
import * as fc from "fast-check";

const codePoint = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point));

/** Texts of up to this many code points, without surrogates. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: codePoint, maxLength });
}
