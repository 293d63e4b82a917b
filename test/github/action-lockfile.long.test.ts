/** A pull request can write anything into the lockfile. What its base branch does not confirm is marked in the plan. */
import { expect, test } from "vitest";
import { type Lockfile, lockfileSchema } from "../../src/model/lockfile.ts";
import { fingerprint } from "../../src/sync/plan/compare.ts";
import {
  type ActionWorld,
  CALENDAR,
  calendarOf,
  launch,
  row,
  second,
  startWorld,
} from "../support/github/action-world.ts";
import { FOREIGN, foreignEntry } from "../support/github/foreign-post.ts";
import { csv } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

const LOCKFILE = "plancast.lock.json";
const ADDED = "lockfile/not-confirmed";
function illustrated(...rows: string[][]): string {
  return csv(["id", "scheduled_at", "platforms", "content", "status", "media"], ...rows);
}

/** Two posts are scheduled, the branch has their lockfile, and somebody else has a post in the account. */
async function startApplied(rows: readonly (readonly string[])[] = [launch, second]) {
  const world = await startWorld(rows);
  await takeOver(world);
  const foreign = world.service.addForeignPost(FOREIGN);
  return { ...world, foreign: foreign.id };
}

async function takeOver({ merge, repository }: ActionWorld): Promise<void> {
  await merge({ inputs: { "reviewed-plan": "off" } });
  repository.pull();
}

async function edit(
  { repository: { project } }: ActionWorld,
  change: (lockfile: Lockfile) => void,
): Promise<void> {
  const lockfile = lockfileSchema.parse(JSON.parse(await project.read(LOCKFILE)));
  change(lockfile);
  await project.write(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`);
}

const FORGERIES: readonly [string, (lockfile: Lockfile, id: string) => void][] = [
  ["of a row that is gone", ({ posts }, id) => void (posts["zz"] = foreignEntry(id))],
  [
    "of a row whose replacement exists",
    ({ retiring }, id) => {
      const { post_id: _id, ...old } = foreignEntry(id);
      retiring[id] = { ...old, key: "launch" };
    },
  ],
];

test.each(FORGERIES)(
  "a pull request with a forged entry %s shows whose post it would cancel",
  async (_how, forge) => {
    const world = await startApplied();
    const { pullRequest, merge, repository, service, github, foreign } = world;
    await edit(world, (lockfile) => forge(lockfile, foreign));
    repository.push("tidy up");
    const job = await pullRequest();
    expect(job.outputs).toMatchObject({ result: "changes", cancel: "1" });
    const comment = github.comments[0]?.body ?? "";
    expect(comment).toContain("guard/not-as-recorded");
    expect(comment).toContain("only because this checkout adds it");
    expect(comment).toContain(FOREIGN.content);
    // A commit that is not the pull request's has no reviewed plan.
    await repository.pushByOther("README.md", "hello");
    github.artifacts.splice(0);
    expect((await merge()).outputs["result"]).toBe("refused");
    expect(service.posts.get(foreign)?.status).toBe("scheduled");
  },
);

test("a post that the pull request gives to another row stays with the base's row, and that is marked", async () => {
  const world = await startApplied();
  await edit(world, ({ posts }) => {
    const { launch: one, second: other } = posts;
    if (one !== undefined && other !== undefined) Object.assign(posts, { launch: other, second: one });
  });
  await world.repository.project.write(
    CALENDAR,
    calendarOf(launch.with(3, "New text"), second.with(3, "Another")),
  );
  world.repository.push("swap");
  const job = await world.pullRequest();
  expect(job.outputs).toMatchObject({ replace: "2", create: "0", cancel: "0" });
  expect(world.github.comments[0]?.body).toContain("something else than its base");
});

test("the plan marks a row that seems to have somebody's post already, because a later plan could cancel that post", async () => {
  const world = await startApplied();
  await edit(world, ({ posts }) => void (posts["mine"] = foreignEntry(world.foreign)));
  const mine = ["mine", FOREIGN.scheduled_at, "linkedin", FOREIGN.content, ""];
  await world.repository.project.write(CALENDAR, calendarOf(launch, second, mine));
  world.repository.push("a row");
  const job = await world.pullRequest();
  expect(job.outputs).toMatchObject({ result: "nothing", warnings: "1" });
  expect(world.github.comments[0]?.body).toContain("for &#34;mine&#34;");
  expect(job.step(/Run/).log).toContain(ADDED);
});

test("a pending create that only the pull request names is marked", async () => {
  const world = await startApplied();
  const { post_id: _id, ...entry } = foreignEntry("");
  const { content, platforms } = FOREIGN;
  await edit(world, ({ unknown }) => {
    unknown["mine"] = { ...entry, content, platforms, media_ids: [], attempted_at: "2026-01-01T00:00:00Z" };
  });
  world.repository.push("pending");
  await world.pullRequest();
  expect(world.github.comments[0]?.body).toContain("for &#34;mine&#34;");
});

test("a file to which the pull request gives another id is marked", async () => {
  const world = await startWorld([]);
  const { project } = world.repository;
  await project.write("media/a.png", tinyPng(1));
  await project.write("media/b.png", tinyPng(2));
  const rows = [
    [...launch, "media/a.png"],
    [...second, "media/b.png"],
  ];
  await project.write(CALENDAR, illustrated(...rows));
  world.repository.push("pictures");
  await takeOver(world);
  const third = [...row("third"), "media/a.png"];
  await project.write(CALENDAR, illustrated(...rows, third));
  world.repository.push("a third row");
  await world.pullRequest();
  expect(world.github.comments[0]?.body).not.toContain(ADDED);
  await edit(world, ({ media }) => {
    const ids = Object.values(media).map(({ id }) => id);
    for (const [index, each] of Object.values(media).entries()) each.id = ids[1 - index] ?? "";
  });
  await project.write(CALENDAR, illustrated(...rows, third.with(3, "Edited")));
  world.repository.push("another id");
  await world.pullRequest();
  expect(world.github.comments[0]?.body).toContain("media/a.png is media&#95;");
});

test("a pull request that names another lockfile is compared with the lockfile of the base branch", async () => {
  const world = await startApplied();
  const { project } = world.repository;
  await project.write("other.lock.json", await project.read(LOCKFILE));
  world.repository.push("a copy");
  await project.write("plancast.yaml", `${await project.read("plancast.yaml")}lockfile: other.lock.json\n`);
  world.repository.push("another lockfile");
  const job = await world.pullRequest();
  expect(job.step(/Run/).log).not.toContain(ADDED);
  await edit(world, ({ posts }) => void (posts["mine"] = foreignEntry(world.foreign)));
  await project.write(
    "plancast.yaml",
    (await project.read("plancast.yaml")).replace("other.lock", "plancast.lock"),
  );
  world.repository.push("back");
  const back = await world.pullRequest();
  expect(back.outputs).toMatchObject({ cancel: "1" });
  expect(back.step(/Run/).log).toContain("only because this checkout adds it");
});

test("ordinary changes after an apply are not marked, and too few commits are a warning", async () => {
  const world = await startApplied();
  await world.repository.project.write(CALENDAR, calendarOf(launch.with(3, "New text")));
  world.repository.push("an edit and a cancel");
  const job = await world.pullRequest();
  expect(job.outputs).toMatchObject({ replace: "1", cancel: "1", warnings: "0" });
  world.repository.git("update-ref", "--no-deref", "refs/keep", "HEAD");
  await world.repository.project.write(".git/shallow", `${await world.repository.head()}\n`);
  expect((await world.pullRequest()).step(/Run/).log).toContain("lockfile/no-base");
});

test("a pull request shows the settings and workflows that its merge changes, and the automation after apply", async () => {
  const world = await startApplied();
  const { project } = world.repository;
  const settings = await project.read("plancast.yaml");
  await project.write(
    "plancast.yaml",
    `${settings}automations: { after_apply: { id: aut_1, input: https://x.example } }\n`,
  );
  await project.write(".github/workflows/social.yml", "run: npx plancast apply --yes\n");
  await project.write(CALENDAR, calendarOf(launch.with(3, "New text"), second));
  world.repository.push("settings");
  const job = await world.pullRequest();
  expect(job.outputs).toMatchObject({ replace: "1", warnings: "2" });
  const comment = world.github.comments[0]?.body ?? "";
  expect(comment).toContain("triggers the automation");
  expect(job.step(/Run/).log).toContain("A merge changes the setting automations");
  expect(job.step(/Run/).log).toContain("A merge changes .github/workflows/social.yml");
});

test("a text that two pull requests hide together is shown by the second, and the first is repaired", async () => {
  const world = await startApplied();
  const { repository, service } = world;
  await edit(world, ({ posts: { launch: entry } }) => {
    if (entry === undefined) throw new Error("The row is not in the lockfile.");
    const { content, platforms } = { content: "Forged", platforms: ["linkedin"] };
    const scheduledAt = entry.scheduled_at;
    entry.fingerprint = fingerprint({ content, platforms, scheduledAt, mediaIds: [] });
    entry.stored = { content: launch[3] };
  });
  repository.push("tidy up");
  const first = await world.pullRequest();
  expect(first.step(/Run/).log).toContain("something else than its base");
  const before = repository.git("rev-parse", "HEAD^");
  const merged = await world.merge({ event: { ref: "refs/heads/main", before } });
  expect(merged.outputs).toMatchObject({ result: "nothing" });
  // The job after the merge has put the lockfile back.
  expect(repository.remoteFile(LOCKFILE)).not.toContain("Forged");
  expect(repository.remoteFile(LOCKFILE)).not.toContain("stored");
  repository.pull();
  await repository.project.write(CALENDAR, calendarOf(launch.with(3, "Forged"), second));
  repository.push("a new text");
  expect((await world.pullRequest()).outputs).toMatchObject({ replace: "1" });
  expect(service.scheduled()).toHaveLength(3);
});

/** A pull request with these changes was merged, and no apply ran. The next one starts from there. */
async function mergedWithoutApply(world: ActionWorld, change: (lockfile: Lockfile) => void): Promise<void> {
  await edit(world, change);
  world.repository.push("merged, not applied");
}

const HIDDEN = launch.with(3, "Forged");

function hide({ posts: { launch: entry } }: Lockfile): void {
  if (entry === undefined) throw new Error("The row is not in the lockfile.");
  const { scheduled_at: scheduledAt } = entry;
  entry.fingerprint = fingerprint({ content: "Forged", platforms: ["linkedin"], scheduledAt, mediaIds: [] });
  entry.stored = { content: launch[3] ?? "" };
}

test("a text that the first of two pull requests prepares is shown by the second, also if nothing was applied between", async () => {
  const world = await startApplied();
  const { repository, service } = world;
  await mergedWithoutApply(world, hide);
  await repository.project.write(CALENDAR, calendarOf(HIDDEN, second));
  repository.push("a new text");
  const job = await world.pullRequest();
  expect(job.outputs).toMatchObject({ replace: "1" });
  expect(job.step(/Run/).log).toContain(ADDED);
  const before = repository.git("rev-parse", "HEAD^").trim();
  expect((await world.merge({ event: { ref: "refs/heads/main", before } })).outputs["result"]).toBe(
    "applied",
  );
  expect(service.scheduled().map(({ content }) => content)).toContain("Forged");
  expect(repository.remoteFile(LOCKFILE)).not.toContain("stored");
});

// The other forgeries are in forged-merges.test.ts.
test.each(FORGERIES.slice(0, 1))(
  "a forged entry %s stays a question for the next pull requests, until a person decides",
  async (_how, forge) => {
    const world = await startApplied();
    const { repository, service, foreign } = world;
    await mergedWithoutApply(world, (lockfile) => forge(lockfile, foreign));
    for (const text of ["one", "two"]) {
      await repository.project.write(CALENDAR, calendarOf(launch, second.with(3, text)));
      repository.push(text);
      const job = await world.pullRequest();
      expect(job.step(/Run/).log).toContain("guard/not-as-recorded");
      world.github.artifacts.splice(0);
      const before = repository.git("rev-parse", "HEAD^").trim();
      const merged = await world.merge({
        event: { ref: "refs/heads/main", before },
        inputs: { "reviewed-plan": "off" },
      });
      expect(merged.outputs["result"]).toBe("refused");
      repository.pull();
    }
    expect(service.posts.get(foreign)?.status).toBe("scheduled");
    const decided = await world.merge({ inputs: { "reviewed-plan": "off", "allow-cancels": "1" } });
    expect([decided.outputs["result"], service.posts.get(foreign)?.status]).toEqual(["applied", "cancelled"]);
  },
);

test("a merge without an apply that names another lockfile makes nothing in it true", async () => {
  const world = await startApplied();
  const { repository } = world;
  const { project } = repository;
  await edit(world, hide);
  await project.write("other.lock.json", await project.read(LOCKFILE));
  repository.git("checkout", "-q", "HEAD", LOCKFILE);
  await project.write("plancast.yaml", `${await project.read("plancast.yaml")}lockfile: other.lock.json\n`);
  repository.push("merged, not applied");
  await project.write(CALENDAR, calendarOf(HIDDEN, second));
  repository.push("a new text");
  const job = await world.pullRequest();
  expect(job.outputs).toMatchObject({ replace: "1" });
  expect(job.step(/Run/).log).toContain("guard/not-as-recorded");
});

test("a row and its entry that a merge without an apply removed are cancelled by the next pull request", async () => {
  const world = await startApplied();
  const { repository } = world;
  await repository.project.write(CALENDAR, calendarOf(second));
  await mergedWithoutApply(world, ({ posts }) => void delete posts["launch"]);
  await repository.project.write(CALENDAR, calendarOf(second.with(3, "New text")));
  repository.push("a new text");
  expect((await world.pullRequest()).outputs).toMatchObject({ replace: "1", cancel: "1" });
});

test("a lockfile that a person applied and pushed counts after the job of that push", async () => {
  const world = await startApplied();
  const { repository, service } = world;
  const third = row("third");
  const known = service.addForeignPost({
    content: third[3] ?? "",
    platforms: ["linkedin"],
    scheduled_at: third[1] ?? "",
  });
  await repository.project.write(CALENDAR, calendarOf(launch, second, third));
  await mergedWithoutApply(world, ({ posts }) => {
    const [content = "", scheduledAt = ""] = [third[3], third[1]?.replace(".000Z", "Z")];
    const sent = fingerprint({ content, platforms: ["linkedin"], scheduledAt, mediaIds: [] });
    posts["third"] = { ...foreignEntry(known.id), fingerprint: sent, scheduled_at: scheduledAt };
  });
  expect((await world.merge({ inputs: { "reviewed-plan": "off" } })).outputs["result"]).toBe("nothing");
  repository.pull();
  await repository.project.write(CALENDAR, calendarOf(launch, second, third.with(3, "New text")));
  repository.push("a new text");
  const job = await world.pullRequest();
  expect(job.outputs).toMatchObject({ replace: "1", warnings: "0" });
});

test("a job that runs again on an old commit neither takes back what is confirmed, nor creates a newer row's old version", async () => {
  const world = await startApplied();
  const { repository, service } = world;
  const third = row("third");
  await repository.project.write(CALENDAR, calendarOf(launch, second, third));
  repository.push("a third row");
  const old = await repository.head();
  await takeOver(world);
  await repository.project.write(CALENDAR, calendarOf(launch, second, third.with(3, "Newer")));
  repository.push("a newer text");
  await takeOver(world);
  const confirmed = repository.git("ls-remote", "origin", "refs/plancast/*");
  const scheduled = service.scheduled().map(({ content }) => content);
  expect(scheduled).toContain("Newer");
  repository.git("reset", "-q", "--hard", old);
  const job = await world.merge({ inputs: { "reviewed-plan": "off" } });
  expect(job.outputs["result"]).toBe("failed");
  expect(job.step(/Run/).log).toContain("apply/missing");
  expect(service.scheduled().map(({ content }) => content)).toEqual(scheduled);
  expect(repository.git("ls-remote", "origin", "refs/plancast/*")).toBe(confirmed);
});
