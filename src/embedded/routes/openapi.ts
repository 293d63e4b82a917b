/** Describes the service in OpenAPI 3.1, from the definitions that check its requests and type its answers. */

import { z } from "zod";
import { type ZodOpenApiOperationObject, createDocument } from "zod-openapi";
import type { ErrorCode } from "../../model/service-interface.ts";
import { type EndpointDescription, ERROR_STATUS } from "./endpoint.ts";
import { FILE_FIELD } from "./media.ts";
import { errorAnswer } from "./schemas.ts";

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
