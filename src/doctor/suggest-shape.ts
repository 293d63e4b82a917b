/** What `service.shape` would have to say for answers to be read: only what decoding does not find by itself. */
import type { ServiceShape } from "../calendar/service-shape.ts";
import { accountsIn, postsIn } from "./find-records.ts";
import { accountFields, fieldsOf, statusWords } from "./suggest-fields.ts";
import { listPath, placeOf, recordPath } from "./suggest-places.ts";
import { withFields } from "./with-fields.ts";

/** The JSON of answers; undefined where there was none. */
export interface Answers {
  /** To the list of scheduled posts. */
  readonly posts: unknown;
  /** To one post. */
  readonly single: unknown;
  readonly platforms: unknown;
}

/** As if the project had none; it says nothing where all is read already, or nothing looks like posts. */
export function suggestShape({ posts, single, platforms }: Answers, now: number): ServiceShape {
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
    ...(found !== undefined && statusWords(found)),
  };
}
