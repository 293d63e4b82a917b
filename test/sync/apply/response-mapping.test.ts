/**
 * Services that can only be read with `service.shape`: plancast refuses them without it, and works normally with it.
 */

import { expect, test } from "vitest";
import { FAR_SHAPES } from "../../support/far-shapes.ts";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content", "media"];
const A = ["a", "2036-03-01 09:30", "twitter, linkedin", "Spring\nis here", "one.png"];
const B = ["b", "2036-03-02 09:30", "instagram", "Summer comes", "one.png"];
const FILES = { "calendars/a.csv": csv(HEADER, A, B), "calendars/one.png": tinyPng(1) };

const SERVICES = Object.entries(FAR_SHAPES);

function start({ service, shape }: (typeof FAR_SHAPES)[keyof typeof FAR_SHAPES]): Promise<Scenario> {
  return startScenario({ service: { shape: service }, config: { service: { shape } }, files: FILES });
}

test.each(SERVICES)(
  "plan stops and suggests doctor where service.shape is missing: %s",
  async (_name, far) => {
    const { run, project, service } = await start(far);
    service.addForeignPost();
    await project.write("plancast.yaml", "timezone: Europe/Paris\n");
    const { code, stderr } = await run("apply", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("service/unreadable")]);
    expect(stderr).toContain("plancast doctor");
    expect(service.counters.creates).toBe(0);
  },
);

test.each(SERVICES)("plan, apply and cancel work with service.shape: %s", async (_name, far) => {
  const { apply, summary, service, project } = await start(far);
  const other = service.addForeignPost();
  expect((await apply()).summary).toMatchObject({ created: 2, uploaded: 1, failed: 0, unknown: 0 });
  expect(await summary()).toEqual({ keep: 2, unmanaged: 1 });
  const [first] = service.scheduled().filter(({ content }) => content === "Summer comes");
  await project.write("calendars/a.csv", csv(HEADER, [...A.slice(0, 3), "Spring was here", ""]));
  expect((await apply({ args: ["--allow-cancels", "1"] })).summary).toMatchObject({
    replaced: 1,
    cancelled: 1,
    failed: 0,
    unknown: 0,
  });
  expect(service.posts.get(first?.id ?? "")?.status).toBe("cancelled");
  expect(await summary()).toEqual({ keep: 1, unmanaged: 1 });
  expect(service.scheduled().map(({ id }) => id)).toContain(other.id);
  expect(service.duplicates()).toEqual([]);
});

test.each(SERVICES)("a lost lockfile costs no second post: %s", async (_name, far) => {
  const { apply, summary, service, project } = await start(far);
  await apply();
  await project.remove("plancast.lock.json");
  expect(await summary()).toEqual({ adopt: 2 });
  expect((await apply()).summary).toMatchObject({ adopted: 2, created: 0, uploaded: 0 });
  expect(await summary()).toEqual({ keep: 2 });
  expect(service.scheduled().length).toBe(2);
});

test("service.shape maps the service's own words for published and cancelled", async () => {
  const { apply, summary, service, run } = await start(FAR_SHAPES.far);
  await apply();
  const [a, b] = service.scheduled();
  service.edit(a?.id ?? "", { status: "published" });
  service.cancelByHand(b?.id ?? "");
  expect((await run("posts", "show", b?.id ?? "")).stdout).toContain("status: cancelled");
  expect((await run("posts", "list", "--status", "published", "--format", "json")).stdout).toContain(
    a?.id ?? "",
  );
  expect(await summary()).toEqual({ missing: 1, past: 1 });
});

test("platform names are checked against accounts read by service.shape", async () => {
  const { run, project } = await start(FAR_SHAPES.far);
  await project.write(
    "calendars/b.csv",
    csv(HEADER, ["c", "2036-03-03 09:30", "tumblr", "Not connected", ""]),
  );
  const { code, stderr } = await run("plan");
  expect([code, stderr]).toEqual([1, expect.stringContaining("platform/unknown")]);
  expect(stderr).toContain('no connected platform "tumblr"');
  await project.write(
    "calendars/b.csv",
    csv(HEADER, ["c", "2036-03-03 09:30", "ig", "Short name", "one.png"]),
  );
  expect((await run("plan")).stdout).toContain("Instagram · c");
  expect((await run("platforms", "list")).stdout).toContain("@twitter");
});
