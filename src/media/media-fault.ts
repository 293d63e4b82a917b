/**
 * Faults of media files and addresses that cannot be used, and of a full disk meanwhile. Addresses are shown without their
 * queries, which may be secret.
 */

import { Failure, reasonOf } from "../model/failure.ts";
import { displayAddress } from "../model/address.ts";
import type { Code } from "../problems/catalogue.ts";

/** A fault of a media part: data for a problem. The row knows its place. */
export interface MediaFault {
  readonly code: Code;
  readonly message: string;
  /** The address no longer gives the file, and never will. */
  readonly isGone?: boolean;
}

const ALLOW_ADVICE =
  "Use a public address. If you trust this host, name it under `media: { allow_hosts: […] }` in plancast.yaml.";

/** The fault of a download, with what else a person can do who wants to post the file. */
export function withAlternative(fault: MediaFault): MediaFault {
  const way = "Or download the file yourself, put it next to the calendar and name its path.";
  return { ...fault, message: `${fault.message} ${way}` };
}

export function urlNotAllowed(address: string, why: "not-web" | "user" | "private"): MediaFault {
  if (why === "private") return privateHost(address, undefined);
  const what = why === "user" ? "contains a user name or password" : "is not an http or https address";
  return { code: "media/url", message: `${quoted(address)} ${what}.` };
}

/** @param at what a name resolves to */
export function privateHost(address: string, at: string | undefined): MediaFault {
  const what =
    at === undefined
      ? "is in a private network or on this machine"
      : `leads to ${at}, which is not a public address`;
  return {
    code: "media/url-private",
    message: `${quoted(address)} ${what}, so plancast did not download it. ${ALLOW_ADVICE}`,
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
      message: `${from} is in a private network or on this machine, so plancast did not follow it. ${ALLOW_ADVICE}`,
    };
  const what = {
    "not-web": "is not an http or https address",
    user: "contains a user name or password",
    plain: "is plain http, where others could replace the file",
  }[why];
  return { code: "media/url", message: `${from} ${what}. Use the address of the file itself.` };
}

export function tooManyRedirects(address: string, most: number): MediaFault {
  const message = `${quoted(address)} redirects more than ${most} times. Open it in a browser, and copy the address that the browser shows in the end.`;
  return { code: "media/url", message };
}

export function unreachable(address: string, reason: string): MediaFault {
  return {
    code: "media/url-unreachable",
    message: `plancast cannot download ${quoted(address)}: ${reason}. Check the address, or run again later.`,
  };
}

export function timedOut(address: string, timeout: string): MediaFault {
  return {
    code: "media/url-unreachable",
    message: `${quoted(address)} did not give the whole file within ${timeout}. Run again, or raise \`media.timeout\` in plancast.yaml. More than ${MAX_DOWNLOAD_TIME} also needs PLANCAST_MAX_DOWNLOAD_TIME.`,
  };
}

/** Like `usual` in settings/maxima.ts. */
const MAX_DOWNLOAD_TIME = "5m";
const MAX_DOWNLOAD_SIZE = "1GiB";

export function runTookLong(address: string, time: string): MediaFault {
  return {
    code: "media/url-unreachable",
    message: `plancast stopped the download of ${quoted(address)}, because all downloads of a run may take ${time} together. Run again: finished downloads are kept. PLANCAST_MAX_RUN_TIME allows more.`,
  };
}

export function runTooLarge(address: string, size: string): MediaFault {
  return {
    code: "media/url-too-large",
    message: `plancast stopped the download of ${quoted(address)}, because all downloads of a run may have ${size} together. Run again: finished downloads are kept. PLANCAST_MAX_RUN_SIZE allows more.`,
  };
}

export function refusedByHost(address: string, status: number): MediaFault {
  return {
    code: "media/url",
    message: `${quoted(address)} answers ${status}: ${meaning(status)}${severalMediaHint(address)}`,
    isGone: isGone(status),
  };
}

/** If a space is missing, two media look like one medium. */
function severalMediaHint(address: string): string {
  return /[,;]/.test(address) ? " If these are several addresses, put a space between them." : "";
}

function isGone(status: number): boolean {
  return status === 404 || status === 410;
}

function meaning(status: number): string {
  if (status === 401 || status === 403)
    return "it needs a login, or it has expired. Use an address that anybody can open.";
  if (isGone(status)) return "the file does not exist. Check the address.";
  if (status === 429 || status >= 500) return "the host has a fault. Run again later.";
  return "this is not a file. Open it in a browser, and use the address of the file itself.";
}

export function compressed(address: string, encoding: string): MediaFault {
  return {
    code: "media/url-unreachable",
    message: `The host sends ${quoted(address)} compressed (${encoding}), but plancast did not ask for that.`,
  };
}

export function incompleteDownload(address: string, reason: string): MediaFault {
  return {
    code: "media/url-unreachable",
    message: `The download of ${quoted(address)} stopped before the end of the file: ${reason}. Run again.`,
  };
}

export function downloadTooLarge(address: string, maxSize: string): MediaFault {
  return {
    code: "media/url-too-large",
    message: `${quoted(address)} is larger than the limit of ${maxSize}. Use a smaller file, or raise \`media.max_size\` in plancast.yaml. More than ${MAX_DOWNLOAD_SIZE} also needs PLANCAST_MAX_DOWNLOAD_SIZE.`,
  };
}

export function webPage(address: string): MediaFault {
  return {
    code: "media/type",
    message: `${quoted(address)} is a web page, not an image or video. Use the address of the file itself, which anybody can open.`,
  };
}

export function notMedia(address: string, mime: string | undefined): MediaFault {
  const what = mime === undefined ? "a file" : `${mime},`;
  return {
    code: "media/type",
    message: `${quoted(address)} gives ${what} neither an image nor a video. Use the address of a PNG, JPEG, GIF, WebP or MP4.`,
  };
}

export function changedFile(address: string): MediaFault {
  return {
    code: "media/changed",
    message: `${quoted(address)} now returns a different file than the one in the plan. Run \`plancast plan --refresh-media\` to see what would change.`,
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
      `plancast cannot write downloads to the disk: ${reasonOf(error)}`,
      "Free some space or fix the permissions of the folder .plancast/media, then run again.",
    );
  }
}

/** `web`: the file at an address has another type, or cannot be downloaded. */
type UndescribedReason = "type" | "size" | "web";

/** Largest picture that a model gets, MB. */
export const MAX_PICTURE_MB = 20;

/** @param path as the row names it */
export function undescribedText(path: string, why: UndescribedReason): string {
  const what = {
    type: "is not a PNG, JPEG, WebP or GIF file",
    size: `is larger than ${MAX_PICTURE_MB} MB`,
    web: "is not a picture that a model can read, or could not be downloaded",
  }[why];
  return `"${path}" ${what}. Write its alt text yourself.`;
}
