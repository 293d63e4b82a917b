/** Which options the service of a project carries. */

import type { ServiceType } from "../model/service-interface.ts";
import {
  CARRIED_BY_BUFFER,
  CARRIED_BY_POSTIZ,
  CARRIED_BY_ZERNIO,
  CARRIED_ITSELF,
  type Carried,
} from "../model/options/carried.ts";
import { type Config, EMBEDDED, REPOSITORY } from "./config.ts";

/** By `service.type`. */
const CARRIED_BY: Readonly<Record<ServiceType, Carried>> = {
  postiz: CARRIED_BY_POSTIZ,
  zernio: CARRIED_BY_ZERNIO,
  buffer: CARRIED_BY_BUFFER,
};

/** Undefined if the environment names the service, or if this machine only shows posts. */
export function carriedBy({
  service,
  accounts = {},
}: Partial<Pick<Config, "service" | "accounts">>): Carried | undefined {
  if (service?.type !== undefined) return CARRIED_BY[service.type];
  if (service?.url === EMBEDDED || service?.url === REPOSITORY)
    return Object.keys(accounts).length === 0 ? undefined : CARRIED_ITSELF;
  return service?.url === undefined ? undefined : {};
}
