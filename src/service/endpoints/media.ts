/** The endpoints of the media library. */

import { openAsBlob } from "node:fs";
import { FormData } from "undici";
import { isObject } from "../../model/json.ts";
import { decodeMedia } from "../answers/other-records.ts";
import { decodeId, recordOf } from "../answers/record.ts";
import { ifReadable, toWriteResult } from "../answers/results.ts";
import type { Call, CallResult } from "../http/transport.ts";
import type { Listed, MediaRecord, WriteResult } from "../records.ts";
import type { ServiceClient } from "../service-client.ts";
import type { UploadFile } from "../service.ts";
import type { Caller } from "./caller.ts";

type MediaEndpoints = Pick<ServiceClient, "findMissingMedia" | "listMedia" | "uploadMedia">;

/** @param uploadField name of the file field of an upload, which the interface does not show */
export function mediaEndpoints({ list, write }: Caller, uploadField: string): MediaEndpoints {
  return {
    findMissingMedia: async (ids) => missingFrom(ids, await ifReadable(list("/media"))),
    listMedia: async (type) => ofType(type, await list("/media", type === undefined ? {} : { type })),
    uploadMedia: async (file) => uploaded(await write(uploadCall(file, uploadField))),
  };
}

function missingFrom(ids: readonly string[], list: Listed<unknown> | undefined): ReadonlySet<string> {
  if (list === undefined || list.wholeness !== "end") return new Set();
  const known = new Set(list.items.filter(isObject).map((item) => decodeId(item, "GET /v1/media")));
  return new Set(ids.filter((id) => !known.has(id)));
}

/** Services may ignore the filter, or tell no type. */
function ofType(type: string | undefined, { items, ...rest }: Listed<unknown>): Listed<MediaRecord> {
  const records = items.map((item) => decodeMedia(item, "GET /v1/media"));
  const asked = records.filter((each) => (each.type ?? type) === type || type === undefined);
  return { items: [...new Map(asked.map((each) => [each.id, each])).values()], ...rest };
}

function uploadCall(file: UploadFile, field: string): Omit<Call, "priority"> {
  const form = async (): Promise<FormData> => {
    const blob = await openAsBlob(file.absolutePath, { type: file.mime });
    const data = new FormData();
    data.append(field, blob, file.name);
    return data;
  };
  return { method: "POST", path: "/media", repeat: "repeatable", form };
}

function uploaded(result: CallResult): WriteResult<MediaRecord> {
  return toWriteResult(result, (answer) => {
    return decodeMedia(recordOf(answer, "POST /v1/media"), "POST /v1/media");
  });
}
