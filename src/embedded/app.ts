/** The routes of the embedded service: one file and one line here for each family of endpoints. */
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { allows, type Scope } from "./api-keys.ts";
import { aiRoutes } from "./ai-routes.ts";
import { automationsRoutes } from "./automations-routes.ts";
import { mediaRoutes } from "./media-routes.ts";
import { describeService } from "./openapi.ts";
import { platformsRoutes } from "./platforms-routes.ts";
import { postsRoutes } from "./posts-routes.ts";
import { serviceUrl, type Backend, type RequestContext, type Route } from "./route.ts";
import { webhooksRoutes } from "./webhooks-routes.ts";
import { ServiceError, toServiceError } from "./service-error.ts";

export const ROUTES: readonly Route[] = [
  postsRoutes,
  mediaRoutes,
  platformsRoutes,
  aiRoutes,
  automationsRoutes,
  webhooksRoutes,
].flat();

/** Whether the store may be written to. */
export type Access = "read-only" | "read-write";

export interface AppOptions {
  readonly backend: Backend;
  readonly access: Access;
  /** The scope of a request's key; undefined when it has none that is known. */
  readonly scopeOf: (incoming: HttpBindings["incoming"]) => Scope | undefined;
}

export type App = Hono<{ Bindings: HttpBindings }>;

export function createApp(options: AppOptions): App {
  const app: App = new Hono();
  app.get("/openapi.json", (context) => context.json(describeService(ROUTES, serviceUrl(context))));
  app.use("*", async (context, next) => {
    if (options.scopeOf(context.env.incoming) === undefined) {
      throw new ServiceError("unauthorized", "Send a key of this service as `Authorization: Bearer <key>`.");
    }
    await next();
  });
  for (const route of ROUTES) {
    app.on(route.method, `/v1${route.path}`, (context) => {
      checkAllowed(route, options, context);
      return route.answerTo(context, options.backend);
    });
  }
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const methods = ROUTES.filter((route) => route.path === path).map((route) => route.method);
    app.all(`/v1${path}`, (context) => {
      context.header("Allow", methods.join(", "));
      return answer(
        context,
        new ServiceError("validation_error", `method: must be one of ${methods.join(", ")} here.`, {
          status: 405,
        }),
      );
    });
  }
  app.notFound((context) => answer(context, new ServiceError("not_found", "There is no such endpoint.")));
  app.onError((error, context) => answer(context, toServiceError(error)));
  return app;
}

function checkAllowed(route: Route, options: AppOptions, context: RequestContext): void {
  const scope = options.scopeOf(context.env.incoming);
  if (scope === undefined || !allows(scope, route.scope)) {
    throw new ServiceError("forbidden", `This needs a key of the scope ${route.scope}.`);
  }
  if (route.scope !== "read" && options.access === "read-only") {
    throw new ServiceError("forbidden", "The embedded service was started to be read alone.");
  }
}

function answer(context: RequestContext, error: ServiceError): Response {
  return context.json(error.body(), error.status);
}
