/** The sentences about holds, in plans and in the commands that make and end them. */

/** What people read about a hold. */
export interface HoldFacts {
  readonly id: string;
  readonly conditions: string;
  readonly reason: string;
  readonly by: string | undefined;
}

/** @param until when it ends, as people read it; undefined if only a release ends it */
export function heldText(hold: HoldFacts, until: string | undefined, posts: number): string {
  const those = posts === 1 ? "1 post is held" : `${posts} posts are held`;
  const release = `somebody releases ${posts === 1 ? "it" : "them"}`;
  return `${those} until ${until ?? release}: ${holdSentence(hold)} To release: \`plancast release ${hold.id}\`.`;
}

/** `client=acme, by Kim: “Recall of the lamp”.` */
export function holdSentence({ conditions, reason, by }: HoldFacts): string {
  const who = by === undefined ? "" : `, by ${by}`;
  return `${conditions}${who}: “${reason}”.`;
}

export function passedWhileHeldText(hold: HoldFacts, posts: number): string {
  const [those, them] =
    posts === 1
      ? ["1 post was due while it was held", "it"]
      : [`${posts} posts were due while they were held`, "them"];
  return `${those} (${hold.id}), so plancast did not publish ${them}. To publish ${them} now, give the row a new time.`;
}

/** @param posts that the end of the hold frees */
export function releasedText(hold: HoldFacts, posts: number): string {
  const next =
    posts === 0
      ? "No post was waiting for it"
      : `The next apply schedules ${posts === 1 ? "1 post" : `${posts} posts`}`;
  return `This change releases the hold ${hold.id}: ${holdSentence(hold)} ${next}.`;
}

/** @param posts that a pull request lists in plancast.holds.yaml, although no hold withholds their rows */
export function claimedCancelsText(posts: number): string {
  const [those, them] = posts === 1 ? ["1 post", "it"] : [`${posts} posts`, "each of them"];
  return `This change says that a command cancelled ${those} for a hold, but no hold withholds the rows. If somebody removed ${them} on the service, apply schedules the row again, and asks nobody. Check that this is meant.`;
}

/** @param branch that has the hold; undefined if only the checkout has it */
export function heldNowText(hold: HoldFacts, branch: string | undefined): string {
  const where =
    branch === undefined
      ? "Commit plancast.holds.yaml, so that everybody obeys it."
      : `It is on ${branch}: \`git pull\` brings it here.`;
  return `Held: ${holdSentence(hold)} ${where} To release: \`plancast release ${hold.id}\`.`;
}

/** @param rows that wait for a review  @param limit of cancels in a run */
export function tooManyStopsText(rows: number, limit: number): string {
  const those =
    rows === 1 ? "1 row was stopped in a sheet, but is" : `${rows} rows were stopped in a sheet, but are`;
  return `${those} not held yet: a run cancels at most ${limit} posts without a review (safety.max_cancels). Merge the pull request, or run plancast hold.`;
}
