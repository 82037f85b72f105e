/** All samples of a metric in Prometheus' text, whatever their labels. */
export function metricValues(text: string, name: string): readonly number[] {
  const line = new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "gm");
  return [...text.matchAll(line)].map(([, value]) => Number(value));
}
