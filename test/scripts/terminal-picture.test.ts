import { spawnSync } from "node:child_process";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";

const ESC = "\u001b";
const sgr = (codes: string, text: string): string => `${ESC}[${codes}m${text}${ESC}[0m`;

function run(input: string, ...options: string[]): { svg: string; error: string; status: number | null } {
  const done = spawnSync(process.execPath, ["scripts/pictures/terminal-picture.js", ...options], {
    input,
    encoding: "utf8",
  });
  return { svg: done.stdout, error: done.stderr, status: done.status };
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The elements, in the order of their closing tags. Throws where the XML is not well formed. */
function parse(xml: string): Element[] {
  const elements: Element[] = [];
  const open: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => open.push({ name, attributes, text: "" }));
  parser.on("text", (text) => {
    const parent = open.at(-1);
    if (parent) parent.text += text;
  });
  parser.on("closetag", () => {
    const ended = open.pop();
    if (ended) elements.push(ended);
  });
  parser.write(xml).close();
  return elements;
}

function spans(svg: string): Element[] {
  return parse(svg).filter(({ name }) => name === "tspan");
}

function spanOf(svg: string, text: string): Readonly<Record<string, string>> {
  const found = spans(svg).find((span) => span.text === text);
  if (found === undefined) throw new Error(`no run of text says ${JSON.stringify(text)}`);
  return found.attributes;
}

/** Column at which a run starts, counted from 0. */
function columnOf(svg: string, text: string): number {
  return Math.round(((Number(spanOf(svg, text)["x"]) - 18) / 8.4) * 100) / 100;
}

describe("colours and weights", () => {
  test("each of the 16 colours has its own colour in the picture", () => {
    const codes = [30, 31, 32, 33, 34, 35, 36, 37, 90, 91, 92, 93, 94, 95, 96, 97];
    const { svg } = run(
      codes.map((code) => sgr(String(code), `colour${code}`)).join("  "),
      "--columns",
      "200",
    );
    const fills = codes.map((code) => spanOf(svg, `colour${code}`)["fill"]);
    expect(new Set(fills).size).toBe(16);
    for (const fill of fills) expect(fill).toMatch(/^#[0-9a-f]{6}$/);
  });

  test("bold, dim, underline and strike are drawn, and a reset ends them", () => {
    const { svg } = run(`${sgr("1", "bold")}  ${sgr("2", "dim")}  ${sgr("4;9", "lines")}  plain`);
    expect(spanOf(svg, "bold")["font-weight"]).toBe("700");
    expect(spanOf(svg, "dim")["fill-opacity"]).toBe("0.62");
    expect(spanOf(svg, "lines")["text-decoration"]).toBe("underline line-through");
    expect(Object.keys(spanOf(svg, "plain")).sort()).toEqual(["lengthAdjust", "textLength", "x"]);
  });

  test("an empty sequence resets all styles, and an off code ends only its own style", () => {
    const { svg } = run(`${ESC}[1;31mone${ESC}[22m  two${ESC}[m  three`);
    expect(spanOf(svg, "two")["fill"]).toBe(spanOf(svg, "one")["fill"]);
    expect(spanOf(svg, "two")["font-weight"]).toBeUndefined();
    expect(spanOf(svg, "three")["fill"]).toBeUndefined();
  });

  test("a background is drawn behind its text, including spaces", () => {
    const { svg } = run(sgr("42", " PASS "));
    const ground = parse(svg).find(
      ({ name, attributes }) => name === "rect" && attributes["height"] === "20",
    );
    expect(ground?.attributes["x"]).toBe("18");
    expect(Number(ground?.attributes["width"])).toBeCloseTo(6 * 8.4);
    expect(spanOf(svg, " PASS ")["x"]).toBe("18");
  });

  test("an unknown colour code does not count as another code", () => {
    const { svg } = run(
      `${sgr("38;5;9", "bright")}  ${sgr("91", "same")}  ${sgr("38;2;1;4;9", "true")}  ${sgr("48;5;31;1", "far")}`,
    );
    expect(spanOf(svg, "bright")["fill"]).toBe(spanOf(svg, "same")["fill"]);
    expect(spanOf(svg, "true")["text-decoration"]).toBeUndefined();
    expect(spanOf(svg, "true")["fill"]).toBeUndefined();
    expect(spanOf(svg, "far")["font-weight"]).toBe("700");
    expect(spanOf(svg, "far")["fill"]).toBeUndefined();
  });
});

describe("the grid", () => {
  test("text after emoji or East Asian characters starts at the right column", () => {
    const { svg } = run("a🌷b\n京都  end\n👩🏽‍🌾|\ne\u0301x  after");
    expect(columnOf(svg, "b")).toBe(3);
    expect(columnOf(svg, "end")).toBe(6);
    expect(columnOf(svg, "|")).toBe(2);
    expect(columnOf(svg, "after")).toBe(4);
  });

  test("runs have a width, so that another font cannot move the next one", () => {
    const { svg } = run("one two   three");
    expect(Number(spanOf(svg, "one two")["textLength"])).toBeCloseTo(7 * 8.4);
    expect(columnOf(svg, "three")).toBe(10);
  });

  test("a tab goes to the next eighth column, and a lone carriage return starts the line again", () => {
    const { svg } = run("ab\tcd\r\n 10%\r100%");
    expect(columnOf(svg, "cd")).toBe(8);
    expect(columnOf(svg, "100%")).toBe(0);
    expect(svg).not.toContain(" 10%");
  });

  test("a line longer than the window continues below, and no wide character is cut in two", () => {
    const { svg } = run(`${"x".repeat(19)}京`, "--columns", "20");
    expect(spans(svg).map(({ text }) => text)).toEqual(["x".repeat(19), "京"]);
    expect(columnOf(svg, "京")).toBe(0);
  });

  test("the window is as wide as its columns, and as high as its lines without the last empty ones", () => {
    const [small, large] = [run("a\nb\n\n", "--columns", "40").svg, run("a\nb\nc", "--columns", "80").svg];
    const sizes = [small, large].map((svg) => parse(svg).at(-1)?.attributes);
    expect(Number(sizes[1]?.["width"]) - Number(sizes[0]?.["width"])).toBeCloseTo(40 * 8.4);
    expect(Number(sizes[1]?.["height"]) - Number(sizes[0]?.["height"])).toBe(20);
  });
});

describe("hostile text", () => {
  test("markup stays text, in the window and in its title", () => {
    const hostile = `</text><script>alert("1" & '2')</script><![CDATA[x]]>&amp;<!-- -->`;
    const { svg } = run(hostile, "--title", hostile);
    const elements = parse(svg);
    expect(new Set(elements.map(({ name }) => name))).toEqual(
      new Set(["svg", "title", "rect", "path", "circle", "g", "text", "tspan"]),
    );
    expect(spans(svg).map(({ text }) => text)).toEqual([hostile]);
    expect(elements.find(({ name }) => name === "title")?.text).toBe(hostile);
  });

  test("control characters, reversed text and incomplete sequences leave the picture readable", () => {
    const all = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join("");
    const { svg, status } = run(
      `start\n${all}\n\u202eevil\u202c\ufffe\uffff\n${ESC}[12\n${ESC}]8;;x${ESC}\\link${ESC}]8;;\u0007\n${ESC}`,
    );
    expect(status).toBe(0);
    const texts = spans(svg).map(({ text }) => text);
    expect(texts).toContain("start");
    expect(texts).toContain("evil");
    expect(texts).toContain("link");
  });

  test("bytes that are not UTF-8 do not break the picture", () => {
    const done = spawnSync(process.execPath, ["scripts/pictures/terminal-picture.js"], {
      input: Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62]),
      encoding: "utf8",
    });
    expect(spans(done.stdout).length).toBeGreaterThan(0);
  });
});

test("without anything to show, the picture is an empty window with a name", () => {
  const { svg } = run("");
  expect(spans(svg)).toEqual([]);
  expect(parse(svg).find(({ name }) => name === "title")?.text).toBe("Terminal");
});

test("a window with a wrong width is refused with a message", () => {
  for (const columns of ["0", "-3", "ten", "8.5", "1e9"]) {
    const { svg, error, status } = run("a", `--columns=${columns}`);
    expect(status).toBe(1);
    expect(svg).toBe("");
    expect(error).toContain("--columns is a whole number");
  }
});
