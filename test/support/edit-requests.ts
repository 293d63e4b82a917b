/** Requests to edit posts, as the page of `preview --serve` sends them, or as somebody else might. */

import { request } from "node:http";
import {
  type EditAnswer,
  type EditRequest,
  type EditedPost,
  type PreviewData,
  EDIT_TOKEN_HEADER,
} from "../../src/preview/preview-data.ts";

export interface SentRequest {
  readonly path?: string;
  readonly method?: string;
  /** Replace the page's own; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

interface Received {
  readonly status: number;
  readonly text: string;
  readonly headers: object;
}

/** Sends a request with the page's headers. `fetch` does not let a caller set the host or the origin. */
export function sendEdit(
  url: URL,
  token: string,
  { path = "/edit", method = "POST", headers = {}, body }: SentRequest,
): Promise<Received> {
  const all = {
    host: url.host,
    origin: url.origin,
    "content-type": "application/json",
    [EDIT_TOKEN_HEADER]: token,
    ...headers,
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const sent = request({ port: url.port, path, method, headers: given }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
    });
    sent.on("error", reject).end(body);
  });
}

/** The page at the address that `preview --serve` printed. */
export class EditingPage {
  readonly url: URL;
  readonly #token: string;

  /** @param address with the token */
  constructor(address: string) {
    this.url = new URL(address);
    this.#token = new URLSearchParams(this.url.hash.slice(1)).get("edit") ?? "";
    this.url.hash = "";
  }

  async data(): Promise<PreviewData> {
    return JSON.parse(await (await fetch(new URL("/data", this.url))).text());
  }

  /** The place of the post whose text begins like this, as the page knows it now. */
  async post(start: string): Promise<EditedPost> {
    const { posts, editing = [], platforms } = await this.data();
    const found = posts.find(({ content = "" }) => content.startsWith(start));
    const file = editing[found?.row?.file ?? -1];
    if (found?.row === undefined || file === undefined)
      throw new Error(`The page has no post ${start} with a row.`);
    return {
      file: file.name,
      version: file.version,
      ...(found.row.sheet === undefined ? {} : { sheet: found.row.sheet }),
      line: found.row.line,
      platforms: found.platforms.map((place) => platforms[place]?.name ?? ""),
    };
  }

  async ask(edit: EditRequest): Promise<EditAnswer> {
    return JSON.parse((await sendEdit(this.url, this.#token, { body: JSON.stringify(edit) })).text);
  }
}
