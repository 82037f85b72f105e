import { randomUUID } from "node:crypto";
import type { EventStoreDBClient } from "@eventstore/db-client";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { AppendResp, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";

/** Of the client: its connection, without what it makes of the answers. */
interface ClientInternals {
  execute<Result>(
    client: typeof StreamsClient,
    name: string,
    action: (client: StreamsClient) => Promise<Result>,
  ): Promise<Result>;
}

const internals = (client: EventStoreDBClient) => client as unknown as ClientInternals;

function identifierOf(stream: string) {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  return identifier;
}

/**
 * What a read of a stream forwards is answered with, a word each.
 * @param compatibility of the client, as its requests say.
 */
export async function rawRead(
  client: EventStoreDBClient,
  stream: string,
  fromRevision: number,
  compatibility = 1,
): Promise<string[]> {
  const from = new streams.ReadReq.Options.StreamOptions();
  from.setStreamIdentifier(identifierOf(stream));
  from.setRevision(String(fromRevision));
  const options = new streams.ReadReq.Options();
  options.setStream(from);
  options.setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS);
  options.setCount("100");
  options.setNoFilter(new shared.Empty());
  const uuids = new streams.ReadReq.Options.UUIDOption();
  uuids.setString(new shared.Empty());
  options.setUuidOption(uuids);
  const control = new streams.ReadReq.Options.ControlOption();
  control.setCompatibility(compatibility);
  options.setControlOption(control);
  const request = new streams.ReadReq();
  request.setOptions(options);
  return internals(client).execute(StreamsClient, "read", async (calls) => {
    const answers: string[] = [];
    for await (const answer of calls.read(request) as AsyncIterable<ReadResp>) answers.push(wordFor(answer));
    return answers;
  });
}

function wordFor(answer: ReadResp): string {
  if (answer.hasEvent()) return "event";
  if (answer.hasFirstStreamPosition()) return `first ${answer.getFirstStreamPosition()}`;
  return answer.hasLastStreamPosition() ? `last ${answer.getLastStreamPosition()}` : "something else";
}

/** The refusal of one append in a call of its own. Undefined: it was stored. */
export async function rawAppend(
  client: EventStoreDBClient,
  stream: string,
  expectedRevision: string,
): Promise<AppendResp.WrongExpectedVersion | undefined> {
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(identifierOf(stream));
  options.setRevision(expectedRevision);
  const head = new streams.AppendReq();
  head.setOptions(options);
  const id = new shared.UUID();
  id.setString(randomUUID());
  const proposed = new streams.AppendReq.ProposedMessage();
  proposed.setId(id);
  proposed.getMetadataMap().set("type", "SomethingHappened");
  proposed.getMetadataMap().set("content-type", "application/json");
  proposed.setData(Buffer.from("{}"));
  const event = new streams.AppendReq();
  event.setProposedMessage(proposed);
  return internals(client).execute(StreamsClient, "append", (calls) => {
    const { promise, resolve, reject } = Promise.withResolvers<AppendResp.WrongExpectedVersion | undefined>();
    const call = calls.append((error, answer) => {
      if (error === null) resolve(answer.getWrongExpectedVersion());
      else reject(error);
    });
    call.write(head);
    call.write(event);
    call.end();
    return promise;
  });
}
