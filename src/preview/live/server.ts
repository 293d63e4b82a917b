/**
 * Serves the preview on this machine: the page, its data, its pictures, an event when the data changes, and edits. Answers
 * only requests that name this machine as their host, so that no other site can reach the page by DNS rebinding.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { type Server, createServer } from "node:http";
import { type HttpBindings, getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type SSEStreamingApi, stream, streamSSE } from "hono/streaming";
import { z } from "zod";
import { createReadStream, newId, stat } from "../../disk/machine.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { type EditAnswer, type EditRequest, type PreviewData, EDIT_TOKEN_HEADER } from "../preview-data.ts";

const HOST = "127.0.0.1";

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // Pages of another origin get nothing from here, not even a picture.
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

/** A file that the page may ask for. */
export interface ServedFile {
  /** Absolute. */
  readonly path: string;
  readonly mime: string;
}

export interface PageContent {
  /** The page as HTML, with the newest data in it. */
  readonly page: () => string;
  /** The newest data as JSON. Undefined if it is the version that the page has. */
  readonly data: (since: string | undefined) => string | undefined;
  /** A picture or video by the SHA-256 of its bytes; undefined for any other. */
  readonly media: (sha256: string) => ServedFile | undefined;
  /** The page's content security policy. */
  readonly policy: string;
  /** Absent if posts cannot be edited. */
  readonly editing?: PageEditing | undefined;
}

export interface PageServer {
  readonly url: string;
  /** Makes all pages load the newest data. */
  notify(): void;
  close(): Promise<void>;
}

/** Address of a picture or video. */
export function mediaUrl(sha256: string): string {
  return `/media/${sha256}`;
}

/** @param port 0 for any free port. Rejects with a Failure if it cannot listen. */
export async function startPageServer(content: PageContent, port: number): Promise<PageServer> {
  const followers = new Set<SSEStreamingApi>();
  const listener = getRequestListener(pageApp(content, followers).fetch, {
    hostname: HOST,
    // Keeps the program's own Request and Response.
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await listen(server, port);
  return {
    url: `http://${HOST}:${portOf(server)}/`,
    notify() {
      for (const each of followers) void each.writeSSE({ event: "change", data: "" });
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function pageApp(content: PageContent, followers: Set<SSEStreamingApi>): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  });
  app.use(async (context, next) => {
    const { headers, method, socket } = context.env.incoming;
    const port = socket.localPort;
    if (headers.host !== `${HOST}:${port}` && headers.host !== `localhost:${port}`)
      return context.text(`This is plancast preview; open http://${HOST}:${port}/ instead.\n`, 421);
    const isEdit = method === "POST" && context.req.path === EDIT_PATH && content.editing !== undefined;
    if (method !== "GET" && method !== "HEAD" && !isEdit)
      return context.text("This page accepts no changes.\n", 405);
    return next();
  });
  const { editing } = content;
  if (editing !== undefined)
    app.post(EDIT_PATH, limitRequest, (context) =>
      answerEdit(context, context.env.incoming.headers.host, editing),
    );
  app.get("/", (context) => {
    context.header("content-security-policy", `${content.policy}; frame-ancestors 'none'`);
    return context.html(content.page());
  });
  app.get("/data", (context) => {
    const json = content.data(context.req.query("since"));
    if (json === undefined) return context.body(null, 204);
    return context.body(json, 200, { "content-type": "application/json" });
  });
  app.get("/events", (context) => {
    if (context.req.method === "HEAD") return context.notFound();
    return streamSSE(context, async (stream) => {
      await stream.write("retry: 1000\n\n");
      followers.add(stream);
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      followers.delete(stream);
    });
  });
  app.get("/media/:sha256", async (context) => {
    const media = content.media(context.req.param("sha256"));
    if (media === undefined) return context.notFound();
    return fileAnswer(context, media);
  });
  app.notFound((context) => context.text("This page does not exist.\n", 404));
  return app;
}

/** Answers with a file, or the part of it that a player asks for. */
async function fileAnswer(context: Context, { path, mime }: ServedFile): Promise<Response> {
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  );
  // The file was removed after the page was made.
  if (size === undefined) return context.text("The file no longer exists.\n", 404);
  const [, from = "", to = ""] = /^bytes=(\d+)-(\d*)$/.exec(context.req.header("range") ?? "") ?? [];
  const start = Number(from);
  const end = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  const isPart = from !== "" && start <= end;
  context.status(isPart ? 206 : 200);
  context.header("content-type", mime);
  context.header("accept-ranges", "bytes");
  if (isPart) context.header("content-range", `bytes ${start}-${end}/${size}`);
  if (context.req.method === "HEAD" || size === 0) return context.body(null);
  context.header("content-length", String(isPart ? end - start + 1 : size));
  return stream(context, async (answer) => {
    const file = createReadStream(path, isPart ? { start, end } : {});
    answer.onAbort(() => void file.destroy());
    try {
      for await (const chunk of file) await answer.write(chunk);
    } catch {
      // The player needs no more bytes, or the file was removed: the answer ends here.
    }
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const message = `The preview cannot be served at ${HOST}:${port}: ${reasonOf(error)}`;
      reject(
        new Failure(
          "run/port",
          message,
          "Choose another port with --port, or leave it out to use any free port.",
        ),
      );
    });
    server.listen(port, HOST, () => resolve());
  });
}

// Requests to edit posts: only from the page itself, in the browser of the person who started the server. A page of another
// site cannot send the header with the token, the content type or the origin. Another user of this machine does not know
// the token.

const EDIT_PATH = "/edit";

interface PageEditing {
  /** Anybody who has it may edit. */
  readonly token: string;
  readonly answer: (request: EditRequest) => Promise<EditAnswer>;
}

/** Largest request, in bytes: more than the longest text of any network needs. */
const MAX_REQUEST_BYTES = 512 * 1024;

const post = z.strictObject({
  file: z.string().min(1).max(4_000),
  version: z.string().max(100),
  sheet: z.string().max(1_000).optional(),
  line: z.int().min(1),
  platforms: z.array(z.string().max(200)).max(100),
});

const request = z.discriminatedUnion("ask", [
  z.strictObject({ ask: z.literal("open"), post }),
  z.strictObject({
    ask: z.literal("change"),
    post,
    change: z.strictObject({
      day: z.iso.date().optional(),
      clock: z
        .string()
        .regex(/^\d\d:\d\d(?::\d\d)?$/)
        .optional(),
      text: z.string().optional(),
      platforms: z.array(z.string().max(200)).max(100).optional(),
      status: z.string().optional(),
    }),
  }),
  z.strictObject({
    ask: z.literal("measure"),
    post,
    text: z.string(),
    platforms: z.array(z.string().max(200)).max(100),
  }),
  z.strictObject({ ask: z.literal("undo"), edit: z.string().max(100) }),
]) satisfies z.ZodType<EditRequest>;

/** Reads requests up to the largest size. */
const limitRequest = bodyLimit({
  maxSize: MAX_REQUEST_BYTES,
  onError: (context) => refuse(context, 413, "This request is too large."),
});

/** Answers a request to edit. @param host of the request, which names this machine */
async function answerEdit(
  context: Context,
  host: string | undefined,
  { token, answer }: PageEditing,
): Promise<Response> {
  const origin = context.req.header("origin");
  const site = context.req.header("sec-fetch-site");
  if (origin !== `http://${host}` || (site !== undefined && site !== "same-origin"))
    return refuse(context, 403, "Only the page itself may edit posts.");
  if (!isSame(context.req.header(EDIT_TOKEN_HEADER) ?? "", token))
    return refuse(
      context,
      403,
      "This page may not edit posts. Open the whole address that plancast preview --serve printed.",
    );
  if (context.req.header("content-type") !== "application/json")
    return refuse(context, 415, "An edit must be JSON.");
  const read = request.safeParse(await context.req.json().catch(() => undefined));
  if (!read.success) return refuse(context, 400, "plancast does not understand this edit. Reload the page.");
  const result = await answer(read.data);
  return context.json(result, result.answer === "refused" ? 409 : 200);
}

function refuse(context: Context, status: 400 | 403 | 413 | 415, message: string): Response {
  const answer: EditAnswer = { answer: "refused", code: "preview/not-allowed", message };
  return context.json(answer, status);
}

/** Takes the same time for any two texts. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((each) => createHash("sha256").update(each).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** The newest data, for pages that are open. */
export class LiveData {
  /** A page may have the data of another server that was at the same address. */
  readonly #run = newId();
  #count = 0;
  #data: PreviewData;
  /** Takes long to make, so it is made only if a page asks for it. */
  #json: string | undefined;

  constructor(data: PreviewData) {
    this.#data = this.#named(data);
  }

  get data(): PreviewData {
    return this.#data;
  }

  set(data: PreviewData): void {
    this.#data = this.#named(data);
    this.#json = undefined;
  }

  /** The data as JSON. Undefined if it is the version that the page has. */
  json(since: string | undefined): string | undefined {
    if (since === this.#data.version) return undefined;
    return (this.#json ??= JSON.stringify(this.#data));
  }

  #named(data: PreviewData): PreviewData {
    return { ...data, version: `${this.#run}-${(this.#count += 1)}` };
  }
}
