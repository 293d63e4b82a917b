/** Where the relative links of a README lead. */
export function relativeLinks(readme: string): string[];
/** The `owner/name` that `repository` of package.json names; undefined if it is not on GitHub. */
export function gitHubName(repository: unknown): string | undefined;
export function absoluteLinks(readme: string, name: string): string;
