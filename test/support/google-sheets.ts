/**
 * A stand-in for Google Sheets and Drive, with the rules of their documentation: signed statements, scopes, shares, tokens
 * that expire, quotas, exports of at most 10 MB whose bytes differ each time. No real server of Google was tried.
 */
import { createPublicKey, generateKeyPairSync, randomUUID, verify } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { afterThisTest } from "./after-test.ts";
import { type TestSheet, xlsx } from "./workbook-files.ts";

/** Source: Drive API, "files.export": the exported content is limited to 10 MB. */
const MAX_EXPORT_BYTES = 10_000_000;
export const READ_SCOPE = "https://www.googleapis.com/auth/drive.readonly";
/** For results in cells. */
export const WRITE_SCOPE = "https://www.googleapis.com/auth/spreadsheets";
const AUDIENCE = "https://oauth2.googleapis.com/token";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export interface TestGoogleSheet {
  sheets: readonly TestSheet[];
  /** Whether everybody with the link can open it. */
  isShared: boolean;
  /** Accounts that can open it. */
  readonly viewers: Set<string>;
  /** Accounts that can also edit it. */
  readonly editors?: Set<string>;
  /** Width of its grid. Default: 26 columns. */
  columns?: number;
  /** Called after each look at its cells. */
  onLook?: () => void;
  /** Added to its size, bytes. */
  extraBytes?: number;
}

interface Account {
  readonly email: string;
  /** The JSON file that Google Cloud makes for its key. */
  readonly json: string;
}

interface DriveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The id of its folder. */
  readonly folder?: string;
  readonly isShared?: boolean;
  readonly viewers?: ReadonlySet<string>;
}

export interface GoogleStandIn {
  readonly endpoint: string;
  /** Other files in Drive, by their ids. */
  readonly files: Map<string, DriveFile>;
  readonly sheets: Map<string, TestGoogleSheet>;
  /** The requests, in order: method and path. */
  readonly asked: string[];
  /** The value of each Authorization header. */
  readonly credentials: string[];
  /** What each token was asked for. */
  readonly scopes: string[];
  /** Answers 429 this often, and then again as usual. */
  busy: { times: number; seconds: number };
  account(email: string): Account;
  /** A token of somebody who signed in. */
  token(email: string, scope?: string): string;
  expireTokens(): void;
}

interface Token {
  readonly email: string;
  readonly scope: string;
}

/** @param now of the server, ms since the epoch */
export async function startGoogle(now: () => number = Date.now): Promise<GoogleStandIn> {
  const google = new StandIn(now);
  const server = createServer((request, response) => {
    void google.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port
  google.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return google;
}

const header = z.strictObject({ alg: z.literal("RS256"), typ: z.literal("JWT"), kid: z.string() });
const claims = z.strictObject({
  iss: z.string(),
  scope: z.enum([READ_SCOPE, WRITE_SCOPE]),
  aud: z.literal(AUDIENCE),
  iat: z.int(),
  exp: z.int(),
});

class StandIn implements GoogleStandIn {
  endpoint = "";
  readonly sheets = new Map<string, TestGoogleSheet>();
  readonly files = new Map<string, DriveFile>();
  readonly asked: string[] = [];
  readonly credentials: string[] = [];
  readonly scopes: string[] = [];
  busy = { times: 0, seconds: 0 };
  readonly #now: () => number;
  readonly #keys = new Map<string, { readonly id: string; readonly pem: string }>();
  readonly #tokens = new Map<string, Token>();
  readonly #downloads = new Map<string, Uint8Array>();

  constructor(now: () => number) {
    this.#now = now;
  }

  account(email: string): Account {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const id = randomUUID();
    this.#keys.set(email, { id, pem: publicKey.export({ type: "spki", format: "pem" }).toString() });
    const json = {
      type: "service_account",
      project_id: "calendar",
      private_key_id: id,
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      client_email: email,
      // An attacker who wrote the file would like to get the statement.
      token_uri: "https://attacker.example/token",
    };
    return { email, json: JSON.stringify(json) };
  }

  token(email: string, scope = READ_SCOPE): string {
    const token = `ya29.${randomUUID()}`;
    this.#tokens.set(token, { email, scope });
    return token;
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.endpoint);
    this.asked.push(`${request.method} ${url.pathname}`);
    const { authorization } = request.headers;
    if (authorization !== undefined) this.credentials.push(authorization);
    const parts: Buffer[] = [];
    for await (const part of request) if (part instanceof Buffer) parts.push(part);
    if (this.busy.times > 0 && url.pathname !== "/token") {
      this.busy.times -= 1;
      response.writeHead(429, { "retry-after": String(this.busy.seconds) });
      response.end(JSON.stringify({ error: { errors: [{ reason: "rateLimitExceeded" }] } }));
      return;
    }
    if (url.pathname === "/token") this.#giveToken(Buffer.concat(parts).toString("utf8"), response);
    else if (url.pathname === "/uc") this.#giveFile(url.searchParams.get("id") ?? "", undefined, response);
    else if (url.pathname === "/drive/v3/files" || url.searchParams.get("alt") === "media")
      this.#drive(url, authorization, response);
    else if (url.pathname.startsWith("/drive/v3/files/")) this.#export(url, authorization, response);
    else if (url.pathname.startsWith("/v4/spreadsheets/"))
      this.#cells(url, authorization, Buffer.concat(parts).toString("utf8"), response);
    else if (url.pathname.startsWith("/spreadsheets/d/")) this.#exportForStrangers(url, response);
    else if (url.pathname.startsWith("/exported/")) this.#download(url, response);
    else
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
  }

  #giveToken(body: string, response: ServerResponse): void {
    const [email, scope] = this.#signer(new URLSearchParams(body)) ?? [];
    if (email === undefined) {
      response.writeHead(400).end(JSON.stringify({ error: "invalid_grant", error_description: body }));
      return;
    }
    this.scopes.push(scope ?? "");
    const token = this.token(email, scope);
    response
      .writeHead(200)
      .end(JSON.stringify({ access_token: token, expires_in: 3599, token_type: "Bearer" }));
  }

  /** Who signed the statement; undefined if anything is wrong with it. */
  #signer(form: URLSearchParams): readonly [email: string, scope: string] | undefined {
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return undefined;
    const [head = "", body = "", signature = "", ...rest] = (form.get("assertion") ?? "").split(".");
    const { kid } = header.parse(json(head));
    const { iss, iat, exp, scope } = claims.parse(json(body));
    const key = this.#keys.get(iss);
    const seconds = this.#now() / 1_000;
    if (key === undefined || key.id !== kid || rest.length > 0) return undefined;
    if (exp - iat > 3_600 || Math.abs(seconds - iat) > 300) return undefined;
    const text = Buffer.from(`${head}.${body}`);
    const isSigned = verify(
      "RSA-SHA256",
      text,
      createPublicKey(key.pem),
      Buffer.from(signature, "base64url"),
    );
    return isSigned ? [iss, scope] : undefined;
  }

  #export(url: URL, authorization: string | undefined, response: ServerResponse): void {
    const refuse = (status: number, reason: string): void => {
      const error = { code: status, message: `${reason} ${authorization ?? ""}`, errors: [{ reason }] };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    };
    const token = this.#tokens.get(authorization?.replace(/^Bearer /, "") ?? "");
    if (token === undefined) return refuse(401, "authError");
    if (!token.scope.split(" ").includes(READ_SCOPE)) return refuse(403, "insufficientPermissions");
    const [, id = ""] = /^\/drive\/v3\/files\/([\w-]+)\/export$/.exec(url.pathname) ?? [];
    const sheet = this.sheets.get(id);
    if (sheet === undefined || !(sheet.isShared || sheet.viewers.has(token.email)))
      return refuse(404, "notFound");
    if (url.searchParams.get("mimeType") !== XLSX) return refuse(400, "badRequest");
    const bytes = exported(sheet);
    if (bytes.byteLength > MAX_EXPORT_BYTES) return refuse(403, "exportSizeLimitExceeded");
    response.writeHead(200, { "content-type": XLSX }).end(bytes);
  }

  /** Source: Drive API v3, "files.get" and "files.list". */
  #drive(url: URL, authorization: string | undefined, response: ServerResponse): void {
    const token = this.#tokens.get(authorization?.replace(/^Bearer /, "") ?? "");
    if (token?.scope.split(" ").includes(READ_SCOPE) !== true) {
      response.writeHead(401).end(JSON.stringify({ error: { errors: [{ reason: "authError" }] } }));
      return;
    }
    const [, id] = /^\/drive\/v3\/files\/([\w-]+)$/.exec(url.pathname) ?? [];
    if (id !== undefined) return this.#giveFile(id, token.email, response);
    const [, folder] =
      /^'([\w-]+)' in parents and trashed = false$/.exec(url.searchParams.get("q") ?? "") ?? [];
    const files = [...this.files].filter(([, each]) => each.folder === folder);
    response
      .writeHead(200)
      .end(JSON.stringify({ files: files.map(([each, { name }]) => ({ id: each, name })) }));
  }

  #giveFile(id: string, email: string | undefined, response: ServerResponse): void {
    const file = this.files.get(id);
    const mayRead = file?.isShared === true || (email !== undefined && file?.viewers?.has(email) === true);
    if (file !== undefined && mayRead) response.writeHead(200).end(file.bytes);
    else if (email === undefined)
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
    else response.writeHead(404).end(JSON.stringify({ error: { errors: [{ reason: "notFound" }] } }));
  }

  /** Source: Sheets API v4, "spreadsheets.values". */
  #cells(url: URL, authorization: string | undefined, body: string, response: ServerResponse): void {
    const send = (status: number, answer: unknown): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    const refuse = (status: number, message: string): void =>
      send(status, { error: { code: status, message, status: "REFUSED" } });
    const token = this.#tokens.get(authorization?.replace(/^Bearer /, "") ?? "");
    if (token === undefined) return refuse(401, "Request had invalid authentication credentials.");
    if (!token.scope.split(" ").includes(WRITE_SCOPE))
      return refuse(403, "insufficient authentication scopes");
    const [, id = "", rest = ""] = /^\/v4\/spreadsheets\/([\w-]+)(.*)$/.exec(url.pathname) ?? [];
    const sheet = this.sheets.get(id);
    if (sheet?.editors?.has(token.email) !== true) return refuse(403, "The caller does not have permission");
    if (rest === "")
      return send(200, {
        sheets: sheet.sheets.map(({ name }, index) => ({ properties: { sheetId: index, title: name } })),
      });
    if (rest === "/values:batchUpdate") return this.#writeCells(sheet, body, { send, refuse });
    const tab = tabIn(sheet, decodeURIComponent(rest.replace("/values/", "")));
    if (tab === undefined) return refuse(400, "Unable to parse range");
    send(200, { majorDimension: "ROWS", values: tab.rows });
    sheet.onLook?.();
  }

  #writeCells(sheet: TestGoogleSheet, body: string, { send, refuse }: CellAnswers): void {
    const { data } = updateBody.parse(JSON.parse(body));
    const rows = new Map(sheet.sheets.map(({ name, rows: all = [] }) => [name, all.map((row) => [...row])]));
    for (const { range, values } of data) {
      const [, name = "", letters = "", number = ""] = /^(.*)!([A-Z]+)(\d+)$/.exec(range) ?? [];
      const tab = tabIn(sheet, name);
      const column = letters.split("").reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      if (tab === undefined) return refuse(400, "Unable to parse range");
      if (column >= (sheet.columns ?? 26)) return refuse(400, `Range (${range}) exceeds grid limits`);
      const row = rows.get(tab.name)?.[Number(number) - 1];
      if (row === undefined) return refuse(400, "a row that the test does not have");
      while (row.length <= column) row.push("");
      row[column] = values[0]?.[0] ?? "";
    }
    sheet.sheets = sheet.sheets.map((each) => ({ ...each, rows: rows.get(each.name) ?? [] }));
    send(200, { totalUpdatedCells: data.length });
  }

  /** As a browser without a session: Google redirects to another host with the file, or to the page to sign in. */
  #exportForStrangers(url: URL, response: ServerResponse): void {
    const [, id = ""] = /^\/spreadsheets\/d\/([\w-]+)\/export$/.exec(url.pathname) ?? [];
    const sheet = this.sheets.get(id);
    if (sheet === undefined) {
      response
        .writeHead(404, { "content-type": "text/html" })
        .end("<!DOCTYPE html><title>Page not found</title>");
      return;
    }
    if (!sheet.isShared) {
      response.writeHead(302, { location: "/ServiceLogin" }).end();
      return;
    }
    const name = randomUUID();
    const isText = url.searchParams.get("format") === "csv";
    const tab = Number(url.searchParams.get("gid") ?? 0);
    this.#downloads.set(name, isText ? asCsv(sheet.sheets[tab]) : exported(sheet));
    response.writeHead(307, { location: `/exported/${name}` }).end();
  }

  #download(url: URL, response: ServerResponse): void {
    response.writeHead(200).end(this.#downloads.get(url.pathname.split("/").at(-1) ?? ""));
  }
}

const updateBody = z.strictObject({
  valueInputOption: z.literal("RAW"),
  data: z.array(z.strictObject({ range: z.string(), values: z.array(z.array(z.string())) })),
});

interface CellAnswers {
  readonly send: (status: number, answer: unknown) => void;
  readonly refuse: (status: number, message: string) => void;
}

/** The tab of a range, in quotation marks. */
function tabIn({ sheets }: TestGoogleSheet, range: string): TestSheet | undefined {
  const name = /^'(.*)'$/.exec(range)?.[1]?.replaceAll("''", "'");
  return sheets.find((each) => each.name === name);
}

function json(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
}

/** Never the same bytes twice. */
function exported({ sheets, extraBytes = 0 }: TestGoogleSheet): Uint8Array {
  const data = `<coreProperties><revision>${randomUUID()}</revision></coreProperties>`;
  const file = xlsx(sheets, { parts: [{ name: "docProps/core.xml", data }] });
  return extraBytes === 0 ? file : Buffer.concat([file, Buffer.alloc(extraBytes)]);
}

function asCsv(sheet: TestSheet | undefined): Uint8Array {
  const rows = (sheet?.rows ?? []).map((row) =>
    row
      .map((cell) =>
        typeof cell === "string" ? `"${cell.replaceAll('"', '""')}"` : JSON.stringify(cell ?? ""),
      )
      .join(","),
  );
  return Buffer.from(`${rows.join("\r\n")}\r\n`);
}
