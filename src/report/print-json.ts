import { replaceHidden } from "./hidden-characters.ts";

/** Characters that are safe in JSON but not in a CI log, where `##[` begins a command. */
const JSON_HASH_COMMAND = /#(?=#\[|#vso\[)/g;

/**
 * A document as JSON text with a newline at its end. Hidden characters of its texts are written as escapes, so that
 * the text is safe in a terminal and a log, and parses back to the same document.
 */
export function printJson(document: unknown): string {
  const json = JSON.stringify(document, null, 2).replace(JSON_HASH_COMMAND, String.raw`\u0023`);
  // The line ends are those of the layout: JSON.stringify escapes any within a text.
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
