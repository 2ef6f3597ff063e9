/** How likely what goes wrong is: per step, per question asked of Postgres, per hint or per call of the model. */
export interface Faults {
  /** A statement that fails without effect. */
  lostQuestion: number;
  /** A statement that takes effect, and whose answer is lost: nobody knows whether it was committed. */
  lostAnswer: number;
  lostHint: number;
  doubleHint: number;
  /** Redis is wiped. */
  forgottenHints: number;
  death: number;
  drain: number;
  pause: number;
  /** The clock jumps ahead by minutes. */
  jump: number;
  /** A call of the model that gives no usable summary. */
  badSummary: number;
}

export const noFaults: Faults = {
  lostQuestion: 0,
  lostAnswer: 0,
  lostHint: 0,
  doubleHint: 0,
  forgottenHints: 0,
  death: 0,
  drain: 0,
  pause: 0,
  jump: 0,
  badSummary: 0,
};

/**
 * Lives differ: some are calm, in others everything breaks. `severity` is in [0, 1]. In a hopeless one the model
 * almost never gives a usable summary.
 */
export const faultsOf = (severity: number, hopeless: boolean): Faults => ({
  lostQuestion: 0.02 * severity,
  lostAnswer: 0.02 * severity,
  lostHint: 0.5 * severity,
  doubleHint: 0.1,
  forgottenHints: 0.002 * severity,
  death: 0.004 * severity,
  drain: 0.002 * severity,
  pause: 0.006 * severity,
  jump: hopeless ? 0.01 : 0.004 * severity,
  badSummary: hopeless ? 0.97 : 0.6 * severity,
});
