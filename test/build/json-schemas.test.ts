import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jsonSchemas } from "../../src/build/json-schemas.ts";

test.each(Object.entries(jsonSchemas()))(
  "schemas/%s equals the schema in src (npm run schemas writes it)",
  (name, schema) => {
    const written: unknown = JSON.parse(
      readFileSync(new URL(`../../schemas/${name}`, import.meta.url), "utf8"),
    );
    expect(written).toEqual(JSON.parse(JSON.stringify(schema)));
  },
);
