// Loaded before an app: its clock is off by SHIFT_MS, the database's is not.
const shift = Number(process.env.SHIFT_MS);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shift);
    else super(...args);
  }
  static now() {
    return RealDate.now() + shift;
  }
};
