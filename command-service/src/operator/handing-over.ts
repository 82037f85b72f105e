import { type DocumentContentType, documentsOf, type TravelDocument } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { OperatorError, type OperatorRoute } from "@travel-booking/http/operator";
import {
  ACCOUNTS,
  BOOKINGS,
  idOfOwnedKey,
  jsonOwnedBy,
  LOYALTY,
  ownedKey,
  PASSENGERS,
  WEBHOOKS,
} from "@travel-booking/read-models";
import { readAll } from "../command-handling/sealed-event-store.ts";
import { bookingStream, passengerStream } from "../streams.ts";
import { listItems, type OperatorServices } from "./operator-services.ts";
import { OwnedStreams } from "./owned-streams.ts";
import { shownEvent } from "./system.ts";

/** The lines of an archive: its title, then each entry with its records or the pieces of its file, then the end. */
export type Line =
  | { readonly title: string }
  | { readonly name: string; readonly about: string }
  | { readonly record: unknown }
  | { readonly base64: string }
  | { readonly end: true };

const EXTENSIONS: Readonly<Record<DocumentContentType, string>> = {
  "application/pdf": "pdf",
  "image/png": "png",
  "image/jpeg": "jpg",
};

/** `account export`, `passenger export` (docs/privacy.md#handing-over). */
export function handingOverRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const { models, store, waitUntilProjected } = services;
  return [
    {
      method: "GET",
      path: "/operator/accounts/:id/export",
      async lines(request) {
        const id = request.params.id ?? "";
        await waitUntilProjected(await store.head());
        const known = await models.body(ACCOUNTS.account.model, id);
        if (known === undefined) throw new OperatorError(404, "no account with this id");
        return ofAccount(services, id, request.query.original === "true");
      },
    },
    {
      method: "GET",
      path: "/operator/passengers/:id/export",
      async lines(request) {
        const id = request.params.id ?? "";
        const events = await store.readStream(passengerStream(id).stream);
        const [created] = events;
        if (created === undefined) throw new OperatorError(404, "no passenger with this id");
        await waitUntilProjected(await store.head());
        const { accountId } = created.data as { readonly accountId: string };
        return ofPassenger(services, ownedKey(accountId, id), events);
      },
    },
  ];
}

async function* ofPassenger(
  { models, clock }: OperatorServices,
  key: string,
  events: readonly RecordedEvent[],
): AsyncGenerator<Line> {
  yield { title: titleOf(`the saved passenger ${idOfOwnedKey(key)}`, clock.now()) };
  yield { name: "passenger.jsonl", about: "the profile as it is; empty where it was deleted" };
  const body = await models.body(PASSENGERS.passenger.model, key);
  if (body !== undefined) yield { record: JSON.parse(body.json) };
  yield { name: "events.jsonl", about: "all that happened to the profile, in order" };
  for (const event of events) yield { record: shownEvent(event) };
  yield { end: true };
}

async function* ofAccount(services: OperatorServices, id: string, asUploaded: boolean): AsyncGenerator<Line> {
  const { models, clock } = services;
  yield { title: titleOf(`the account ${id}`, clock.now()) };
  yield { name: "account.jsonl", about: "the account as it is, and its points" };
  for (const model of [ACCOUNTS.account.model, LOYALTY.account.model]) {
    const body = await models.body(model, id);
    if (body !== undefined) yield { record: JSON.parse(body.json) };
  }
  const lists = [
    ["credentials", "credentials, without their secrets", ACCOUNTS.credential.model, ACCOUNTS.credential.byAccount],
    ["passengers", "saved passengers as they are", PASSENGERS.passenger.model, PASSENGERS.passenger.byAccount],
    ["bookings", "bookings as they are", BOOKINGS.booking.model, BOOKINGS.booking.byAccount],
    ["points", "postings of points", LOYALTY.transaction.model, LOYALTY.transaction.byAccount],
    ["webhook-endpoints", "webhook endpoints as they are", WEBHOOKS.endpoint.model, WEBHOOKS.endpoint.byAccount],
  ] as const;
  for (const [name, about, model, index] of lists) {
    yield { name: `${name}.jsonl`, about };
    for await (const { json } of listItems(models, model, index, id)) {
      yield { record: JSON.parse(jsonOwnedBy(id, json) ?? json) };
    }
  }
  yield { name: "events.jsonl", about: "all that happened, in order: also what was changed or deleted later" };
  const owned = new OwnedStreams(id);
  for await (const batch of readAll(services.store)) {
    for (const event of batch) if (owned.has(event)) yield { record: shownEvent(event) };
  }
  for (const bookingId of owned.bookings) yield* filesOf(services, bookingId, asUploaded);
  yield { end: true };
}

/** Yields pictures drawn from the files, because files may be hostile. On request it yields the original files. */
export async function* filesOf(
  { handler, documents }: OperatorServices,
  bookingId: string,
  asUploaded: boolean,
  isWanted: (document: TravelDocument) => boolean = () => true,
): AsyncGenerator<Line> {
  const uploaded = await handler.readState({
    ...bookingStream(bookingId),
    reply: (state) => documentsOf(state).filter(isWanted),
  });
  for (const { documentId, uploadId, fileName, contentType } of uploaded) {
    const file = await documents.uploads.read(uploadId);
    if (file === undefined) continue;
    const about = `uploaded for the booking ${bookingId} as ${JSON.stringify(fileName)}`;
    if (asUploaded) {
      yield { name: `files/${documentId}.${EXTENSIONS[contentType]}`, about };
      for await (const piece of file) yield { base64: (piece as Buffer).toString("base64") };
      continue;
    }
    const content = Buffer.concat((await file.toArray()) as Buffer[]);
    const drawn = await documents.reviewer.draw(content, contentType).catch(() => undefined);
    if (drawn?.outcome === "drawn") {
      yield { name: `files/${documentId}.jpg`, about: `${about}, drawn anew` };
      yield { base64: Buffer.from(drawn.picture).toString("base64") };
    } else {
      yield { name: `files/${documentId}.txt`, about: `${about}; it can't be drawn: --original has the file itself` };
    }
  }
}

export const titleOf = (whose: string, now: number) =>
  `All that is held about ${whose}, as of ${new Date(now).toISOString()}. [erased] stands where words were erased.`;
