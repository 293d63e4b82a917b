import { replaceHidden, visibleForm } from "./hidden-characters.ts";

/** Text of several lines for people to read: line ends and tabs stay, what else would not be seen is made visible. */
export function visibleText(text: string): string {
  return replaceHidden(text, (character) =>
    character === "\n" || character === "\t" ? character : visibleForm(character),
  );
}
