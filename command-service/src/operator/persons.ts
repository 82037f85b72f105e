import type { BookingBody, PassengerProfileBody } from "@travel-booking/api-contract";
import { type ExistingBooking, isExistingBooking } from "@travel-booking/domain";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { ACCOUNTS, ALL_PARTITION, BOOKINGS, findPassengerByEmail, type PersonRow } from "@travel-booking/read-models";
import { z } from "zod";
import type { Erasures } from "../erasures/erasures.ts";
import { bookingStream, passengerStream } from "../streams.ts";
import { refusedErasure } from "./erasures.ts";
import { filesOf, type Line, titleOf } from "./handing-over.ts";
import { firstOf, listed, listItems, type OperatorServices, operatorContext, parse } from "./operator-services.ts";
import { pagesOf } from "./search.ts";
import { shownEvent } from "./system.ts";

const asked = z.strictObject({ email: z.string().trim().min(3).max(254) });

/** `person find`, `export`, `erase`: what is held about a person with an e-mail address, over all accounts. */
export function personRoutes(services: OperatorServices, erasures: Erasures): readonly OperatorRoute[] {
  const rowsOf = async (email: string, closed: AbortSignal, most = Number.MAX_SAFE_INTEGER) => {
    await services.waitUntilProjected(await services.store.head());
    return firstOf(recordsOf(services, email.toLowerCase(), closed), most, (row) => row);
  };
  return [
    operatorRoute("GET", "/operator/persons", async ({ query, closed }) => {
      const { email, most } = parse(asked.extend(listed.shape), query);
      return { data: await rowsOf(email, closed, most) };
    }),
    {
      method: "GET",
      path: "/operator/persons/export",
      async lines({ query, closed }) {
        const rows = await rowsOf(parse(asked, query).email, closed);
        if (rows.length === 0) throw new OperatorError(404, "nothing is held about this e-mail address");
        return handedOver(services, rows);
      },
    },
    operatorRoute("POST", "/operator/persons/erase", async (request) => {
      const { email } = parse(asked, request.body);
      // What a 503 left half erased is no longer found by the address.
      await erasures.restore();
      const data = [];
      for (const row of await rowsOf(email, request.closed)) data.push(await erased(services, erasures, request, row));
      const last = await services.store.head();
      await services.waitUntilProjected(last);
      return { data };
    }),
  ];
}

/** Saved passengers by the account's own look-up; of bookings all are read, as they are by a search. */
async function* recordsOf(
  { models, words }: OperatorServices,
  email: string,
  closed: AbortSignal,
): AsyncGenerator<PersonRow> {
  const { account } = ACCOUNTS;
  const quoted = JSON.stringify(email);
  for await (const { key: accountId } of listItems(models, account.model, account.all, ALL_PARTITION)) {
    const profile = await findPassengerByEmail(models, accountId, await words.keys.emailKey(accountId, email));
    if (profile !== undefined) yield ofProfile(accountId, profile);
    for await (const page of pagesOf(models, BOOKINGS.booking, accountId)) {
      if (closed.aborted) return;
      for (const { json } of page) if (json.toLowerCase().includes(quoted)) yield* ofBooking(json, email);
    }
  }
}

function ofProfile(accountId: string, { id, firstName, lastName, createdAt }: PassengerProfileBody): PersonRow {
  return {
    kind: "passenger",
    id,
    passenger: null,
    name: `${firstName} ${lastName}`,
    status: null,
    accountId,
    createdAt,
  };
}

function ofBooking(json: string, email: string): readonly PersonRow[] {
  const [accountId, { id, status, passengers, createdAt }] = JSON.parse(json) as readonly [string, BookingBody];
  return passengers.flatMap(({ name, email: own }, passenger) =>
    own.toLowerCase() === email
      ? [{ kind: "booking", id, passenger, name, status, accountId, createdAt } as const]
      : [],
  );
}

/** What has become of a record: each is erased by itself, so that a journey to come leaves the others. */
async function erased({ ids }: OperatorServices, erasures: Erasures, request: OperatorRequest, row: PersonRow) {
  const { kind, id, passenger, name } = row;
  const erasure = passenger === null ? { kind, id } : { kind, id, passenger };
  // Each is a command of its own: a repetition finds fewer, so a number would be that of another one.
  const context = { ...operatorContext(request), commandId: ids.next() };
  // The party may have been reordered since it was read.
  const outcome = await erasures.erase(erasure, context, passenger === null ? undefined : name);
  const refusal = "code" in outcome ? refusedErasure(kind, outcome).message : null;
  return { kind, id, passenger, status: refusal === null ? "erased" : "left", reason: refusal };
}

/** The person's own words; what is said of others on a booking stays. */
async function* handedOver(services: OperatorServices, rows: readonly PersonRow[]): AsyncGenerator<Line> {
  yield {
    title: titleOf("a person, on bookings and saved passengers that have the address now", services.clock.now()),
  };
  const [profiles, places] = (["passenger", "booking"] as const).map((kind) => rows.filter((row) => row.kind === kind));
  yield { name: "profiles.jsonl", about: "all that happened to each saved passenger, in order" };
  for (const { id } of profiles ?? [])
    for (const event of await services.store.readStream(passengerStream(id).stream))
      yield { record: shownEvent(event) };
  yield { name: "bookings.jsonl", about: "the person's places on bookings; who travels with them is left out" };
  for (const row of places ?? []) {
    const place = await services.handler.readState({
      ...bookingStream(row.id),
      reply: (booking) => (isExistingBooking(booking) ? structuredClone(placeOf(booking, row.passenger ?? 0)) : null),
    });
    if (place !== null) yield { record: { ...row, ...place } };
  }
  for (const { id, passenger } of places ?? [])
    yield* filesOf(services, id, false, ({ holders }) => holders.some((holder) => holder.passenger === passenger));
  yield { end: true };
}

function placeOf({ passengers, seats, flightId, cabin, departsAt, documents }: ExistingBooking, passenger: number) {
  return {
    ...passengers[passenger],
    ...{ flightId, cabin, seat: seats[passenger] ?? null, departsAt: new Date(departsAt).toISOString() },
    documents: documents
      .map(({ fileName, kind, status, holders }) => ({
        fileName,
        kind,
        status,
        holders: holders.filter((holder) => holder.passenger === passenger),
      }))
      .filter(({ holders }) => holders.length > 0),
  };
}
