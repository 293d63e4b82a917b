/**
 * Text that a spreadsheet would run as a formula when it opens a CSV file. An apostrophe before it makes it text
 * again. A column whose cells may carry one carries it itself, before its name: so a file that somebody else wrote,
 * and whose caption begins with a quotation mark, is never taken for one of these. Where a program drops the
 * apostrophes of the cells, it drops that of the header with them.
 *
 * Source of the signs: https://owasp.org/www-community/attacks/CSV_Injection
 */
const GUARD = "'";

/** The signs that begin a formula, and their full-width forms; a blank before them does not stop every program. */
const FORMULA = String.raw`\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n]`;
const UNSAFE = new RegExp(`^'*(?:${FORMULA})`, "u");
const GUARDED = new RegExp(`^'+(?:${FORMULA})`, "u");

/** Whether a cell must be guarded: also one that looks as if it were already, so that the guard can be told. */
export function needsGuard(text: string): boolean {
  return UNSAFE.test(text);
}

/** The text as it is written into a guarded column. */
export function guarded(text: string): string {
  return needsGuard(text) ? GUARD + text : text;
}

/** The text of a cell of a guarded column. Undoes `guarded`, whatever the text. */
export function unguarded(text: string): string {
  return GUARDED.test(text) ? text.slice(GUARD.length) : text;
}

/** The header of a guarded column. */
export function guardedHeader(name: string): string {
  return GUARD + name;
}

/** The name in a guarded column's header, such as `content` or `Caption`; undefined for any other header. */
export function guardedName(header: string): string | undefined {
  const name = header.startsWith(GUARD) ? header.slice(GUARD.length) : "";
  return /[\p{L}\p{N}]/u.test(name.charAt(0)) ? name : undefined;
}
