/**
 * The service over HTTP: connections, the rate limiter and the endpoints together. The endpoints of posts have their own
 * file. Here are the others: the media library, connected platforms, and what the service creates on request: texts,
 * pictures, runs of automations, and webhooks.
 */

import { DiskFile } from "../../media/disk-file.ts";
import type { FormPart } from "../http/request-body.ts";
import { type ExtraPart, NO_EXTRAS } from "../../model/extras.ts";
import { isObject } from "../../model/data.ts";
import {
  decodeAutomation,
  decodeImage,
  decodeMedia,
  decodePlatform,
  decodeText,
  decodeTrigger,
  decodeWebhook,
  platformNames,
} from "../answers/other-records.ts";
import { decodeId, idFrom, idIn, recordOf } from "../answers/record.ts";
import { ifReadable, isJsonOrEmpty, requireJsonOrEmpty, toWriteResult } from "../answers/results.ts";
import {
  type Call,
  type CallResult,
  type Connection,
  type ConnectionOptions,
  openTransport,
} from "../http/transport.ts";
import type { HttpAnswer } from "../http/request.ts";
import type { Disconnected, Listed, MediaRecord, WriteResult } from "../records.ts";
import type { FullService, UploadFile } from "../service.ts";
import {
  type EndpointCalls,
  type EndpointCallsOptions,
  endpointCalls,
  onceUntilItFails,
  recordPath,
} from "./endpoint-calls.ts";
import { postsEndpoints } from "./posts.ts";

export function openConnection(options: ConnectionOptions): Connection {
  const { origin, settings, supports } = options;
  const { upload_field: uploadField, list_limit: listLimit, shape } = settings;
  const { transport, ...connection } = openTransport(options);
  return {
    ...connection,
    service: httpService({ origin, transport, uploadField, listLimit, shape, supports }),
  };
}

interface HttpServiceOptions extends EndpointCallsOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  /** Name of the file field in an upload, which the interface does not document. */
  readonly uploadField: string;
  readonly supports?: ReadonlySet<ExtraPart> | undefined;
}

/** The service over HTTP. */
export function httpService({
  origin,
  uploadField,
  supports = NO_EXTRAS,
  ...options
}: HttpServiceOptions): FullService {
  const calls = endpointCalls(options);
  return {
    origin,
    supports,
    ...postsEndpoints(calls, supports),
    ...mediaEndpoints(calls, uploadField),
    ...platformsEndpoints(calls),
    ...aiAndAutomationsEndpoints(calls),
  };
}

type MediaEndpoints = Pick<FullService, "findMissingMedia" | "listMedia" | "uploadMedia">;

/** @param uploadField name of the file field in an upload, which the interface does not document */
function mediaEndpoints({ list, write }: EndpointCalls, uploadField: string): MediaEndpoints {
  return {
    findMissingMedia: async (ids) => missingFrom(ids, await ifReadable(list("/media"))),
    listMedia: async (type) => ofType(type, await list("/media", type === undefined ? {} : { type })),
    uploadMedia: async (file) =>
      toWriteResult(await write(uploadCall(file, uploadField)), (answer) =>
        decodeMedia(recordOf(answer, "POST /v1/media"), "POST /v1/media"),
      ),
  };
}

function missingFrom(ids: readonly string[], list: Listed<unknown> | undefined): ReadonlySet<string> {
  if (list === undefined || list.wholeness !== "end") return new Set();
  const known = new Set(list.items.filter(isObject).map((item) => decodeId(item, "GET /v1/media")));
  return new Set(ids.filter((id) => !known.has(id)));
}

/** Services may ignore the filter, or send no type. */
function ofType(type: string | undefined, { items, ...rest }: Listed<unknown>): Listed<MediaRecord> {
  const records = items.map((item) => decodeMedia(item, "GET /v1/media"));
  const asked = records.filter((each) => (each.type ?? type) === type || type === undefined);
  return { items: [...new Map(asked.map((each) => [each.id, each])).values()], ...rest };
}

function uploadCall(file: UploadFile, field: string): Omit<Call, "priority"> {
  const form = async (): Promise<FormPart[]> => {
    const value = await DiskFile.open(file.absolutePath, file.mime);
    return [{ name: field, value, fileName: file.name }];
  };
  return { method: "POST", path: "/media", repeat: "repeatable", form };
}

type PlatformsEndpoints = Pick<
  FullService,
  "listNetworks" | "listAccountIds" | "listAccounts" | "disconnectPlatform"
>;

function platformsEndpoints({ list, write }: EndpointCalls): PlatformsEndpoints {
  const listAccounts = async () => {
    const { items, ...rest } = await list("/platforms");
    return { items: items.map((item) => decodePlatform(item, "GET /v1/platforms")), ...rest };
  };
  // A run needs networks and accounts, and one answer has both.
  const platforms = onceUntilItFails(() => ifReadable(list("/platforms")));
  return {
    listNetworks: async () => platformsIn(await platforms()),
    listAccountIds: async () => accountIdsIn(await platforms()),
    listAccounts,
    disconnectPlatform: async (id) => {
      const path = recordPath("/platforms", id);
      return disconnected(id, await write({ method: "DELETE", path, repeat: "repeatable" }), listAccounts);
    },
  };
}

/** Undefined if there are accounts, and none has an id. */
function accountIdsIn(list: Listed<unknown> | undefined): ReadonlySet<string> | undefined {
  if (list === undefined) return undefined;
  const ids = list.items.map((item) => (isObject(item) ? idIn(item) : idFrom(item)));
  const shown = new Set(ids.filter((id) => id !== undefined));
  return shown.size === 0 && ids.length > 0 ? undefined : shown;
}

function platformsIn(list: Listed<unknown> | undefined): ReadonlySet<string> | undefined {
  const names = list?.items.map(platformNames);
  if (names === undefined || names.length === 0) return undefined;
  return names.every((each) => each !== undefined) ? new Set(names.flat()) : undefined;
}

/**
 * Any answer from the service means disconnected. Two answers are not trusted: that the account is not found, and an
 * answer in an unknown form. Then the list of accounts decides.
 */
async function disconnected(
  id: string,
  result: CallResult,
  listAccounts: FullService["listAccounts"],
): Promise<WriteResult<Disconnected>> {
  const isOwn = result.kind === "answer" && isJsonOrEmpty(result.answer);
  const isMissing = result.kind === "refused" && result.error.code === "not_found";
  if (isOwn || (result.kind !== "answer" && !isMissing)) return toWriteResult(result, () => "disconnected");
  const accounts = await ifReadable(listAccounts());
  if (accounts?.items.some((each) => each.id === id) === true && isMissing)
    return toWriteResult(result, () => "disconnected");
  const isGone =
    accounts?.wholeness === "end" && accounts.items.every((each) => each.id !== undefined && each.id !== id);
  if (isGone) return { result: "done", value: isMissing ? "already-gone" : "disconnected" };
  return { result: "unknown", message: "the service does not show whether the account is still connected" };
}

type Endpoints = Pick<
  FullService,
  "generateText" | "generateImage" | "listAutomations" | "triggerAutomation" | "addWebhook"
>;

function aiAndAutomationsEndpoints({ list, write }: EndpointCalls): Endpoints {
  const postOnce = (path: string, json: object): Promise<CallResult> =>
    write({ method: "POST", path, repeat: "once", json });
  return {
    generateText: async ({ prompt, platform, tone }) =>
      withAnswer(await postOnce("/ai/text", { prompt, platform, tone }), (answer) =>
        decodeText(answer, "POST /v1/ai/text"),
      ),
    generateImage: async ({ prompt, size }) =>
      withAnswer(await postOnce("/ai/image", { prompt, size }), (answer) =>
        decodeImage(answer, "POST /v1/ai/image"),
      ),
    listAutomations: async () => {
      const { items, ...rest } = await list("/automations");
      return { items: items.map((item) => decodeAutomation(item, "GET /v1/automations")), ...rest };
    },
    triggerAutomation: async (id, input) => {
      const path = `${recordPath("/automations", id)}/trigger`;
      return toWriteResult(await postOnce(path, { input }), (answer) =>
        decodeTrigger(requireJsonOrEmpty(answer, `POST /v1${path}`)),
      );
    },
    addWebhook: async ({ url, events }) =>
      toWriteResult(await postOnce("/webhooks", { url, events }), (answer) =>
        decodeWebhook(requireJsonOrEmpty(answer, "POST /v1/webhooks")),
      ),
  };
}

/** The result may have cost money. If it cannot be read, people can look for it in the answer. */
function withAnswer<T>(call: CallResult, decode: (answer: HttpAnswer) => T): WriteResult<T> {
  const written = toWriteResult(call, decode);
  if (call.kind !== "answer" || written.result !== "unknown") return written;
  return { ...written, answer: call.answer.text };
}
