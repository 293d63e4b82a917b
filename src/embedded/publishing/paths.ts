/** Paths of the embedded service that are not part of the interface. */
export const DESCRIPTION_PATH = "/openapi.json";
export const PAGE_PATH = "/";
export const OUTBOX_PATH = "/outbox";
export const CONTROL_PATH = "/_control";
export const HEALTH_PATHS = { alive: "/healthz", ready: "/readyz", metrics: "/metrics" } as const;

/** Where a platform shows a post. */
export function outboxPath(postId: string, platform: string): string {
  return `${OUTBOX_PATH}/${postId}/${platform}`;
}

/** Whether a path is outside the interface. The rate limit does not count these requests. */
export function isOutsideApi(address: string): boolean {
  const path = address.split("?", 1)[0] ?? "";
  if (path === PAGE_PATH) return true;
  return [DESCRIPTION_PATH, OUTBOX_PATH, CONTROL_PATH, ...Object.values(HEALTH_PATHS)].some(
    (each) => path === each || path.startsWith(`${each}/`),
  );
}
