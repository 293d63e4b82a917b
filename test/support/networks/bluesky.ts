/** A stand-in for a server of the AT Protocol: sessions that expire, and records that can only be created once. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from "./stand-in.ts";

export const BLUESKY_PASSWORD = "abcd-efgh-secret";

export interface BlueskyStandIn extends StandIn {
  /** Records by key, in the order of their creation. */
  readonly records: Map<string, Record<string, unknown>>;
  readonly blobs: Map<string, Buffer>;
  /** Who may reply, by the key of the post. */
  readonly replyRules: Map<string, Record<string, unknown>>;
  /** With headers, the server has no sign-ins left, and says so with them. */
  readonly signIns: { limit: Record<string, string> | undefined };
  /** Makes the server forget its sessions, as after two hours. */
  expire: () => void;
}

const DID = "did:plc:garden";
const REPLY_RULES = "app.bsky.feed.threadgate";

export interface BlueskyOptions {
  /** Bytes of a picture that the server's lexicon takes. Default: today's. */
  readonly pictureBytes?: number;
  readonly refusesReplyRules?: boolean;
}

export async function startBluesky({
  pictureBytes = 2_000_000,
  refusesReplyRules = false,
}: BlueskyOptions = {}): Promise<BlueskyStandIn> {
  const records = new Map<string, Record<string, unknown>>();
  const blobs = new Map<string, Buffer>();
  let session = 0;
  const held: Pick<BlueskyStandIn, "records" | "blobs" | "replyRules" | "signIns" | "expire"> = {
    records,
    blobs,
    replyRules: new Map(),
    signIns: { limit: undefined },
    expire: () => void (session += 1),
  };
  const open = (): StandInAnswer => {
    session += 1;
    const tokens = { accessJwt: `access-${session}`, refreshJwt: `refresh-${session}` };
    return { json: { ...tokens, did: DID, handle: "garden.test" } };
  };
  const put = ({ body }: StandInRequest): StandInAnswer => {
    const { rkey, record, swapRecord, collection } = JSON.parse(body.toString("utf8"));
    if (collection === REPLY_RULES) {
      if (refusesReplyRules || !records.has(rkey) || record.post !== uriOf(rkey))
        return { status: 400, json: { error: "InvalidRequest", message: "No such post" } };
      held.replyRules.set(rkey, record);
      return { json: { uri: `at://${DID}/${collection}/${rkey}`, cid: cidOf(record) } };
    }
    if (swapRecord !== null) return { status: 400, json: { error: "NotStrict", message: "It may replace." } };
    if (records.has(rkey))
      return { status: 400, json: { error: "InvalidSwap", message: "Record was there" } };
    const fault = faultIn(record, pictureBytes);
    if (fault !== undefined) return { status: 400, json: fault };
    records.set(rkey, record);
    return { json: { uri: uriOf(rkey), cid: cidOf(record) } };
  };
  const standIn = await startStandIn((request) => {
    const { url, headers, body } = request;
    const method = url.pathname.replace("/xrpc/", "");
    const limited = method === "com.atproto.server.createSession" ? held.signIns.limit : undefined;
    if (limited !== undefined)
      return {
        status: 429,
        headers: limited,
        json: { error: "RateLimitExceeded", message: "Rate Limit Exceeded" },
      };
    if (method === "com.atproto.server.createSession") {
      const { password } = JSON.parse(body.toString("utf8"));
      if (password === BLUESKY_PASSWORD && headers.authorization === undefined) return open();
      return {
        status: 401,
        json: { error: "AuthenticationRequired", message: "Invalid identifier or password" },
      };
    }
    if (method === "com.atproto.server.refreshSession")
      return headers.authorization === `Bearer refresh-${session}`
        ? open()
        : { status: 400, json: { error: "ExpiredToken", message: "Token has been revoked" } };
    // Anybody may ask.
    if (method === "com.atproto.identity.resolveHandle")
      return url.searchParams.get("handle") === "alice.test"
        ? { json: { did: "did:plc:alice" } }
        : { status: 400, json: { error: "InvalidRequest", message: "Unable to resolve handle" } };
    if (headers.authorization !== `Bearer access-${session}`)
      return { status: 400, json: { error: "ExpiredToken", message: "Token has expired" } };
    if (method === "com.atproto.repo.putRecord") return put(request);
    if (method === "com.atproto.repo.getRecord") {
      const rkey = url.searchParams.get("rkey") ?? "";
      const isRule = url.searchParams.get("collection") === REPLY_RULES;
      const value = (isRule ? held.replyRules : records).get(rkey);
      if (value === undefined)
        return { status: 400, json: { error: "RecordNotFound", message: "No record" } };
      return { json: { uri: uriOf(rkey), cid: cidOf(value), value } };
    }
    if (method === "com.atproto.server.getServiceAuth") {
      const { aud, lxm } = Object.fromEntries(url.searchParams);
      return aud === `did:web:${url.hostname}` && lxm === "com.atproto.repo.uploadBlob"
        ? { json: { token: SERVICE_TOKEN } }
        : { status: 400, json: { error: "InvalidRequest", message: "invalid aud" } };
    }
    if (method === "com.atproto.repo.uploadBlob") {
      const cid = createHash("sha256").update(body).digest("hex");
      blobs.set(cid, body);
      return {
        json: {
          blob: { $type: "blob", ref: { $link: cid }, mimeType: headers["content-type"], size: body.length },
        },
      };
    }
    return { status: 501, json: { error: "MethodNotImplemented" } };
  });
  return Object.assign(standIn, held);
}

const SERVICE_TOKEN = "only-for-the-video-service";

export interface VideoStandIn extends StandIn {
  readonly uploads: Buffer[];
}

/** A stand-in for Bluesky's video service. It takes each file once, and needs a while for it. */
export async function startVideoService(): Promise<VideoStandIn> {
  const uploads: Buffer[] = [];
  let polls = 0;
  const video = { $type: "blob", ref: { $link: "bafyvideo" }, mimeType: "video/mp4", size: 9 };
  const standIn = await startStandIn(({ url, headers, body }) => {
    const method = url.pathname.replace("/xrpc/", "");
    if (headers.authorization !== `Bearer ${SERVICE_TOKEN}`)
      return { status: 401, json: { error: "AuthMissing", message: "Wrong token" } };
    if (method === "app.bsky.video.uploadVideo") {
      if (headers["content-type"] !== "image/gif" || url.searchParams.get("did") !== DID)
        return { status: 400, json: { error: "InvalidRequest", message: "No GIF of this account" } };
      const job = { jobId: "job 1", did: DID, state: "JOB_STATE_CREATED" };
      if (uploads.some((each) => each.equals(body)))
        return { status: 409, json: { ...job, error: "already_exists", message: "Video already processed" } };
      uploads.push(body);
      return { json: { jobStatus: job } };
    }
    if (method !== "app.bsky.video.getJobStatus" || url.searchParams.get("jobId") !== "job 1")
      return { status: 404, json: { error: "NotFound" } };
    polls += 1;
    const job = { jobId: "job 1", did: DID };
    if (uploads[0]?.includes("broken") === true)
      return { json: { jobStatus: { ...job, state: "JOB_STATE_FAILED", message: "No frames" } } };
    const done = polls > 2 ? { state: "JOB_STATE_COMPLETED", blob: video } : { state: "JOB_STATE_ENCODING" };
    return { json: { jobStatus: { ...job, ...done } } };
  });
  return Object.assign(standIn, { uploads });
}

/** What a server refuses in a record. Sources: the lexicons app.bsky.feed.post, embed.images and embed.gallery. */
function faultIn(record: unknown, pictureBytes: number): object | undefined {
  const { text, embed: whole } = recordForm.parse(record);
  const { media: inner } = whole ?? {};
  const embed = inner === undefined || Array.isArray(inner) ? { ...whole, media: inner } : { ...inner };
  if ([...new Intl.Segmenter().segment(text)].length > 300) return invalid("Record/text is too long");
  if (Buffer.byteLength(text) > 3000) return invalid("Record/text must not be longer than 3000 bytes");
  const { images = [], media = [] } = embed;
  if (images.length > 4 || media.length > 10) return invalid("Record/embed has too many items");
  if (media.some(({ aspectRatio }) => aspectRatio === undefined))
    return invalid("Record/embed/media/0 must have the property aspectRatio");
  const large = [...images, ...media].some(({ image }) => image.size > pictureBytes);
  // As version 0.4.217 of the server says it.
  return large
    ? invalid("Invalid app.bsky.feed.post record: blob too big at $.record.embed.images[0].image")
    : undefined;
}

function invalid(message: string): object {
  return { error: "InvalidRequest", message };
}

const embedded = z.array(
  z.object({ alt: z.string(), aspectRatio: z.unknown(), image: z.object({ size: z.number() }) }),
);

const recordForm = z.object({
  text: z.string(),
  embed: z
    .object({
      images: embedded.optional(),
      // Of a gallery, or beside a quoted post.
      media: embedded.or(z.object({ images: embedded.optional(), media: embedded.optional() })).optional(),
    })
    .optional(),
});

function uriOf(rkey: string): string {
  return `at://${DID}/app.bsky.feed.post/${rkey}`;
}

function cidOf(record: unknown): string {
  return createHash("sha256").update(JSON.stringify(record)).digest("hex");
}
