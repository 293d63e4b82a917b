/** What confirmed that a key may be sent: see connect/confirm-origin.ts, and for `script` connect/client.ts. */
export type ConfirmedBy = "environment" | "flag" | "remembered" | "person" | "script" | "embedded";

/**
 * A key that may be sent, and the one origin that it may be sent to. Requests take their header from here, so a key that
 * nobody confirmed, or an address that it is not for, cannot get into one. Prints as an empty object.
 */
export class OriginKey {
  readonly origin: string;
  readonly #text: string;

  private constructor(origin: string, text: string) {
    this.origin = origin;
    this.#text = text;
  }

  /** @param origin as `URL.origin` has it  @param by what confirmed that this key may go there */
  static confirmed(origin: string, text: string, _by: ConfirmedBy): OriginKey {
    return new OriginKey(origin, text);
  }

  /** The header of a request. Throws for an address of another origin. */
  authorization(url: URL): string {
    if (url.origin !== this.origin) throw new Error(`The key is not for ${url.origin}.`);
    return `Bearer ${this.#text}`;
  }

  /** For hashes, and for hiding it wherever the service repeats it. */
  get text(): string {
    return this.#text;
  }
}
