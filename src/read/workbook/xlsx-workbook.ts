import { posix } from "node:path";
import { isTrue } from "./is-true.ts";
import type { DateSystem } from "./number-text.ts";
import { visitPart, type XmlElement } from "./visit-part.ts";
import type { Sheet, SheetInfo, Workbook } from "./workbook.ts";
import { damaged, macrosNotAllowed } from "./workbook-fault.ts";
import { readContentTypes, readRelationships, type Relationship } from "./xlsx-package.ts";
import { XlsxSheet, type XlsxShared } from "./xlsx-sheet.ts";
import { SharedStrings } from "./xlsx-strings.ts";
import { XlsxStyles } from "./xlsx-styles.ts";
import type { ZipParts } from "./zip-parts.ts";

/** Opens an XLSX file (ECMA-376, transitional or strict). Throws a WorkbookFault. */
export async function openXlsx(parts: ZipParts): Promise<Workbook> {
  const types = await readContentTypes(parts);
  if (types.some((type) => /macroenabled|vbaproject/i.test(type)))
    throw macrosNotAllowed("an Excel workbook (.xlsx)");
  const { related, sheets, dates, uncalculated } = await readTop(parts);
  const shared = { ...(await readShared(parts, related)), dates, uncalculated };
  return {
    sheets: sheets.map(({ name, hidden }) => ({ name, hidden })),
    readSheet: async (index, maxRows = Infinity) =>
      readSheet(parts, sheets[index]?.part ?? "", shared, maxRows),
  };
}

/** The part that holds the sheet of that name; undefined where there is none. Throws a WorkbookFault. */
export async function sheetPart(parts: ZipParts, sheet: string): Promise<string | undefined> {
  const { sheets } = await readTop(parts);
  return sheets.find(({ name }) => name === sheet)?.part;
}

async function readTop(
  parts: ZipParts,
): Promise<Main & { readonly related: ReadonlyMap<string, Relationship> }> {
  const top = [...(await readRelationships(parts, "")).values()];
  const main = top.find(({ type }) => type === "officeDocument")?.target ?? "xl/workbook.xml";
  if (!parts.has(main)) throw damaged(`its part ${main} is missing`);
  const related = await readRelationships(parts, main);
  return { related, ...(await readMain(parts, main, related)) };
}

interface XlsxSheetInfo extends SheetInfo {
  readonly part: string;
}

interface Main {
  readonly sheets: readonly XlsxSheetInfo[];
  readonly dates: DateSystem;
  readonly uncalculated: boolean;
}

/** Reads the list of sheets, and what holds for all of them (ECMA-376 part 1, 18.2). */
async function readMain(
  parts: ZipParts,
  part: string,
  related: ReadonlyMap<string, Relationship>,
): Promise<Main> {
  const sheets: XlsxSheetInfo[] = [];
  let dates: DateSystem = "1900";
  let uncalculated = false;
  const open = (element: XmlElement): void => {
    if (element.name === "workbookPr" && isTrue(element.get("date1904"))) dates = "1904";
    if (element.name === "calcPr" && isTrue(element.get("fullCalcOnLoad"))) uncalculated = true;
    if (element.name !== "sheet") return;
    const target = related.get(element.get("r:id") ?? "");
    const name = element.get("name") ?? "";
    if (target === undefined) throw damaged(`its sheet "${name}" is missing`);
    // Charts and dialogs stand beside the sheets and hold no cells.
    if (target.type !== "worksheet") return;
    const hidden = (element.get("state") ?? "visible") !== "visible";
    sheets.push({ name, hidden, part: target.target });
  };
  await visitPart(parts, part, { open });
  return { sheets, dates, uncalculated };
}

async function readShared(
  parts: ZipParts,
  related: ReadonlyMap<string, Relationship>,
): Promise<Pick<XlsxShared, "strings" | "styles">> {
  const strings = new SharedStrings();
  const styles = new XlsxStyles();
  for (const { type, target } of related.values()) {
    // One after the other: what is unpacked is counted over all parts.
    // oxlint-disable-next-line no-await-in-loop
    if (type === "sharedStrings") await visitPart(parts, target, strings);
    // oxlint-disable-next-line no-await-in-loop
    else if (type === "styles") await visitPart(parts, target, styles);
  }
  return { strings, styles };
}

async function readSheet(parts: ZipParts, part: string, shared: XlsxShared, maxRows: number): Promise<Sheet> {
  if (!parts.has(part)) throw damaged(`its part ${posix.basename(part)} is missing`);
  const sheet = new XlsxSheet(shared, await readRelationships(parts, part), maxRows);
  await visitPart(parts, part, sheet);
  return sheet.finish();
}
