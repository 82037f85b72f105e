const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** A moment as people read it, in UTC: every spaceport keeps that time. */
export function formatDateTime(moment: string): { readonly date: string; readonly time: string } {
  const at = new Date(moment);
  return { date: DATE.format(at), time: TIME.format(at) };
}
