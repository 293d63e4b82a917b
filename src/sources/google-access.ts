/**
 * The token for Google's interfaces, from the environment only: GOOGLE_OAUTH_ACCESS_TOKEN, or a service account in
 * GOOGLE_SERVICE_ACCOUNT_JSON or GOOGLE_SERVICE_ACCOUNT_JSON_FILE. It goes only to Google's hosts, whatever the service
 * account's file says. Source: Google Identity, "Using OAuth 2.0 for Server to Server Applications" (November 2026).
 */

import { createPrivateKey, sign } from "node:crypto";
import { readFile } from "../disk/machine.ts";
import { z } from "zod";
import { isHttpUrl, parseUrl } from "../model/address.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import type { Env } from "../settings/environment.ts";
import type { SourceAccess } from "./source.ts";
import type { SourceFault } from "./source-web.ts";

export interface GoogleAccess {
  readonly token: string;
  /** With whom a sheet must be shared, for people. */
  readonly person: string;
}

interface GoogleHosts {
  readonly docs: string;
  readonly drive: string;
  readonly api: string;
  readonly sheets: string;
  readonly token: string;
}

const GOOGLE: GoogleHosts = {
  docs: "https://docs.google.com",
  drive: "https://drive.google.com",
  api: "https://www.googleapis.com",
  sheets: "https://sheets.googleapis.com",
  token: "https://oauth2.googleapis.com/token",
};

/** Google's hosts, or the one host that PLANCAST_GOOGLE_ENDPOINT names for tests. */
export function googleHosts(env: Env): GoogleHosts {
  const endpoint = testEndpoint(env);
  if (endpoint === undefined) return GOOGLE;
  const { href } = endpoint;
  return { docs: href, drive: href, api: href, sheets: href, token: new URL("/token", endpoint).href };
}

/**
 * The host in the place of Google, for tests. The environment names it, so it is confirmed. Throws a Failure if it is not an
 * address, because the credentials would go to Google then.
 */
export function testEndpoint(env: Env): URL | undefined {
  const text = env["PLANCAST_GOOGLE_ENDPOINT"]?.trim() ?? "";
  if (text === "") return undefined;
  const url = parseUrl(text);
  if (url !== undefined && isHttpUrl(url)) return url;
  throw new Failure(
    "usage/arguments",
    "PLANCAST_GOOGLE_ENDPOINT is not an address.",
    "Correct it, or remove it.",
  );
}

/**
 * What plancast may do with a token. `read`: read files; Drive has no smaller scope for exports. `write`: only for results
 * in the cells of sheets.
 */
const SCOPES = {
  read: "https://www.googleapis.com/auth/drive.readonly",
  write: "https://www.googleapis.com/auth/spreadsheets",
} as const;

type Scope = keyof typeof SCOPES;
/** The longest time that Google accepts, s. */
const VALID_S = 3_600;

/** Undefined if the environment has no credential. */
export async function googleAccess(
  access: SourceAccess,
  scope: Scope = "read",
): Promise<GoogleAccess | SourceFault | undefined> {
  const { env } = access;
  const token = env["GOOGLE_OAUTH_ACCESS_TOKEN"]?.trim() ?? "";
  if (token !== "") {
    return /^[\w.~+/=-]+$/.test(token)
      ? { token, person: "the account of GOOGLE_OAUTH_ACCESS_TOKEN" }
      : { message: "GOOGLE_OAUTH_ACCESS_TOKEN is not a token: it has characters that no token has." };
  }
  const account = await serviceAccount(env);
  return account === undefined || "message" in account ? account : exchange(account, access, scope);
}

const accountSchema = z.object({
  type: z.literal("service_account"),
  client_email: z.email().max(200),
  private_key: z.string().min(1),
  private_key_id: z.string().max(200).optional(),
});

type ServiceAccount = z.infer<typeof accountSchema>;

async function serviceAccount(env: Env): Promise<ServiceAccount | SourceFault | undefined> {
  const text = env["GOOGLE_SERVICE_ACCOUNT_JSON"]?.trim() ?? "";
  if (text !== "") return parseAccount(text, "GOOGLE_SERVICE_ACCOUNT_JSON");
  const path = env["GOOGLE_SERVICE_ACCOUNT_JSON_FILE"]?.trim() ?? "";
  if (path === "") return undefined;
  try {
    return parseAccount(await readFile(path, "utf8"), "GOOGLE_SERVICE_ACCOUNT_JSON_FILE");
  } catch (error) {
    return { message: `The file of GOOGLE_SERVICE_ACCOUNT_JSON_FILE cannot be read: ${reasonOf(error)}.` };
  }
}

function parseAccount(text: string, variable: string): ServiceAccount | SourceFault {
  try {
    return accountSchema.parse(JSON.parse(text));
  } catch {
    // The reason would show a part of the key.
    return {
      message: `${variable} does not have the key of a service account. Use the whole JSON file that Google Cloud made for the key.`,
    };
  }
}

const granted = z.object({ access_token: z.string().min(1) });

/** A token for an hour, for a statement that the account's key has signed. */
async function exchange(
  account: ServiceAccount,
  access: SourceAccess,
  scope: Scope,
): Promise<GoogleAccess | SourceFault> {
  const assertion = statement(account, scope, access.clock.now());
  if (assertion === undefined)
    return {
      message: `The private key of ${account.client_email} cannot be read. Make a new key in Google Cloud.`,
    };
  const answer = await access.web.post(new URL(googleHosts(access.env).token), {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion,
  });
  if ("message" in answer) return answer;
  try {
    const { access_token: token } = granted.parse(JSON.parse(Buffer.from(answer.bytes).toString("utf8")));
    if (answer.status === 200) return { token, person: account.client_email };
  } catch {
    // The sentence below says what to do. The answer may repeat the statement.
  }
  return {
    message: `Google gives no token to ${account.client_email} (status ${answer.status}). Check that the key still exists in Google Cloud, and the clock of this machine.`,
  };
}

/** A JSON Web Token (RFC 7523), or undefined if the key cannot sign. */
function statement(
  { client_email, private_key, private_key_id }: ServiceAccount,
  scope: Scope,
  now: number,
): string | undefined {
  const issued = Math.floor(now / 1_000);
  const header = {
    alg: "RS256",
    typ: "JWT",
    ...(private_key_id === undefined ? {} : { kid: private_key_id }),
  };
  const claims = {
    iss: client_email,
    scope: SCOPES[scope],
    aud: GOOGLE.token,
    iat: issued,
    exp: issued + VALID_S,
  };
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const text = parts.join(".");
  try {
    const signature = sign("RSA-SHA256", Buffer.from(text), createPrivateKey(private_key));
    return `${text}.${signature.toString("base64url")}`;
  } catch {
    return undefined;
  }
}
