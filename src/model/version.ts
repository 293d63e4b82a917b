import manifest from "../../package.json" with { type: "json" };

/** The package's version, stated once, in package.json. */
export const VERSION: string = manifest.version;

/** How requests name plancast. */
export const USER_AGENT = `plancast/${VERSION}`;

/** The versions of Node that it runs on, such as `>=20.19`. */
export const NODE_VERSIONS: string = manifest.engines.node;
