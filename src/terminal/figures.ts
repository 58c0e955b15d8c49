const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 2, signDisplay: "negative" });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const prefixes = ["", "k", "M", "G", "T"];

/** A number of any size, in at most nine characters. */
export function printCount(count: number): string {
  const size = Math.abs(count);
  if (size >= 99_999.5) return printShort(count);
  return (size < 10_000 ? fine : whole).format(count);
}

/** Two or three digits and a prefix of the SI. */
function printShort(count: number): string {
  // What rounds up to 1000 takes the next prefix.
  const power = Math.max(0, Math.floor(Math.log10(Math.abs(count) * (1_000 / 999.5)) / 3));
  const prefix = prefixes[power];
  if (prefix === undefined) return count.toExponential(0);
  const scaled = count / 1_000 ** power;
  return `${Math.abs(scaled) < 9.95 ? Number(scaled.toFixed(1)) : Math.round(scaled)}${prefix}`;
}

/** Rounded down: 100 % is what is done. */
export function printPercent(fraction: number): string {
  return `${Math.floor(fraction * 100)} %`;
}

/** A speed in the unit of time that makes it a number to read; nothing for one that no unit does. */
export function printRate(perSecond: number): string {
  if (perSecond >= 0.95) return `${printShort(perSecond)}/s`;
  if (perSecond * 60 >= 0.95) return `${printShort(perSecond * 60)}/min`;
  return perSecond * 3_600 < 0.05 ? "" : `${printShort(perSecond * 3_600)}/h`;
}

/** A while, in at most five characters; nothing for one that nobody waits for. */
export function printTime(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes}:${twoDigits(seconds % 60)}`;
  if (hours < 100) return `${hours}h${twoDigits(minutes % 60)}`;
  const days = Math.floor(hours / 24);
  return days < 1_000 ? `${days}d` : "";
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}
