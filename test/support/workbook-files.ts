/** Workbooks for tests, written as XML by hand, even in forms that no spreadsheet program writes. */
import { zip, type ZipEntry } from "./zip.ts";

/** A cell: text, a number, yes or no, nothing, or the XML of a whole `c` element. */
export type TestCell = string | number | boolean | undefined | { readonly xml: string };

export interface TestSheet {
  readonly name: string;
  /** By row and column, from A1 on. */
  readonly rows?: readonly (readonly TestCell[])[];
  /** XML of `sheetData`, instead of rows. */
  readonly data?: string;
  /** XML after `sheetData`: merged cells, filters, links. */
  readonly after?: string;
  /** Numbers of rows that are hidden. */
  readonly hiddenRows?: readonly number[];
  readonly state?: "hidden" | "veryHidden";
  /** Addresses of links, `rId1` on. */
  readonly links?: readonly string[];
}

export interface XlsxOptions {
  readonly date1904?: boolean;
  /** Formats of cells by style number from 1 on (0 is General). */
  readonly formats?: readonly string[];
  /** XML within `calcPr`'s tag. */
  readonly calcPr?: string;
  /** `si` elements; without them, texts are in the cells. */
  readonly sharedStrings?: readonly string[];
  /** Parts to add, or to put in the place of others. */
  readonly parts?: readonly ZipEntry[];
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export function xlsx(sheets: readonly TestSheet[], options: XlsxOptions = {}): Uint8Array {
  const replaced = new Set((options.parts ?? []).map(({ name }) => name));
  const parts = [...xlsxParts(sheets, options)].filter(({ name }) => !replaced.has(name));
  return zip([...parts, ...(options.parts ?? [])]);
}

function* xlsxParts(sheets: readonly TestSheet[], options: XlsxOptions): Generator<ZipEntry> {
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  yield part(
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/></Types>`,
  );
  yield part("_rels/.rels", relationships([["officeDocument", "xl/workbook.xml"]]));
  const list = sheets.map(({ name, state }, index) => {
    const hidden = state === undefined ? "" : ` state="${state}"`;
    return `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${hidden} r:id="rId${index + 1}"/>`;
  });
  const is1904 = options.date1904 === true ? ' date1904="1"' : "";
  const calcPr = options.calcPr === undefined ? "" : `<calcPr ${options.calcPr}/>`;
  yield part(
    "xl/workbook.xml",
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${is1904}/><sheets>${list.join("")}</sheets>${calcPr}</workbook>`,
  );
  yield part(
    "xl/_rels/workbook.xml.rels",
    relationships([
      ...sheets.map((_sheet, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`] as const),
      ["styles", "styles.xml"],
      ["sharedStrings", "sharedStrings.xml"],
    ]),
  );
  yield part("xl/styles.xml", stylesXml(options.formats ?? []));
  yield part("xl/sharedStrings.xml", `<sst xmlns="${MAIN}">${(options.sharedStrings ?? []).join("")}</sst>`);
  for (const [index, sheet] of sheets.entries()) {
    const data = sheet.data ?? sheetData(sheet);
    yield part(
      `xl/worksheets/sheet${index + 1}.xml`,
      `<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheetData>${data}</sheetData>${sheet.after ?? ""}</worksheet>`,
    );
    if (sheet.links === undefined) continue;
    const links = sheet.links.map((target) => ["hyperlink", target, "External"] as const);
    yield part(`xl/worksheets/_rels/sheet${index + 1}.xml.rels`, relationships(links));
  }
}

function part(name: string, xml: string): ZipEntry {
  return { name, data: DECLARATION + xml };
}

function relationships(all: readonly (readonly [type: string, target: string, mode?: string])[]): string {
  const each = all.map(([type, target, mode], index) => {
    const external = mode === undefined ? "" : ` TargetMode="${mode}"`;
    return `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${escapeXml(target)}"${external}/>`;
  });
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
}

function stylesXml(formats: readonly string[]): string {
  const written = formats.map(
    (code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(code)}"/>`,
  );
  const used = formats.map((_code, index) => `<xf numFmtId="${200 + index}" applyNumberFormat="1"/>`);
  return `<styleSheet xmlns="${MAIN}"><numFmts>${written.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${used.join("")}</cellXfs></styleSheet>`;
}

function sheetData({ rows = [], hiddenRows = [] }: TestSheet): string {
  const written = rows.map((cells, index) => {
    const number = index + 1;
    const hidden = hiddenRows.includes(number) ? ' hidden="1"' : "";
    const each = cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${number}`));
    return `<row r="${number}"${hidden}>${each.join("")}</row>`;
  });
  return written.join("");
}

function cellXml(cell: TestCell, name: string): string {
  if (cell === undefined) return "";
  if (typeof cell === "object") return cell.xml.replaceAll("@", name);
  if (typeof cell === "number") return `<c r="${name}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${name}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = escapeXml(escapeControls(cell));
  return `<c r="${name}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** A number with a style of `formats`, counted from 1. */
export function styled(value: number | string, style: number): TestCell {
  return { xml: `<c r="@" s="${style}"><v>${value}</v></c>` };
}

/** Excel's form for characters that XML cannot contain, and for text that looks like this form. */
function escapeControls(text: string): string {
  return (
    text
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/gu, (sign) => {
        const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        return `_x${code}_`;
      })
  );
}

export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const ODF = "urn:oasis:names:tc:opendocument:xmlns";

export interface OdsOptions {
  /** XML of automatic styles. */
  readonly styles?: string;
  /** XML within the manifest. */
  readonly manifest?: string;
  readonly parts?: readonly ZipEntry[];
}

/** An ODS file of tables, given as XML. */
export function ods(tables: string, { styles = "", manifest = "", parts = [] }: OdsOptions = {}): Uint8Array {
  const names = ["office", "table", "text", "style", "manifest"].map(
    (name) => `xmlns:${name}="${ODF}:${name}:1.0"`,
  );
  const all = [
    ...names,
    `xmlns:number="${ODF}:datastyle:1.0"`,
    'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    `xmlns:draw="${ODF}:drawing:1.0"`,
  ].join(" ");
  const content = `<office:document-content ${all}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;
  return zip([
    { name: "mimetype", data: "application/vnd.oasis.opendocument.spreadsheet" },
    {
      name: "META-INF/manifest.xml",
      data: `${DECLARATION}<manifest:manifest ${all}>${manifest}</manifest:manifest>`,
    },
    { name: "content.xml", data: DECLARATION + content },
    ...parts,
  ]);
}
