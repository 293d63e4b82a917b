import { createRequire } from "node:module";
import { z } from "zod";

/** The package's version, stated once, in package.json. */
export const VERSION: string = z
  .object({ version: z.string() })
  .parse(createRequire(import.meta.url)("../package.json")).version;
