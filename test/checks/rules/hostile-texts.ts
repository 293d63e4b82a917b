/** Texts of about this many letters that a naive count takes very long for. */
export function hostileTexts(size: number): readonly string[] {
  const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));
  const ends = ["(", ")"].map((bracket) => `https://a.com/${fill(bracket)}`);
  return [...["a.", "a-", "👨\u200d", "http://", "é", "日本 "].map(fill), ...ends, `https://${fill(".")}`];
}
