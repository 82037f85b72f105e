import { ROOT } from "../support/service.ts";
import { callsOfRequests, type Met } from "./calls.ts";
import { countLines } from "./lines.ts";

/* How much there is to know: `npm run measure`; with `--files`, what a booking and a list meet by name. */
const { source, tests } = countLines(ROOT);
const { booking, list } = await callsOfRequests();
const { answering, projecting } = booking;
const told = ({ files, functions }: Met) => `${files.length} files, ${functions} functions`;
console.log(`source, lines of code      ${source}
tests, lines of code       ${tests}
POST /v1/bookings          ${told(answering)}; projected: ${told(projecting)}
GET /v1/bookings           ${told(list)}`);
if (process.argv.includes("--files")) {
  const named = Object.entries({ "POST /v1/bookings": answering, projected: projecting, "GET /v1/bookings": list });
  for (const [name, { files }] of named) console.log(`\n${name}\n  ${files.join("\n  ")}`);
}
