/**
 * How long requests and how large downloads may be at most. A checkout can set lower limits, but only the environment can
 * raise these: a pull request must not make a runner wait for hours, or fill its disk.
 */

import { DURATION, DURATION_FORM, durationMs } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import type { Config } from "./config.ts";
import type { Env } from "./environment.ts";
import { SIZE, SIZE_FORM, sizeBytes } from "./limits.ts";

/** Texts such as `5m` and `1GiB`, as people write them. */
export interface Maxima {
  /** For one download. */
  readonly downloadTime: string;
  readonly downloadSize: string;
  /** For all downloads of a run together. */
  readonly runTime: string;
  readonly runSize: string;
  /** For one request to a service. An upload may take longer while it is fast enough. */
  readonly requestTime: string;
}

const VARIABLES = {
  downloadTime: { variable: "PLANCAST_MAX_DOWNLOAD_TIME", usual: "5m", form: DURATION, says: DURATION_FORM },
  downloadSize: { variable: "PLANCAST_MAX_DOWNLOAD_SIZE", usual: "1GiB", form: SIZE, says: SIZE_FORM },
  runTime: { variable: "PLANCAST_MAX_RUN_TIME", usual: "15m", form: DURATION, says: DURATION_FORM },
  runSize: { variable: "PLANCAST_MAX_RUN_SIZE", usual: "5GiB", form: SIZE, says: SIZE_FORM },
  requestTime: { variable: "PLANCAST_MAX_REQUEST_TIME", usual: "5m", form: DURATION, says: DURATION_FORM },
} as const satisfies Record<keyof Maxima, object>;

/** Throws a Failure for a variable that is neither a duration nor a size. */
export function maximaOf(env: Env): Maxima {
  const of = (name: keyof Maxima): string => {
    const { variable, usual, form, says } = VARIABLES[name];
    const given = env[variable]?.trim() ?? "";
    if (given === "") return usual;
    if (form.test(given)) return given;
    throw new Failure(
      "usage/arguments",
      `${variable} is ${JSON.stringify(given)}, which plancast does not understand.`,
      `It must be ${says}. Without it, the maximum is ${usual}.`,
    );
  };
  return {
    downloadTime: of("downloadTime"),
    downloadSize: of("downloadSize"),
    runTime: of("runTime"),
    runSize: of("runSize"),
    requestTime: of("requestTime"),
  };
}

/** The settings with lower limits where they are above the maxima. */
export function withinMaxima(config: Config, maxima: Maxima): Config {
  const { service, media, ai } = config;
  const { downloadTime, downloadSize, requestTime } = maxima;
  return {
    ...config,
    service: { ...service, timeout: shorter(service.timeout, requestTime) },
    media: {
      ...media,
      timeout: shorter(media.timeout, downloadTime),
      max_size: sizeBytes(media.max_size) > sizeBytes(downloadSize) ? downloadSize : media.max_size,
    },
    ...(ai === undefined ? {} : { ai: { ...ai, timeout: shorter(ai.timeout, requestTime) } }),
  };
}

function shorter(wanted: string, most: string): string {
  return durationMs(wanted) > durationMs(most) ? most : wanted;
}
