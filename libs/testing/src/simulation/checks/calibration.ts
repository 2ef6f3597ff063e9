import type { ThreadRecord } from '../memory/rows.js';
import { promise } from '../violation.js';

/** A ratio is rounded up to a hundredth, and each count to a token. */
const rounding = 0.02;

/** Usage is of a provider that counts `trueRatio` tokens for one of ours: nothing beyond that is ever learned. */
export function checkCalibration({ id, calibration, measuredRatio }: ThreadRecord, trueRatio: number): void {
  const min = Math.min(1, trueRatio) - rounding;
  const max = Math.max(1, trueRatio) + rounding;
  for (const ratio of [calibration, measuredRatio])
    promise(
      min <= ratio && ratio <= max,
      () => `${id} learned that the provider counts ${ratio} for one, and it counts ${trueRatio}`,
    );
}
