/** Throws where there is none. */
export function browserPath(): string;
