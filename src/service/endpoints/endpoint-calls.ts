/** What the endpoints have in common: reading, lists over all their pages, and addresses of single records. */

import { Failure } from "../../model/failure.ts";
import type { LongestLists } from "../../model/lockfile.ts";
import type { ResponseMapping } from "../../settings/response-mapping.ts";
import { type GetPage, type ListRequest, readList, readPages } from "../answers/read-list.ts";
import { isId } from "../answers/record.ts";
import { applyMapping } from "../answers/response-mapping.ts";
import { readFailure } from "../answers/results.ts";
import type { Call, CallResult, Transport } from "../http/transport.ts";
import { PRIORITY } from "../rate/limiter.ts";
import type { Listed } from "../records.ts";

export interface EndpointCalls {
  /** One record. @param path below the base */
  readonly read: (path: string) => Promise<CallResult>;
  /**
   * Throws a Failure if the list cannot be read or proved whole.
   * @param longest makes the proof worth more requests; see `ListProof`
   */
  readonly list: (
    path: string,
    query?: ListRequest["query"],
    longest?: LongestLists,
  ) => Promise<Listed<unknown>>;
  /** Pages of a list until `take`, which gets each, wants no more. Throws a Failure if it cannot be read. */
  readonly pages: (
    path: string,
    query: ListRequest["query"],
    take: (items: readonly unknown[]) => boolean,
  ) => Promise<void>;
  readonly write: (call: Omit<Call, "priority">) => Promise<CallResult>;
}

export interface EndpointCallsOptions {
  readonly transport: Transport;
  /** The page size that the service honours, according to the project. */
  readonly listLimit: number | undefined;
  /** Where answers contain the data, if the project says so. */
  readonly shape: ResponseMapping | undefined;
}

export function endpointCalls({ transport, listLimit, shape }: EndpointCallsOptions): EndpointCalls {
  const read = (path: string): Promise<CallResult> =>
    transport.call({ method: "GET", path, repeat: "repeatable", priority: PRIORITY.read });
  const record = async (path: string, called: Promise<CallResult>): Promise<CallResult> => {
    const result = await called;
    if (result.kind !== "answer") return result;
    return { kind: "answer", answer: applyMapping(result.answer, shape, path, "record") };
  };
  const pageOf =
    (path: string): GetPage =>
    async (page) => {
      const result = await read(page);
      if (result.kind === "answer") return applyMapping(result.answer, shape, path, "list");
      const failure = readFailure(`GET /v1${path}`, result);
      if (result.kind === "refused" && result.error.code === "validation_error") return failure;
      throw failure;
    };
  return {
    read: (path) => record(path, read(path)),
    list: (path, query = {}, longest) => readList({ path, query }, { listLimit, longest }, pageOf(path)),
    pages: (path, query, take) => readPages({ path, query }, listLimit, pageOf(path), take),
    write: (call) => record(call.path, transport.call({ ...call, priority: PRIORITY.write })),
  };
}

/** The path of one record. Throws a Failure for an id that would change the address. */
export function recordPath(collection: string, id: string): string {
  if (isId(id)) return `${collection}/${encodeURIComponent(id)}`;
  throw new Failure(
    "service/not-found",
    `${JSON.stringify(id)} is not an id: an id is one printable word without spaces.`,
    "Copy the id from a list of the service.",
  );
}

/** Does the work, such as a request, at the first call, and keeps the result. A failure is not kept. */
export function onceUntilItFails<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}
