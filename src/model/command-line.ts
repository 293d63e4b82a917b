/** Arguments of commands that plancast prints for people to copy into a shell. */

/** Characters that no shell treats specially. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** What double quotes do not protect. A backslash is special only before one of these. */
const NEEDS_SINGLE_QUOTES = /["$`!]|\\\\|\\$/;

/**
 * A file name or another value as one argument of a command line, quoted if a shell would read it differently. Double
 * quotes work in every shell, also on Windows, so single quotes are only for what double quotes would not protect.
 */
export function shellArgument(text: string): string {
  // A name that starts with a dash would be a flag.
  const value = text.startsWith("-") ? `./${text}` : text;
  if (PLAIN.test(value)) return value;
  return NEEDS_SINGLE_QUOTES.test(value) ? `'${value.replaceAll("'", String.raw`'\''`)}'` : `"${value}"`;
}
