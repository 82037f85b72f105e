/** A script in the reader's place that confuses the service. The second argument names one of these answers. */
import { answerRequests } from "@travel-booking/runtime/messages";
import { streamOfService } from "../../src/lockdown.ts";

const zone = { documentCode: "P", surname: [], givenNames: [], namesCutOff: false, expiresOn: "", number: "" };
const ANSWERS: Readonly<Record<string, object>> = {
  nothing: {},
  "a zone without its names": { read: { outcome: "read", source: "text", zone } },
  "a name of great length": { read: { outcome: "unreadable", documentCode: "P".repeat(10_000) } },
  "another outcome": { read: { outcome: "verified" } },
  "a picture that was not asked for": { drawn: true },
};

const answer = ANSWERS[process.argv[3] ?? ""] ?? {};
await answerRequests(streamOfService(), 1_000_000, async () => ({ answer }));
