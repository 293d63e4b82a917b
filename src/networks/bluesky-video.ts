/**
 * Bluesky's video service makes a video of an animated GIF, and puts it on the account's server. It gets a token that is
 * valid only for this, and only there. Sources: docs.bsky.app, "Video Uploads"; the lexicons app.bsky.video.*.
 */

import { z } from "zod";
import type { Clock } from "../model/clock.ts";
import { OriginKey } from "../service/http/key.ts";
import { jsonOrUndefined } from "../service/http/refusal.ts";
import { type BlueskySession, cid, token } from "./bluesky-session.ts";
import { type NetworkMedia, NotPublished, parsed, refused } from "./network.ts";
import { type Answered, type NetworkRequests, Refusal } from "./network-requests.ts";

/** The video service of Bluesky. */
export const VIDEO_SERVICE = "https://video.bsky.app";

/** The token is over after this time, s. A large file takes minutes. */
const TOKEN_SECONDS = 30 * 60;
/** How long to wait before each question whether the video is ready, in ms, and how often to ask. */
const POLL_MS = 1_000;
const MAX_POLLS = 120;

/**
 * What a record contains to refer to the video. Throws NotPublished.
 * @param requests to the video service
 */
export async function videoOfGif(
  { open, mime }: NetworkMedia,
  session: BlueskySession,
  requests: NetworkRequests,
  clock: Clock,
): Promise<unknown> {
  const { did, server } = await session.identity();
  const query = new URLSearchParams({
    aud: `did:web:${new URL(server).hostname}`,
    lxm: "com.atproto.repo.uploadBlob",
    exp: String(Math.floor(clock.now() / 1000) + TOKEN_SECONDS),
  });
  const { body: given } = await session.call({
    method: "GET",
    path: `/xrpc/com.atproto.server.getServiceAuth?${query.toString()}`,
    group: "read",
    effect: "harmless",
  });
  const key = OriginKey.confirmed(requests.origin, parsed(tokenAnswer, given).token, "session");
  const name = new URLSearchParams({ did, name: "animation.gif" });
  const sent = requests.send({
    path: `/xrpc/app.bsky.video.uploadVideo?${name.toString()}`,
    group: "video",
    effect: "harmless",
    key,
    bytes: { data: await open(), type: mime },
  });
  let job = jobIn(await sent.catch(knownJob));
  for (let poll = 0; job.blob === undefined && poll < MAX_POLLS; poll += 1) {
    if (job.state === "JOB_STATE_FAILED")
      throw refused(
        `Bluesky cannot make a video of the GIF: ${job.message ?? job.error ?? "it gives no reason"}`,
      );
    await clock.sleep(POLL_MS);
    const path = `/xrpc/app.bsky.video.getJobStatus?${new URLSearchParams({ jobId: job.jobId }).toString()}`;
    job = jobIn(await requests.send({ method: "GET", path, group: "video", effect: "harmless", key }));
  }
  if (job.blob !== undefined) return job.blob;
  throw new NotPublished({
    state: "failed",
    reason: "Bluesky did not finish a video of the GIF",
    retry: true,
  });
}

/** The service refuses a file that it has, and names the job of that file. */
function knownJob(error: unknown): Pick<Answered, "body"> {
  if (error instanceof Refusal && error.code === "already_exists")
    return { body: jsonOrUndefined(error.text) };
  throw error;
}

function jobIn({ body }: Pick<Answered, "body">): Job {
  return parsed(z.union([jobStatus, z.object({ jobStatus }).transform((answer) => answer.jobStatus)]), body);
}

const tokenAnswer = z.object({ token });

/** A file that a server has, as a record refers to it. */
export const storedBlob = z.object({
  $type: z.literal("blob"),
  ref: z.object({ $link: cid }),
  mimeType: z.string().regex(/^(?:image|video)\/[\w.+-]{1,100}$/),
  size: z.int().positive(),
});

const said = z.string().max(500).optional().catch(undefined);
const jobStatus = z.object({
  jobId: z.string().min(1).max(200),
  state: z.string().max(100).default(""),
  blob: storedBlob.optional(),
  error: said,
  message: said,
});

type Job = z.infer<typeof jobStatus>;
