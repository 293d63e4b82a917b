import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bodyOf, refusalOf } from "../../../src/service/http/refusal.ts";

test.each<[string, unknown]>([
  ['{"id":1234567890123456705}', { id: "1234567890123456705" }],
  ['[{"id": -1234567890123456705 , "n":1}]', [{ id: "-1234567890123456705", n: 1 }]],
  [
    '{"text":"a 12345678901234567890 b \\" 12345678901234567890"}',
    { text: 'a 12345678901234567890 b " 12345678901234567890' },
  ],
  [
    '{"n":123456789012345,"f":0.12345678901234567,"e":12345678901234567e3}',
    { n: 123456789012345, f: Number("0.12345678901234567"), e: Number("12345678901234567e3") },
  ],
  ["1234567890123456705", "1234567890123456705"],
  ['{"id":1234567890123456705', undefined],
])("decodes an error given as %s", (text, expected) => {
  expect(bodyOf({ kind: "answer", status: 200, headers: {}, text })).toEqual(expected);
});

test.each<[string, string]>([
  ['{"error":{"code":"validation_error","message":"Too long."}}', "Too long."],
  ['{"errors":[{"status":"422","title":"bad","detail":"Too long."}]}', "HTTP 422: Too long"],
  ['{"type":"about:blank","title":"Bad","status":422,"detail":"Too long."}', "HTTP 422: Too long"],
  ['{"error":"Too long"}', "HTTP 422: Too long"],
  ['{"errors":{"message":"Too long"}}', "HTTP 422: Too long"],
  ['"Too long"', "HTTP 422: Too long"],
  ['{"errors":[[[["x"]]]]}', "HTTP 422 with no error object"],
  ['{"errors":[]}', "HTTP 422 with no error object"],
  ["", "HTTP 422 with an empty body"],
  ["<html><title>Bad</title>", 'HTTP 422 with a page ("Bad")'],
])("shows the message of a refusal: %s", (text, message) => {
  expect(refusalOf({ kind: "answer", status: 422, headers: {}, text }, 0)).toMatchObject({
    code: "validation_error",
    message,
  });
});

test("keeps every digit of an id of 16 digits or more", () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{13,24}$/);
  fc.assert(
    fc.property(fc.nat(40), digits, (before, id) => {
      const text = `{"text":"${"x".repeat(before)}","id":${id}}`;
      const body = { text: "x".repeat(before), id: id.length < 16 ? Number(id) : id };
      expect(bodyOf({ kind: "answer", status: 200, headers: {}, text })).toEqual(body);
    }),
  );
});
