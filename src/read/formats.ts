import { readCsv } from "./csv.ts";
import type { Format, ReadBytes } from "./format.ts";
import { readTsv } from "./tsv.ts";
import { readYaml } from "./yaml.ts";

/** How each kind of calendar is read, by the end of its name. */
export const FORMATS = {
  csv: { text: readCsv },
  tsv: { text: readTsv },
  yaml: { text: readYaml },
  yml: { text: readYaml },
  xlsx: { bytes: readSheets },
  ods: { bytes: readSheets },
} satisfies Record<string, Format>;

/** Loads the readers of workbooks only where there is one. */
async function readSheets(...args: Parameters<ReadBytes>): ReturnType<ReadBytes> {
  const { readWorkbook } = await import("./workbook/read-workbook.ts");
  return readWorkbook(...args);
}
