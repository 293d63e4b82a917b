/** The routes of the embedded service: one file for each family of endpoints, listed here. */

import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Health } from "./publishing/health.ts";
import { CONTROL_PATH, DESCRIPTION_PATH, HEALTH_PATHS, PAGE_PATH } from "./publishing/paths.ts";
import { aiRoutes } from "./routes/ai.ts";
import { type Scope, allows } from "./routes/api-keys.ts";
import { automationsRoutes } from "./routes/automations.ts";
import { platformsRoutes, webhooksRoutes } from "./routes/connections.ts";
import { controlRoutes } from "./routes/control.ts";
import {
  type Backend,
  type RequestContext,
  type Route,
  EndpointError,
  serviceUrl,
  toServiceError,
} from "./routes/endpoint.ts";
import { mediaRoutes } from "./routes/media.ts";
import { describeService } from "./routes/openapi.ts";
import { outboxRoutes } from "./routes/outbox.ts";
import { PostsPage } from "./routes/posts-page.ts";
import { postsRoutes } from "./routes/posts.ts";
import type { Access } from "./store/file-store.ts";

export const ROUTES: readonly Route[] = [
  postsRoutes,
  mediaRoutes,
  platformsRoutes,
  aiRoutes,
  automationsRoutes,
  webhooksRoutes,
].flat();

type Incoming = HttpBindings["incoming"];

export interface AppOptions {
  readonly backend: Backend;
  readonly health: Health;
  readonly access: Access;
  /** The scope of a request's key; undefined for a missing or unknown key. */
  readonly scopeOf: (incoming: Incoming) => Scope | undefined;
  /** Like scopeOf, for a browser. */
  readonly scopeOfBrowser: (incoming: Incoming) => Scope | undefined;
  /** The project's name, for the page. */
  readonly title: string;
  /** IANA zone of the times on the page. */
  readonly timezone: string;
}

export type ServiceApp = Hono<{ Bindings: HttpBindings }>;

export function createApp(options: AppOptions): ServiceApp {
  const app: ServiceApp = new Hono();
  app.get(DESCRIPTION_PATH, (context) => context.json(describeService(ROUTES, serviceUrl(context))));
  mountHealth(app, options.health);
  mountPages(app, options);
  app.use("*", async (context, next) => {
    if (options.scopeOf(context.env.incoming) === undefined) {
      throw new EndpointError("unauthorized", "Send a key of this service as `Authorization: Bearer <key>`.");
    }
    await next();
  });
  mount(app, "/v1", ROUTES, options);
  mount(app, CONTROL_PATH, controlRoutes, options);
  app.notFound((context) =>
    errorResponse(context, new EndpointError("not_found", "This endpoint does not exist.")),
  );
  app.onError((error, context) => errorResponse(context, toServiceError(error)));
  return app;
}

/** For watchers and load balancers. They need no key, and nothing that they see has content. */
function mountHealth(app: ServiceApp, health: Health): void {
  app.get(HEALTH_PATHS.alive, async () => healthAnswer(await health.isAlive()));
  app.get(HEALTH_PATHS.ready, async () => healthAnswer(await health.isReady()));
  app.get(HEALTH_PATHS.metrics, async () => {
    const text = await health.metrics().catch(() => undefined);
    if (text === undefined) return healthAnswer(false);
    return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
  });
}

function healthAnswer(isGood: boolean): Response {
  return new Response(isGood ? "ok\n" : "the store does not answer\n", { status: isGood ? 200 : 503 });
}

/** Pages for browsers, which send a key in another way. */
function mountPages(app: ServiceApp, options: AppOptions): void {
  const { backend, scopeOfBrowser } = options;
  const forVisitors =
    (respond: (context: RequestContext, scope: Scope) => Promise<Response>) =>
    async (context: RequestContext): Promise<Response> => {
      const scope = scopeOfBrowser(context.env.incoming);
      if (scope === undefined) {
        context.header("WWW-Authenticate", 'Basic realm="plancast: any name, and a key as password"');
        return errorResponse(
          context,
          new EndpointError("unauthorized", "Enter a key of this service as the password."),
        );
      }
      await backend.timeline.catchUp();
      return await respond(context, scope);
    };
  for (const route of outboxRoutes)
    app.get(
      route.path,
      forVisitors((context) => route.respond(context, backend)),
    );
  const page = new PostsPage(options);
  app.get(
    PAGE_PATH,
    forVisitors((context, scope) => page.show(context, scope)),
  );
  app.post(
    PAGE_PATH,
    forVisitors((context, scope) => page.moveClock(context, scope)),
  );
}

function mount(app: ServiceApp, base: string, routes: readonly Route[], options: AppOptions): void {
  for (const route of routes) {
    app.on(route.method, base + route.path, async (context) => {
      requireScope(route, options, context);
      const settled = options.backend.timeline.catchUp();
      // A reader sees due posts as published even if the disk is full, because reading needs no disk.
      await (route.scope === "read" ? settled.catch(() => undefined) : settled);
      return await route.respond(context, options.backend);
    });
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map((route) => route.method);
    const allowed = methods.join(", ");
    const choice = methods.length === 1 ? allowed : `one of ${allowed}`;
    app.all(base + path, (context) => {
      context.header("Allow", allowed);
      return errorResponse(
        context,
        new EndpointError("validation_error", `method: must be ${choice} here.`, { status: 405 }),
      );
    });
  }
}

function requireScope(route: Route, options: AppOptions, context: RequestContext): void {
  const scope = options.scopeOf(context.env.incoming);
  if (scope === undefined || !allows(scope, route.scope)) {
    throw new EndpointError("forbidden", `This needs a key with the scope ${route.scope}.`);
  }
  if (route.scope !== "read" && options.access === "read-only") {
    throw new EndpointError("forbidden", "The embedded service is read-only.");
  }
}

function errorResponse(context: RequestContext, error: EndpointError): Response {
  return context.json(error.body(), error.status);
}
