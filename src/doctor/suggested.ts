/** A `service.shape` for answers that cannot be read, looked at with the decoding that it is for, and as lines of YAML. */
import { stringify } from "yaml";
import type { ServiceShape } from "../calendar/service-shape.ts";
import { plural } from "../report/plural.ts";
import { bodyOf } from "../service/decode-error.ts";
import type { HttpAnswer } from "../service/http.ts";
import type { PostRecord } from "../service/records.ts";
import { decodedPage } from "./decoded-page.ts";
import type { ServiceFacts } from "./facts.ts";
import { suggestShape, type Answers } from "./suggest-shape.ts";

const PASTE =
  "put this into the project file (where it has a `service:`, only what is below that here), and run doctor again:";

export interface Suggested {
  readonly shape: ServiceShape;
  /** What would be read with it, and what to do; lines for the project file are to follow. */
  readonly says: string;
  /** Id of one of the posts, as far as it could be found. */
  readonly exampleId: string | undefined;
}

type Asked = Pick<ServiceFacts, "heard">;

/** Undefined where nothing in the answers looks like posts, or all of it is read already. */
export function suggestedFor(service: Asked | undefined, now: number): Suggested | undefined {
  if (service === undefined) return undefined;
  const shape = suggestShape(bodiesIn(service), now);
  if (shape === undefined) return undefined;
  const posts = lastTo(service, /\/v1\/posts\?/);
  const read = posts === undefined ? [] : decodedPage(posts, shape).posts;
  return { shape, says: saysOf(read), exampleId: read[0]?.id };
}

/** Lines for the project file. */
export function shapeSnippet(shape: ServiceShape): string {
  return stringify({ service: { shape } }, { lineWidth: 0 });
}

function bodiesIn(service: Asked): Answers {
  const [posts, single, platforms] = [/\/v1\/posts\?/, /\/v1\/posts\/[^/]+$/, /\/v1\/platforms\?/].map(
    (path) => {
      const answer = lastTo(service, path);
      return answer === undefined ? undefined : bodyOf(answer);
    },
  );
  return { posts, single, platforms };
}

/** The first page of a list, the only answer about one record. */
function lastTo({ heard }: Asked, path: RegExp): HttpAnswer | undefined {
  return heard.flatMap((each) =>
    each.result.kind === "answer" && each.result.status < 300 && path.test(each.path) ? [each.result] : [],
  )[0];
}

/** One post as an example, cut short: whoever pastes the lines should see what was taken for what. */
function saysOf(read: readonly PostRecord[]): string {
  const [first] = read;
  if (first === undefined)
    return (
      "What was found does not make posts readable by itself: fill in what is missing (docs/doctor.md), and then " +
      PASTE
    );
  const { id, status, scheduledAt, platforms, content } = first;
  const parts = [
    `id ${id.slice(0, 40)}`,
    `scheduled_at ${scheduledAt ?? "not found"}`,
    `platforms ${platforms?.join(", ").slice(0, 60) ?? "not found"}`,
    `content ${content === undefined ? "not found" : JSON.stringify(content.slice(0, 24))}`,
    `status ${status?.slice(0, 24) ?? "not found"}`,
  ];
  return `With the lines below ${plural(read.length, "post")} can be read, the first as: ${parts.join("; ")}. If that is right, ${PASTE}`;
}
