/**
 * Text from calendars and from the service may hold characters that show nothing, or that change how others are
 * shown: controls, bidi overrides, joiners, tags, lone surrogates. They are made visible, except where a script or an
 * emoji needs them, so that what a reader approves is what is there.
 */

/** Scripts in which the joiners U+200C and U+200D are spelling. */
const JOINING = "Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Nkoo"
  .split(" ")
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");

const KEPT = [
  // The flags of England, Scotland and Wales: the only tag sequences in use. Any other tag hides a message.
  String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
  // A joiner between the parts of an emoji.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}])\u{200D}(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${JOINING}])[\u{200C}\u{200D}]`,
  // One variation selector after a character that can have variants; a second one hides data.
  String.raw`(?<=[0-9#*]|[^\p{ASCII}\p{DI}\p{Z}\p{C}])[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u{180B}-\u{180D}\u{180F}]`,
].join("|");

const HIDDEN = [
  String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFB}]`,
  // No script stacks more marks on one letter; a longer stack paints over the lines around it.
  String.raw`(?<=\p{M}{8})\p{M}`,
].join("|");

const KEPT_OR_HIDDEN = new RegExp(`(${KEPT})|${HIDDEN}`, "gu");

/** Replaces every hidden character by what `show` makes of it. */
export function replaceHidden(text: string, show: (character: string) => string): string {
  return text.replace(
    KEPT_OR_HIDDEN,
    (character: string, kept: string | undefined) => kept ?? show(character),
  );
}

/** The visible form of a character: `\u{202e}`, and the usual short ones of tab and line ends. */
export function visibleForm(character: string): string {
  switch (character) {
    case "\n":
      return String.raw`\n`;
    case "\r":
      return String.raw`\r`;
    case "\t":
      return String.raw`\t`;
    default:
      return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  }
}

/** Puts text on one line: each line end, with the blanks around it, becomes a mark. */
export function markLineEnds(text: string, mark: string): string {
  return text.replace(/ *\n[ \n]*/g, (found) => ` ${mark.repeat(found.split("\n").length - 1)} `);
}
