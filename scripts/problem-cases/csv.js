import { strToU8, zipSync } from "fflate";

/** @param {{ time?: string, platforms?: string, content?: string, more?: readonly string[] }} cells what differs from a good row */
export function row({ time = "2036-03-03 09:00", platforms = "linkedin", content = "Hello", more = [] }) {
  return [time, platforms, content, ...more].join(",");
}

/** A calendar of rows, with the columns that they all have. */
export function csv(...rows) {
  return table("scheduled_at,platforms,content", ...rows);
}

/** @param {string} header */
export function table(header, ...rows) {
  return `${[header, ...rows].join("\n")}\n`;
}

const cell = (text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

/** A workbook with sheets of plain texts. @param {Readonly<Record<string, readonly (readonly string[])[]>>} sheets */
export function workbook(sheets) {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const names = Object.keys(sheets);
  const relations = (targets) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
      .map(
        ([type, target], n) => `<Relationship Id="r${n + 1}" Type="${office}/${type}" Target="${target}"/>`,
      )
      .join("")}</Relationships>`;
  const parts = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}"><sheets>${names
      .map((name, n) => `<sheet name="${name}" sheetId="${n + 1}" r:id="r${n + 1}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(names.map((_name, n) => ["worksheet", `${n + 1}.xml`])),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, n) => {
        const data = rows.map((cells) => `<row>${cells.map(cell).join("")}</row>`).join("");
        return [`xl/${n + 1}.xml`, `<worksheet ${main}><sheetData>${data}</sheetData></worksheet>`];
      }),
    ),
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])));
}
