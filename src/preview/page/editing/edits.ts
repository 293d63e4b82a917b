/** Asks the page's server to edit posts. It needs the token from the address that the server printed. */

import {
  type ChangedPost,
  type EditAnswer,
  type EditRequest,
  type EditedPost,
  type Meter,
  type OpenedEdit,
  type PageChange,
  type PreviewData,
  type PreviewPost,
  type RefusedEdit,
  EDIT_TOKEN_HEADER,
  EDIT_TOKEN_NAME,
  FIXED_STATUSES,
} from "../../preview-data.ts";

const READ_ONLY =
  "To edit posts here, open the whole address that plancast preview --serve printed, with the part after #.";

const FIXED = "This post is past or has no row any more, so it cannot be edited here.";

const NO_SERVER: RefusedEdit = {
  answer: "refused",
  code: "",
  message:
    "plancast preview --serve does not answer, so nothing was saved. Start it again, and open the new address.",
};

/** After this, the page no longer waits for the new state, in ms. The server would refuse an edit of the old one. */
const LONGEST_WAIT_MS = 15_000;

export class Edits {
  #token = tokenIn(location.hash) ?? storedToken();
  #data: PreviewData;
  /** The file that the last edit changed, as it was before. */
  #before: { readonly file: string; readonly version: string | undefined } | undefined;
  #wake: () => void = () => undefined;

  constructor(data: PreviewData) {
    this.#data = data;
    storeToken(this.#token);
    addEventListener("hashchange", () => {
      const token = tokenIn(location.hash);
      if (token === undefined) return;
      this.#token = token;
      storeToken(token);
    });
  }

  /** Takes the newest data. */
  follow(data: PreviewData): void {
    this.#data = data;
    if (!this.#isBehind()) this.#wake();
  }

  /** Whether the server allows edits. If so, each post that cannot be edited has a reason. */
  get isOffered(): boolean {
    return this.#data.editing !== undefined;
  }

  /** Why a post cannot be edited; undefined if it may be. */
  whyNot({ status, row }: PreviewPost): string | undefined {
    if (this.#token === undefined) return READ_ONLY;
    if (row === undefined || FIXED_STATUSES.has(status)) return FIXED;
    return this.#data.editing?.[row.file]?.why;
  }

  open(post: PreviewPost): Promise<OpenedEdit | RefusedEdit> {
    return this.#ask({ ask: "open", post: this.#place(post) }, "open");
  }

  /** How long a text would be on these networks; none if the server does not answer. */
  async measure(post: PreviewPost, text: string, platforms: readonly string[]): Promise<readonly Meter[]> {
    const answer = await this.#ask({ ask: "measure", post: this.#place(post), text, platforms }, "measured");
    return answer.answer === "refused" ? [] : answer.meters;
  }

  /** Writes a change. The page shows it later: see `caughtUp`. */
  async change(post: PreviewPost, change: PageChange): Promise<ChangedPost | RefusedEdit> {
    const place = this.#place(post);
    const answer = await this.#ask({ ask: "change", post: place, change }, "changed");
    if (answer.answer === "changed") this.#expect(place);
    return answer;
  }

  /** Also undoes an undo. @param file that the edit changed */
  async undo(edit: string, file: string): Promise<Extract<EditAnswer, { answer: "undone" }> | RefusedEdit> {
    const version = this.#versionOf(file);
    const answer = await this.#ask({ ask: "undo", edit }, "undone");
    if (answer.answer === "undone") this.#expect({ file, version });
    return answer;
  }

  /** Resolves when the page shows the last edit; to false if that takes too long. */
  async caughtUp(): Promise<boolean> {
    if (this.#isBehind())
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, LONGEST_WAIT_MS);
      });
    const isBehind = this.#isBehind();
    this.#before = undefined;
    return !isBehind;
  }

  #place({ row, platforms }: PreviewPost): EditedPost {
    const file = this.#data.editing?.[row?.file ?? -1];
    return {
      file: file?.name ?? "",
      version: file?.version ?? "",
      ...(row?.sheet === undefined ? {} : { sheet: row.sheet }),
      line: row?.line ?? 0,
      platforms: platforms.flatMap((place) => this.#data.platforms[place]?.name ?? []),
    };
  }

  /** @param version of the file before the edit */
  #expect({ file, version }: { readonly file: string; readonly version: string | undefined }): void {
    this.#before = { file, version };
  }

  #isBehind(): boolean {
    return this.#before !== undefined && this.#versionOf(this.#before.file) === this.#before.version;
  }

  #versionOf(file: string): string | undefined {
    return this.#data.editing?.find(({ name }) => name === file)?.version;
  }

  async #ask<Kind extends EditAnswer["answer"]>(
    request: EditRequest,
    kind: Kind,
  ): Promise<Extract<EditAnswer, { answer: Kind }> | RefusedEdit> {
    try {
      const answer = await fetch("/edit", {
        method: "POST",
        headers: { "content-type": "application/json", [EDIT_TOKEN_HEADER]: this.#token ?? "" },
        body: JSON.stringify(request),
      });
      const said: EditAnswer = await answer.json();
      return isKind(said, kind) || said.answer === "refused" ? said : NO_SERVER;
    } catch {
      return NO_SERVER;
    }
  }
}

function isKind<Kind extends EditAnswer["answer"]>(
  answer: EditAnswer,
  kind: Kind,
): answer is Extract<EditAnswer, { answer: Kind }> {
  return answer.answer === kind;
}

function tokenIn(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get(EDIT_TOKEN_NAME) ?? undefined;
}

/** For this tab only, so that the page can be loaded again. */
const STORED = "plancast-edit";

function storedToken(): string | undefined {
  try {
    return sessionStorage.getItem(STORED) ?? undefined;
  } catch {
    // The browser does not allow storage.
    return undefined;
  }
}

function storeToken(token: string | undefined): void {
  try {
    if (token !== undefined) sessionStorage.setItem(STORED, token);
  } catch {
    // Then the token lasts until the page is loaded again.
  }
}
