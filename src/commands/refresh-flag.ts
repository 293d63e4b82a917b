/** --refresh-media: what addresses of media give is looked at anew. */

export interface RefreshFlag {
  readonly "refresh-media": boolean;
}

/** In yargs' form. */
export const REFRESH_OPTION = {
  type: "boolean",
  default: false,
  describe: "Look again at media given as addresses, also at those that are known",
} as const;
