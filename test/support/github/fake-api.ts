/** The part of GitHub's REST API that the action needs: a real server, with faults. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { zipSync } from "fflate";
import { afterThisTest } from "../after-test.ts";
import { type FakeSite, fakeSite } from "./fake-site.ts";
import { TOKEN } from "./runner.ts";

interface FakeComment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
}

interface FakeIssue {
  readonly number: number;
  readonly title: string;
  body: string;
  state: string;
  readonly user: { readonly login: string };
}

export interface FakePull {
  readonly number: number;
  readonly merged_at: string | null;
  readonly base: { readonly ref: string };
  readonly head: {
    readonly sha: string;
    /** The name of its branch. */
    readonly ref?: string | undefined;
    readonly repo: { readonly full_name: string } | null;
  };
}

interface FakeArtifact {
  readonly id: number;
  readonly name: string;
  readonly expired: boolean;
  readonly created_at: string;
  readonly workflow_run: {
    head_sha: string;
    head_branch?: string;
    repository_id: number;
    head_repository_id: number;
  };
  readonly zip: Uint8Array;
}

/** The answer of a route that fails. */
interface Fault {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How many times; default: always. */
  times?: number;
}

export interface FakeGitHub {
  readonly url: string;
  readonly comments: FakeComment[];
  readonly issues: FakeIssue[];
  /** One without `merged_at` is open. */
  readonly pulls: FakePull[];
  /** Open pull requests that were made through the API. */
  readonly opened: { number: number; head: string; base: string; title: string }[];
  /** Numbers of pull requests that a request closed. */
  readonly closed: number[];
  /** What requests merged, and the workflows that they started. */
  readonly merged: { number: number; sha: string }[];
  readonly started: { workflow: string; ref: string }[];
  readonly artifacts: FakeArtifact[];
  /** Numbers of pull requests that are open, besides `opened`. */
  readonly openPulls: number[];
  /** The files of the branch main, by path. */
  readonly main: Map<string, string>;
  readonly site: FakeSite;
  /** Each request: `GET /path?query`. */
  readonly requests: string[];
  /** By the beginning of `METHOD /path`. */
  readonly faults: Map<string, Fault>;
  /** The owner of the token; undefined for the token of a job, which may not request it. */
  login: string | undefined;
  /** The most entries per page. */
  pageSize: number;
  /** Headers of requests to the other host, which serves the artifacts. */
  readonly downloads: IncomingMessage["headers"][];
  /** Whether the server is handling a request. */
  isBusy(): boolean;
  addArtifact(
    name: string,
    files: Readonly<Record<string, string>>,
    headSha: string,
    isFork?: boolean,
    headBranch?: string,
  ): void;
}

const REPOSITORY = "acme/social";

export async function startFakeGitHub(): Promise<FakeGitHub> {
  let working = 0;
  const listen = (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
    startServer((request, response) => {
      working += 1;
      response.once("close", () => (working -= 1));
      handle(request, response);
    });
  const storage = await listen((request, response) => {
    fake.downloads.push(request.headers);
    const artifact = fake.artifacts.find(({ id }) => request.url === `/signed/${id}`);
    response.writeHead(artifact === undefined ? 404 : 200).end(artifact?.zip);
  });
  const { site, answer: answerSite } = fakeSite();
  const url = await listen(
    (request, response) => void answer(fake, { storage, answerSite }, request, response),
  );
  const fake: FakeGitHub = {
    url,
    site,
    openPulls: [],
    main: new Map(),
    comments: [],
    issues: [],
    pulls: [],
    opened: [],
    closed: [],
    merged: [],
    started: [],
    artifacts: [],
    requests: [],
    faults: new Map(),
    login: undefined,
    pageSize: 30,
    downloads: [],
    isBusy: () => working > 0,
    addArtifact: (name, files, headSha, isFork = false, headBranch = "pr") => {
      const id = fake.artifacts.length + 1;
      const entries = Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]);
      fake.artifacts.push({
        id,
        name,
        expired: false,
        created_at: new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString(),
        workflow_run: {
          head_sha: headSha,
          head_branch: headBranch,
          repository_id: 1,
          head_repository_id: isFork ? 2 : 1,
        },
        zip: zipSync(Object.fromEntries(entries)),
      });
    },
  };
  return fake;
}

async function startServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(
  fake: FakeGitHub,
  {
    storage,
    answerSite,
  }: { readonly storage: string; readonly answerSite: ReturnType<typeof fakeSite>["answer"] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", fake.url);
  const line = `${request.method ?? ""} ${url.pathname}`;
  fake.requests.push(`${line}${url.search}`);
  const text = await bodyOf(request);
  const send = (status: number, body: unknown, headers: Record<string, string> = {}): void =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
  const [, fault] = [...fake.faults].find(([start]) => line.startsWith(start)) ?? [];
  if (fault !== undefined && (fault.times ?? 1) > 0) {
    if (fault.times !== undefined) fault.times -= 1;
    response.writeHead(fault.status ?? 500, fault.headers).end(fault.body ?? '{"message":"no"}');
    return;
  }
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return send(401, { message: "Bad credentials" });
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  const page = (list: readonly unknown[], key?: string): void => {
    const size = Math.min(Number(url.searchParams.get("per_page") ?? 30), fake.pageSize);
    const number = Number(url.searchParams.get("page") ?? 1);
    const part = list.slice((number - 1) * size, number * size);
    const next = new URL(url);
    next.searchParams.set("page", String(number + 1));
    const isLast = number * size >= list.length;
    send(
      200,
      key === undefined ? part : { total_count: list.length, [key]: part },
      isLast ? {} : { link: `<${next.href}>; rel="next"` },
    );
  };
  const route = line.replace(`/repos/${REPOSITORY}`, "");
  const one = /^PATCH \/issues\/comments\/(\d+)$/.exec(route);
  const zip = /^GET \/actions\/artifacts\/(\d+)\/zip$/.exec(route);
  if (route === "GET /user")
    return fake.login === undefined
      ? send(403, { message: "Resource not accessible by integration" })
      : send(200, { login: fake.login });
  if (/^GET \/issues\/\d+\/comments$/.test(route)) return page(fake.comments);
  if (/^POST \/issues\/\d+\/comments$/.test(route)) return addComment(fake, textField(body, "body"), send);
  if (one !== null) return editComment(fake, Number(one[1]), textField(body, "body"), send);
  if (route === "GET /issues") {
    const creator = url.searchParams.get("creator");
    return page(fake.issues.filter(({ user }) => user.login === creator).toReversed());
  }
  if (route === "POST /issues") {
    const number = 500 + fake.issues.length;
    const [title, first] = [textField(body, "title"), textField(body, "body")];
    fake.issues.push({ number, title, body: first, state: "open", user: { login: authorIn(fake) } });
    return send(201, { number });
  }
  const issue = fake.issues.find(({ number }) => route === `PATCH /issues/${number}`);
  if (issue !== undefined) {
    if (textField(body, "body").length > 65_536) return send(422, { message: "Body is too long" });
    Object.assign(issue, body);
    return send(200, { number: issue.number });
  }
  if (route === "GET ") return send(200, { default_branch: "main" });
  if (route === "GET /git/trees/main") return send(200, treeOf(fake.main));
  if (/^GET \/commits\/(?:[0-9a-f]+|main)\/pulls$/.test(route)) return page(fake.pulls.slice(0, 1));
  const head = url.searchParams.get("head")?.replace(/^[^:]*:/, "");
  if (route === "GET /pulls" && url.searchParams.get("state") === "open")
    return page([
      ...fake.opened
        .filter((pull) => head === undefined || pull.head === head)
        .map((pull) => ({ ...pull, html_url: pullAddress(pull.number) })),
      ...fake.pulls.filter((pull) => pull.merged_at === null && head === undefined),
      ...(head === undefined ? fake.openPulls.map((number) => ({ number })) : []),
    ]);
  if (route === "GET /pulls")
    return page(fake.pulls.filter((pull) => head === undefined || pull.head.ref === head));
  if (route === "POST /pulls") {
    const number = 99 + fake.opened.length + fake.closed.length;
    fake.opened.push({
      number,
      head: textField(body, "head"),
      base: textField(body, "base"),
      title: textField(body, "title"),
    });
    return send(201, { number, html_url: pullAddress(number) });
  }
  const changed = /^(PATCH|PUT) \/pulls\/(\d+)(?:\/merge)?$/.exec(route);
  if (changed !== null) return changePull(fake, changed, body, send);
  const started = /^POST \/actions\/workflows\/([^/]+)\/dispatches$/.exec(route);
  if (started !== null) {
    fake.started.push({ workflow: started[1] ?? "", ref: textField(body, "ref") });
    return void response.writeHead(204).end();
  }
  if (route === "GET /actions/artifacts")
    return page(
      fake.artifacts
        .filter(({ name }) => name === url.searchParams.get("name"))
        .map((each) => ({ ...each, zip: undefined })),
      "artifacts",
    );
  if (zip !== null)
    return void response.writeHead(302, { location: `${storage}/signed/${zip[1] ?? ""}` }).end();
  const [status, found] = answerSite(route, body) ?? [404, { message: "Not Found" }];
  send(status, found);
}

type Send = (status: number, body: unknown) => void;

function pullAddress(number: number): string {
  return `https://github.example/acme/social/pull/${number}`;
}

function changePull(fake: FakeGitHub, [, method, text]: RegExpExecArray, body: unknown, send: Send): void {
  const number = Number(text);
  const index = fake.opened.findIndex((each) => each.number === number);
  if (index === -1) return send(404, { message: "Not Found" });
  if (method === "PUT") fake.merged.push({ number, sha: textField(body, "sha") });
  else {
    fake.opened.splice(index, 1);
    fake.closed.push(number);
  }
  send(200, { merged: method === "PUT" });
}

function treeOf(files: ReadonlyMap<string, string>): object {
  const tree = [...files].map(([path, text]) => {
    const blob = `blob ${Buffer.byteLength(text)}\0${text}`;
    return { path, type: "blob", sha: createHash("sha1").update(blob).digest("hex") };
  });
  return { truncated: false, tree };
}

function authorIn({ login }: FakeGitHub): string {
  return login ?? "github-actions[bot]";
}

function addComment(fake: FakeGitHub, body: string, send: Send): void {
  if (body.length > 65_536) return send(422, { message: "Body is too long (maximum is 65536 characters)" });
  const id = 1000 + fake.comments.length;
  fake.comments.push({ id, body, user: { login: authorIn(fake) } });
  send(201, { id, html_url: `https://github.example/acme/social/pull/12#issuecomment-${id}` });
}

function editComment(fake: FakeGitHub, id: number, body: string, send: Send): void {
  const comment = fake.comments.find((each) => each.id === id);
  if (comment === undefined) return send(404, { message: "Not Found" });
  if (body.length > 65_536) return send(422, { message: "Body is too long (maximum is 65536 characters)" });
  comment.body = body;
  send(200, { id, html_url: `https://github.example/acme/social/pull/12#issuecomment-${id}` });
}

function textField(body: unknown, name: string): string {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === "string" ? value : "";
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) if (part instanceof Uint8Array) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
