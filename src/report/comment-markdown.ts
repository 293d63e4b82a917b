/** The comment on a pull request: a hidden marker, what there is to say, and where it comes from. */

/** GitHub takes no more characters in a comment. */
const MAX_COMMENT = 65_536;

export interface CommentFacts {
  /** Tells several projects of one repository apart. */
  readonly name: string;
  /** The page of the run. */
  readonly runUrl: string;
  /** The commit that was looked at. */
  readonly sha: string;
  /** The plan's hash; empty where there is none. */
  readonly hash: string;
}

/** What the comment begins with, by which it is found again. Nothing of it shows. */
export function commentMarker(name: string): string {
  return `<!-- plancast: ${name} -->`;
}

/** @param body gives what there is to say, in so many UTF-16 units at most */
export function commentMarkdown(facts: CommentFacts, body: (maxLength: number) => string): string {
  const { name, runUrl, sha, hash } = facts;
  const plan = hash === "" ? "" : ` · plan <code>${hash.replace("sha256:", "").slice(0, 12)}</code>`;
  const head = `${commentMarker(name)}\n`;
  const foot = `\n<sub>Commit ${sha.slice(0, 7)}${plan} · [the run](${runUrl}) has all of it.</sub>\n`;
  return head + body(MAX_COMMENT - head.length - foot.length) + foot;
}
