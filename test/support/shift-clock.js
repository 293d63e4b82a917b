// Loaded before the command: the machine's clock is wrong by CLOCK_SHIFT_MS.
const shiftMs = Number(process.env["CLOCK_SHIFT_MS"]);
const Right = Date;

globalThis.Date = class extends Right {
  constructor(...args) {
    if (args.length === 0) super(Right.now() + shiftMs);
    else super(...args);
  }

  static now() {
    return Right.now() + shiftMs;
  }
};
