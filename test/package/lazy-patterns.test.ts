import { expect, test } from "vitest";
import { withLazyPatterns } from "../../scripts/lazy-patterns-plugin.js";

/** Code of a module, how many patterns V8 still has to read with it, and what `result` must be. */
test.each([
  ["a constant", String.raw`const WORD = /^\p{L}+$/u; const result = [WORD.test("été"), WORD.test("1")];`, 0],
  [
    "a constant with a position",
    String.raw`const EACH = /\p{L}/gu; EACH.lastIndex = 1; const result = [EACH.exec("abc")[0], EACH.exec("abc")[0], "ab".replace(EACH, "-")];`,
    0,
  ],
  [
    "a constant as a property",
    String.raw`const WORD = /\p{L}/u; const all = { WORD, other: WORD }; const result = [all.WORD === all.other, all.WORD.source];`,
    0,
  ],
  [
    "a name that a function uses for something else",
    String.raw`const WORD = /\p{L}/u; const of = ({ WORD }) => WORD; const result = [of({ WORD: 1 }), WORD.test("a")];`,
    1,
  ],
  ["an export", String.raw`const WORD = /\p{L}/u; const result = [WORD.flags]; export { WORD };`, 1],
  [
    "in a function",
    String.raw`const is = (text = "é") => /^\p{L}$/u.test(text); const result = [is(), is("1"), is("a")];`,
    0,
  ],
  [
    "in a function, with a position",
    String.raw`const count = (text) => { const each = /\p{L}/gu; let n = 0; while (each.exec(text)) n += 1; return n; }; const result = [count("ab"), count("abc")];`,
    1,
  ],
  [
    "escapes",
    String.raw`const X = /^[\/\\"\p{L}\n]+$/u; const result = [X.test('/\\"é\n'), X.test("1")];`,
    0,
  ],
])("keeps what the code does: %s", async (_name, code, left) => {
  const lazy = withLazyPatterns(code);
  expect(lazy.match(/(?<!"[^"]*)\/[^/]*\\p\{/g) ?? []).toHaveLength(left);
  expect(await resultOf(lazy)).toEqual(await resultOf(code));
});

async function resultOf(code: string): Promise<unknown> {
  const text = `${code}\nexport { result };`;
  const { result }: { result: unknown } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`
  );
  return result;
}
