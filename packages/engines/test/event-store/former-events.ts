import type { EventToAppend } from "../../src/event-store/index.ts";

const STREAMS = 5;

/** What `fixtures/log-in-msgpack.mdb.gz` holds, which an earlier release has written: 60 events, appended in pairs. */
export const FORMER_EVENTS = 60;

export function formerEvent(n: number): EventToAppend & { readonly stream: string; readonly revision: number } {
  const pair = n >> 1;
  const id = (kind: string, of: number) => `${kind}0000000-0000-4000-8000-${`${of}`.padStart(12, "0")}`;
  const requested = pair % 3 > 0;
  return {
    stream: `stream-${pair % STREAMS}-Zoë`,
    revision: 2 * Math.floor(pair / STREAMS) + (n & 1),
    id: id("e", n),
    type: n % 7 === 0 ? "Other" : "Happened",
    version: 1 + (n % 2),
    at: 1_793_491_200_000 + n,
    data: { n, text: "Ångström 🚀", list: [{ a: n }, { a: null, [`field${n % 11}`]: 0.3 - n }], long: "x".repeat(n) },
    metadata: {
      accountId: requested ? "acc_1" : null,
      actor: requested ? { kind: "credential", id: "crd_1" } : { kind: "system", id: "policy" },
      requestId: requested ? `request-${pair}` : null,
      commandId: id("c", pair),
      causationId: requested ? null : id("e", pair),
    },
  };
}
