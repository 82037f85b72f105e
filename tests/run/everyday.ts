/**
 * The folders of `tests` that `npm test` runs, besides every test outside `tests`. Tests that kill, signal or starve
 * processes, or need a server or a browser of their own, stand in other folders; `npm run test:all` runs those too.
 */
export const EVERYDAY = [
  "architecture",
  "bench",
  "client",
  "end-to-end",
  "interface",
  "operator",
  "reads",
  "run",
  "simulation",
  "soak",
  "stripe",
  "webhooks",
];
