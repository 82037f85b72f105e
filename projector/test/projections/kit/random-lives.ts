import type { BookingEvent } from "@travel-booking/domain";
import {
  BookingModel,
  type BookingTerms,
  bookingTerms,
  openingSteps,
  type Step,
  steps,
} from "@travel-booking/domain/testing";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import fc from "fast-check";
import { BOOKING } from "./booking-history.ts";

type Noise = (number: number, at: number) => readonly BookingEvent[];

const documentId = (number: number) => `doc_${BOOKING.slice(4)}${String(number).padStart(12, "0")}`;

function uploaded(number: number, at: number): BookingEvent {
  const file = { contentType: "application/pdf", sizeBytes: 7 + number, sha256: "00" } as const;
  const ids = { documentId: documentId(number), uploadId: `upl_${number}` };
  return { type: "DocumentUploaded", at, data: { ...ids, fileName: `${number}.pdf`, ...file } };
}

/** What the model of a life does not have, and what makes a life long. */
const NOISE: readonly Noise[] = [
  (number, at) => [uploaded(number, at)],
  (number, at) => [
    uploaded(number, at),
    { type: "DocumentLeftToOperator", at, data: { documentId: documentId(number), kind: "visa" } },
  ],
  (number, at) => [
    uploaded(number, at),
    { type: "DocumentVerified", at, data: { documentId: documentId(number), kind: "passport", passengers: [0] } },
  ],
  (number, at) => [
    uploaded(number, at),
    { type: "DocumentRejected", at, data: { documentId: documentId(number), kind: "visa", reason: "blurred" } },
  ],
  (number, at) => [{ type: "NoteAdded", at, data: { text: `note ${number}` } }],
  (number, at) => [{ type: "UploadClosed", at, data: { uploadId: `upl_closed_${number}` } }],
  (number, at) => [{ type: "CreditApplied", at, data: { redemptionId: `red_${number}`, amount: 5, totalAmount: 95 } }],
  (number, at) => [{ type: "CabinUpgraded", at, data: { redemptionId: `red_${number}`, cabin: "first" } }],
  (number, at) => [{ type: "RewardAdded", at, data: { redemptionId: `red_${number}`, reward: "lounge_access" } }],
  (number, at) => [{ type: "RedemptionClosed", at, data: { redemptionId: `red_${number}` } }],
  (_, at) => [{ type: "BookingFlown", at, data: { accountId: "acc_1", amount: 7, pending: 3 } }],
  (number, at) => [
    {
      type: "BookingChanged",
      at,
      data: { changeId: null, passengers: [{ email: "a@b.example", name: `Zoë ${number}` }] },
    },
  ],
  (number, at) =>
    Array.from({ length: 70 }, (_, index) => ({
      type: "BookingChanged",
      at: at,
      data: { changeId: null, reference: `${number}.${index % 3}`.repeat((index % 7) * 40 + 1) },
    })),
];

interface Inserted {
  readonly where: number;
  readonly what: number;
}

const inserted = fc.array(fc.record({ where: fc.nat({ max: 40 }), what: fc.nat({ max: NOISE.length - 1 }) }), {
  maxLength: 12,
});

/** The events of a random life, as the log would hold them: one command after another. */
export const quietLives: fc.Arbitrary<readonly RecordedEvent[]> = fc
  .tuple(bookingTerms, openingSteps, steps)
  .map(([agreed, beginning, life]) => historyOf(agreed, [...beginning, ...life], []));

/** The same, with noise. */
export const lives: fc.Arbitrary<readonly RecordedEvent[]> = fc
  .tuple(bookingTerms, openingSteps, steps, inserted)
  .map(([agreed, beginning, life, noise]) => historyOf(agreed, [...beginning, ...life], noise));

function historyOf(agreed: BookingTerms, life: readonly Step[], noise: readonly Inserted[]): readonly RecordedEvent[] {
  const world = new BookingModel(agreed);
  const history: RecordedEvent[] = [];
  for (const [command, step] of life.entries()) {
    world.take(step);
    for (const event of world.lastStep) history.push(recorded(event, history.length, command));
    if (history[0]?.type !== "BookingCreated") continue;
    for (const [number, { where, what }] of noise.entries()) {
      if (where % life.length !== command) continue;
      for (const event of NOISE[what]?.(number, world.now) ?? [])
        history.push(recorded(event, history.length, command));
    }
  }
  return history;
}

const ACTORS = [
  { kind: "credential", id: "crd_1" },
  { kind: "operator", id: "operator" },
  { kind: "system", id: "policy" },
] as const;

function recorded({ type, at, data }: BookingEvent, revision: number, command: number): RecordedEvent {
  const hex = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
  return {
    id: `0196f0c2-${hex(command, 4)}-7abc-8def-${hex(revision + 1, 12)}`,
    stream: `booking-${BOOKING}`,
    revision,
    position: BigInt(1_000 + 7 * revision),
    type,
    version: 1,
    at,
    data,
    metadata: {
      accountId: null,
      actor: ACTORS[(command >> 1) % ACTORS.length] ?? ACTORS[0],
      requestId: command % 3 === 0 ? null : `req_${command >> 1}`,
      commandId: `command-${command}`,
      causationId: null,
    },
  };
}
