import { describe, expect, test } from "vitest";
import {
  type DecodeOptions,
  type DecodeResult,
  decodeText,
  encodeText,
  lackingCharacter,
} from "../../../src/calendars/read/text-encoding.ts";

interface Options {
  readonly encoding?: DecodeOptions["encoding"];
}

function decoded(bytes: Uint8Array, { encoding }: Options = {}): DecodeResult {
  return decodeText("a.csv", bytes, { code: "calendar/encoding", encoding });
}

/** The text, or the place of the first fault. */
function decode(bytes: Uint8Array, options?: Options): unknown {
  const found = decoded(bytes, options);
  return "text" in found ? found.text : [found.problem.line, found.problem.column];
}

function message(bytes: Uint8Array, options?: Options): string {
  const found = decoded(bytes, options);
  return "text" in found ? "" : found.problem.message;
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

test("reads UTF-8 with or without a byte order mark", () => {
  expect(decode(Buffer.from("é🎉\r\n"))).toBe("é🎉\r\n");
  expect(decode(Buffer.from("\uFEFFa,b"))).toBe("a,b");
  expect(decode(Buffer.from(""))).toBe("");
  expect(decode(Buffer.from("a\uFFFDb"))).toBe("a\uFFFDb");
});

test.each([
  ["first byte", latin1("è,b"), 1, 1],
  ["within a line", latin1("abc\npi \u00e8ce au lait\n"), 2, 4],
  ["after characters of two and four bytes", Buffer.concat([Buffer.from("é\n🎉é"), latin1("è")]), 2, 4],
  ["after a carriage return alone", Buffer.concat([Buffer.from("a\rb\rcd"), Buffer.from([0x81])]), 3, 3],
  ["a character that is cut off", Buffer.from([0x61, 0xe2, 0x82]), 1, 2],
  ["an overlong form", Buffer.from([0x61, 0xc0, 0xaf]), 1, 2],
  ["a surrogate", Buffer.from([0x61, 0x0a, 0xed, 0xa0, 0x80]), 2, 1],
  ["more than Unicode has", Buffer.from([0xf4, 0x90, 0x80, 0x80]), 1, 1],
])("shows the place of a bad byte of UTF-8: %s", (_name, bytes, line, column) => {
  expect(decode(bytes)).toEqual([line, column]);
  expect(message(bytes)).toContain("CSV UTF-8");
});

describe("UTF-16", () => {
  const text = "content\tdate\r\nL’été 🎉\t2027-03-01\r\n";
  const littleEndian = (mark: string): Buffer => Buffer.from(mark + text, "utf16le");

  test("is detected by its mark in both byte orders", () => {
    expect(decode(littleEndian("\uFEFF"))).toBe(text);
    expect(decode(littleEndian("\uFEFF").swap16())).toBe(text);
  });

  test("is refused without its mark", () => {
    expect(message(littleEndian(""))).toContain("CSV UTF-8");
  });

  test("is refused at half a character", () => {
    const broken = Buffer.from("\uFEFFab\nc\uD83Dd", "utf16le");
    expect(decode(broken)).toEqual([2, 2]);
    expect(decode(Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62]))).toEqual([1, 2]);
  });

  test("keeps a replacement character", () => {
    expect(decode(Buffer.from("\uFEFFa\uFFFD", "utf16le"))).toBe("a\uFFFD");
  });
});

describe("Windows-1252", () => {
  /** Characters in the order of the bytes 0x80 to 0x9F, as WHATWG lists them. */
  const bytes = Buffer.from([
    0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x8c, 0x91, 0x92, 0x93, 0x94, 0x96, 0x9c, 0x9f,
  ]);
  const said = { encoding: "windows-1252" } as const;

  test("is read when the project names it", () => {
    expect(decode(bytes, said)).toBe("€‚ƒ„…†‡Œ‘’“”–œŸ");
    expect(decode(latin1("pièce"), said)).toBe("pièce");
  });

  test("is refused at a byte without a meaning", () => {
    expect(decode(Buffer.from([0x61, 0x0a, 0x62, 0x81]), said)).toEqual([2, 2]);
  });

  test("is not used for Unicode text, even when the project names it", () => {
    expect(decode(Buffer.from("pièce"), said)).toBe("pièce");
    expect(decode(Buffer.from("\uFEFFpièce", "utf16le"), said)).toBe("pièce");
  });

  test.each([
    ["French", latin1("Un été à la crème brûlée")],
    ["letters that are others in Windows-1250", latin1("pièce")],
    ["UTF-8 that is broken in one place", Buffer.concat([Buffer.from("é n"), latin1("é")])],
    ["Czech", Buffer.from([0x6b, 0xf9, 0xf2, 0x20, 0x9e, 0x6c, 0x75, 0x9d])],
    ["Polish", Buffer.from([0xbf, 0xf3, 0xb3, 0xe6])],
    ["Hungarian", Buffer.from([0x6e, 0xf5, 0x20, 0x73, 0x7a, 0xe9, 0x70])],
    ["Russian", Buffer.from([0xcc, 0xe8, 0xf0, 0x20, 0xe8, 0x20, 0xe4, 0xee, 0xec])],
    ["Japanese", Buffer.from([0x93, 0x8a, 0x8d, 0x65])],
    ["German from DOS", Buffer.from([0x47, 0x72, 0x94, 0xe1, 0x65])],
    ["French from an old Mac", Buffer.from([0x63, 0x61, 0x66, 0x8e])],
  ])("is not guessed in %s", (_what, text) => {
    expect(decoded(text)).toMatchObject({ problem: { code: "calendar/encoding" } });
    expect(message(text)).toContain("`encoding: windows-1252`");
  });
});

test.each([
  ["windows-1250", [0x9e, 0xb3, 0xf8], "žłř"],
  ["windows-1251", [0xcc, 0xe8, 0xf0], "Мир"],
  ["windows-1254", [0xfe, 0xfd, 0xf0], "şığ"],
  ["windows-1257", [0xe0, 0xfb, 0xfe], "ąūž"],
  ["macintosh", [0x8e, 0x96, 0xd5], "éñ’"],
] as const)("reads %s when the project names it", (encoding, bytes, text) => {
  expect(decode(Buffer.from(bytes), { encoding })).toBe(text);
});

test("refuses a byte that the named encoding does not have, at its place", () => {
  expect(decode(Buffer.from([0x61, 0x0a, 0x62, 0xa1]), { encoding: "windows-1257" })).toEqual([2, 2]);
});

test("tries and names only Unicode if nothing else is allowed", () => {
  expect(decode(latin1("café"), { encoding: "unicode" })).toEqual([1, 4]);
  expect(message(latin1("café"), { encoding: "unicode" })).not.toContain("encoding:");
});

test("recognises a workbook with another name", () => {
  expect(message(Buffer.from("PK\u0003\u0004rest"))).toContain(".xlsx");
  expect(message(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]))).toContain(".xls");
});

test("refuses a NUL character at its place", () => {
  expect(decode(Buffer.from("ab\nc\0d"))).toEqual([2, 2]);
  expect(decode(Buffer.from("a\0b\0c"))).toEqual([1, 2]);
});

test("shows the words in each encoding that has all of their bytes, once if encodings read them alike", () => {
  const found = decoded(
    Buffer.concat([Buffer.from("a\nb "), Buffer.from([0xbf, 0xf3, 0x8d]), Buffer.from("c d\ne")]),
  );
  expect(found).toMatchObject({
    problem: {
      questions: [
        {
          topic: "encoding",
          samples: expect.arrayContaining([
            { encoding: "windows-1250", text: "żóŤc" },
            { encoding: "macintosh", text: "øÛçc" },
          ]),
        },
      ],
    },
  });
  expect(JSON.stringify(found)).not.toContain('"windows-1252","text"');
  const alike = decoded(Buffer.from("M\xe4rkused\ncaf\xe9", "latin1"));
  expect(alike).toMatchObject({
    problem: {
      questions: [
        {
          samples: [
            { encoding: "windows-1252", text: "Märkused café" },
            { encoding: "macintosh", text: "M‰rkused cafÈ" },
            // Words with letters of two scripts are unlikely.
            { encoding: "windows-1256", text: "Mنrkused café" },
            { encoding: "windows-874", text: "Mไrkused caf้" },
            { encoding: "windows-1251", text: "Mдrkused cafй" },
            { encoding: "windows-1253", text: "Mδrkused cafι" },
            { encoding: "windows-1255", text: "Mהrkused cafי" },
          ],
        },
      ],
    },
  });
});

test.each([
  ["shift_jis", [0x93, 0x8a, 0x8d, 0x65], "投稿"],
  ["gb18030", [0xc4, 0xda, 0xc8, 0xdd], "内容"],
  ["big5", [0xa4, 0xe9, 0xb4, 0xc1], "日期"],
  ["euc-kr", [0xc7, 0xd1, 0xb1, 0xdb], "한글"],
  ["windows-1253", [0xcb, 0xdd, 0xee, 0xe7], "Λέξη"],
  ["windows-1255", [0xf9, 0xec, 0xe5, 0xed], "שלום"],
] as const)("reads %s, and writes the same bytes", (encoding, bytes, text) => {
  const file = Uint8Array.from([...Buffer.from("a,b\n"), ...bytes]);
  const read = decodeText("a.csv", file, { code: "calendar/encoding", encoding });
  expect(read).toMatchObject({ text: `a,b\n${text}` });
  if ("problem" in read) return;
  expect(lackingCharacter(read.text, read.encoding)).toBeUndefined();
  expect(encodeText(read.text, read.encoding, file)).toEqual(file);
});
