/** The routes of the embedded service: one file for each family of endpoints, listed here. Also describes them in OpenAPI. */

import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { type ZodOpenApiOperationObject, createDocument } from "zod-openapi";
import type { ErrorCode } from "../model/service-interface.ts";
import { CONTROL_PATH, DESCRIPTION_PATH, PAGE_PATH } from "./publishing/paths.ts";
import { aiRoutes } from "./routes/ai.ts";
import { type Scope, allows } from "./routes/api-keys.ts";
import { automationsRoutes, platformsRoutes, webhooksRoutes } from "./routes/connections.ts";
import { controlRoutes } from "./routes/control.ts";
import {
  type Backend,
  type EndpointDescription,
  type RequestContext,
  type Route,
  ERROR_STATUS,
  ServiceError,
  serviceUrl,
  toServiceError,
} from "./routes/endpoint.ts";
import { FILE_FIELD, mediaRoutes } from "./routes/media.ts";
import { outboxRoutes } from "./routes/outbox.ts";
import { PostsPage } from "./routes/posts-page.ts";
import { postsRoutes } from "./routes/posts.ts";
import { errorAnswer } from "./routes/schemas.ts";
import type { Access } from "./store/store.ts";

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

export type App = Hono<{ Bindings: HttpBindings }>;

export function createApp(options: AppOptions): App {
  const app: App = new Hono();
  app.get(DESCRIPTION_PATH, (context) => context.json(describeService(ROUTES, serviceUrl(context))));
  mountPages(app, options);
  app.use("*", async (context, next) => {
    if (options.scopeOf(context.env.incoming) === undefined) {
      throw new ServiceError("unauthorized", "Send a key of this service as `Authorization: Bearer <key>`.");
    }
    await next();
  });
  mount(app, "/v1", ROUTES, options);
  mount(app, CONTROL_PATH, controlRoutes, options);
  app.notFound((context) =>
    errorResponse(context, new ServiceError("not_found", "This endpoint does not exist.")),
  );
  app.onError((error, context) => errorResponse(context, toServiceError(error)));
  return app;
}

/** Pages for browsers, which send a key in another way. */
function mountPages(app: App, options: AppOptions): void {
  const { backend, scopeOfBrowser } = options;
  const forVisitors =
    (respond: (context: RequestContext, scope: Scope) => Promise<Response>) =>
    async (context: RequestContext): Promise<Response> => {
      const scope = scopeOfBrowser(context.env.incoming);
      if (scope === undefined) {
        context.header("WWW-Authenticate", 'Basic realm="plancast: any name, and a key as password"');
        return errorResponse(
          context,
          new ServiceError("unauthorized", "Enter a key of this service as the password."),
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

function mount(app: App, base: string, routes: readonly Route[], options: AppOptions): void {
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
        new ServiceError("validation_error", `method: must be ${choice} here.`, { status: 405 }),
      );
    });
  }
}

function requireScope(route: Route, options: AppOptions, context: RequestContext): void {
  const scope = options.scopeOf(context.env.incoming);
  if (scope === undefined || !allows(scope, route.scope)) {
    throw new ServiceError("forbidden", `This needs a key with the scope ${route.scope}.`);
  }
  if (route.scope !== "read" && options.access === "read-only") {
    throw new ServiceError("forbidden", "The embedded service is read-only.");
  }
}

function errorResponse(context: RequestContext, error: ServiceError): Response {
  return context.json(error.body(), error.status);
}

// The description in OpenAPI 3.1, from the definitions that check the requests and type the answers.

const LIMIT_HEADERS = {
  "X-RateLimit-Limit": "Requests per minute in the rate plan.",
  "X-RateLimit-Remaining": "Requests left in this window.",
  "X-RateLimit-Reset": "End of the window, as Unix time in seconds.",
};

/**
 * @param routes the endpoints to describe
 * @param url address of the service, with /v1
 */
export function describeService(routes: readonly EndpointDescription[], url: string): object {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const error = {
    description: "A refusal.",
    headers: headerRefs(),
    content: { "application/json": { schema: errorAnswer } },
  };
  return createDocument({
    openapi: "3.1.1",
    info: {
      title: "plancast embedded service",
      version: "1",
      description:
        "Replaces the publishing service on one machine. Where the service's interface leaves something open, this describes what the embedded service does.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{ key: [] }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      responses: { Error: error },
      headers: Object.fromEntries(
        Object.entries(LIMIT_HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: "integer" } },
        ]),
      ),
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "A key with the scope read, write or admin." },
      },
    },
  });
}

function operationOf(route: EndpointDescription): ZodOpenApiOperationObject {
  const errors = Object.fromEntries(
    errorsOf(route).map((status) => [status, { $ref: "#/components/responses/Error" }]),
  );
  return {
    operationId: route.operation,
    tags: [tagOf(route)],
    summary: route.summary,
    description: `Needs a key with the scope \`${route.scope}\` or a higher one.`,
    ...requestParams(route),
    ...requestBody(route.body),
    responses: {
      [route.status ?? 200]: {
        description: "Done.",
        headers: headerRefs(),
        content: route.answer === "file" ? FILE_CONTENT : { "application/json": { schema: route.answer } },
      },
      ...errors,
    },
  };
}

/**
 * The topic of the endpoint: the first part of its path. Documents group by it, and generated clients turn it into a
 * class.
 */
function tagOf({ path }: EndpointDescription): string {
  return path.split("/")[1] ?? "";
}

const FILE_CONTENT = { "image/*": {}, "video/*": {} };

/** The statuses of all refusals of this endpoint, as keys of an object, because numeric keys are sorted. */
function errorsOf({ path, body, errors = [] }: EndpointDescription): number[] {
  const always: ErrorCode[] = ["unauthorized", "forbidden", "validation_error", "rate_limit_exceeded"];
  const byId: ErrorCode[] = path.includes(":") ? ["not_found"] : [];
  const statuses = [...always, ...byId, ...errors].map((code) => ERROR_STATUS[code]);
  return [...statuses, ...(body === undefined ? [] : [413]), 500];
}

function headerRefs(): Record<string, { readonly $ref: `#/components/headers/${string}` }> {
  return Object.fromEntries(
    Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function requestParams({
  path,
  query,
}: EndpointDescription): Pick<ZodOpenApiOperationObject, "requestParams"> {
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, z.string()]);
  const inPath = ids.length === 0 ? {} : { path: z.object(Object.fromEntries(ids)) };
  const inQuery = query instanceof z.ZodObject ? { query } : {};
  const requestParams = { ...inPath, ...inQuery };
  return Object.keys(requestParams).length === 0 ? {} : { requestParams };
}

function requestBody(body: EndpointDescription["body"]): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (body === "file") {
    const schema = {
      type: "object" as const,
      // In 3.1, a file in a form is a string without a type; older generators need the format.
      properties: { [FILE_FIELD]: { type: "string" as const, format: "binary" } },
      required: [FILE_FIELD],
    };
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
  }
  if (body === undefined) return {};
  return { requestBody: { required: true, content: { "application/json": { schema: body } } } };
}
