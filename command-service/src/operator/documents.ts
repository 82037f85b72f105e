import { travelDocumentBody } from "@travel-booking/api-contract";
import { timestamp } from "@travel-booking/api-contract/bodies";
import {
  type BookingCommand,
  bookingIdOfDocument,
  DOCUMENT_KINDS,
  documentOf,
  findDocument,
  isExistingBooking,
  validUntil,
} from "@travel-booking/domain";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { BOOKINGS, type DocumentAnswer } from "@travel-booking/read-models";
import { z } from "zod";
import { bookingStream } from "../streams.ts";
import { currentRows, line, listed, type OperatorServices, operatorContext, parse } from "./operator-services.ts";

const verification = z.strictObject({
  kind: z.enum(DOCUMENT_KINDS.filter((kind) => kind !== "unknown")).optional(),
  passenger: z.int().min(0).optional(),
});
/** The reason is shown to the owner of the document. */
const rejection = z.strictObject({ reason: line(500) });

/** At most so many rejected documents are listed. */
const MOST_REJECTED = 1_000;

/** `document list`, `show`, `verify`, `reject`, `download`. */
export function documentRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const { document, rejectedDocument } = BOOKINGS;
  return [
    operatorRoute("GET", "/operator/documents", async ({ query }) => ({
      data: await currentRows(services, document.model, document.oldest, parse(listed, query).most),
    })),
    operatorRoute("GET", "/operator/documents/rejected", async () => ({
      data: await currentRows(services, rejectedDocument.model, rejectedDocument.oldest, MOST_REJECTED, "descending"),
    })),
    operatorRoute("POST", "/operator/documents/:id/verify", async (request) => {
      const { kind, passenger } = parse(verification, request.body);
      return decide(services, request, (documentId) => ({
        type: "VerifyDocument",
        documentId,
        ...(kind !== undefined && { kind }),
        ...(passenger !== undefined && { passenger }),
      }));
    }),
    operatorRoute("POST", "/operator/documents/:id/reject", async (request) => {
      const { reason } = parse(rejection, request.body);
      return decide(services, request, (documentId) => ({ type: "RejectDocument", documentId, reason }));
    }),
    operatorRoute("GET", "/operator/documents/:id", (request) => show(services, request)),
    { method: "GET", path: "/operator/documents/:id/file", lines: (request) => download(services, request) },
    { method: "GET", path: "/operator/documents/:id/picture", lines: (request) => draw(services, request) },
  ];
}

async function decide(
  services: OperatorServices,
  request: OperatorRequest,
  commandOf: (documentId: string) => BookingCommand,
) {
  const { documentId, bookingId } = documentIds(request);
  const outcome = await services.handler.execute({
    ...bookingStream(bookingId),
    command: commandOf(documentId),
    context: operatorContext(request),
    reply: (state) => ({ ...travelDocumentBody(documentOf(state, documentId)), bookingId }),
  });
  if (!outcome.accepted) {
    const isPassenger = outcome.rejection.code === "passenger_not_found";
    throw isPassenger ? new OperatorError(422, "no such passenger on this booking") : notFound();
  }
  await services.waitUntilProjected(outcome.position);
  return outcome.reply;
}

/** What an operator needs to decide: the reading of the document beside the data of the booking. */
async function show(services: OperatorServices, request: OperatorRequest): Promise<DocumentAnswer> {
  const { documentId, bookingId } = documentIds(request);
  const found = await services.handler.readState({
    ...bookingStream(bookingId),
    reply: (state) => {
      const document = findDocument(state, documentId);
      if (document === undefined || !isExistingBooking(state)) return undefined;
      const { accountId, passengers, departsAt } = state;
      return {
        ...travelDocumentBody(document),
        bookingId,
        accountId,
        awaits: document.awaits,
        holders: document.holders.map(({ name }) => name),
        read: document.read ?? null,
        passengers: passengers.map(({ name }) => name),
        departsAt: timestamp(departsAt),
        mustBeValidUntil: validUntil(departsAt),
      };
    },
  });
  if (found === undefined) throw notFound();
  return { ...found, decided: await decisionOn(services, documentId, bookingId) };
}

async function decisionOn({ store }: OperatorServices, documentId: string, bookingId: string) {
  const events = await store.readStream(bookingStream(bookingId).stream);
  const last = events.findLast(
    ({ type, data }) =>
      (type === "DocumentVerified" || type === "DocumentRejected") &&
      (data as { readonly documentId: string }).documentId === documentId,
  );
  return last === undefined ? null : { by: last.metadata.actor, at: timestamp(last.at) };
}

/** A line that describes the file, then the file in base64, piece by piece. */
async function download(services: OperatorServices, request: OperatorRequest) {
  const { document, file } = await fileOf(services, request);
  const { fileName, contentType, sizeBytes } = document;
  async function* lines(): AsyncGenerator<unknown> {
    yield { fileName, contentType, sizeBytes };
    for await (const piece of file) yield { base64: (piece as Buffer).toString("base64") };
  }
  return lines();
}

/** As `download`, but with a picture drawn from the file, because files may be hostile. */
async function draw(services: OperatorServices, request: OperatorRequest) {
  const { document, file } = await fileOf(services, request);
  const content = Buffer.concat((await file.toArray()) as Buffer[]);
  const drawn = await services.documents.reviewer.draw(content, document.contentType).catch((error: Error) => {
    throw new OperatorError(409, `the document can't be drawn: ${error.message}`);
  });
  if (drawn.outcome === "faulty") throw new OperatorError(409, `the document is not drawn: ${drawn.fault}`);
  const { picture } = drawn;
  async function* lines(): AsyncGenerator<unknown> {
    yield { fileName: `${document.fileName}.jpg`, contentType: "image/jpeg", sizeBytes: picture.length };
    yield { base64: Buffer.from(picture).toString("base64") };
  }
  return lines();
}

async function fileOf(services: OperatorServices, request: OperatorRequest) {
  const { documentId, bookingId } = documentIds(request);
  const document = await services.handler.readState({
    ...bookingStream(bookingId),
    reply: (state) => {
      const found = findDocument(state, documentId);
      return found && { ...found };
    },
  });
  if (document === undefined) throw notFound();
  const file = await services.documents.uploads.read(document.uploadId);
  if (file === undefined) throw new OperatorError(404, "the document's file is gone");
  return { document, file };
}

function documentIds(request: OperatorRequest): { readonly documentId: string; readonly bookingId: string } {
  const documentId = request.params.id ?? "";
  const bookingId = bookingIdOfDocument(documentId);
  if (bookingId === undefined) throw notFound();
  return { documentId, bookingId };
}

function notFound(): OperatorError {
  return new OperatorError(404, "no document with this id");
}
