/** @throws if there is none */
export function browserPath(): string;
export function findBrowser(): string | undefined;
export function findProgram(...names: string[]): string | undefined;
