/** The signed-in account on a server of the AT Protocol. Source: atproto.com, "Sessions". */

import { z } from "zod";
import { OriginKey } from "../service/http/key.ts";
import type { BlueskySettings } from "../settings/accounts.ts";
import { type Failed, NotPublished, parsed } from "./network.ts";
import { type Answered, type NetworkCall, type NetworkRequests, Refusal } from "./network-requests.ts";

// What a server says goes into headers, records and the repository. Source: atproto.com, "Specifications".

export const did = z.string().regex(/^did:[a-z]{1,20}:[\w.:%-]{1,2000}$/);
export const cid = z.string().regex(/^[\w+/=]{1,200}$/);
export const token = z.string().regex(/^[\x21-\x7e]{1,16000}$/);

const sessionAnswer = z.object({
  accessJwt: token,
  refreshJwt: token,
  did,
  handle: z.string().regex(/^[\w.-]{1,253}$/),
  didDoc: z
    .object({ service: z.array(z.object({ id: z.string(), serviceEndpoint: z.url() })) })
    .optional()
    .catch(undefined),
});

type Tokens = z.infer<typeof sessionAnswer>;

/** Signs in once, and again when the server no longer accepts the session. */
export class BlueskySession {
  readonly #settings: BlueskySettings;
  readonly #key: OriginKey;
  readonly #requests: NetworkRequests;
  #tokens: Promise<Tokens> | undefined;

  constructor(settings: BlueskySettings, key: OriginKey, requests: NetworkRequests) {
    this.#settings = settings;
    this.#key = key;
    this.#requests = requests;
  }

  /** @returns `server`: the address of the server with the account's records, which may differ from the one for signing in */
  async identity(): Promise<Pick<Tokens, "did" | "handle"> & { readonly server: string }> {
    const { did, handle, didDoc } = await this.#open();
    const own = didDoc?.service.find(({ id }) => id.endsWith("#atproto_pds"))?.serviceEndpoint;
    return { did, handle, server: own ?? this.#settings.server };
  }

  async call(call: Omit<NetworkCall, "key">): Promise<Answered> {
    const tokens = await this.#open();
    try {
      return await this.#sendWith(tokens.accessJwt, call);
    } catch (error) {
      if (!isExpired(error)) throw error;
      return this.#sendWith((await this.#renew(tokens)).accessJwt, call).catch(mayRepeat);
    }
  }

  #sendWith(token: string, call: Omit<NetworkCall, "key">): Promise<Answered> {
    return this.#requests.send({ ...call, key: OriginKey.confirmed(this.#key.origin, token, "session") });
  }

  #open(): Promise<Tokens> {
    return this.#keep(() => this.#signIn());
  }

  /** Requests that fail together share one renewal. */
  async #renew(stale: Tokens): Promise<Tokens> {
    const current = await this.#open();
    if (current.accessJwt !== stale.accessJwt) return current;
    this.#tokens = undefined;
    return this.#keep(async () => {
      const call = { path: "/xrpc/com.atproto.server.refreshSession", group: "session" } as const;
      try {
        const { body } = await this.#sendWith(stale.refreshJwt, { ...call, effect: "harmless" });
        return parsed(sessionAnswer, body);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return this.#signIn();
      }
    });
  }

  /** A failure is not cached. */
  #keep(open: () => Promise<Tokens>): Promise<Tokens> {
    if (this.#tokens !== undefined) return this.#tokens;
    const opening = open().catch((error: unknown) => {
      if (this.#tokens === opening) this.#tokens = undefined;
      throw error;
    });
    this.#tokens = opening;
    return opening;
  }

  async #signIn(): Promise<Tokens> {
    const { origin, text } = this.#key;
    const { body } = await this.#requests.send({
      path: "/xrpc/com.atproto.server.createSession",
      group: "session",
      effect: "harmless",
      json: { identifier: this.#settings.handle, password: text },
      // The password is in the body. As a key, it is hidden in the answer.
      key: { authorization: (url) => requireOrigin(url, origin), text },
    });
    return parsed(sessionAnswer, body);
  }
}

/** If another run signs in, a new session can already be over. That does not mean that Bluesky refuses the post. */
function mayRepeat(error: unknown): never {
  if (!isExpired(error)) throw error;
  const { isSignInRefused: _own, ...result } = error.result;
  throw new NotPublished({ ...result, retry: true });
}

function isExpired(error: unknown): error is Refusal & { result: Failed } {
  return error instanceof Refusal && /^(?:ExpiredToken|InvalidToken)$/.test(error.code ?? "");
}

/** No header. Throws for an address of another origin. */
function requireOrigin(url: URL, origin: string): undefined {
  if (url.origin !== origin) throw new Error(`The password is not for ${url.origin}.`);
  return undefined;
}
