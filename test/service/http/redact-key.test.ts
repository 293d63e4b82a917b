import * as fc from "fast-check";
import { expect, test } from "vitest";
import { redactKey } from "../../../src/service/http/api-key.ts";
import type { HttpAnswer } from "../../../src/service/http/request.ts";

function seen(key: string, text: string, headers: HttpAnswer["headers"] = {}): HttpAnswer {
  const result = redactKey({ kind: "answer", status: 401, headers, text }, key);
  if (result.kind !== "answer") throw new Error("An answer stays one.");
  return result;
}

/** As some programs write JSON: every sign by its number, or a slash behind a backslash. */
const WRITERS: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replaceAll("/", String.raw`\/`),
  (json) =>
    json.replaceAll(
      /[/+=&<>']/g,
      (sign) => String.raw`\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  (json) =>
    json.replaceAll(
      /[/+=&<>']/g,
      (sign) => String.raw`\u${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
    ),
];

test("hides any key in any JSON text", () => {
  const key = fc.stringMatching(/^[A-Za-z0-9_/+=&.~-]{8,40}$/);
  fc.assert(
    fc.property(key, fc.constantFrom(...WRITERS), (secret, write) => {
      const { text } = seen(secret, write(JSON.stringify({ message: `Invalid key ${secret}.` })));
      expect(JSON.parse(text)).toEqual({ message: "Invalid key (the key)." });
    }),
  );
});

test.each([
  ["/&_._A+~a", String.raw`{"a":"key \/&_._A+~a."}`, "key (the key)."],
  ["/abcdefg", String.raw`{"a":"\\\/abcdefg"}`, String.raw`\(the key)`],
  ["/abcdefg", String.raw`{"a":"\\/abcdefg"}`, String.raw`\(the key)`],
  ["/abcdefg", String.raw`{"a":"\\\u002fabcdefg"}`, String.raw`\(the key)`],
  ["nabcdefg", String.raw`{"a":"line\nabcdefg"}`, "line(the key)"],
])("hides %s in %s and leaves valid JSON", (key, body, expected) => {
  expect(JSON.parse(seen(key, body).text)).toEqual({ a: expected });
});

test("reads a body of two million backslashes quickly", () => {
  const { text } = seen("/abcdefg", "\\".repeat(2_000_000));
  expect(text.length).toBe(2_000_000);
});

test("hides the key in headers", () => {
  const { headers } = seen("sk_1/2=", "", {
    "x-next": "sk_1/2= 3",
    link: ["a sk_1/2=", "b"],
    none: undefined,
  });
  expect(headers).toEqual({ "x-next": "(the key) 3", link: ["a (the key)", "b"], none: undefined });
});
