/** The plugin of scripts/lazy-patterns-plugin.js. */
export function lazyPatternsPlugin(): import("rolldown").Plugin;
/** The code of a module, with patterns that are made at their first use. */
export function withLazyPatterns(code: string): string;
