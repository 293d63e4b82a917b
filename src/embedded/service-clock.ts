/** The time that the service goes by. It can be moved forward, so that tests need not wait for a post to come due. */
export interface ServiceClock {
  /** Unix time, ms. */
  now(): number;
  /** Makes it this time, unless it is later already. Unix time, ms. */
  moveTo(time: number): void;
  /** Whether time goes on by itself. */
  readonly runs: boolean;
}

/** Goes as the machine's clock does; once it is moved, ahead of it. */
export function runningClock(machine: () => number): ServiceClock {
  let ahead = 0;
  return {
    runs: true,
    now: () => machine() + ahead,
    moveTo(time) {
      ahead = Math.max(ahead, time - machine());
    },
  };
}

/** Stands still, from the given Unix time in ms, until it is moved. */
export function manualClock(start: number): ServiceClock {
  let time = start;
  return {
    runs: false,
    now: () => time,
    moveTo(to) {
      time = Math.max(time, to);
    },
  };
}
