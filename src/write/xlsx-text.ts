/** Text in a part of an XLSX file. */

/**
 * What XML cannot hold, or would change on the way, is written as `_x000D_`; so is an underscore that could be taken
 * for the start of such a mark. Source: ECMA-376 part 1, 22.9.2.19 (ST_Xstring).
 */
// oxlint-disable-next-line no-control-regex
const TO_MARK = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4})/g;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** The text of an element or of an attribute in double quotes. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES.get(sign) ?? sign);
}

/** The text of a cell. */
export function cellXmlText(text: string): string {
  const marked = text.replace(TO_MARK, (sign) => {
    const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `_x${code}_`;
  });
  return xmlText(marked);
}
