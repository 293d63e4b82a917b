/** A name as a key in YAML, quoted where it needs to be. */
export function yamlKey(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(name) ? name : JSON.stringify(name);
}
