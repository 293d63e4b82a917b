/** Arguments of commands that plancast prints for people to copy into a shell. */

/** Characters that no shell treats specially. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/**
 * A file name or another value as one argument of a command line, quoted if a shell would read it differently. Double
 * quotes work in every shell, so single quotes are only for what double quotes would not protect.
 */
export function shellArgument(text: string, platform: NodeJS.Platform = process.platform): string {
  // A name that starts with a dash would be a flag.
  const value = text.startsWith("-") ? `./${text}` : text;
  if (PLAIN.test(value) || (platform === "win32" && PLAIN.test(value.replaceAll("\\", "/")))) return value;
  if (platform === "win32" || !/["$`\\!]/.test(value)) return `"${value}"`;
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
