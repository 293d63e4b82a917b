/**
 * Rules about texts that a program or a template has damaged: plancast would publish the damage. Each is a table entry:
 * what to look for, and what to say.
 */

import { clipped } from "../../model/text.ts";
import { type CheckedPost, type Finding, type Rule, NO_FINDINGS, textsOf } from "./rule.ts";

interface Damage {
  readonly code: Rule["code"];
  readonly rule: string;
  readonly cause: string;
  readonly fix: string;
  /** What every text with this damage has. Nearly no text has it, and looking for it is quick. */
  readonly signs: readonly string[];
  /** The damage in a text; undefined without any. */
  readonly find: (text: string) => string | undefined;
  /** What the damage is: the end of a sentence that begins with the text and the part. */
  readonly what: string;
  readonly way: string;
}

function first(pattern: RegExp): Damage["find"] {
  return (text) => pattern.exec(text)?.[0];
}

/** A literal `\n` that is doubled, or follows the end of a sentence. `C:\new` has neither. */
const ESCAPED_BREAK = /\\r?\\?n\\r?\\?n|(?<=[.!?…)"'”»。！？]\s?)\\n|\\r\\n/u;

/** UTF-8 that was read as Windows-1252 or as ISO 8859-1: `Ã©`, `â€™`, `ðŸŽ‰`. */
const MOJIBAKE =
  /Ã[\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|ðŸ[^\s]|Â[\u00a0-\u00bf]|\ufffd/u;

/** What templates leave for people to fill in. */
const UNFILLED =
  /\{\{\s*[\p{L}_][\p{L}\p{M}\p{N}_. -]{0,40}\}\}|\[(?:insert|add|enter|your|write|einfügen|insérer|insertar|inserire|inserir|invoegen|wstaw)\b[^\][]{0,60}\]|<(?:your|insert|add|enter|votre|dein|ihre?|tu|su|il tuo|seu|jouw?)\s[^<>]{1,60}>/iu;

/** A tag with its end, a tag for a line break, or an entity. */
const HTML =
  /<(b|i|u|em|strong|p|div|span|a|h[1-6]|ul|ol|li)(?:\s[^<>]{0,200})?>[^]{0,2000}?<\/\1>|<br\s?\/?>|&(?:amp|lt|gt|quot|nbsp|apos|#\d{2,5}|#x[\da-f]{2,5});/iu;

/** The apostrophe that keeps a spreadsheet from reading a cell as a formula. */
const GUARDED = /^'[@=+#-]/;

const DAMAGES: readonly Damage[] = [
  {
    code: "content/escaped-breaks",
    rule: "A text has line breaks, not the characters `\\n`.",
    cause: "A program wrote line breaks as a backslash and an n.",
    fix: "Replace `\\n` with line breaks in the file.",
    signs: ["\\"],
    find: first(ESCAPED_BREAK),
    what: "as characters, where a line break belongs",
    way: "Replace it with a line break.",
  },
  {
    code: "content/mojibake",
    rule: "The letters of a text are whole.",
    cause: "The file was saved or opened with the wrong encoding, so `é` became `Ã©`, or a letter was lost.",
    fix: "Export the file again as UTF-8, or correct the letters.",
    signs: ["Ã", "â€", "ð", "Â", "\ufffd"],
    find: first(MOJIBAKE),
    what: "which is a letter in the wrong encoding",
    way: "Export the file again as UTF-8, or correct the text.",
  },
  {
    code: "content/unfilled",
    rule: "A text has no gaps of a template, such as `{{name}}`, `[Insert caption]` or `<your link>`.",
    cause: "Somebody still has to fill in a template.",
    fix: "Fill in the gap, or mark the row as `draft`.",
    signs: ["{{", "[", "<"],
    find: first(UNFILLED),
    what: "which somebody still has to fill in",
    way: "Fill it in, or mark the row as draft.",
  },
  {
    code: "content/html",
    rule: "A text has no HTML tags or entities, because networks show them as they are.",
    cause: "The text comes from a web page or an editor for web pages.",
    fix: "Write the text without tags, and `&` instead of `&amp;`.",
    signs: ["<", "&"],
    find: first(HTML),
    what: "which is HTML, and networks show it as it is",
    way: "Write the text without it.",
  },
  {
    code: "content/guard",
    rule: "A text does not start with the apostrophe that keeps spreadsheets from reading a formula, as in `'@acme`.",
    cause: "A spreadsheet program wrote the apostrophe into the file.",
    fix: "Remove the apostrophe.",
    signs: ["'"],
    find: first(GUARDED),
    what: "with the apostrophe that spreadsheets write before a formula",
    way: "Remove the apostrophe.",
  },
];

export const damageRules: readonly Rule[] = DAMAGES.map(
  ({ code, rule, cause, fix, signs, find, what, way }): Rule => ({
    code,
    severity: "error",
    rule,
    cause,
    fix,
    of: "post",
    check: (post) => {
      if (!hasSign(post, signs)) return NO_FINDINGS;
      return textsOf(post).flatMap(({ name, text, ...place }): Finding[] => {
        const found = find(text);
        if (found === undefined) return [];
        const off = `If the text is right, set \`rules: { ${code}: off }\` in plancast.yaml.`;
        return [{ ...place, message: `${name} contains "${clipped(found)}", ${what}. ${way} ${off}` }];
      });
    },
  }),
);

function hasSign(
  { content, alt = [], thread = [], first_comment = "" }: CheckedPost,
  signs: readonly string[],
): boolean {
  const isIn = (text: string): boolean => signs.some((sign) => text.includes(sign));
  return (
    isIn(content) || (first_comment !== "" && isIn(first_comment)) || alt.some(isIn) || thread.some(isIn)
  );
}
