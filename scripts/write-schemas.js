/** Writes schemas/ from the definitions in src/settings and src/calendars. A test fails when the two drift apart. */
import { writeFileSync } from "node:fs";
import { jsonSchemas } from "../dist-dev/reference-pages.js";

const schemas = Object.entries(jsonSchemas());
for (const [name, schema] of schemas) {
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
console.log(`Wrote ${schemas.length} JSON schemas to schemas/.`);
