import { readCsv } from "./csv.ts";
import type { Read } from "./format.ts";
import { readTsv } from "./tsv.ts";
import { readYaml } from "./yaml.ts";

/** How each kind of calendar is read, by the end of its name. */
export const FORMATS = {
  csv: readCsv,
  tsv: readTsv,
  yaml: readYaml,
  yml: readYaml,
} satisfies Record<string, Read>;
