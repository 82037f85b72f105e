import type { AppendReq, AppendResp } from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerReadableStream, sendUnaryData } from "@grpc/grpc-js";
import type { EventStoreDbDouble } from "../double.ts";
import type { ExpectedRevision } from "../log/expected-revision.ts";
import type { ProposedEvent } from "../log/stored-event.ts";
import { type AppendAnswer, answerAppend } from "./append.ts";
import { deleted, type Failure, invalid, NOT_READY, REFUSALS, TIMED_OUT, tooLarge } from "./failures.ts";
import { empty, streamName } from "./messages.ts";
import { proposed } from "./proposed.ts";

/** One append per call: the options first, then an event in each message. */
export function singleAppend(double: EventStoreDbDouble) {
  return async (call: ServerReadableStream<AppendReq, AppendResp>, respond: sendUnaryData<AppendResp>) => {
    let options: AppendReq.Options | undefined;
    const events: ProposedEvent[] = [];
    try {
      for await (const request of call) {
        options ??= request.getOptions();
        const message = request.getProposedMessage();
        if (message !== undefined) events.push(proposed(message));
      }
    } catch {
      return;
    }
    if (options === undefined) return respond(invalid("no options"));
    const stream = streamName(options.getStreamIdentifier());
    const answer = await answerAppend(double, { stream, expected: expectedOf(options), events });
    if (answer === undefined || call.cancelled) return;
    if (answer.kind === "stored") return respond(null, success(answer));
    if (answer.kind === "wrong version") return respond(null, wrongVersion(options, answer.actual));
    respond(failureOf(answer.kind, stream, double.options.maxAppendSize));
  };
}

function expectedOf(options: AppendReq.Options): ExpectedRevision {
  if (options.hasAny()) return "any";
  if (options.hasNoStream()) return "no_stream";
  if (options.hasStreamExists()) return "stream_exists";
  return BigInt(options.getRevision());
}

function success({ revision, position }: AppendAnswer & { readonly kind: "stored" }): AppendResp {
  const stored = new streams.AppendResp.Success();
  if (revision < 0n) stored.setNoStream(empty());
  else stored.setCurrentRevision(String(revision));
  if (position === undefined) stored.setNoPosition(empty());
  else {
    const at = new streams.AppendResp.Position();
    at.setCommitPosition(String(position));
    at.setPreparePosition(String(position));
    stored.setPosition(at);
  }
  const response = new streams.AppendResp();
  response.setSuccess(stored);
  return response;
}

/** Says it twice, as the server does: clients of before 20.6.1 read fields of their own. */
function wrongVersion(options: AppendReq.Options, actual: bigint): AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (actual < 0n) {
    wrong.setCurrentNoStream(empty());
    wrong.setNoStream2060(empty());
  } else {
    wrong.setCurrentRevision(String(actual));
    wrong.setCurrentRevision2060(Number(actual));
  }
  if (options.hasAny()) {
    wrong.setExpectedAny(empty());
    wrong.setAny2060(empty());
  } else if (options.hasStreamExists()) {
    wrong.setExpectedStreamExists(empty());
    wrong.setStreamExists2060(empty());
  } else if (options.hasNoStream()) {
    wrong.setExpectedNoStream(empty());
  } else {
    wrong.setExpectedRevision(options.getRevision());
    wrong.setExpectedRevision2060(Number(options.getRevision()));
  }
  const response = new streams.AppendResp();
  response.setWrongExpectedVersion(wrong);
  return response;
}

function failureOf(
  kind: Exclude<AppendAnswer["kind"], "stored" | "wrong version">,
  stream: string,
  limit: number,
): Failure {
  switch (kind) {
    case "deleted":
      return deleted(stream);
    case "too large":
      return tooLarge(limit);
    case "time-out":
      return TIMED_OUT;
    case "not ready":
      return NOT_READY;
    case "bad request":
      return invalid("a name is empty");
    case "access denied":
      return REFUSALS[kind];
  }
}
