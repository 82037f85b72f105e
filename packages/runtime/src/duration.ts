const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `20m` as seconds: a whole number above 0 with s, m, h or d. Undefined: it is none, or too many to count. */
export function secondsOf(duration: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  const seconds = Number(digits) * (UNIT_SECONDS[unit] ?? Number.NaN);
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined;
}
