/** Styles of cells (ECMA-376 part 1, 18.8): number formats, and the numbers by which cells refer to them. */

/** Number formats of our own; ids below 164 are the spreadsheet's. */
const NUMBER_FORMATS = {
  datetime: { id: 164, code: "yyyy\\-mm\\-dd\\ hh:mm" },
  datetimeSeconds: { id: 165, code: "yyyy\\-mm\\-dd\\ hh:mm:ss" },
  date: { id: 166, code: "yyyy\\-mm\\-dd" },
  time: { id: 167, code: "hh:mm" },
  timeSeconds: { id: 168, code: "hh:mm:ss" },
} as const;

/** The built-in format `@`: input stays text, even if it begins with `=` or looks like a number. */
const TEXT_FORMAT = 49;

const TOP = '<alignment vertical="top"/>';
const WRAPPED = '<alignment vertical="top" wrapText="1"/>';

interface CellStyle {
  readonly format: number;
  readonly font?: number;
  readonly fill?: number;
  readonly alignment: string;
  readonly quotePrefix?: true;
}

/** The position is the style number in the file. */
const STYLES = {
  plain: { format: 0, alignment: "" },
  header: { format: 0, font: 1, fill: 2, alignment: '<alignment vertical="center"/>' },
  text: { format: TEXT_FORMAT, alignment: WRAPPED },
  /** Text that would become a formula if somebody confirmed the cell again. */
  quotedText: { format: TEXT_FORMAT, alignment: WRAPPED, quotePrefix: true },
  datetime: { format: NUMBER_FORMATS.datetime.id, alignment: TOP },
  datetimeSeconds: { format: NUMBER_FORMATS.datetimeSeconds.id, alignment: TOP },
  date: { format: NUMBER_FORMATS.date.id, alignment: TOP },
  time: { format: NUMBER_FORMATS.time.id, alignment: TOP },
  timeSeconds: { format: NUMBER_FORMATS.timeSeconds.id, alignment: TOP },
} as const satisfies Record<string, CellStyle>;

export type StyleName = keyof typeof STYLES;

/** The number by which a cell refers to its style. */
export function styleIndex(name: StyleName): number {
  return Object.keys(STYLES).indexOf(name);
}

/** The part `xl/styles.xml`. */
export function stylesXml(): string {
  const formats = Object.values(NUMBER_FORMATS).map(
    ({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`,
  );
  const looks = Object.values(STYLES).map(styleXml);
  return (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<numFmts count="${formats.length}">${formats.join("")}</numFmts>` +
    `<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>` +
    `<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>` +
    // The first two fills are built in, and their definitions are ignored.
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF3"/><bgColor indexed="64"/></patternFill></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${looks.length}">${looks.join("")}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
    "</styleSheet>"
  );
}

function styleXml({ format, font = 0, fill = 0, alignment, quotePrefix }: CellStyle): string {
  const attributes = [
    `numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0"`,
    ...(quotePrefix === true ? ['quotePrefix="1"'] : []),
    ...(format === 0 ? [] : ['applyNumberFormat="1"']),
    ...(font === 0 ? [] : ['applyFont="1"']),
    ...(fill === 0 ? [] : ['applyFill="1"']),
    ...(alignment === "" ? [] : ['applyAlignment="1"']),
  ];
  return alignment === "" ? `<xf ${attributes.join(" ")}/>` : `<xf ${attributes.join(" ")}>${alignment}</xf>`;
}
