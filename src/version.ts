import manifest from "../package.json" with { type: "json" };

/** The package's version, stated once, in package.json. */
export const VERSION: string = manifest.version;
