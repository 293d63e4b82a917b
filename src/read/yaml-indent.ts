/** Lines that begin at another column than those that they belong to. */
import type { YAMLError } from "yaml";
import type { SourceText } from "./source-text.ts";

export const MISALIGNED =
  "The indentation is not that of the lines around it. Align items and keys that belong together.";

/** Before a key: blanks, and dashes of the items that it begins. */
const BEFORE_KEY = /^ *(?:- +)*/;

/**
 * A key below another one's value and further to the right. The library takes it for a part of that value, and points
 * there, with two errors: a mapping within a value, and a key on several lines. @param errors all that start at one place
 */
export function tooDeep(
  source: SourceText,
  errors: readonly YAMLError[],
): { readonly offset: number; readonly end: number; readonly message: string } | undefined {
  const whole = errors.find(({ code }) => code === "MULTILINE_IMPLICIT_KEY");
  if (whole === undefined || !errors.some(({ code }) => code === "BLOCK_AS_IMPLICIT_KEY")) return undefined;
  const [above, line] = [source.lineOf(whole.pos[0]), source.lineOf(whole.pos[1])];
  if (above === line) return undefined;
  const offset = firstLetterOf(source, whole.pos[1]);
  const column = source.at(offset).column ?? 0;
  const columnAbove = (BEFORE_KEY.exec(source.line(above) ?? "")?.[0].length ?? 0) + 1;
  return {
    offset,
    end: whole.pos[1],
    message:
      `This line begins at column ${column}, line ${above} at column ${columnAbove}. ` +
      "Align keys that belong together; a text of several lines that holds `: ` must be in quotes.",
  };
}

/** The offset of the first letter on the line of an offset; the offset itself where the line is blank. */
export function firstLetterOf(source: SourceText, offset: number): number {
  const line = source.lineOf(offset);
  const blanks = (source.line(line) ?? "").search(/\S/);
  return blanks === -1 ? offset : (source.offsetOf(line) ?? 0) + blanks;
}
