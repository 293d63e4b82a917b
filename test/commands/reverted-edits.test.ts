/** A revert brings back an older lockfile, whose post is gone. The newer post is still the row's, so apply replaces it. */
import { expect, test } from "vitest";
import { USUAL_WORKFLOW, WORKFLOW, type Person, startHub } from "../support/github/hub.ts";
import { runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";

const CALENDAR = "calendars/a.csv";

function calendar(text: string): string {
  return csv(["id", "scheduled_at", "platforms", "content"], ["b", "2036-03-02 09:00", "linkedin", text]);
}

test.each(["of an edit that was never pushed", "of a colleague's edit"])(
  "a revert %s is a replacement",
  async (what) => {
    const hub = await startHub({
      "plancast.yaml": "timezone: UTC\n",
      [CALENDAR]: calendar("First"),
      [WORKFLOW]: USUAL_WORKFLOW,
    });
    const { service, clock } = hub;
    const env = { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
    const apply = async ({ root }: Person): Promise<void> => {
      const { code, stdout, stderr } = await runCommand(["apply", "--yes"], { cwd: root, env, clock });
      expect(code, stdout + stderr).toBe(0);
    };
    const me = await hub.clone();
    await apply(me);
    await me.commit("Apply");
    hub.push(me);
    const isMine = what.includes("never pushed");
    const editor = isMine ? me : await hub.clone();
    await editor.write({ [CALENDAR]: calendar("Second") });
    await apply(editor);
    await editor.commit("Second");
    if (!isMine) {
      hub.push(editor);
      me.git("pull", "-q", "--ff-only");
    }
    me.git("revert", "--no-edit", "HEAD");
    await apply(me);
    expect(service.scheduled().map(({ content }) => content)).toEqual(["First"]);
    await me.commit("Reverted");
    hub.push(me);
    const other = await hub.clone();
    await apply(other);
    expect(service.scheduled()).toHaveLength(1);
    expect(service.duplicates()).toEqual([]);
  },
);
