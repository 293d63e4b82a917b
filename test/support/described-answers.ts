/** Whether an answer of the embedded service is one of those that its description at /openapi.json names. */

import formats from "ajv-formats";
import { type ValidateFunction, Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { ROUTES } from "../../src/embedded/app.ts";
import { describeService } from "../../src/embedded/routes/openapi.ts";

const content = z.record(z.string(), z.unknown());
const response = z.union([z.object({ $ref: z.string() }), z.object({ content })]);
const described = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), response) }))),
  components: z.object({ responses: z.record(z.string(), response) }),
});

const description = describeService(ROUTES, "http://127.0.0.1:1/v1");
const { paths } = described.parse(description);
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: "description", ...description });

const checks = new Map<string, ValidateFunction>();

/** Compiles the schema at this path of the description, and caches it. */
function checkAt(pointer: string): ValidateFunction {
  const known = checks.get(pointer) ?? ajv.compile({ $ref: `description#${pointer}` });
  checks.set(pointer, known);
  return known;
}

function place(...names: string[]): string {
  return names
    .map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("");
}

const ERROR = place("components", "schemas", "Error");

/** Where the description holds the schema of this answer. Throws if the description of the endpoint lacks it. */
function pointerOf(method: string, path: string, status: number): string {
  const template = Object.keys(paths).find((each) =>
    new RegExp(`^/v1${each.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  const operation = template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
  // Unknown paths are not in the description. Their refusal has the usual form.
  if (template === undefined || operation === undefined) return ERROR;
  const found = operation.responses[status];
  if (found === undefined) throw new Error(`${method} ${template} is not described to answer ${status}.`);
  if ("$ref" in found) return ERROR;
  return (
    place("paths", template, method.toLowerCase(), "responses", String(status), "content") +
    place("application/json", "schema")
  );
}

/** Throws if a JSON answer differs from the description. */
export function checkDescribed(method: string, url: string, status: number, body: unknown): void {
  const { pathname } = new URL(url);
  // The description does not contain the additional parts of a test double.
  if (status < 400 && !pathname.startsWith("/v1/")) return;
  const pointer = pointerOf(method, pathname, status);
  const check = checkAt(pointer);
  if (check(body)) return;
  throw new Error(
    `${method} ${url} answered ${status}, not as ${pointer} says: ${ajv.errorsText(check.errors)}`,
  );
}
