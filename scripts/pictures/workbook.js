/** Reads the cells of docs/write/spring-campaign.xlsx, and edits its texts as a person would in a spreadsheet program. */
import { readFileSync, writeFileSync } from "node:fs";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

const SHEET = "xl/worksheets/sheet1.xml";

/**
 * Replaces a text in all cells that hold it.
 * @param {string} path of the workbook
 * @param {string} before @param {string} after
 */
export function editWorkbook(path, before, after) {
  const files = unzipSync(readFileSync(path));
  const sheet = sheetOf(files);
  if (!sheet.includes(before)) throw new Error(`${path} does not hold "${before}".`);
  writeFileSync(path, zipSync({ ...files, [SHEET]: strToU8(sheet.replaceAll(before, after)) }));
}

/**
 * @param {string} path of the workbook
 * @returns {{ name: string, value: string | number }[]} cells that hold something, such as `B4`; dates and times as numbers
 */
export function cellsOf(path) {
  const cells = sheetOf(unzipSync(readFileSync(path))).matchAll(/<c r="([A-Z]+\d+)"([^>]*[^/])>(.*?)<\/c>/gs);
  return [...cells].map(([, name = "", kind = "", inside = ""]) => {
    const text = inside.replaceAll(/<[^>]+>/g, "").replaceAll("&amp;", "&");
    return { name, value: kind.includes("inlineStr") ? text : Number(text) };
  });
}

/** @param {Record<string, Uint8Array>} files */
function sheetOf(files) {
  return strFromU8(files[SHEET] ?? new Uint8Array());
}
