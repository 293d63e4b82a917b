/** Texts of about this many letters that take very long to count with a naive method. */
export function hostileTexts(size: number): readonly string[] {
  const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));
  const ends = ["(", ")"].map((bracket) => `https://a.com/${fill(bracket)}`);
  return [...["a.", "a-", "👨\u200d", "http://", "é", "日本 "].map(fill), ...ends, `https://${fill(".")}`];
}
