/** Real servers of networks, which `npm run test:networks` installs. snac ends with its test. */
import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { afterThisTest } from "../after-test.ts";
import { killChild, nextMessage } from "../child.ts";
import { temporaryFolder } from "../embedded-service.ts";
import { until } from "../until.ts";

function installed(): string {
  const folder = process.env["NETWORKS_FOLDER"];
  if (folder === undefined) throw new Error("Run npm run test:networks, which installs the servers.");
  return folder;
}

export interface RealBluesky {
  readonly url: string;
  /** Signs up a new account. */
  account(name: string): Promise<RealAccount>;
  stop(): Promise<void>;
}

interface RealAccount {
  readonly handle: string;
  readonly password: string;
  readonly did: string;
  /** Posts in the order of their keys. */
  posts(): Promise<readonly BlueskyPost[]>;
  /** A file as it was uploaded. */
  blob(cid: string): Promise<Buffer>;
}

const record = z.looseObject({
  uri: z.string(),
  cid: z.string(),
  value: z.looseObject({ text: z.string() }),
});

type BlueskyPost = z.infer<typeof record>;

/** Runs until it is stopped. */
export async function startRealBluesky(): Promise<RealBluesky> {
  const data = await mkdtemp(join(tmpdir(), "plancast-pds-"));
  const script = fileURLToPath(new URL("pds-child.js", import.meta.url));
  const child = fork(script, [join(installed(), "pds"), data], { execArgv: [] });
  const { url } = z.object({ url: z.string() }).parse(await nextMessage(child));
  return {
    url,
    account: (name) => signUp(url, name),
    async stop() {
      await killChild(child);
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function signUp(url: string, name: string): Promise<RealAccount> {
  const account = { email: `${name}@example.com`, handle: `${name}.test`, password: "an-account-password" };
  const answer = await call(url, "com.atproto.server.createAccount", account);
  const { did, accessJwt } = z.object({ did: z.string(), accessJwt: z.string() }).parse(answer);
  const app = await call(url, "com.atproto.server.createAppPassword", { name: "plancast" }, accessJwt);
  return {
    did,
    handle: account.handle,
    password: z.object({ password: z.string() }).parse(app).password,
    posts: () => postsOf(url, did),
    async blob(cid) {
      const query = new URLSearchParams({ did, cid });
      const file = await fetch(`${url}/xrpc/com.atproto.sync.getBlob?${query.toString()}`);
      return Buffer.from(await file.arrayBuffer());
    },
  };
}

const recordPage = z.object({ records: z.array(record), cursor: z.string().optional() });

async function postsOf(url: string, repo: string): Promise<readonly BlueskyPost[]> {
  const found: BlueskyPost[] = [];
  const query = new URLSearchParams({ repo, collection: "app.bsky.feed.post", limit: "100" });
  for (;;) {
    const answer = await fetch(`${url}/xrpc/com.atproto.repo.listRecords?${query.toString()}`);
    const { records, cursor } = recordPage.parse(await answer.json());
    found.push(...records);
    if (cursor === undefined) return found.toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
    query.set("cursor", cursor);
  }
}

async function call(url: string, method: string, body: object, token?: string): Promise<unknown> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  const answer = await fetch(`${url}/xrpc/${method}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method}: ${text}`);
  return JSON.parse(text);
}

const snacStatus = z.looseObject({
  id: z.string(),
  content: z.string(),
  in_reply_to_id: z.string().nullable(),
  media_attachments: z.array(z.looseObject({ url: z.string(), description: z.string().nullable() })),
});

type SnacStatus = z.infer<typeof snacStatus>;

export interface RealSnac {
  readonly url: string;
  readonly token: string;
  /** Newest last. */
  statuses(): Promise<readonly SnacStatus[]>;
}

/** A server with the account garden. */
export async function startRealSnac(): Promise<RealSnac> {
  const snac = join(installed(), "snac", "usr", "bin", "snac");
  const data = join(await temporaryFolder(), "snac");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  spawnSync(snac, ["init", data], { input: `127.0.0.1\n${port}\n127.0.0.1:${port}\n\n\n` });
  const settings = join(data, "server.json");
  const written: unknown = JSON.parse(await readFile(settings, "utf8"));
  await writeFile(settings, JSON.stringify({ ...Object(written), protocol: "http" }));
  const added = spawnSync(snac, ["adduser", data, "garden"], { input: "Garden\n", encoding: "utf8" });
  const passwd = /password is (\S+)/.exec(added.stdout + added.stderr)?.[1] ?? "";
  const server = spawn(snac, ["httpd", data], { stdio: "ignore" });
  const ended = once(server, "exit");
  afterThisTest(async () => {
    server.kill("SIGKILL");
    await ended;
  });
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  const form = new URLSearchParams({ login: "garden", passwd, redir: "", cid: "", state: "" });
  const page = await (await fetch(`${url}/oauth/x-snac-get-token`, { method: "POST", body: form })).text();
  const token = /[0-9a-f]{16,}/.exec(page.replaceAll(/<[^<>]*>/g, " "))?.[0] ?? "";
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  return {
    url,
    token,
    async statuses() {
      const { id } = z.looseObject({ id: z.string() }).parse(await get("accounts/verify_credentials"));
      const found = new Map<string, SnacStatus>();
      for (let before = ""; ;) {
        const query = new URLSearchParams({ limit: "40", ...(before === "" ? {} : { max_id: before }) });
        const page = z.array(snacStatus).parse(await get(`accounts/${id}/statuses?${query.toString()}`));
        const fresh = page.filter((each) => !found.has(each.id));
        if (fresh.length === 0) return [...found.values()].reverse();
        for (const each of fresh) found.set(each.id, each);
        before = page.at(-1)?.id ?? "";
      }
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  if (typeof address !== "object" || address === null) throw new Error("No port is free.");
  return address.port;
}
