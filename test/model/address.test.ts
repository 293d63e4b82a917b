import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  displayAddress,
  isFilePage,
  linkedMedium,
  maskAddresses,
  parseUrl,
  readAddress,
  splitMedia,
} from "../../src/model/address.ts";

test.each(["https://bücher.example/straße", "https://пример.рф/путь", "https://example.com/café"])(
  "accepts %s after any number of calls",
  (address) => {
    const first = Array.from({ length: 20_000 }, () => parseUrl(address)).findIndex(
      (url) => url === undefined,
    );
    expect(first).toBe(-1);
  },
);

test.each([
  ["https://drive.google.com/file/d/1AbC/view?usp=sharing", false],
  ["https://drive.google.com/drive/folders/1AbC", false],
  ["https://drive.google.com/drive/my-drive", true],
  ["https://drive.google.com/uc?export=download&id=1AbC", false],
  ["HTTPS://www.canva.com/design/D/view", true],
  ["https://www.dropbox.com/s/abc/photo.jpg?dl=0", true],
  ["https://www.dropbox.com/s/abc/photo.jpg?dl=1", false],
  ["https://acme.sharepoint.com/:i:/g/a", true],
  ["https://example.com/drive.google.com/a.jpg", false],
  ["drive.google.com/file/d/1AbC", false],
])("%s is a page that shows a file: %s", (address, expected) => {
  expect(isFilePage(address)).toBe(expected);
});

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

const A = "https://a.example/x.jpg";
const B = "http://b.example/y.png?w=1";

test.each<[string, string[]]>([
  ["a.png", ["a.png"]],
  ["a.png, b.png;c.png|d.png\ne.png", ["a.png", "b.png", "c.png", "d.png", "e.png"]],
  [`${A},${B}`, [A, B]],
  [`${A}, ${B}`, [A, B]],
  [`${A};${B}`, [A, B]],
  [`${A}|${B}`, [A, B]],
  [`${A}\r\n${B}`, [A, B]],
  [`${A} ${B}`, [A, B]],
  [`${A},`, [A]],
  [`${A},,${B}`, [A, B]],
  [`"${A}","${B}"`, [`"${A}"`, `"${B}"`]],
  [`\u200b${A},\u200b${B}`, [`\u200b${A}`, `\u200b${B}`]],
  ["https://a.example/w_300,h_200,c_fill/x.jpg", ["https://a.example/w_300,h_200,c_fill/x.jpg"]],
  ["https://a.example/x.jpg;v=2?a=1;b=2, b.png", ["https://a.example/x.jpg;v=2?a=1;b=2", "b.png"]],
  ["https://a.example/a%2Cb.jpg,media_7", ["https://a.example/a%2Cb.jpg", "media_7"]],
  [`media_7,${A}`, ["media_7", A]],
  [`a.png,${A}`, ["a.png", A]],
  ["https://a.example/my photo.jpg", ["https://a.example/my photo.jpg"]],
  ["HTTPS://A.example/w_1,h_2.jpg", ["HTTPS://A.example/w_1,h_2.jpg"]],
])("splits the media cell %j", (cell, expected) => {
  const parts = splitMedia(cell).map((part) => part.replaceAll(/^\s+|\s+$/g, ""));
  expect(parts.filter((part) => part !== "")).toEqual(expected);
});

test("splits addresses that contain commas only at a comma before a space", () => {
  const path = fc.stringMatching(/^[\w.%/-]{1,8}(?:[,;][\w.%/-]{1,8}){0,3}$/);
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), (paths) => {
      const addresses = paths.map((each) => `https://cdn.example/${each}`);
      expect(splitMedia(addresses.join(", ")).map((part) => part.trim())).toEqual(addresses);
    }),
  );
});

test.each([
  ["https://EXAMPLE.com:443/a b.png#top", "https://example.com/a%20b.png"],
  ["http://example.com", "http://example.com/"],
  ["https://example.com/a%2Cb.png?x=%20", "https://example.com/a%2Cb.png?x=%20"],
  ["https://bücher.example/ä.png", "https://xn--bcher-kva.example/%C3%A4.png"],
  ["http://0x7f.1/", "http://127.0.0.1/"],
])("reads the address %s as %s", (text, url) => {
  expect(readAddress(text)).toEqual({ url });
});

test.each([
  "https://",
  "https://a b/",
  "https://[::1/x",
  "http://me@a.example/",
  "http://:pw@a.example/",
  "https://a.example:99999/",
])("refuses the address %s", (text) => {
  expect(readAddress(text)).toHaveProperty("wrong");
});

test.each([
  ["https://a.example/x.jpg?sig=secret", "https://a.example/x.jpg?…"],
  ["https://a.example/x.jpg", "https://a.example/x.jpg"],
  ["https://me:secret@a.example/x.jpg", "https://…@a.example/x.jpg"],
  ["ftp://me:secret@a.example/x.jpg?secret", "ftp://…@a.example/x.jpg?…"],
  ["https://a.example?secret", "https://a.example?…"],
  ["https://a.example/x#secret?secret", "https://a.example/x"],
  [
    `https://a.example/${"d/".repeat(60)}x.jpg`,
    `https://a.example/${"d/".repeat(19)}d…${"/d".repeat(17)}/x.jpg`,
  ],
])("shows the address %s as %s, without secrets", (address, shown) => {
  expect(displayAddress(address)).toBe(shown);
});

test("masks secrets of addresses in a line and keeps its length", () => {
  const line = 'one,"https://me:secret@a.example/x.jpg?secret=1","Why? See http://b.example/y?secret now"';
  const masked = maskAddresses(line);
  expect(masked).toBe(
    'one,"https://•••••••••@a.example/x.jpg?••••••••","Why? See http://b.example/y?•••••• now"',
  );
  expect(masked.length).toBe(line.length);
});

test.each([
  ['=HYPERLINK("https://cdn.example/a,b.jpg";"photo")', ["https://cdn.example/a,b.jpg"]],
  ['= hyperlink( "https://cdn.example/a.jpg" )', ["https://cdn.example/a.jpg"]],
  ["wool.jpg (https://cdn.example/att/wool.jpg)", ["https://cdn.example/att/wool.jpg"]],
  [
    "a.jpg (https://cdn.example/1), b.jpg (https://cdn.example/2)",
    ["https://cdn.example/1", "https://cdn.example/2"],
  ],
  ["photo (final).jpg", ["photo (final).jpg"]],
  ["photo (1)", ["photo (1)"]],
])("finds the addresses in the cell %s", (cell, expected) => {
  expect(splitMedia(cell)).toEqual(expected);
});

test("a cell's link is its medium, unless the text already names a file or an address", () => {
  expect(linkedMedium("tomatoes", "https://cdn.example/1.jpg")).toBe("https://cdn.example/1.jpg");
  expect(linkedMedium("tomatoes.jpg", "https://cdn.example/1.jpg")).toBeUndefined();
  expect(linkedMedium("https://a.example/1.jpg", "https://cdn.example/1.jpg")).toBeUndefined();
  expect(linkedMedium("tomatoes", "mailto:a@b.example")).toBeUndefined();
});
