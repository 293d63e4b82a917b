/** Randomness is a parameter, so that tests and simulations can control it. */

/** As `randomBytes` of node:crypto. */
export type Random = (bytes: number) => Uint8Array;

const UUID_BYTES = 16;

/** A random UUID. Source: RFC 9562, section 5.4. */
export function uuidFrom(random: Random): string {
  const bytes = Uint8Array.from(random(UUID_BYTES));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
