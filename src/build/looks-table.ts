/** The table of networks' looks for docs/write/preview.md. */

import { type Fold, type NetworkLook, NETWORK_LOOKS } from "../preview/network-looks.ts";

const SECTION = /(?<=<!-- looks: [^>]* -->\n)[\s\S]*(?=<!-- \/looks -->)/;

/** @param page Markdown with markers for the table */
export function withLooksTable(page: string): string {
  if (!SECTION.test(page)) throw new Error("The page has no markers for the networks' looks.");
  return page.replace(SECTION, () => `\n${looksTable(NETWORK_LOOKS)}\n\n`);
}

function looksTable(looks: readonly NetworkLook[]): string {
  const rows = looks.map(
    (look) =>
      `| ${look.network} | ${foldCell(look.fold)} | ${shapesCell(look)} | ` +
      `${severalCell(look)} | ${look.linkCard === undefined ? "–" : `${look.linkCard} link`} | ` +
      `${look.checked}: ${look.sources.map((source, index) => `[${index + 1}](${source})`).join(", ")} |`,
  );
  const head =
    "| network | text before the fold | one picture, width to height | several pictures | link card | checked |";
  return [head, "| --- | --- | --- | --- | --- | --- |", ...rows].join("\n");
}

function foldCell(fold: Fold | undefined): string {
  if (fold === undefined) return "all";
  const { characters, onComputers, lines } = fold;
  return [
    characters === undefined ? undefined : `${characters} characters`,
    onComputers === undefined ? undefined : `${onComputers} on a computer`,
    lines === undefined ? undefined : `${lines} lines`,
  ]
    .filter((each) => each !== undefined)
    .join(", ");
}

function shapesCell({ shapes: [narrowest, widest], bars }: NetworkLook): string {
  const range = narrowest === widest ? ratio(widest) : `${ratio(narrowest)} to ${ratio(widest)}`;
  return bars === true ? `${range}, with bars` : range;
}

function severalCell({ several, mosaics = {} }: NetworkLook): string {
  if (several !== "mosaic") return several === "carousel" ? "one at a time" : "in a row";
  const most = Object.keys(mosaics).at(-1);
  return most === undefined ? "–" : `together, up to ${most}`;
}

/** `4:5`, `1.91:1` */
function ratio(shape: number): string {
  for (let height = 1; height <= 16; height += 1) {
    const width = shape * height;
    if (Math.abs(width - Math.round(width)) < 1e-6) return `${Math.round(width)}:${height}`;
  }
  return shape >= 1 ? `${Number(shape.toFixed(2))}:1` : `1:${Number((1 / shape).toFixed(2))}`;
}
