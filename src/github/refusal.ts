import { Failure } from "../calendar/failure.ts";
import type { HttpAnswer } from "../service/http.ts";
import type { ApiCall } from "./api.ts";

type FailedCall = Partial<Pick<ApiCall, "method" | "permission">> & Pick<ApiCall, "path">;

/** What GitHub did instead of what was asked. Its own words are not repeated: they are of no use here, and untrusted. */
export function apiFailure({ method = "GET", path }: FailedCall, what: string, hint?: string): Failure {
  return new Failure("ci/github", `GitHub's API: ${method} ${path}: ${what}.`, hint);
}

/** GitHub redirects from a repository's old name; a run that begins now has the new one. */
const MOVED = "If the repository has just been renamed, run the workflow anew.";

/** @param wait what a rate limit asks for, ms; undefined where none does */
export function responseFailure(
  where: FailedCall,
  { status }: HttpAnswer,
  wait: number | undefined,
): Failure {
  if (wait !== undefined && status < 500) {
    return apiFailure(
      where,
      `its rate limit is used up for ${Math.ceil(wait / 1000)} s`,
      "Run the job again later.",
    );
  }
  const what = `it answered with ${status}`;
  if (status < 400) return apiFailure(where, `${what}, which leads elsewhere`, MOVED);
  switch (status) {
    case 401:
      return apiFailure(where, what, "The input github-token holds no valid token.");
    case 403:
    case 404:
      return apiFailure(where, what, permissionHint(where.permission));
    case 429:
      return apiFailure(where, what, "Run the job again later.");
    default:
      return apiFailure(where, what, "Run the job again; if it stays, look at githubstatus.com.");
  }
}

function permissionHint(permission: string | undefined): string | undefined {
  if (permission === undefined) return undefined;
  return `Give the job what it takes, in the workflow: \`permissions:\` with \`${permission}\`.`;
}
