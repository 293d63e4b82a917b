/** What `service.shape` would have to say for answers to be read: only what decoding does not find by itself. */
import type { ResponseMapping } from "../calendar/service-shape.ts";
import { pathText } from "../calendar/shape-path.ts";
import { accountsIn, postsIn, recordsIn } from "./find-records.ts";
import { accountFields, fieldsOf, idField, mediaFields, statusWords } from "./suggest-fields.ts";
import { listPath, placeOf, recordPath } from "./suggest-places.ts";
import type { FoundList } from "./json-leaves.ts";
import { withFields } from "./with-fields.ts";

/** The JSON of answers; undefined where there was none. */
export interface Answers {
  /** To the list of scheduled posts. */
  readonly posts: unknown;
  /** To one post. */
  readonly single: unknown;
  readonly platforms: unknown;
  readonly media?: unknown;
  readonly automations?: unknown;
}

/** As if the project had none; it says nothing where all is read already, or nothing looks like posts. */
export function suggestMapping(answers: Answers, now: number): ResponseMapping {
  const { posts, single, platforms } = answers;
  const found = postsIn(posts, now);
  const accounts = accountsIn(platforms);
  const post = found === undefined ? {} : fieldsOf(found);
  const record = found === undefined ? undefined : recordPath(single, found, post);
  const places = placeOf(listPath(posts, found), listPath(platforms, accounts));
  return {
    ...places,
    ...(record !== undefined && { record }),
    ...withFields("post", { ...places.post, ...post }),
    ...withFields("platform", { ...places.platform, ...accountFields(accounts) }),
    ...withFields("media", fieldsIn(answers.media, places, mediaFields)),
    ...withFields("automation", fieldsIn(answers.automations, places, idField)),
    ...(found !== undefined && statusWords(found)),
  };
}

/** Where one place is said for all lists, those that stand elsewhere must say so, also where they stand as usual. */
function fieldsIn<Fields extends object>(
  body: unknown,
  { list }: ResponseMapping,
  fieldsOf: (found: FoundList) => Fields,
): Partial<Fields> & { readonly list?: string | undefined } {
  const found = recordsIn(body);
  if (found === undefined) return {};
  const here = pathText(found.path);
  return {
    ...fieldsOf(found),
    list: list === undefined ? listPath(body, found) : here === list ? undefined : here,
  };
}
