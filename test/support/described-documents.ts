/** Compares each JSON document that a command prints with its published definition. `runCommand` does this always. */

import { isDeepStrictEqual } from "node:util";
import { ALL_DOCUMENTS, DOCUMENTS } from "../../src/report/documents/all-documents.ts";

/** Throws if the document has another form, or a field that its definition does not have. */
export function checkDocument(args: readonly string[], stdout: string): void {
  const documents = args.includes("--all") ? ALL_DOCUMENTS : DOCUMENTS;
  const schema = Object.entries(documents).find(([name]) => name === args[0])?.[1];
  const isJson = args.includes("--format=json") || args[args.indexOf("--format") + 1] === "json";
  if (schema === undefined || !isJson || !stdout.startsWith("{")) return;
  const document: unknown = JSON.parse(stdout);
  const read = schema.safeParse(document);
  if (!read.success) throw new Error(`${args.join(" ")} prints another document: ${read.error.message}`);
  // Fields without a definition are not in what was read.
  if (!isDeepStrictEqual(read.data, document))
    throw new Error(`${args.join(" ")} prints a field that its schema does not have:\n${stdout}`);
}
