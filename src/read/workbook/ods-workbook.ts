import { OdsSheets } from "./ods-sheets.ts";
import { OdsStyles } from "./ods-styles.ts";
import { visitPart, type XmlElement } from "./visit-part.ts";
import type { Sheet, Workbook } from "./workbook.ts";
import { damaged, macrosNotAllowed, passwordNeeded } from "./workbook-fault.ts";
import type { ZipParts } from "./zip-parts.ts";

/** Opens an ODS file (ODF 1.3). Throws a WorkbookFault. */
export async function openOds(parts: ZipParts): Promise<Workbook> {
  await visitPart(parts, "META-INF/manifest.xml", { open: refuseEncrypted });
  if ([...parts.names()].some((name) => /^(?:basic|scripts)\//.test(name)))
    throw macrosNotAllowed("an ODS spreadsheet");
  if (!parts.has("content.xml")) throw damaged("its part content.xml is missing");
  const styles = new OdsStyles();
  await visitPart(parts, "styles.xml", styles);
  const found = new OdsSheets(styles);
  await visitPart(parts, "content.xml", found);
  return {
    sheets: found.sheets.map(({ name, hidden }) => ({ name, hidden })),
    readSheet: async (index): Promise<Sheet> => {
      const { sheet } = found.sheets[index] ?? {};
      if (sheet === undefined) throw damaged(`its sheet ${index + 1} is missing`);
      return sheet;
    },
  };
}

function refuseEncrypted({ name }: XmlElement): void {
  if (name === "manifest:encryption-data") throw passwordNeeded();
}
