/** Messages for faults of media files and addresses. Addresses are shown without their queries, which may be secret. */

import { Failure, reasonOf } from "../model/failure.ts";
import { displayAddress } from "../model/media-address.ts";
import type { Code } from "../problems/catalogue.ts";

/** A fault of a media part: data for a problem. The row knows its place. */
export interface MediaFault {
  readonly code: Code;
  readonly message: string;
  /** The address no longer gives the file, and never will. */
  readonly isGone?: boolean;
}

const ALLOW_ADVICE =
  "Use an address on the public web; or, where the host is meant, name it under `media: { allow_hosts: […] }` in plancast.yaml.";
const ALTERNATIVE = "Or download the file yourself, put it beside the calendar and name its path.";

export function urlNotAllowed(address: string, why: "not-web" | "user" | "private"): MediaFault {
  if (why === "private") return privateHost(address, undefined);
  const what = why === "user" ? "holds a user name or password" : "is no http or https address";
  return { code: "media/url", message: `${quoted(address)} ${what}. ${ALTERNATIVE}` };
}

/** @param at what a name resolves to */
export function privateHost(address: string, at: string | undefined): MediaFault {
  const what =
    at === undefined
      ? "is in a private network or on this machine"
      : `leads to ${at}, which is no public address`;
  return {
    code: "media/url-private",
    message: `${quoted(address)} ${what}, so it was not asked. ${ALLOW_ADVICE}`,
  };
}

export function badRedirect(
  address: string,
  to: URL,
  why: "not-web" | "user" | "private" | "plain",
): MediaFault {
  const target = displayAddress(to.href);
  const from = `${quoted(address)} redirects to ${quoted(target)}, which`;
  if (why === "private")
    return {
      code: "media/url-private",
      message: `${from} is in a private network or on this machine, so it was not followed. ${ALLOW_ADVICE}`,
    };
  const what = {
    "not-web": "is no http or https address",
    user: "holds a user name or password",
    plain: "is plain http, where others could put another file in its place",
  }[why];
  return { code: "media/url-redirect", message: `${from} ${what}. Use the address that it should lead to.` };
}

export function tooManyRedirects(address: string, most: number): MediaFault {
  const message = `${quoted(address)} redirects more than ${most} times. Open it in a browser, and use the address where you end.`;
  return { code: "media/url-redirect", message };
}

export function unreachable(address: string, reason: string): MediaFault {
  return {
    code: "media/url-unreachable",
    message: `${quoted(address)} cannot be downloaded: ${reason}. Check the address, or run again later. ${ALTERNATIVE}`,
  };
}

export function timedOut(address: string, timeout: string): MediaFault {
  return {
    code: "media/url-unreachable",
    message: `${quoted(address)} did not give the whole file within ${timeout}. Run again, raise \`media.timeout\` in plancast.yaml, or download the file yourself and name its path.`,
  };
}

export function refusedByHost(address: string, status: number): MediaFault {
  return {
    code: "media/url-refused",
    message: `${quoted(address)} answers ${status}: ${meaning(status)}${severalMediaHint(address)} ${ALTERNATIVE}`,
    isGone: isGone(status),
  };
}

/** If a blank is missing, two media look like one. */
function severalMediaHint(address: string): string {
  return /[,;]/.test(address) ? " If several media are meant, put a blank between them." : "";
}

function isGone(status: number): boolean {
  return status === 404 || status === 410;
}

function meaning(status: number): string {
  if (status === 401 || status === 403)
    return "who asks must be logged in, or the address has expired. Use one that gives the file to whoever asks.";
  if (isGone(status)) return "there is no such file. Check the address.";
  if (status === 429 || status >= 500) return "the host cannot give it now. Run again later.";
  return "that is no file. Open the address in a browser, and use the one of the file itself.";
}

export function compressed(address: string, encoding: string): MediaFault {
  return {
    code: "media/url-broken",
    message: `${quoted(address)} is sent compressed (${encoding}), although that was not asked for. ${ALTERNATIVE}`,
  };
}

export function incompleteDownload(address: string, reason: string): MediaFault {
  return {
    code: "media/url-broken",
    message: `The download of ${quoted(address)} ended before the file did: ${reason}. Run again. ${ALTERNATIVE}`,
  };
}

export function tooLarge(address: string, maxSize: string): MediaFault {
  return {
    code: "media/url-too-large",
    message: `${quoted(address)} is larger than ${maxSize}, the most that is downloaded. Use a smaller file, or raise \`media.max_size\` in plancast.yaml.`,
  };
}

export function webPage(address: string): MediaFault {
  return {
    code: "media/type",
    message: `${quoted(address)} gives a web page, neither an image nor a video: perhaps one that shows the file, or that asks to log in. Use an address that gives the file itself to whoever asks. ${ALTERNATIVE}`,
  };
}

export function notMedia(address: string, mime: string | undefined): MediaFault {
  const what = mime === undefined ? "a file" : `${mime},`;
  return {
    code: "media/type",
    message: `${quoted(address)} gives ${what} neither an image nor a video by its bytes. Use the address of a PNG, JPEG, GIF, WebP or MP4.`,
  };
}

export function changedFile(address: string): MediaFault {
  return {
    code: "media/changed",
    message: `${quoted(address)} gives another file than was planned. Run plancast plan --refresh-media to see what it would change`,
  };
}

function quoted(address: string): string {
  return `"${displayAddress(address)}"`;
}

/** Runs operations on the disk. Failures there are not the address's fault, so they throw a Failure. */
export async function withDiskFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Failure(
      "disk/not-writable",
      `Downloads cannot be written to the disk: ${reasonOf(error)}`,
      "Free some space or fix the permissions of the folder .plancast/media, then run again.",
    );
  }
}
