/** Opens the services that `service.type` names. A new one needs a line here and in src/model/service-types.ts. */

import type { ServiceType } from "../../model/service-types.ts";
import type { Connection, ConnectionOptions } from "../http/connection.ts";
import { openPostiz } from "../postiz/open-postiz.ts";
import { openZernio } from "../zernio/open-zernio.ts";

export const OPENERS: Readonly<Record<ServiceType, (options: ConnectionOptions) => Connection>> = {
  postiz: openPostiz,
  zernio: openZernio,
};
