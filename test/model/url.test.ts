import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseUrl } from "../../src/model/url.ts";

test.each(["https://bücher.example/straße", "https://пример.рф/путь", "https://example.com/café"])(
  "accepts %s after any number of calls",
  (address) => {
    const first = Array.from({ length: 20_000 }, () => parseUrl(address)).findIndex(
      (url) => url === undefined,
    );
    expect(first).toBe(-1);
  },
);

test("reads a relative address, and refuses an invalid one", () => {
  expect(parseUrl("/b", "https://example.com/a")?.href).toBe("https://example.com/b");
  expect(parseUrl("https://[::1")).toBeUndefined();
});

test("nothing in src uses URL.canParse, which gives wrong results in Node 20", () => {
  const src = new URL("../../src", import.meta.url).pathname;
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  expect(files.filter((name) => /URL\.canParse\(/.test(readFileSync(join(src, name), "utf8")))).toEqual([]);
});
