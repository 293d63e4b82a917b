/** Where brackets and quotes open. The library tells where it misses their end, far below; people look for the start. */
import { CST } from "yaml";
import type { SourceText } from "./source-text.ts";

/** Something that opens. Its message is for where it does not close as it should. */
export interface Opening {
  /** UTF-16 units. */
  readonly offset: number;
  readonly message: string;
}

/** In the order of the file. */
export interface Openings {
  /** Those that do not close as they should. */
  readonly brackets: readonly Opening[];
  /** All. */
  readonly quotes: readonly Opening[];
}

export function findOpenings(source: SourceText, trees: readonly CST.Document[]): Openings {
  const brackets: Opening[] = [];
  const quotes: Opening[] = [];
  const look = (token: CST.Token | null | undefined): void => {
    if (token?.type === "flow-collection") brackets.push(...bracket(token, source));
    else quotes.push(...quote(token));
  };
  for (const tree of trees) {
    CST.visit(tree, ({ key, value }) => {
      look(key);
      look(value);
    });
  }
  const inOrder = (a: Opening, b: Opening): number => a.offset - b.offset;
  return { brackets: brackets.toSorted(inOrder), quotes: quotes.toSorted(inOrder) };
}

/** The last that stands before an offset: of those that are open there, the one that was written last. */
export function lastOpeningBefore(openings: readonly Opening[], offset: number): Opening | undefined {
  let low = 0;
  let high = openings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((openings[middle]?.offset ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return openings[low - 1];
}

function bracket({ start, end }: CST.FlowCollection, source: SourceText): Opening[] {
  const [opening, closing, what] =
    start.type === "flow-seq-start" ? ["[", "]", "list"] : ["{", "}", "mapping"];
  const closer = end.find(({ type }) => type === "flow-seq-end" || type === "flow-map-end");
  if (closer?.source === closing) return [];
  const message =
    closer === undefined
      ? `This \`${opening}\` is never closed. Put a \`${closing}\` where its ${what} ends.`
      : `This \`${opening}\` is closed by a \`${closer.source}\` on line ${source.lineOf(closer.offset)}. Close it with \`${closing}\`.`;
  return [{ offset: start.offset, message }];
}

function quote(token: CST.Token | null | undefined): Opening[] {
  const end =
    token?.type === "double-quoted-scalar"
      ? 'Put a `"` where its text ends.'
      : token?.type === "single-quoted-scalar"
        ? "Put a `'` where its text ends; an apostrophe within it is written `''`."
        : undefined;
  if (!token || end === undefined) return [];
  return [{ offset: token.offset, message: `This quote is never closed. ${end}` }];
}
