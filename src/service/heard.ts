import type { HttpAnswer, HttpFault } from "./http.ts";

/** What came back of one request, whole, but for the key. Times are local ms. */
export interface Exchange {
  /** Of the address, with its query. */
  readonly path: string;
  readonly result: HttpAnswer | HttpFault;
  readonly sentAt: number;
  readonly receivedAt: number;
}
