/** Lines of several sections with an empty line between them; empty sections leave no trace. */
export function sections(all: readonly (readonly string[])[]): string[] {
  return all
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}
