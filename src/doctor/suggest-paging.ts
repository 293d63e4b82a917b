/** How a next page or a total is told, where decoding cannot follow it. */
import type { ResponseMapping } from "../calendar/service-shape.ts";
import { pathText, valueAtPath } from "../calendar/shape-path.ts";
import { bodyOf } from "../service/decode-error.ts";
import { isAddress, type Page } from "../service/decode-list.ts";
import type { HttpAnswer } from "../service/http.ts";
import { isAboutPages, paginationHints, type PaginationHint } from "../service/signs-of-more.ts";
import { isName } from "./json-leaves.ts";

type Paging = Pick<ResponseMapping, "next" | "next_as" | "total">;

/** @param page the answer's, as far as it is read */
export function suggestPaging(answer: HttpAnswer, { next, total, items }: Page): Paging {
  const isUnderstood = next.kind === "url" || next.kind === "cursor" || next.kind === "end";
  if (isUnderstood || (next.kind === "unsaid" && total !== undefined && total <= items.length)) return {};
  const signs = paginationHints(answer, items.length);
  // A number that stands elsewhere may count anything, and as the total it would stop every run.
  const all =
    total === undefined
      ? pathOf(
          signs.filter(({ path = [] }) => isAboutPages(path)),
          "total",
        )
      : undefined;
  return { ...nextAt(answer, pathOf(signs, "next")), ...(all !== undefined && { total: pathText(all) }) };
}

function pathOf(
  signs: readonly PaginationHint[],
  kind: PaginationHint["kind"],
): readonly string[] | undefined {
  return signs.flatMap((sign) =>
    sign.kind === kind && sign.path?.every(isName) === true ? [sign.path] : [],
  )[0];
}

function nextAt(answer: HttpAnswer, path: readonly string[] | undefined): Paging {
  if (path === undefined) return {};
  const next = pathText(path);
  return isAddress(valueAtPath(bodyOf(answer), path))
    ? { next }
    : { next, next_as: parameterFor(path.at(-1) ?? "") };
}

/** As services mostly call it: `next_page_token` goes back as `page_token`, `nextPage` as `page`. */
function parameterFor(key: string): string {
  if (/^(end|after)_?cursor$/i.test(key)) return "after";
  const rest = key.replace(/^next[_-]?/i, "");
  const name = rest.charAt(0).toLowerCase() + rest.slice(1);
  return /^[\w-]+$/.test(name) ? name : "cursor";
}
