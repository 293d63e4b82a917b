/** Texts as Postiz stores them: HTML with a paragraph for each line. Pure. */

/** Postiz shows text without `<p>` with its `&amp;`, so every line becomes a paragraph. */
export function toHtml(text: string): string {
  if (text === "") return "";
  return text
    .split("\n")
    .map((line) => `<p>${line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`)
    .join("");
}

const TOKEN = /<[^<>]*>|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});|[^<&]+|[<&]/gi;
const TAG = /^<(\/?)([a-z][a-z0-9]*)/i;

/** The text that Postiz publishes for its HTML, without bold and the like. */
export function fromHtml(html: string): string {
  const parts: string[] = [];
  let hasBlock = false;
  for (const [token] of html.matchAll(TOKEN)) {
    const [, end, name] = TAG.exec(token) ?? [];
    const tag = name?.toLowerCase();
    if (tag === undefined) parts.push(token.startsWith("&") ? character(token) : token);
    else if (end === "/") continue;
    else if (tag === "br") parts.push("\n");
    else if (BLOCKS.has(tag)) {
      // A paragraph in a list item continues its line.
      if (hasBlock && parts.at(-1) !== BULLET) parts.push("\n");
      if (tag === "li") parts.push(BULLET);
      hasBlock = true;
    }
  }
  return parts.join("");
}

const BULLET = "- ";
const BLOCKS: ReadonlySet<string> = new Set(["p", "h1", "h2", "h3", "li"]);

const NAMED: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&nbsp;", "\u00a0"],
]);

/** The character of a reference; other text stays as it is. */
function character(reference: string): string {
  const [, hex, decimal] = /^&#(?:x([0-9a-f]+)|(\d+));$/i.exec(reference) ?? [];
  if (hex === undefined && decimal === undefined) return NAMED.get(reference.toLowerCase()) ?? reference;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? reference : String.fromCodePoint(code);
}
