/** The smallest number that every reader of JSON takes for itself: below it some read 0 and others refuse. */
const smallest = 2 ** -1022;

const bytes = new DataView(new ArrayBuffer(8));

/** The next number above a finite one; around 0 it goes from one that is not subnormal to the next such. */
export function nextUp(value: number): number {
  if (Math.abs(value) < smallest) return value < 0 ? 0 : smallest;
  bytes.setFloat64(0, value);
  const step = value > 0 ? 1n : -1n;
  bytes.setBigInt64(0, bytes.getBigInt64(0) + step);
  const next = bytes.getFloat64(0);
  return Math.abs(next) < smallest ? 0 : next;
}

/** What a request says that has nothing to say yet: so little below 0 that 0 is news. */
export const beforeZero = -(2 ** -1000);
