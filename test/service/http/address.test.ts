import { expect, test } from "vitest";
import { Failure } from "../../../src/model/failure.ts";
import { parseAddress } from "../../../src/service/http/key.ts";

test.each([
  ["https://api.example.com", "https://api.example.com/v1"],
  ["https://api.example.com/", "https://api.example.com/v1"],
  ["https://api.example.com/v1", "https://api.example.com/v1"],
  ["https://api.example.com/v1/", "https://api.example.com/v1"],
  ["https://api.example.com/tenant/7", "https://api.example.com/tenant/7/v1"],
  ["https://API.example.com:8443/x/v1//", "https://api.example.com:8443/x/v1"],
  ["http://127.0.0.1:4010", "http://127.0.0.1:4010/v1"],
  ["http://localhost:4010/v1", "http://localhost:4010/v1"],
  ["http://[::1]:4010/v1", "http://[::1]:4010/v1"],
])("reads the address %s as %s", (text, base) => {
  expect(parseAddress(text).base).toBe(base);
});

test.each([
  "http://api.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "https://user:s3cret@api.example.com",
  "https://api.example.com/v1?key=s3cret",
  "https://api.example.com/v1#s3cret",
  "https://api.example.com/v1?",
  "ftp://api.example.com/s3cret",
  "api.example.com",
  "",
  "embeded",
])("refuses the address %j without repeating it", (text) => {
  const refused = catchFailure(() => parseAddress(text));
  expect(refused.code).toBe("service/address");
  expect(`${refused.message} ${refused.hint}`).not.toContain("s3cret");
});

function catchFailure(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("no Failure was thrown");
}
