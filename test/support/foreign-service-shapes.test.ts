/** Every shape changes the service's answers. Otherwise, a test with it would prove nothing. */
import { expect, test } from "vitest";
import { afterThisTest } from "./after-test.ts";
import { ask, draft } from "./foreign/ask.ts";
import { DOCUMENTED, type Shape } from "./foreign/shape.ts";
import { startForeignService, type ForeignOptions } from "./foreign-service.ts";

const PAGED: ForeignOptions = { paging: "next-cursor", pageSize: 1 };

/** All answers of a service with a shape to the same requests, without random ids. */
async function answersOf(shape: Partial<Shape>, options: ForeignOptions): Promise<unknown[]> {
  const platforms = ["twitter", "linkedin"];
  const service = await startForeignService({ now: () => 0, platforms, ...options, shape });
  afterThisTest(() => service.close());
  const answers: unknown[] = [];
  const note = async (method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<void> => {
    const { status, headers, text } = await ask(service, method, path, { body });
    answers.push([status, headers["content-type"], text.replaceAll(service.origin, "")]);
  };
  for (const content of ["Café\nBye", "Tom & Jo"])
    await note("POST", "/posts", draft({ content, platforms }));
  const [id = ""] = service.posts.keys();
  for (const path of ["/posts?status=scheduled", `/posts/${id}`, "/posts/post_0"]) await note("GET", path);
  for (const method of ["DELETE", "DELETE", "GET"] as const) await note(method, `/posts/${id}`);
  await note("GET", "/posts?status=scheduled");
  return JSON.parse(JSON.stringify(answers).replaceAll(/(post_)[0-9a-f]{12}/g, "$1…"));
}

test.each<[Partial<Shape>, ForeignOptions?]>([
  [{ list: [] }],
  [{ record: ["data"] }],
  [{ listExtras: { ok: true } }],
  [{ listTotal: "total" }],
  [{ listHasMore: "more" }],
  [{ pagingIn: "paging" }, PAGED],
  [{ cursorKey: "after" }, PAGED],
  [{ nextUrl: "query" }, { ...PAGED, paging: "next-url" }],
  [{ order: "oldest-first" }],
  [{ statusFilter: "ignored" }],
  [{ idKey: "_id" }],
  [{ idForm: "number" }],
  [{ idForm: "uuid" }],
  [{ timeKey: "publish_at" }],
  ...([".000Z", ".000000Z", "+00:00", "+05:45", "-03:30", "epoch", "epoch-ms"] as const).map(
    (time): [Partial<Shape>] => [{ times: [time] }],
  ),
  [{ contentKey: "caption" }],
  ...(["crlf", "nfd", "trailing-newline", "escaped"] as const).map((contentEcho): [Partial<Shape>] => [
    { contentEcho },
  ]),
  ...(["upper", "coded-networks"] as const).map((platforms): [Partial<Shape>] => [{ platforms }]),
  [{ platformsKey: "networks" }],
  [{ platformOrder: "reversed" }],
  [{ media: "objects" }],
  [{ mediaKey: "files" }],
  [{ emptyMedia: "null" }],
  [{ emptyMedia: "absent" }],
  ...(["content", "platforms", "time", "media", "status"] as const).map((part): [Partial<Shape>] => [
    { omit: [part] },
  ]),
  [{ statusKey: "state" }],
  [{ statusWords: { ...DOCUMENTED.statusWords, scheduled: "WAIT" } }],
  [{ extras: { tags: ["a"] } }],
  [{ createdStatus: 202 }],
  [{ created: "id-only" }],
  [{ deleted: "empty-204" }],
  [{ deleted: "empty-200" }],
  [{ deleted: "flag" }],
  [{ cancelled: "not-found" }],
  [{ cancelAgain: "ok" }],
  [{ errorStatus: { ...DOCUMENTED.errorStatus, not_found: 410 } }],
  [{ htmlErrors: true }],
])("the shape %j is visible in the answers", async (shape, options = {}) => {
  expect(await answersOf(shape, options)).not.toEqual(await answersOf({}, options));
});

test("the same shape gives the same answers twice, so a difference comes from the shape", async () => {
  expect(await answersOf({}, PAGED)).toEqual(await answersOf({}, PAGED));
});
