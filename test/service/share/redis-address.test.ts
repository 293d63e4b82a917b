import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/model/failure.ts";
import { parseRedisAddress } from "../../../src/service/share/redis-link.ts";

describe("reads", () => {
  test.each([
    ["redis://cache", { host: "cache", port: 6379, database: 0, tls: false, shown: "redis://cache:6379" }],
    ["redis://cache:7000/3", { port: 7000, database: 3 }],
    ["rediss://cache", { tls: true, shown: "rediss://cache:6379" }],
    ["redis://[::1]:7000", { host: "::1", shown: "redis://[::1]:7000" }],
    ["redis://ann:p%40ss%2Fw@cache", { username: "ann", password: "p@ss/w", shown: "redis://cache:6379" }],
    ["redis://:secret@cache/", { username: undefined, password: "secret", database: 0 }],
  ])("%s", (text, expected) => {
    expect(parseRedisAddress(text)).toMatchObject(expected);
  });
});

describe("refuses without repeating any of it", () => {
  test.each([
    ["", /is not a redis/],
    ["cache:6379", /is not a redis/],
    ["http://ann:hunter2@cache", /is not a redis/],
    ["redis://", /names no host/],
    ["redis:///0", /names no host/],
    ["redis://:hunter2@cache?tls=true", /contains a query/],
    ["redis://:hunter2@cache#x", /contains a query or a fragment/],
    ["redis://:hunter2@cache/posts", /number of a database/],
    ["redis://:hunter2%zz@cache", /% that encodes nothing/],
    ["redis://:hunter2@cache:99999", /is not a redis/],
  ])("%s", (text, why) => {
    const parse = (): unknown => parseRedisAddress(text);
    expect(parse).toThrow(why);
    expect(parse).toThrow(expect.objectContaining({ code: "share/address" }));
    try {
      parse();
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect(JSON.stringify([String(error), Object(error).hint])).not.toMatch(/hunter2|cache/);
    }
  });
});

test.each([
  "redis://ann%0d%0aFLUSHALL:hunter2@cache",
  "redis://ann:hunter2%0AFLUSHALL@cache",
  "redis://ann:hunter2%00@cache",
  "redis://ann:hunter2%7F@cache",
  "redis://ann:hunter2%C2%85@cache",
  "redis://ann:hunter2\r\nFLUSHALL@cache",
  "redis://cac\the",
  "redis://cache\n",
])("control characters are refused, however they are written: %j", (text) => {
  expect(() => parseRedisAddress(text)).toThrow(/^The address of Redis .* contains a control character\.$/);
});
