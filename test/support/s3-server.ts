/**
 * A real S3-compatible server (s3rver) in a temporary folder. It takes requests without a signature and does not check
 * signatures of version 4, so a proxy before it does both, as Amazon S3 describes it, and checks the body's SHA-256.
 * Not tried: presigned addresses, uploads in parts, and services other than this one.
 */
import { createHash, createHmac } from "node:crypto";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";

export const BUCKET_KEY = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

export interface TestBucket {
  /** As `PLANCAST_MEDIA_URL` has it. */
  readonly url: string;
  /** Names of the objects, in order. */
  objects(): Promise<readonly string[]>;
  /** Makes objects older, by this many ms. */
  age(name: string, ms: number): Promise<void>;
  /** Replaces the bytes of an object, behind plancast's back. */
  overwrite(name: string, bytes: Buffer): Promise<void>;
  /** HTTP statuses of the next answers, instead of those of the server; `cut` ends an answer after half of its bytes. */
  readonly trouble: (number | "cut")[];
  /** How many requests plancast has sent. */
  readonly requests: () => number;
  close(): Promise<void>;
}

export async function startBucket(): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), "plancast-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "garden-media", configs: [] }],
  });
  const { port } = await server.run();
  const trouble: (number | "cut")[] = [];
  let requests = 0;
  const proxy = createServer((incoming, outgoing) => {
    requests += 1;
    pass(incoming, outgoing, port, trouble.shift()).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  const bucket = `http://127.0.0.1:${port}/garden-media`;
  return {
    url: `s3://garden-media/posts?endpoint=http://127.0.0.1:${portOf(proxy)}`,
    objects: async () =>
      [...(await (await fetch(bucket)).text()).matchAll(/<Key>([^<]{1,200})<\/Key>/g)].map(
        ([, key = ""]) => key,
      ),
    async age(name, ms) {
      const at = new Date(Date.now() - ms);
      for (const each of await readdir(join(directory, "garden-media", dirname(name))))
        if (each.startsWith(basename(name)))
          await utimes(join(directory, "garden-media", dirname(name), each), at, at);
    },
    overwrite: async (name, bytes) =>
      void (await fetch(`${bucket}/${name}`, { method: "PUT", body: new Uint8Array(bytes) })),
    trouble,
    requests: () => requests,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => void proxy.close(resolve));
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return address.port;
}

/**
 * What a request with the test's key has in `authorization`. Source: Amazon S3 API reference, "Signature Calculations for
 * the Authorization Header: Transferring Payload in a Single Chunk".
 */
function authorizationOf({ headers, method = "", url = "" }: IncomingMessage): string {
  const [, scope = "", names = ""] =
    /Credential=S3RVER\/([^,]{1,100}), SignedHeaders=([^,]{1,300}),/.exec(headers.authorization ?? "") ?? [];
  const [path = "", query = ""] = url.split("?");
  const canonical = [
    method,
    path,
    query.split("&").sort().join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ];
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical.join("\n"))].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${BUCKET_KEY.AWS_SECRET_ACCESS_KEY}`);
  const signature = hmac(key, text).toString("hex");
  return `AWS4-HMAC-SHA256 Credential=S3RVER/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  trouble: number | "cut" | undefined,
): Promise<void> {
  const body = await buffer(incoming);
  const { headers, method, url } = incoming;
  const isSigned = headers.authorization !== undefined && headers.authorization === authorizationOf(incoming);
  const isSame = sha256(body) === headers["x-amz-content-sha256"];
  if (typeof trouble === "number" || !isSigned || !isSame) {
    outgoing.writeHead(typeof trouble === "number" ? trouble : isSigned ? 400 : 403).end();
    return;
  }
  const sent = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    if (trouble !== "cut") return void answer.pipe(outgoing);
    answer.once("data", (part: Buffer) => {
      outgoing.write(part.subarray(0, part.length / 2), () => outgoing.destroy());
    });
  });
  sent.on("error", () => outgoing.destroy());
  sent.end(body);
}
