import { unzipSync } from "fflate";
import { EnvHttpProxyAgent, request } from "undici";
import { Failure } from "../calendar/failure.ts";
import { networkReason } from "../calendar/network-reason.ts";
import { isLoopback } from "../service/address.ts";

/** The file in the artifact. */
export const PLAN_FILE = "plan.json";

/** A plan of 100,000 posts is some 60 MB, and a tenth of that zipped. */
const MAX_ZIP_BYTES = 64 * 1024 * 1024;
const MAX_PLAN_BYTES = 256 * 1024 * 1024;

/** Longest wait for the answer's head, and between two parts of its body, ms. */
const TIMEOUT_MS = 20_000;

/**
 * Downloads an artifact, without any token: its address is signed, and on another host.
 * @returns the text of the plan file in it
 */
export async function downloadPlan(address: string): Promise<string> {
  const url = new URL(address);
  if (url.protocol !== "https:" && !isLoopback(url)) throw downloadFailure("its address is not https");
  const files = unzipPlan(await download(url));
  const plan = files[PLAN_FILE];
  if (plan === undefined) throw downloadFailure(`there is no ${PLAN_FILE} in it`);
  return Buffer.from(plan).toString("utf8");
}

async function download(url: URL): Promise<Uint8Array> {
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of body) {
      if (!(part instanceof Uint8Array)) continue;
      bytes += part.byteLength;
      if (bytes > MAX_ZIP_BYTES) throw downloadFailure("it is far too large");
      parts.push(part);
    }
    if (statusCode !== 200) throw downloadFailure(`the answer was ${statusCode}`);
    return Buffer.concat(parts);
  } catch (error) {
    throw error instanceof Failure ? error : downloadFailure(networkReason(error));
  } finally {
    await dispatcher.destroy();
  }
}

function unzipPlan(zip: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(zip, {
      filter: ({ name, originalSize }) => name === PLAN_FILE && originalSize <= MAX_PLAN_BYTES,
    });
  } catch {
    throw downloadFailure("it is no zip file");
  }
}

function downloadFailure(why: string): Failure {
  return new Failure("ci/github", `The reviewed plan cannot be downloaded: ${why}.`, "Run the job again.");
}
