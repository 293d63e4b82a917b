/** Opens an account on a stand-in. Waits take no real time. */
import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { type AccountSettings, accountSchema } from "../../../src/settings/accounts.ts";
import type {
  Attempt,
  Network,
  NetworkMedia,
  NetworkPost,
  PublishedPart,
} from "../../../src/networks/network.ts";
import { accountOrigin, openNetwork } from "../../../src/networks/open-accounts.ts";
import type { RequestOptions } from "../../../src/networks/network-requests.ts";
import { OriginKey } from "../../../src/service/http/key.ts";
import { afterThisTest } from "../after-test.ts";
import { TestClock } from "../test-clock.ts";
import { pngChunk, tinyPng } from "../tiny-media.ts";

/** The settings of an account, as they are read from plancast.yaml. */
export function account(settings: object): AccountSettings {
  return accountSchema.parse(settings);
}

export function open(
  settings: object,
  secret: string,
  { videoService, ...options }: Partial<RequestOptions> & { readonly videoService?: string } = {},
): Network {
  const read = account(settings);
  const key = OriginKey.confirmed(accountOrigin("test", read, secret), secret, "environment");
  const all = {
    clock: new TestClock(),
    random: () => 0.5,
    userAgent: "plancast-test",
    timeoutMs: 20_000,
    stop: new AbortController().signal,
    onRequest: () => undefined,
    ...options,
  };
  const network = openNetwork(read, key, all, videoService);
  afterThisTest(() => network.close());
  return network;
}

export function networkPost(given: Partial<NetworkPost> = {}): NetworkPost {
  return { key: "post_1", content: "Hello", scheduledAt: "2027-03-01T08:00:00Z", media: [], ...given };
}

export function picture(seed: number, alt?: string): NetworkMedia {
  const bytes = tinyPng(seed);
  return {
    mime: "image/png",
    bytes: bytes.length,
    facts: { width: 4, height: 4 },
    open: () => Promise.resolve(new Blob([new Uint8Array(bytes)], { type: "image/png" })),
    ...(alt === undefined ? {} : { alt }),
  };
}

/** A PNG of more than 1 MB: noise cannot be packed. */
export function noise(width = 1_400, height = 700): NetworkMedia {
  const line = width * 3 + 1;
  const pixels = randomBytes(line * height);
  for (let row = 0; row < height; row += 1) pixels[row * line] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const bytes = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(pixels)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
  const read = () => Promise.resolve(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
  return { mime: "image/png", bytes: bytes.length, facts: { width, height }, open: read };
}

/** A first attempt. Its parts are recorded in `parts`. */
export function attempt(parts: PublishedPart[] = [], taken: readonly string[] = []): Attempt {
  return {
    parts: [...parts],
    onPart: (part) => {
      parts.push(part);
      return Promise.resolve();
    },
    notAfter: Infinity,
    isTaken: (id) => Promise.resolve(taken.includes(id)),
  };
}
