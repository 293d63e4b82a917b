/**
 * The description of the service in OpenAPI 3.1, made from the definitions by which requests are checked and answers
 * are typed. Source of the format: https://spec.openapis.org/oas/v3.1.1
 */

import { z } from "zod";
import type { ErrorCode } from "../../model/service-interface.ts";
import { type EndpointDescription, fileForm, hasJsonBody, noBody } from "./endpoint.ts";
import { FILE_FIELD } from "./media.ts";
import { errorAnswer } from "./schemas.ts";
import { ERROR_STATUS } from "./service-error.ts";

type Json = Readonly<Record<string, unknown>>;

const LIMIT_HEADERS = {
  "X-RateLimit-Limit": "Requests that the plan allows a minute.",
  "X-RateLimit-Remaining": "Requests that are left in this window.",
  "X-RateLimit-Reset": "When the window ends: Unix time, s.",
};

/**
 * @param routes every endpoint that is to be in it
 * @param url address of the service, with /v1
 */
export function describeService(routes: readonly EndpointDescription[], url: string): Json {
  const schemas = new Map<string, unknown>();
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  const error = { description: "A refusal.", headers: headerRefs(), content: jsonOf(errorAnswer, schemas) };
  return {
    openapi: "3.1.1",
    info: {
      title: "plancast embedded service",
      version: "1",
      description:
        "Stands in for the social post publishing service on one machine. Where the service's interface is silent, this is what the embedded service does.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{ key: [] }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(schemas),
      responses: { Error: error },
      headers: Object.fromEntries(
        Object.entries(LIMIT_HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: "integer" } },
        ]),
      ),
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "A key of the scope read, write or admin." },
      },
    },
  };
}

function operationOf(route: EndpointDescription, schemas: Map<string, unknown>): Json {
  const parameters = [...pathParameters(route.path), ...queryParameters(route.query, schemas)];
  const errors = Object.fromEntries(
    errorsOf(route).map((status) => [status, { $ref: "#/components/responses/Error" }]),
  );
  return {
    operationId: route.operation,
    tags: [tagOf(route)],
    summary: route.summary,
    description: `Needs a key of the scope \`${route.scope}\` or more.`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(route.body, schemas),
    responses: {
      [route.status ?? 200]: {
        description: "Done.",
        headers: headerRefs(),
        content: route.answer === "file" ? FILE_CONTENT : jsonOf(route.answer, schemas),
      },
      ...errors,
    },
  };
}

/** What the endpoint is about: the first part of its path. Documents group by it, and generated clients make a class of it. */
function tagOf({ path }: EndpointDescription): string {
  return path.split("/")[1] ?? "";
}

const FILE_CONTENT = { "image/*": {}, "video/*": {} };

/** The statuses of all refusals that this endpoint may answer, as keys of an object: those sort by themselves. */
function errorsOf({ path, body, errors = [] }: EndpointDescription): number[] {
  const always: ErrorCode[] = ["unauthorized", "forbidden", "validation_error", "rate_limit_exceeded"];
  const byId: ErrorCode[] = path.includes(":") ? ["not_found"] : [];
  const statuses = [...always, ...byId, ...errors].map((code) => ERROR_STATUS[code]);
  return [...statuses, ...(body === noBody ? [] : [413]), 500];
}

function headerRefs(): Json {
  return Object.fromEntries(
    Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/** What a query's texts become is what they stand for: a number is described as one. */
function queryParameters(query: z.ZodType, schemas: Map<string, unknown>): Json[] {
  const { properties = {} } = schemaOf(query, "output", schemas);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = typeof property === "object" ? property : {};
    return { name, in: "query", ...(description === undefined ? {} : { description }), schema };
  });
}

function requestBody(body: z.ZodType, schemas: Map<string, unknown>): Json {
  if (body === fileForm) {
    const schema = {
      type: "object",
      // In 3.1 a file in a form is a string without a type of its own; older generators go by the format.
      properties: { [FILE_FIELD]: { type: "string", format: "binary" } },
      required: [FILE_FIELD],
    };
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
  }
  if (!hasJsonBody(body)) return {};
  return {
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemaOrRef(body, "input", schemas) } },
    },
  };
}

function jsonOf(answer: z.ZodType, schemas: Map<string, unknown>): Json {
  return { "application/json": { schema: schemaOrRef(answer, "output", schemas) } };
}

/** The schema as a document of this kind holds it: a reference where it has a name, else itself. */
function schemaOrRef(schema: z.ZodType, io: "input" | "output", schemas: Map<string, unknown>): Json {
  const { $schema: _, ...rest } = schemaOf(schema, io, schemas);
  return rest;
}

/** The JSON Schema; the named ones that it refers to are put with the others. */
function schemaOf(schema: z.ZodType, io: "input" | "output", schemas: Map<string, unknown>) {
  const { $defs = {}, ...own } = withComponentRefs(z.toJSONSchema(schema, { io }));
  for (const [name, definition] of Object.entries($defs)) schemas.set(name, definition);
  return own;
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** References lead to where a description keeps its schemas. */
function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
}
