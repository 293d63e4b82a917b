/**
 * A language model behind an OpenAI-compatible server: writes texts, describes pictures, and makes pictures. A request
 * may cost something, so it is never sent again once it may have arrived.
 */

import type { Dispatcher } from "undici";
import { type PlatformLimits, limitsOfProject } from "../../checks/networks/network-names.ts";
import { type Wait, durationMs } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import { isObject } from "../../model/data.ts";
import { isLoopback } from "../../model/address.ts";
import type { Code } from "../../problems/catalogue.ts";
import { NO_KEY_VARIABLE, modelNotConfirmedText } from "../../problems/connection-texts.ts";
import { type KeyOptions, type RequestKey, addressFault, confirmKey, isNamedOutside } from "../http/key.ts";
import { bodyOf } from "../http/refusal.ts";
import { openConnections } from "../http/request.ts";
import { type Call, type CallResult, type TransportOptions, Transport } from "../http/transport.ts";
import { Limiter, PRIORITY } from "../rate/limiter.ts";
import type { ImageRecord, ImageRequest, NotDone, TextRecord, TextRequest, WriteResult } from "../records.ts";
import type { AiSettings } from "../../settings/config.ts";
import { isCi } from "../../settings/environment.ts";
import {
  type AnswerFault,
  type DescribeRequest,
  type Message,
  altMessages,
  altText,
  chatText,
  excessOf,
  imageOf,
  shorterMessages,
  textMessages,
} from "./messages.ts";

/** Writes drafts. Methods never throw because of the server's answers. */
export interface Drafter {
  generateText(request: TextRequest): Promise<WriteResult<TextRecord>>;
  generateImage(request: ImageRequest): Promise<WriteResult<ImageRecord>>;
}

export interface ModelOptions extends Pick<
  TransportOptions,
  "clock" | "random" | "userAgent" | "stop" | "onRequest" | "onWait" | "timeoutMs"
> {
  readonly settings: AiSettings;
  /** A key that is confirmed for the origin of `settings.url`. If the model needs no key, it sends nothing. */
  readonly key: RequestKey;
  /** The limits of a network, by the name in the row. */
  readonly limitsOf: (platform: string) => PlatformLimits | undefined;
}

/** Requests per minute. Servers that allow less answer 429, and plancast then waits as they say. */
const REQUESTS_PER_MINUTE = 600;
/** How long the rate limit may refuse a request, in ms. */
const MAX_REFUSED_MS = 5 * 60_000;
/** No text of a model is longer. */
const MAX_TEXT_ANSWER = 4 * 1024 * 1024;
/** A picture of 24 MB in base64. */
const MAX_IMAGE_ANSWER = 32 * 1024 * 1024;

export class LanguageModel implements Drafter {
  readonly #settings: AiSettings;
  readonly #limitsOf: ModelOptions["limitsOf"];
  readonly #dispatcher: Dispatcher = openConnections();
  readonly #transport: Transport;

  constructor({ settings, limitsOf, ...options }: ModelOptions) {
    this.#settings = settings;
    this.#limitsOf = limitsOf;
    const { clock, random, stop, onWait } = options;
    const { origin } = new URL(settings.url);
    this.#transport = new Transport({
      ...options,
      address: { origin, base: settings.url.replace(/(?<!\/)\/+$/, "") },
      dispatcher: this.#dispatcher,
      maxRefusedMs: MAX_REFUSED_MS,
      limiter: new Limiter({
        fallbackLimit: REQUESTS_PER_MINUTE,
        reserve: () => 0,
        clock,
        random,
        stop,
        onWait: (wait: Wait) => onWait(wait),
      }),
    });
  }

  /** Requests sent so far, including retries. */
  get requests(): number {
    return this.#transport.requests;
  }

  async generateText(request: TextRequest): Promise<WriteResult<TextRecord>> {
    const network = this.#limitsOf(request.platform);
    const messages = textMessages(request, network);
    const first = await this.#chat(this.#settings.model, messages);
    if (first.result !== "done") return first;
    const excess = excessOf(first.value.text, network?.limits ?? {});
    if (excess === undefined) return first;
    const second = await this.#chat(
      this.#settings.model,
      shorterMessages(messages, first.value.text, excess),
    );
    if (second.result !== "done") return second;
    const still = excessOf(second.value.text, network?.limits ?? {});
    if (still === undefined) return second;
    const { length, limit, unit } = still;
    const message = `the model's text has ${length} ${unit}, but ${network?.title ?? request.platform} allows ${limit}, and the model did not shorten it enough`;
    return refused({ code: "ai/unusable", message });
  }

  /** The alt text of a picture, on one line. */
  async describePicture(request: DescribeRequest): Promise<WriteResult<TextRecord>> {
    const { vision_model: model = this.#settings.model } = this.#settings;
    const described = await this.#chat(model, altMessages(request));
    if (described.result !== "done") return described;
    const text = altText(described.value.text);
    return typeof text === "string" ? { result: "done", value: { ...described.value, text } } : refused(text);
  }

  async generateImage({ prompt, size = "1024x1024" }: ImageRequest): Promise<WriteResult<ImageRecord>> {
    const { image_model: model } = this.#settings;
    if (model === undefined) return refused(NO_IMAGE_MODEL);
    const call = { json: { model, prompt, size, n: 1 }, maxAnswerBytes: MAX_IMAGE_ANSWER };
    return this.#ask("/images/generations", model, call, (body) => {
      const image = imageOf(body);
      return "code" in image ? image : { ...image, record: recordOf(body) };
    });
  }

  /** Closes all connections, including those that wait for an answer. */
  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  #chat(model: string, messages: readonly Message[]): Promise<WriteResult<TextRecord>> {
    const call = { json: { model, messages, stream: false }, maxAnswerBytes: MAX_TEXT_ANSWER };
    return this.#ask("/chat/completions", model, call, (body) => {
      const text = chatText(body);
      return typeof text === "string" ? { text, record: recordOf(body) } : text;
    });
  }

  async #ask<T extends object>(
    path: string,
    model: string,
    call: Pick<Call, "json" | "maxAnswerBytes">,
    read: (body: unknown) => T | AnswerFault,
  ): Promise<WriteResult<T>> {
    const result = await this.#transport
      .call({ method: "POST", path, repeat: "once", priority: PRIORITY.write, ...call })
      .catch((error: unknown) => {
        if (error instanceof Failure) return error;
        throw error;
      });
    if (result instanceof Failure) return refused({ code: "service/unreachable", message: REDIRECTS });
    if (result.kind !== "answer") return notAnswered(result, model);
    const value = read(bodyOf(result.answer));
    return "code" in value && "message" in value ? refused(value) : { result: "done", value };
  }
}

const NO_IMAGE_MODEL: AnswerFault = {
  code: "ai/not-configured",
  message: "plancast.yaml names no model that makes pictures. Set ai.image_model, or remove the image prompt",
};

const REDIRECTS =
  "the server redirects to another address, and plancast does not follow it there. Set ai.url to the new address, if you trust it";

/** Faults that every other request would have, too. */
const FATAL: ReadonlySet<Code> = new Set([
  "service/unauthorized",
  "ai/not-found",
  "service/rate-limited",
  "service/unreachable",
]);

function refused({ code, message }: AnswerFault): NotDone {
  return { result: "refused", code, message, fatal: FATAL.has(code) };
}

function notAnswered(result: Exclude<CallResult, { kind: "answer" }>, model: string): NotDone {
  switch (result.kind) {
    case "refused": {
      const { status, message } = result.error;
      return refused({
        code: codeOf(status),
        message: `the server refused the request for ${model}: ${message}`,
      });
    }
    case "late":
      throw new Error("A request to a model has no due time, so it cannot be late.");
    case "unsent":
      if (result.stopped) return { result: "not_started" };
      return refused({
        code: "service/unreachable",
        message: `the server of ai.url cannot be reached: ${result.why}`,
      });
    case "unknown":
      return { result: "unknown", message: result.why };
  }
}

function codeOf(status: number): Code {
  if (status === 401 || status === 403) return "service/unauthorized";
  if (status === 404) return "ai/not-found";
  return status === 429 ? "service/rate-limited" : "ai/unusable";
}

function recordOf(body: unknown): TextRecord["record"] {
  return isObject(body) ? body : {};
}

type OpenModelOptions = Pick<KeyOptions, "project" | "env" | "confirmation"> &
  Omit<ModelOptions, "settings" | "key" | "limitsOf" | "timeoutMs">;

/** Throws a Failure if the address or the key cannot be used, or the key must not go to the address. */
export async function openModel(settings: AiSettings, options: OpenModelOptions): Promise<LanguageModel> {
  const { project, env: _env, confirmation: _confirmation, ...given } = options;
  checkAddress(settings.url);
  return new LanguageModel({
    ...given,
    settings,
    key: await keyOf(settings, options),
    timeoutMs: durationMs(settings.timeout),
    limitsOf: limitsOfProject(project.config),
  });
}

/** The address is not repeated, because it may hold a secret. */
function checkAddress(url: string): void {
  const fault = addressFault(url);
  if (fault === undefined) return;
  throw new Failure(
    "service/address",
    `The address of the language model (ai.url) ${fault.what}.`,
    "Write it like http://localhost:11434/v1, or https://api.example.com/v1. Put a key into the variable that ai.key_env names.",
  );
}

/** Models on this machine need none. */
const NO_KEY: RequestKey = { authorization: () => undefined, text: "" };

async function keyOf({ url, key_env: variable }: AiSettings, options: OpenModelOptions): Promise<RequestKey> {
  const address = new URL(url);
  const { origin } = address;
  if (variable === undefined) {
    if (await mayGetPrompts(address, options)) return NO_KEY;
    const { message, hint } = modelNotConfirmedText(origin, isCi(options.env), options.project.file);
    throw new Failure("service/url-not-confirmed", message, hint);
  }
  const key = (options.env[variable] ?? "").trim();
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    const what = key === "" ? "is empty" : "is not one line of printable ASCII without spaces";
    throw new Failure(
      "service/unauthorized",
      `${variable}, the key of the language model (ai.key_env), ${what}.`,
      `Put the key into the environment variable ${variable}. A model on this machine usually needs no key. In that case, remove ai.key_env.`,
    );
  }
  return confirmKey({ origin, path: address.pathname, namedBy: "checkout", variable }, key, options);
}

/** Prompts and pictures are worth protecting, too. Outside CI, a model on this machine needs no confirmation. */
async function mayGetPrompts(address: URL, options: OpenModelOptions): Promise<boolean> {
  const { env, confirmation, project } = options;
  const { origin } = address;
  if (isNamedOutside(address, options)) return true;
  if (isCi(env)) return false;
  if (isLoopback(address) || (await confirmation.isRemembered(origin, "", project))) return true;
  const use = { origin, namedBy: "checkout", variable: NO_KEY_VARIABLE } as const;
  return confirmation.canAsk && confirmation.ask(use, "", project);
}
