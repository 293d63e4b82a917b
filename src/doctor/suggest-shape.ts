/** What `service.shape` would have to say for answers to be read: only what decoding does not find by itself. */
import type { ServiceShape } from "../calendar/service-shape.ts";
import { accountsIn, postsIn } from "./find-records.ts";
import { accountFields, fieldsOf, statusWords } from "./suggest-fields.ts";
import { nextIn } from "./suggest-paging.ts";
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

/** Undefined where there is nothing to say: all is read already, or nothing looks like posts. */
export function suggestShape({ posts, single, platforms }: Answers, now: number): ServiceShape | undefined {
  const found = postsIn(posts, now);
  const accounts = accountsIn(platforms);
  const post = found === undefined ? {} : fieldsOf(found);
  const record = found === undefined ? undefined : recordPath(single, found, post);
  const shape: ServiceShape = {
    ...placeOf(listPath(posts, found), listPath(platforms, accounts)),
    ...(record !== undefined && { record }),
    ...nextIn(posts),
  };
  const named: ServiceShape = {
    ...shape,
    ...withFields("post", { ...shape.post, ...post }),
    ...withFields("platform", { ...shape.platform, ...accountFields(accounts) }),
    ...(found !== undefined && statusWords(found)),
  };
  return Object.keys(named).length === 0 ? undefined : named;
}
