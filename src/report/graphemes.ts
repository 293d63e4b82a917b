const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What people see as characters: a letter with its marks, an emoji with its parts. */
export function* graphemes(text: string): Generator<string> {
  for (const { segment } of SEGMENTER.segment(text)) yield segment;
}
