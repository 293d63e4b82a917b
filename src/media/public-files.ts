/**
 * The addresses at which everybody can read the files of a project, for services that take media only by their addresses:
 * below `media.public_url`, or in a public repository on GitHub. Also checks what the addresses answer.
 */

import { createHash } from "node:crypto";
import { join, posix, relative, sep } from "node:path";
import { type Repository, askGit, findRepository } from "../disk/git.ts";
import { realpath } from "../disk/machine.ts";
import { displayAddress } from "../model/address.ts";
import { durationMs } from "../model/clock.ts";
import type { MediaFile } from "../model/post.ts";
import { sizeBytes } from "../settings/limits.ts";
import type { Project } from "../settings/config.ts";
import { allowedHosts } from "./allowed-hosts.ts";
import {
  type GetRules,
  type MediaAnswer,
  HostConnections,
  bodyParts,
  firstValue,
  getChecked,
} from "./checked-request.ts";
import type { MediaFault } from "./media-fault.ts";

/** The address of a file, or why it cannot be used there: a sentence with the next step. */
export type PublicAddress = { readonly address: string } | { readonly why: string };

type Asking = Pick<GetRules, "userAgent" | "stop">;

/** Statuses of hosts that answer only a GET. */
const NO_HEAD: ReadonlySet<number> = new Set([403, 405, 501]);

const GONE: ReadonlySet<number> = new Set([404, 410]);

export class PublicFiles {
  readonly #project: Pick<Project, "root" | "config" | "file">;
  readonly #asking: Asking;
  readonly #connections: HostConnections;
  #repository: Promise<GithubRepository | undefined> | undefined;

  constructor(project: Pick<Project, "root" | "config" | "file">, asking: Asking) {
    this.#project = project;
    this.#asking = asking;
    this.#connections = new HostConnections(allowedHosts(project.config.media.allow_hosts));
  }

  /** Where the file is, as far as the settings say. A file from the web is at its own address. */
  async addressOf({ path, url }: Pick<MediaFile, "path" | "url">): Promise<PublicAddress> {
    const { public_url: setting } = this.#project.config.media;
    if (url !== undefined) return { address: url };
    if (setting === undefined)
      return {
        why: `The service takes files only by their addresses on the web, and ${path} has none. Set \`media: { public_url: … }\` in ${this.#project.file} to the address before the paths of your files, or to \`repository\` if the repository is public on GitHub.`,
      };
    if (setting !== "repository") return { address: below(setting, path) };
    this.#repository ??= githubRepository(this.#project.root);
    const repository = await this.#repository;
    if (repository === undefined)
      return {
        why: `\`public_url: repository\` needs a repository with a remote \`origin\` on github.com. Set \`media: { public_url: … }\` in ${this.#project.file} to the address before the paths of your files.`,
      };
    const { folder, base } = repository;
    const commit = await lastCommit(repository, join(this.#project.root, path));
    if (commit === undefined)
      return { why: `${path} is not in any commit, so nobody can read it yet. Commit and push it.` };
    return { address: below(`${base}/${commit}`, posix.join(folder, path)) };
  }

  /** Why a service could not read the file at its address. Undefined if the address answers, with as many bytes. */
  async whyNot(file: MediaFile): Promise<string | undefined> {
    const found = await this.addressOf(file);
    if ("why" in found) return found.why;
    const answer = await this.#head(found.address);
    if ("message" in answer) return answer.message;
    return statusText(file, found.address, answer.status) ?? sizeText(file, found.address, answer.bytes);
  }

  /** Reads the file at its address, and compares all bytes. */
  async verified(file: MediaFile): Promise<PublicAddress> {
    const found = await this.addressOf(file);
    if ("why" in found) return found;
    const { address } = found;
    // A file from the web was read there before.
    if (file.url !== undefined) return found;
    const read = await this.#ask(address, "GET", async (answer) => ({
      status: answer.statusCode,
      sha256: answer.statusCode === 200 ? await hashOf(answer, file.bytes) : undefined,
    }));
    if ("message" in read) return { why: read.message };
    const why = statusText(file, address, read.status);
    if (why !== undefined) return { why };
    return read.sha256 === file.sha256 ? found : { why: otherFileText(file, address) };
  }

  /** Whether the host says that it has no file at the address. */
  async isGone(address: string): Promise<boolean> {
    const answer = await this.#head(address);
    return "status" in answer && GONE.has(answer.status);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #head(address: string): Promise<Head | MediaFault> {
    const head = await this.#ask(address, "HEAD", async (answer) => headOf(answer));
    const isUnclear =
      "status" in head && (NO_HEAD.has(head.status) || (head.status === 200 && head.bytes === undefined));
    return isUnclear ? this.#ask(address, "GET", async (answer) => headOf(answer)) : head;
  }

  #ask<T>(
    address: string,
    method: "GET" | "HEAD",
    receive: (answer: MediaAnswer) => Promise<T>,
  ): Promise<T | MediaFault> {
    const { allow_hosts: hosts, timeout } = this.#project.config.media;
    const rules = {
      ...this.#asking,
      method,
      allows: allowedHosts(hosts),
      dispatcherFor: (url: URL) => this.#connections.for(url),
      timeout: durationMs(timeout) < durationMs(HEAD_TIMEOUT) || method === "GET" ? timeout : HEAD_TIMEOUT,
    };
    return getChecked(address, { accept: "*/*" }, rules, receive);
  }
}

/** Longest wait for the headers of a file. */
const HEAD_TIMEOUT = "30s";

interface Head {
  readonly status: number;
  /** Undefined if the host does not say it. */
  readonly bytes: number | undefined;
}

function headOf({ statusCode, headers }: MediaAnswer): Head {
  const length = firstValue(headers["content-length"]);
  return {
    status: statusCode,
    bytes: length === undefined || headers["content-encoding"] !== undefined ? undefined : Number(length),
  };
}

/** Hex SHA-256; undefined if there are more bytes than there should be. */
async function hashOf(answer: MediaAnswer, most: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const part of bodyParts(answer)) {
    bytes += part.byteLength;
    if (bytes > Math.min(most, sizeBytes("1GiB"))) return undefined;
    hash.update(part);
  }
  return hash.digest("hex");
}

function statusText({ path }: MediaFile, address: string, status: number): string | undefined {
  if (status === 200) return undefined;
  return `${displayAddress(address)} answers with HTTP ${status}, so the service could not read ${path}. Publish the file there (commit and push it), or correct \`media.public_url\`. Everybody must be able to read it without signing in.`;
}

function sizeText(file: MediaFile, address: string, bytes: number | undefined): string | undefined {
  return bytes === undefined || bytes === file.bytes ? undefined : otherFileText(file, address);
}

function otherFileText({ path }: MediaFile, address: string): string {
  return `${displayAddress(address)} has another file than ${path}. Publish the newest version there (commit and push it), then run again.`;
}

/** An address below another one. Each part of the path is encoded. */
function below(base: string, path: string): string {
  return new URL(`${base.replace(/\/$/, "")}/${path.split("/").map(encodeURIComponent).join("/")}`).href;
}

interface GithubRepository {
  readonly repository: Repository;
  /** Of the project in the repository, with `/`; `.` for its root. */
  readonly folder: string;
  /** The address before a commit. */
  readonly base: string;
}

/** The repository on GitHub that a folder belongs to. */
async function githubRepository(root: string): Promise<GithubRepository | undefined> {
  const repository = await findRepository(root);
  if (repository === undefined) return undefined;
  const remote = await askGit(["config", "--get", "remote.origin.url"], root, repository);
  const [, owner, name] =
    /^\S*github\.com[:/]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(remote?.stdout.trim() ?? "") ?? [];
  if (owner === undefined || name === undefined) return undefined;
  const inside = relative(await realpath(repository.root), await realpath(root));
  const folder = inside === "" ? "." : inside.split(sep).join("/");
  return { repository, folder, base: `https://raw.githubusercontent.com/${owner}/${name}` };
}

/** The commit that last changed a file: its address stays the same until the file changes. */
async function lastCommit({ repository }: GithubRepository, path: string): Promise<string | undefined> {
  const log = await askGit(["log", "-1", "--format=%H", "--", path], repository.root, repository);
  const commit = log?.stdout.trim() ?? "";
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}
