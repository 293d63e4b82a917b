/** A `service.shape` for answers that cannot be read, looked at with the decoding that it is for. */
import { isDeepStrictEqual } from "node:util";
import type { ResponseMapping } from "../calendar/service-shape.ts";
import { bodyOf } from "../service/decode-error.ts";
import type { HttpAnswer } from "../service/http.ts";
import type { PostRecord } from "../service/records.ts";
import { decodedPage } from "./decoded-page.ts";
import type { ServiceFacts } from "./facts.ts";
import { mergeMapping } from "./merge-shape.ts";
import { suggestPaging } from "./suggest-paging.ts";
import { suggestMapping, type Answers } from "./suggest-shape.ts";
import { definedFields } from "./with-fields.ts";

export interface Suggested {
  /** The whole of it, with what the project says already. */
  readonly shape: ResponseMapping;
  /** The posts of the first page, as they would be read with it. */
  readonly posts: readonly PostRecord[];
}

/** Undefined where nothing in the answers looks like posts, or all of it is read already. */
export function suggestedFor(
  { heard, further, settings }: Pick<ServiceFacts, "heard" | "further" | "settings">,
  now: number,
): Suggested | undefined {
  const said = settings.shape ?? {};
  const answers = bodiesIn([...heard, ...further]);
  const places = mergeMapping(suggestMapping(answers, now), said, answers);
  const posts = firstTo(heard, POSTS);
  const page = posts && decodedPage(posts, places).page;
  const paging = posts === undefined || page === undefined ? {} : suggestPaging(posts, page);
  const { list, record, next, next_as, total, ...fields } = { ...places, ...paging };
  const shape = definedFields({ list, record, next, next_as, total, ...fields });
  if (isDeepStrictEqual(shape, said)) return undefined;
  return { shape, posts: posts === undefined ? [] : decodedPage(posts, shape).posts };
}

const POSTS = /\/v1\/posts\?/;

function bodiesIn(heard: ServiceFacts["heard"]): Answers {
  const body = (path: RegExp): unknown => {
    const answer = firstTo(heard, path);
    return answer === undefined ? undefined : bodyOf(answer);
  };
  return {
    posts: body(POSTS),
    single: body(/\/v1\/posts\/[^/]+$/),
    platforms: body(/\/v1\/platforms\?/),
    media: body(/\/v1\/media\?/),
    automations: body(/\/v1\/automations\?/),
  };
}

/** The first page of a list, the only answer about one record. */
function firstTo(heard: ServiceFacts["heard"], path: RegExp): HttpAnswer | undefined {
  return heard.flatMap((each) =>
    each.result.kind === "answer" && each.result.status < 300 && path.test(each.path) ? [each.result] : [],
  )[0];
}
