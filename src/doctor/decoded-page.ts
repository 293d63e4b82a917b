import { Failure } from "../calendar/failure.ts";
import type { ResponseMapping } from "../calendar/service-shape.ts";
import { decodePage, type Page } from "../service/decode-list.ts";
import { decodePostRecord } from "../service/decode-post.ts";
import type { HttpAnswer } from "../service/http.ts";
import type { PostRecord } from "../service/records.ts";
import { applyMapping } from "../service/shape.ts";

const ENDPOINT = "GET /v1/posts";

/** One page of the list of posts, as far as it can be read with this shape: the page, and the posts on it. */
export function decodedPage(
  answer: HttpAnswer,
  shape: ResponseMapping | undefined,
): { readonly page: Page | undefined; readonly posts: readonly PostRecord[] } {
  const page = unlessFailure(() => decodePage(applyMapping(answer, shape, "/posts", "list"), ENDPOINT));
  const posts = page && unlessFailure(() => page.items.map((item) => decodePostRecord(item, ENDPOINT)));
  return { page, posts: posts ?? [] };
}

function unlessFailure<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
