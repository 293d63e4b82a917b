/**
 * An issue of the repository: opened at the first alert, updated, and closed when all have ended. Each later alert is a
 * comment, because GitHub sends no mail about a changed text. A hidden part of the text is the record of what was sent,
 * because a job keeps no files.
 */

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { GitHubApi } from "../../github/api.ts";
import type { Job } from "../../github/runner.ts";
import { authorOf } from "../../github/sticky-comment.ts";
import { escapeMarkdown } from "../../report/text/markdown.ts";
import { plural } from "../../report/text/numbers.ts";
import { type News, type Sent, sentSchema } from "../core/news.ts";
import type { Alert } from "../core/alert.ts";
import { newsMarkdown, openMarkdown } from "../core/message.ts";
import type { Channel, SentRecord } from "./channel.ts";

const PERMISSION = "issues: write";

const issueSchema = z.object({
  number: z.int().positive(),
  state: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  pull_request: z.unknown().optional(),
});

const created = z.object({ number: z.int().positive() });

interface Issue {
  readonly number: number;
  readonly isOpen: boolean;
  readonly sent: Sent;
}

export interface IssueOptions {
  readonly job: Pick<Job, "repository">;
  /** Distinguishes the issues of several workflows and projects; plain text. */
  readonly name: string;
  /** The name of the project, for people. */
  readonly project: string;
}

/** Longest visible text, in UTF-16 units. GitHub's limit is 65,536, and the record needs the rest. */
const MAX_TEXT = 30_000;

/** Longest record, in bytes: more is a mistake, or an attack. */
const MAX_RECORD = 4_000_000;

const RECORD = /<!-- plancast-sent ([\w+/=-]{0,60000}) -->/;

export class AlertIssue implements Channel, SentRecord {
  readonly name = "issue";
  /** There may be no issue yet. */
  readonly keepsUnsent = false;
  readonly #api: GitHubApi;
  readonly #options: IssueOptions;
  readonly #marker: string;
  #issue: Issue | undefined;

  constructor(api: GitHubApi, options: IssueOptions) {
    this.#api = api;
    this.#options = options;
    // A name cannot end the comment.
    this.#marker = `<!-- plancast-alerts ${encodeURIComponent(options.name)} -->`;
  }

  async read(): Promise<Sent> {
    this.#issue = await this.#find();
    return this.#issue?.sent ?? {};
  }

  async send(news: News): Promise<void> {
    const { fresh, open } = news;
    const isEnd = open.length === 0;
    const issue = this.#issue;
    if (issue === undefined) {
      if (isEnd) return;
      const answer = await this.#call("POST", "", { title: this.#title(), body: this.#body({}, open) });
      this.#issue = { number: created.parse(answer).number, isOpen: true, sent: {} };
      return;
    }
    const comment = `${newsMarkdown(news)}${isEnd ? "\n\nNothing is open any more." : ""}`;
    await this.#call("POST", `/${issue.number}/comments`, { body: comment });
    // Whoever closed it by hand knows the others, but not a new alert.
    const isOpen = isEnd ? false : issue.isOpen || fresh.length > 0;
    this.#issue = { ...issue, isOpen };
  }

  async write(sent: Sent, open: readonly Alert[]): Promise<void> {
    if (this.#issue === undefined) return;
    const { number, isOpen } = this.#issue;
    await this.#call("PATCH", `/${number}`, {
      body: this.#body(sent, open),
      state: isOpen ? "open" : "closed",
    });
  }

  #title(): string {
    const { project } = this.#options;
    return `plancast: posts of ${escapeMarkdown(project)} need you`;
  }

  #body(sent: Sent, open: readonly Alert[]): string {
    const record = deflateRawSync(JSON.stringify(sent)).toString("base64");
    return `${this.#marker}\n${visibleText(open)}\n\n<!-- plancast-sent ${record} -->\n`;
  }

  /** The newest of our own issues with the marker, open or closed. Other authors' issues do not count. */
  async #find(): Promise<Issue | undefined> {
    const author = await authorOf(this.#api, PERMISSION);
    const query = `state=all&creator=${encodeURIComponent(author)}&sort=created&direction=desc&per_page=100`;
    const path = `/repos/${this.#options.job.repository}/issues?${query}`;
    for await (const entry of this.#api.entries({ path, permission: PERMISSION })) {
      const { data } = issueSchema.safeParse(entry);
      if (data?.user?.login !== author || data.pull_request !== undefined) continue;
      const body = data.body ?? "";
      if (!body.startsWith(this.#marker)) continue;
      return { number: data.number, isOpen: data.state === "open", sent: recordIn(body) };
    }
    return undefined;
  }

  #call(method: "POST" | "PATCH", path: string, body: object): Promise<unknown> {
    const whole = `/repos/${this.#options.job.repository}/issues${path}`;
    return this.#api.call({ method, path: whole, body, permission: PERMISSION });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function visibleText(open: readonly Alert[]): string {
  const count = open.length === 0 ? "No alert is open." : `${plural(open.length, "alert")} open.`;
  const head = `${count} plancast keeps this text up to date, and closes the issue when all have ended.`;
  const text = open.length === 0 ? head : `${head}\n\n${openMarkdown(open)}`;
  return text.length > MAX_TEXT ? head : text;
}

/** A record that somebody damaged counts as empty: everything open is then sent again. */
function recordIn(body: string): Sent {
  const [, text = ""] = RECORD.exec(body) ?? [];
  try {
    const json = inflateRawSync(Buffer.from(text, "base64"), { maxOutputLength: MAX_RECORD });
    return sentSchema.parse(JSON.parse(json.toString("utf8")));
  } catch {
    return {};
  }
}
