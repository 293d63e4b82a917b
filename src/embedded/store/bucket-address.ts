/** The address and the key of a bucket, from the environment. */

import { createHash } from "node:crypto";
import { parseUrl } from "../../model/address.ts";
import { Failure } from "../../model/failure.ts";
import type { Env } from "../../settings/environment.ts";

export interface BucketAddress {
  /** Address of the bucket, without a slash at the end. */
  readonly url: string;
  /** The project's folder in the bucket, with a slash at the end. */
  readonly folder: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const DEFAULT_REGION = "us-east-1";
/** The rules of Amazon S3 for new buckets, without dots, which do not fit into certificates. */
const BUCKET_NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
/** Names of folders that need no escapes. */
const PREFIX = /^(?:\/[A-Za-z0-9._-]{1,100}){0,10}$/;

/**
 * The bucket that `PLANCAST_MEDIA_URL` names, such as `s3://bucket/folder?endpoint=https://s3.example.com`. Undefined if it
 * is not set. Projects may share it. Throws a Failure if it has another form, or its key is missing.
 */
export function bucketOf(env: Env, project: string): BucketAddress | undefined {
  const text = env["PLANCAST_MEDIA_URL"];
  if (!text) return undefined;
  const url = parseUrl(text);
  const endpoint = parseUrl(url?.searchParams.get("endpoint") ?? "https://s3.amazonaws.com");
  const region = url?.searchParams.get("region") || env["AWS_REGION"] || DEFAULT_REGION;
  if (url === undefined || endpoint === undefined || !isBucket(url) || !isEndpoint(endpoint))
    throw notABucket();
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new Failure(
      "service/no-key",
      "PLANCAST_MEDIA_URL names a bucket, but its key is missing.",
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the key of the bucket.",
    );
  const sessionToken = env["AWS_SESSION_TOKEN"];
  return {
    url: `${endpoint.origin}${endpoint.pathname.replace(/\/$/, "")}/${url.hostname}`,
    folder: `${url.pathname.replace(/^\/|\/$/g, "")}/${folderOf(project)}/`.replace(/^\//, ""),
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
  };
}

/** A name that people recognise and that needs no escapes. Each project has one of its own. */
function folderOf(project: string): string {
  const readable = project.replace(/[^A-Za-z0-9]/g, "-").slice(0, 40);
  return `${readable}-${createHash("sha256").update(project).digest("hex").slice(0, 12)}`;
}

function isBucket({ protocol, hostname, pathname, username, password, port, hash }: URL): boolean {
  const isPlain = username === "" && password === "" && port === "" && hash === "";
  return (
    protocol === "s3:" && isPlain && BUCKET_NAME.test(hostname) && PREFIX.test(pathname.replace(/\/$/, ""))
  );
}

function isEndpoint({ protocol, username, password, search, hash }: URL): boolean {
  const isPlain = username === "" && password === "" && search === "" && hash === "";
  return (protocol === "https:" || protocol === "http:") && isPlain;
}

function notABucket(): Failure {
  return new Failure(
    "share/address",
    "PLANCAST_MEDIA_URL is not the address of a bucket.",
    "Write it like s3://bucket/folder?endpoint=https://s3.example.com&region=eu-central-1. The key belongs into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
  );
}
