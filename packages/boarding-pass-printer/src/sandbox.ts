/**
 * A message for operators if the browser has no sandbox of its own; undefined if it has one. Root never has one.
 * @param wanted `BROWSER_SANDBOX`
 */
export function lackOfSandbox(wanted: boolean): string | undefined {
  const why = wanted ? process.getuid?.() === 0 && "this is root" : "BROWSER_SANDBOX=false";
  return why ? `the browser that draws boarding passes runs without its sandbox (${why})` : undefined;
}
