/** Writes schemas/ from the definitions in src/settings and src/calendars. A test fails when the two drift apart. */
import { writeFileSync } from "node:fs";
import { jsonSchemas } from "../dist-dev/reference-pages.js";

for (const [name, schema] of Object.entries(jsonSchemas())) {
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
