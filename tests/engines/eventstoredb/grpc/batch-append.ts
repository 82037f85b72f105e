import shared from "@eventstore/db-client/generated/shared_pb.js";
import type { Status } from "@eventstore/db-client/generated/status_pb.js";
import status from "@eventstore/db-client/generated/status_pb.js";
import type { BatchAppendReq, BatchAppendResp } from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { status as code, type ServerDuplexStream } from "@grpc/grpc-js";
import any from "google-protobuf/google/protobuf/any_pb.js";
import googleEmpty from "google-protobuf/google/protobuf/empty_pb.js";
import type { EventStoreDbDouble } from "../double.ts";
import type { ExpectedRevision } from "../log/expected-revision.ts";
import type { ProposedEvent } from "../log/stored-event.ts";
import { type AppendAnswer, answerAppend } from "./append.ts";
import { REFUSALS } from "./failures.ts";
import { allPosition, streamIdentifier, streamName, uuid } from "./messages.ts";
import { proposed } from "./proposed.ts";

interface Batch {
  readonly options: BatchAppendReq.Options;
  readonly events: ProposedEvent[];
}

/** Many appends on one call, each told by its correlation id; in the order in which they come in. */
export function batchAppend(double: EventStoreDbDouble) {
  return (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => {
    // Whom it does not know it tells nothing about single appends.
    if (double.faults.refusal === "unauthenticated") {
      call.emit("error", REFUSALS.unauthenticated);
      return;
    }
    const batches = new Map<string, Batch>();
    call.on("data", (request: BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? "";
      const options = request.getOptions();
      if (options !== undefined) batches.set(id, { options, events: [] });
      const batch = batches.get(id);
      if (batch === undefined) return;
      batch.events.push(...request.getProposedMessagesList().map(proposed));
      if (!request.getIsFinal()) return;
      batches.delete(id);
      void answer(double, call, id, batch);
    });
    call.on("error", () => undefined);
    call.on("end", () => call.end());
  };
}

async function answer(
  double: EventStoreDbDouble,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
  id: string,
  { options, events }: Batch,
): Promise<void> {
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedOf(options);
  const deadline = options.getDeadline()?.toDate().getTime();
  const request = { stream, expected, events, ...(deadline === undefined ? {} : { deadline }) };
  const answered = await answerAppend(double, request);
  if (answered === undefined || call.cancelled) return;
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(uuid(id));
  response.setStreamIdentifier(streamIdentifier(stream));
  if (answered.kind === "stored") response.setSuccess(success(answered));
  else response.setError(errorOf(answered, stream, expected, double.options.maxAppendSize));
  call.write(response);
}

function expectedOf(options: BatchAppendReq.Options): ExpectedRevision {
  if (options.hasAny()) return "any";
  if (options.hasNoStream()) return "no_stream";
  if (options.hasStreamExists()) return "stream_exists";
  return BigInt(options.getStreamPosition());
}

function success({ revision, position }: AppendAnswer & { readonly kind: "stored" }) {
  const stored = new streams.BatchAppendResp.Success();
  if (revision < 0n) stored.setNoStream(new googleEmpty.Empty());
  else stored.setCurrentRevision(String(revision));
  if (position === undefined) stored.setNoPosition(new googleEmpty.Empty());
  else stored.setPosition(allPosition(position));
  return stored;
}

type Refusal = Exclude<AppendAnswer, { readonly kind: "stored" }>;

function errorOf(refusal: Refusal, stream: string, expected: ExpectedRevision, limit: number): Status {
  switch (refusal.kind) {
    case "wrong version":
      return error(code.ALREADY_EXISTS, "WrongExpectedVersion", wrongVersion(expected, refusal.actual));
    case "deleted": {
      const deleted = new shared.StreamDeleted();
      deleted.setStreamIdentifier(streamIdentifier(stream));
      return error(code.NOT_FOUND, "StreamDeleted", deleted);
    }
    case "time-out":
      return error(code.DEADLINE_EXCEEDED, "Timeout", new shared.Timeout());
    case "too large": {
      const exceeded = new shared.MaximumAppendSizeExceeded();
      exceeded.setMaxappendsize(limit);
      return error(code.INVALID_ARGUMENT, "MaximumAppendSizeExceeded", exceeded);
    }
    case "bad request": {
      const bad = new shared.BadRequest();
      bad.setMessage("a name is empty");
      return error(code.INVALID_ARGUMENT, "BadRequest", bad);
    }
    case "access denied":
      return error(code.PERMISSION_DENIED, "AccessDenied", new shared.AccessDenied());
    case "not ready":
      return error(code.OK, "Server Is Not Ready", new googleEmpty.Empty(), "google.protobuf.Empty");
  }
}

function wrongVersion(expected: ExpectedRevision, actual: bigint) {
  const wrong = new shared.WrongExpectedVersion();
  if (actual < 0n) wrong.setCurrentNoStream(new googleEmpty.Empty());
  else wrong.setCurrentStreamRevision(String(actual));
  if (expected === "any") wrong.setExpectedAny(new googleEmpty.Empty());
  else if (expected === "stream_exists") wrong.setExpectedStreamExists(new googleEmpty.Empty());
  else if (expected === "no_stream") wrong.setExpectedNoStream(new googleEmpty.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return wrong;
}

function error(
  number: number,
  message: string,
  details: { serializeBinary(): Uint8Array },
  type = `event_store.client.${message}`,
): Status {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), type);
  const error = new status.Status();
  error.setCode(number);
  error.setMessage(message);
  error.setDetails(packed);
  return error;
}
