import * as fc from "fast-check";
import { expect, test } from "vitest";
import { redactKey } from "../../../src/service/http/redact-key.ts";
import type { HttpAnswer } from "../../../src/service/http/request.ts";

function seen(key: string, text: string, headers: HttpAnswer["headers"] = {}): HttpAnswer {
  const result = redactKey({ kind: "answer", status: 401, headers, text }, [key]);
  if (result.kind !== "answer") throw new Error("An answer stays one.");
  return result;
}

/** JSON as some programs write it: each character as its code, or a slash with a backslash. */
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

const KEY = "sk-live/Ab+c=0&9_z";

test.each([
  ["numbers of JSON", each((unit) => String.raw`\u${hex(unit, 4)}`)],
  ["numbers of JSON, in capitals", each((unit) => String.raw`\u${hex(unit, 4).toUpperCase()}`)],
  ["bytes of JavaScript", each((unit) => String.raw`\x${hex(unit, 2)}`)],
  ["code points of JavaScript", each((unit) => String.raw`\u{${hex(unit, 2)}}`)],
  ["code points of Perl", each((unit) => String.raw`\x{${hex(unit, 2)}}`)],
  ["code points of Python", each((unit) => String.raw`\U${hex(unit, 8)}`)],
  ["octal digits", each((unit) => `\\${unit.toString(8).padStart(3, "0")}`)],
  ["octal digits, as few as possible", each((unit) => `\\${unit.toString(8)}`)],
  ["an octal first character", (text: string) => String.raw`\163${text.slice(1)}`],
  [
    "a mixture",
    (text: string) => Array.from(text, (unit, at) => ESCAPES[at % ESCAPES.length]?.(unit)).join(""),
  ],
  ["hexadecimal digits", (text: string) => Buffer.from(text).toString("hex")],
  ["hexadecimal digits, in capitals", (text: string) => Buffer.from(text).toString("hex").toUpperCase()],
  ["backslashes before signs", (text: string) => text.replaceAll(/\W/g, String.raw`\$&`)],
  ["a URL's percent signs", encodeURIComponent],
  ["small percent signs", (text: string) => encodeURIComponent(text).toLowerCase().replace("ab", "Ab")],
  ["percent signs for all", each((unit) => `%${hex(unit, 2)}`)],
  ["percent signs, twice", (text: string) => encodeURIComponent(encodeURIComponent(text))],
  ["decimal entities", each((unit) => `&#${unit};`)],
  ["entities without an end", each((unit) => `&#${unit}`)],
  ["hexadecimal entities with zeros", each((unit) => `&#X000${hex(unit, 2)};`)],
  ["named entities", (text: string) => text.replaceAll("&", "&amp;").replaceAll("/", "&sol;")],
  ["entities, twice", each((unit) => `&amp;#${unit};`)],
  ["JSON within JSON", (text: string) => JSON.stringify(text.replaceAll("/", String.raw`\/`)).slice(1, -1)],
  ["numbers within JSON within JSON", each((unit) => String.raw`\\u${hex(unit, 4)}`)],
  ["entities within JSON that hides ampersands", each((unit) => String.raw`\u0026#${unit};`)],
])("hides a key that is written with %s", (_name, write) => {
  const body = `<p>No such key: ${write(KEY)}!</p>`;
  expect(body).not.toContain(KEY);
  expect(seen(KEY, body).text).toBe("<p>No such key: (the key)!</p>");
  expect(seen(KEY, "", { location: body }).headers["location"]).toBe("<p>No such key: (the key)!</p>");
});

/** The key as part of a text in Base64. */
const AROUND_BASE64: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  each((unit) => String.raw`\u${hex(unit, 4)}`),
];

/** In Base64, it has the two signs that addresses replace. */
const WITH_SIGNS = "sk-~~~???>>>live";

test.each(
  [KEY, WITH_SIGNS].flatMap((key) => ["", "a", "ab", "user:", '{"token":"'].map((before) => [key, before])),
)("hides the key %s in Base64 after %j", (key = "", before = "") => {
  const whole = Buffer.from(`${before}${key}:more`);
  for (const encoded of [whole.toString("base64"), whole.toString("base64url")]) {
    for (const write of AROUND_BASE64)
      expect(seen(key, `Basic ${write(encoded)}.`).text).toMatch(/^Basic .*\(the key\).*\.$/);
    // Only the text around the key is left, with a part of its first and last character.
    const [left = "", right = ""] = seen(key, encoded).text.split("(the key)");
    expect(Buffer.from(left, "base64").toString()).toBe(before);
    expect(encoded.length - left.length - right.length).toBeGreaterThan(key.length);
  }
});

test.each([
  ["as it is", KEY, (text: string) => text],
  ["in a URL", KEY, encodeURIComponent],
  ["with line breaks", KEY, (text: string) => Array.from(text).join(String.raw`\n`)],
  ["with a quote in it", 'sk-live"Ab"c"09', (text: string) => JSON.stringify(text).slice(1, -1)],
])("hides a key anywhere in a long list: %s", (_name, key, write) => {
  const hidden = write(key);
  for (let before = 65_536 - hidden.length - 2; before <= 65_538; before += 1) {
    const body = (text: string): string => `"${"x".repeat(before)}","${text}","${"y".repeat(70_000)}"`;
    expect(seen(key, body(hidden)).text === body("(the key)"), `after ${before} units`).toBe(true);
  }
});

test("hides each of several keys, and nothing else", () => {
  const body = String.raw`{"a":"${KEY}","b":"${encodeURIComponent(KEY)} 100%25 \"${KEY}\"","c":"\u0041 &amp; %2F"}`;
  expect(seen(KEY, body).text).toBe(
    String.raw`{"a":"(the key)","b":"(the key) 100%25 \"(the key)\"","c":"\u0041 &amp; %2F"}`,
  );
});

test("hides a key that looks escaped itself", () => {
  const key = "%41bcdefgh&#47;";
  const { text } = seen(key, `${key} ${encodeURIComponent(key)} Abcdefgh/`);
  expect(text).not.toContain("bcdefgh");
});

test("hides a key after one that begins within an escape", () => {
  const escaped = each((unit) => `&#${unit};`)("abcdefgh");
  expect(seen("abcdefgh", String.raw`\u006abcdefgh, ${escaped}.`).text).toBe(
    String.raw`\u006(the key), (the key).`,
  );
});

test("hides the key in the reason of a fault", () => {
  const fault = { kind: "fault", sent: true, reason: `bad header ${KEY}`, code: "X" } as const;
  expect(redactKey(fault, [KEY])).toEqual({ ...fault, reason: "bad header (the key)" });
});

/** One way of escaping for each of some neighbouring characters. */
const ESCAPES: readonly ((character: string) => string)[] = [
  each((unit) => `%${hex(unit, 2).toUpperCase()}`),
  (character) => character,
  each((unit) => `\\${unit.toString(8).padStart(3, "0")}`),
  each((unit) => `&#${unit};`),
  each((unit) => String.raw`\u${hex(unit, 4)}`),
];

const BREAKS = [
  "\n",
  "\r\n",
  "\n    ",
  "\r\n> ",
  "\\\n",
  String.raw`\n`,
  String.raw`\r\n  `,
  String.raw`\u000d\u000A`,
  String.raw`\\n`,
  "%0D%0A",
  "&#10;",
  "&#xD;&#xA;",
  "<br>",
  "<br />\n",
  "<wbr>",
  "&shy;",
  "\u00ad",
  "\u200b",
  String.raw`\u200b`,
  "\n\n\n",
];

test.each(BREAKS)("hides a key that is wrapped with %j", (broken) => {
  const [first, second] = [KEY.slice(0, 7), KEY.slice(7)];
  expect(seen(KEY, `Key:${broken}${first}${broken}${second}${broken}unknown`).text).toBe(
    `Key:${broken}(the key)${broken}unknown`,
  );
  const letters = Array.from(KEY).join(broken);
  expect(seen(KEY, `Key: ${letters}.`).text).toBe("Key: (the key).");
  const base64 = Buffer.from(`user:${KEY}:more`).toString("base64");
  const lines = `${base64.slice(0, 16)}${broken}${base64.slice(16)}`;
  expect(seen(KEY, lines).text).toMatch(/^.{7,8}\(the key\).{7,10}$/s);
});

test("hides a wrapped key in escapes, in a string of formatted JSON, and leaves valid JSON", () => {
  const wrapped = encodeURIComponent(`${KEY.slice(0, 5)}\r\n${KEY.slice(5)}`);
  const value = { error: { message: `No key "${wrapped}"\nhere` }, list: [1, 2] };
  const { text } = seen(KEY, JSON.stringify(value, undefined, 2));
  expect(JSON.parse(text)).toEqual({ error: { message: 'No key "(the key)"\nhere' }, list: [1, 2] });
});

test.each(["\n", "\r\n", String.raw`\n`, "\u00ad", "&#10;"])(
  "reads a body of 1,000,000 times %j quickly",
  (broken) => {
    const text = broken.repeat(1_000_000);
    expect(seen(KEY, text).text).toBe(text);
  },
);

function each(write: (unit: number) => string): (text: string) => string {
  return (text) => Array.from(text, (character) => write(character.charCodeAt(0))).join("");
}

function hex(unit: number, digits: number): string {
  return unit.toString(16).padStart(digits, "0");
}

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
