/**
 * Escapes invisible characters, and those that change how others are displayed: controls, bidi overrides, joiners,
 * tags, lone surrogates. Text from calendars and from the service may contain them. Joiners stay where a script or an
 * emoji needs them, so that a reader approves what is really there.
 */

/** Scripts that need the joiners U+200C and U+200D in words. */
const JOINING = "Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Nkoo"
  .split(" ")
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");

const KEPT = [
  // The flags of England, Scotland and Wales: the only tag sequences in use. Other tags could hide a message.
  String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
  // A joiner between the parts of an emoji.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}])\u{200D}(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${JOINING}])[\u{200C}\u{200D}]`,
  // One variation selector after a character that can have variants; a second one hides data.
  String.raw`(?<=[0-9#*]|[^\p{ASCII}\p{DI}\p{Z}\p{C}])[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u{180B}-\u{180D}\u{180F}]`,
].join("|");

const HIDDEN = [
  String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFB}]`,
  // No script uses more marks on one letter; a longer stack covers the lines around it.
  String.raw`(?<=\p{M}{8})\p{M}`,
].join("|");

const KEPT_OR_HIDDEN = new RegExp(`(${KEPT})|${HIDDEN}`, "gu");

/** Most texts have only these, and finding hidden characters takes much longer. */
const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[ -~\n\t]*$/;

/** Replaces every hidden character with the result of `show`. */
export function replaceHidden(text: string, show: (character: string) => string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(
    KEPT_OR_HIDDEN,
    (character: string, kept: string | undefined) => kept ?? show(character),
  );
}

/** The visible form of a character: `\u{202e}`, and the usual short forms of tab and line ends. */
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

/** Puts text on one line: each line end, with the spaces around it, becomes a mark. */
export function markLineEnds(text: string, mark: string): string {
  return text.replace(/(?<! ) *\n[ \n]*/g, (found) => ` ${mark.repeat(found.split("\n").length - 1)} `);
}

/**
 * Foreign text as one line that is safe in a terminal: it cannot move the cursor, add colours or reorder characters.
 */
export function escapeTerminal(text: string): string {
  return replaceHidden(text, visibleForm);
}

/**
 * GitHub's runner executes a line that starts with `::`, even after spaces, and `##[` anywhere in a line. Source:
 * actions/runner, src/Runner.Common/ActionCommand.cs.
 */
// oxlint-disable-next-line no-control-regex -- our own colours may be before the colons
const COLON_COMMAND = /^((?:\s|\u001B\[[0-9;]*m)*):(?=:)/;
const HASH_COMMAND = /##(?=(?:vso|teamcity)?\[)/g;

/** Text in which a runner finds no command: breaks every `##[`, `##vso[` and `##teamcity[`. */
export function withoutHashCommands(text: string): string {
  return text.replace(HASH_COMMAND, String.raw`#\u{23}`);
}

/**
 * Joins escaped lines to text for a terminal or a CI log; each ends with a newline. No line, wrapped or not, starts a
 * command for the runner.
 */
export function terminalText(lines: readonly string[]): string {
  return lines.map((line) => `${withoutCommand(line)}\n`).join("");
}

/** The same for text that has its line ends already. Text without commands stays the same. */
export function withoutCommands(text: string): string {
  return text.split("\n").map(withoutCommand).join("\n");
}

function withoutCommand(line: string): string {
  return withoutHashCommands(line.replace(COLON_COMMAND, String.raw`$1\u{3a}`));
}

/** Text of several lines for people: line ends and tabs stay, other invisible characters are made visible. */
export function visibleText(text: string): string {
  if (PLAIN_LINES.test(text)) return text;
  return replaceHidden(text, (character) =>
    character === "\n" || character === "\t" ? character : visibleForm(character),
  );
}

/** Characters that are safe in JSON but not in a CI log, where `##[` begins a command. */
const JSON_HASH_COMMAND = /#(?=#(?:vso|teamcity)?\[)/g;

/**
 * A document as JSON text with a newline at its end. Hidden characters in its texts are escaped, so that it is safe in
 * a terminal and a log, and parses back to the same document.
 */
export function printJson(document: unknown): string {
  const json = JSON.stringify(document, null, 2).replace(JSON_HASH_COMMAND, String.raw`\u0023`);
  // These line ends come from the layout, because JSON.stringify escapes those in texts.
  return `${json
    .split("\n")
    .map((line) => replaceHidden(line, unitEscapes))
    .join("\n")}\n`;
}

function unitEscapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}
