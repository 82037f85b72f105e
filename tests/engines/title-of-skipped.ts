/** Of a suite whose cases are skipped: Jest's result has no other place for the reason. */
const SEPARATOR = " — skipped: ";

export function titleOfSkipped(title: string, reason: string): string {
  return `${title}${SEPARATOR}${reason}`;
}

/** The title and the reason that are in the title of a suite; undefined: it was not skipped by us. */
export function skippedByTitle(titled: string): { readonly title: string; readonly reason: string } | undefined {
  const [title = "", reason] = titled.split(SEPARATOR);
  return reason === undefined ? undefined : { title, reason };
}
