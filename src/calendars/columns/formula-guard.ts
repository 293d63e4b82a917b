/**
 * Protects text that a spreadsheet would run as a formula when it opens a CSV file. An apostrophe before it makes it
 * text again. The header of a guarded column also starts with an apostrophe. So plancast never takes a caption that
 * begins with a quotation mark in somebody else's file for a guarded one. A program that drops the apostrophes of the
 * cells drops the header's too.
 *
 * Source of the signs: https://owasp.org/www-community/attacks/CSV_Injection
 */
const GUARD = "'";

/**
 * The signs that begin a formula, and their full-width forms; `{=` begins an array formula. Some programs ignore a space
 * before them.
 */
const FORMULA = String.raw`\s*(?:\{=|[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|[\t\r\n]`;

/** What spreadsheets show for a formula that failed, in the languages that plancast knows. */
const ERROR = String.raw`#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|ERROR!|BEZUG!|NV|WERT!|ZAHL!|NOM\s?\?|VALEUR!|NOMBRE!|¿NOMBRE\?|¡VALOR!|¡REF!|¡NUM!|¡DIV\/0!|N\/D|RIF!|NOME\?|VALORE!|VALOR!|ADR!|ARG!|NAZWA\?|VERW!|WAARDE!|NAAM\?|GETAL!|##+)|Err:\d{3}`;

/** A cell that shows only a failed formula. plancast does not read it as text unless an apostrophe guards it. */
export const ERROR_VALUE = new RegExp(`^(?:${ERROR})$`, "iu");

const UNSAFE = new RegExp(`^'*(?:${FORMULA}|\\s*(?:${ERROR})\\s*$)`, "iu");
const GUARDED = new RegExp(`^'+(?:${FORMULA}|\\s*(?:${ERROR})\\s*$)`, "iu");

/**
 * Whether a cell must be guarded. This includes text that already looks guarded, so that the guard can be recognised.
 */
export function needsGuard(text: string): boolean {
  return UNSAFE.test(text);
}

/** The text for a cell of a guarded column. */
export function guarded(text: string): string {
  return needsGuard(text) ? GUARD + text : text;
}

/** The text in a cell of a guarded column. Reverses `guarded` for any text. */
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
