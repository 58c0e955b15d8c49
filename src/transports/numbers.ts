import { maxTimerMs } from "../events/index.ts";

/**
 * Checks options that are numbers, each against the least that it may be.
 * @throws RangeError
 */
export function checkNumbers<K extends string>(
  options: { readonly [name in NoInfer<K>]?: number | undefined },
  least: Readonly<Record<K, number>>,
): void {
  for (const name of Object.keys(least) as K[]) {
    const value = options[name];
    if (value === undefined || (value >= least[name] && value <= maxTimerMs)) continue;
    throw new RangeError(`Expected \`${name}\` to be between ${least[name]} and ${maxTimerMs}, got ${value}`);
  }
}
