/** Random bytes, as `randomBytes` of node:crypto gives them. Passed in, so that tests can say what comes. */
export type Random = (bytes: number) => Uint8Array;

const ID_BYTES = 6;
/** A taken id is drawn about never; as often as this only where the source is no random one. */
const DRAWS = 100;

/** An id such as `post_9f86d081884c` that `isTaken` does not know. */
export function randomId(prefix: string, random: Random, isTaken: (id: string) => boolean): string {
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const id = `${prefix}_${Buffer.from(random(ID_BYTES)).toString("hex")}`;
    if (!isTaken(id)) return id;
  }
  throw new Error("The source of random bytes gives the same ones again and again.");
}
