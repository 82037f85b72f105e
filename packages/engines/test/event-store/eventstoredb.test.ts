import shared from "@eventstore/db-client/generated/shared_pb.js";
import statuses from "@eventstore/db-client/generated/status_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { describe, expect, test } from "@jest/globals";
import any from "google-protobuf/google/protobuf/any_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { anEvent } from "../../contract/event-store-contract.ts";
import { acknowledgementOf, appendRequest } from "../../src/event-store/eventstoredb/append-messages.ts";
import { parseAddress } from "../../src/event-store/eventstoredb/connection-string.ts";
import {
  appendUnavailable,
  StreamTombstoned,
  storeClosed,
  unavailable,
} from "../../src/event-store/eventstoredb/errors.ts";
import { encodeEvent } from "../../src/event-store/eventstoredb/event-codec.ts";
import { openEventStoreDb } from "../../src/event-store/eventstoredb/eventstoredb-event-store.ts";
import { InFlightAppends } from "../../src/event-store/eventstoredb/in-flight-appends.ts";
import { decodeAppendAnswer, uuidOf } from "../../src/event-store/eventstoredb/messages.ts";
import {
  allRequest,
  decodeRead,
  streamRequest,
  subscriptionRequest,
} from "../../src/event-store/eventstoredb/read-messages.ts";
import {
  AppendRefused,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  WrongExpectedRevision,
} from "../../src/event-store/index.ts";

describe("a connection string", () => {
  const keptAlive = (timeout: number) => `keepAliveInterval=10000&keepAliveTimeout=${timeout}`;

  test.each([
    ["esdb://localhost:2113?tls=false", ["localhost:2113"], true],
    ["kurrentdb://user:p%40ss@localhost", ["localhost:2113"], true],
    [" kurrentdb+discover://cluster.example.com ", ["cluster.example.com:2113"], false],
    ["esdb://one:2113,two:2114,three/?nodePreference=leader", ["one:2113", "two:2114", "three:2113"], false],
  ])("%s names %p", (url, nodes, isSingle) => {
    expect(parseAddress(url)).toMatchObject({ nodes, isSingle });
  });

  test.each([
    ["esdb://one?tls=false", `esdb://host:1?tls=false&${keptAlive(10_000)}`],
    ["kurrentdb://user:p%40ss@one,two", `esdb://user:p%40ss@host:1?${keptAlive(10_000)}`],
    ["esdb://one?tls=true&tlsCaFile=/ca.pem", `esdb://host:1?tls=true&tlsCAFile=/ca.pem&${keptAlive(10_000)}`],
    ["esdb://one?keep_alive_interval=1&keepAliveTimeout=5", `esdb://host:1?${keptAlive(5)}`],
    ["esdb://one?keep-alive-interval=-1", "esdb://host:1?keepAliveInterval=-1&keepAliveTimeout=10000"],
    ["esdb://one?keepAliveTimeout=-1", `esdb://host:1?${keptAlive(2_147_483_647)}`],
  ])("for one node of %s the client gets %s", (url, expected) => {
    const address = parseAddress(url);
    const settings = (text: string) => [text.split("?")[0], ...(text.split("?")[1] ?? "").split("&").sort()];
    expect(settings(address.urlOf("host:1"))).toStrictEqual(settings(expected));
    expect(address.urlOf("host:1")).not.toBe(address.urlOf("host:1"));
  });

  test("how long a node may take to say who leads is a setting", () => {
    expect(parseAddress("esdb://one,two").gossipTimeoutMs).toBe(1_000);
    expect(parseAddress("esdb://one,two?gossip-timeout=5").gossipTimeoutMs).toBe(5_000);
  });

  test.each([
    ["", "it begins with esdb:// or kurrentdb://"],
    ["http://user:s3cret@host", "it begins with"],
    ["esdb://", "host:port"],
    ["esdb://user:s3cret@", "host:port"],
    ["esdb://user:s3cret@host:port", "host:port"],
    ["esdb://user:s3/cret@host:2113", "host:port"],
    ["esdb://user:s3cret@host/path", "host:port"],
    ["esdb://host?user:s3cret", "what can be set is"],
    ["esdb://user:s3cret@host?", "one question mark"],
    ["esdb://host?tls=false?s3cret", "one question mark"],
    ["esdb://user:s3cret@host?tls=s3cret", "tls has a value it can't have"],
    ["esdb://user:s3cret@host?s3cret=1", "what can be set is"],
    ["esdb://user:s3cret@host?throwOnAppendFailure=false", "what can be set is"],
    ["esdb://user:s3cret@host?tlsVerifyCert=false", "what can be set is"],
    ["esdb://user:s3cret@host?keepAliveInterval=-2", "keepAliveInterval has a value it can't have"],
    ["esdb://user:s3cret@host?keepAliveTimeout=s3cret", "keepAliveTimeout has a value it can't have"],
    ["esdb://user:s3cret@host?defaultDeadline=0", "defaultDeadline has a value it can't have"],
    ["esdb://user:s3cret@host?maxDiscoverAttempts=many", "maxDiscoverAttempts has a value it can't have"],
  ])("%s can't be used, and nothing of it is repeated", (url, reason) => {
    const open = () => openEventStoreDb(url);
    expect(open).toThrow(reason);
    expect(open).toThrow(expect.not.objectContaining({ message: expect.stringContaining("s3cret") }));
  });
});

const ID = "7d0c0e6e-5a2b-4a51-9d0f-6f3f6f3b2a10";

function uuid(id: string) {
  const message = new shared.UUID();
  message.setString(id);
  return message;
}

/** The same id as two numbers. */
function structuredUuid(id: string) {
  const [most = "", least = ""] = id.replaceAll("-", "").match(/.{16}/g) ?? [];
  const numbers = new shared.UUID.Structured();
  numbers.setMostSignificantBits(String(BigInt.asIntN(64, BigInt(`0x${most}`))));
  numbers.setLeastSignificantBits(String(BigInt.asIntN(64, BigInt(`0x${least}`))));
  const message = new shared.UUID();
  message.setStructured(numbers);
  return message;
}

function streamIdentifier(name: string) {
  const message = new shared.StreamIdentifier();
  message.setStreamName(Buffer.from(name));
  return message;
}

interface Changed {
  readonly id?: InstanceType<typeof shared.UUID>;
  readonly stream?: string;
  readonly type?: string;
  readonly contentType?: string;
  readonly data?: string;
  readonly metadata?: unknown;
}

/** An event as a server sends it, encoded by the messages of the client. */
function sent(event: EventToAppend, changed: Changed = {}): Uint8Array {
  const { properties, data, metadata } = encodeEvent(event);
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(changed.id ?? uuid(event.id));
  recorded.setStreamIdentifier(streamIdentifier(changed.stream ?? "booking-1"));
  recorded.setStreamRevision("7");
  recorded.setCommitPosition("9007199254740993");
  recorded.setPreparePosition("900");
  recorded.getMetadataMap().set("type", changed.type ?? properties.type);
  recorded.getMetadataMap().set("content-type", changed.contentType ?? properties["content-type"]);
  recorded.getMetadataMap().set("created", "638000000000000000");
  recorded.setData(Buffer.from(changed.data ?? data));
  recorded.setCustomMetadata(Buffer.from("metadata" in changed ? (JSON.stringify(changed.metadata) ?? "") : metadata));
  const resolved = new streams.ReadResp.ReadEvent();
  resolved.setEvent(recorded);
  resolved.setCommitPosition("9007199254740993");
  const response = new streams.ReadResp();
  response.setEvent(resolved);
  return response.serializeBinary();
}

test.each<[string, Partial<EventToAppend>, Changed]>([
  ["an event", {}, {}],
  ["an event that names who decided it", { metadata: { ...anEvent().metadata, instance: ID } }, {}],
  ["an event with letters of many kinds", { type: "Größe", data: { name: "Zoë 🛰" } }, { stream: "booking-ß" }],
  ["an event whose id comes as numbers", { id: ID }, { id: structuredUuid(ID) }],
])("%s comes back as it was, with where it is", (_, made, changed) => {
  const event = { ...anEvent({ seat: "1A" }), ...made };
  const position = { commit: 9007199254740993n, prepare: 900n };
  const recorded = { ...event, stream: changed.stream ?? "booking-1", revision: 7, position: position.commit };
  expect(decodeRead(sent(event, changed))).toStrictEqual({ id: event.id, revision: 7, position, recorded });
});

describe("not ours is an event", () => {
  const event = anEvent({ seat: "1A" });
  const stored = JSON.parse(encodeEvent(event).metadata) as Record<string, unknown>;

  test.each<[string, Changed]>([
    ["in a system stream", { stream: "$ce-booking" }],
    ["of a system type", { type: "$>" }],
    ["that is no JSON", { contentType: "application/octet-stream" }],
    ["whose JSON is broken", { data: "{" }],
    ["without metadata", { metadata: undefined }],
    ["with metadata that is no object", { metadata: "text" }],
    ...Object.keys(stored)
      .filter((name) => name !== "$causationId")
      .map((name): [string, Changed] => [`without ${name}`, { metadata: { ...stored, [name]: undefined } }]),
    ["with a causation of another kind", { metadata: { ...stored, $causationId: 1 } }],
    ["of an instance without a name", { metadata: { ...stored, instance: null } }],
    ["with a broken version", { metadata: { ...stored, version: 1.5 } }],
    ["of an unknown kind of actor", { metadata: { ...stored, actor: { kind: "ghost", id: "1" } } }],
    ["of an actor without an id", { metadata: { ...stored, actor: { kind: "system" } } }],
    ["of an actor who is no object", { metadata: { ...stored, actor: "system" } }],
  ])("%s", (_, changed) => {
    expect(decodeRead(sent(event))).toMatchObject({ recorded: event });
    expect(decodeRead(sent(event, changed))).toMatchObject({ id: event.id, revision: 7, recorded: undefined });
  });
});

test("what a subscription is told beside events", () => {
  const caughtUp = new streams.ReadResp();
  caughtUp.setCaughtUp(new streams.ReadResp.CaughtUp());
  expect(decodeRead(caughtUp.serializeBinary())).toBe("caught up");
  const checkpoint = new streams.ReadResp();
  checkpoint.setCheckpoint(new streams.ReadResp.Checkpoint());
  const notFound = new streams.ReadResp();
  notFound.setStreamNotFound(new streams.ReadResp.StreamNotFound());
  for (const other of [checkpoint, notFound]) expect(decodeRead(other.serializeBinary())).toBe("sign of life");
});

/** As the client's messages read what was encoded. */
function requested(request: Buffer) {
  return streams.ReadReq.deserializeBinary(request).toObject().options;
}

describe("a read as the server gets it", () => {
  const place = { commit: 2n ** 63n, prepare: 5n };
  const position = { commitPosition: String(2n ** 63n), preparePosition: "5" };
  const ofAll = (all: object, more: object) =>
    expect.objectContaining({
      all: expect.objectContaining(all),
      uuidOption: expect.objectContaining({ string: {} }),
      ...more,
    });

  test.each<[string, Buffer, object]>([
    [
      "of a stream",
      streamRequest("booking-ß", 7, Number.MAX_SAFE_INTEGER),
      expect.objectContaining({
        stream: expect.objectContaining({
          streamIdentifier: { streamName: Buffer.from("booking-ß").toString("base64") },
          revision: "7",
        }),
        readDirection: 0,
        count: String(Number.MAX_SAFE_INTEGER),
        noFilter: {},
        uuidOption: expect.objectContaining({ string: {} }),
      }),
    ],
    ["of all backwards", allRequest("backwards", "end", 8), ofAll({ end: {} }, { readDirection: 1, count: "8" })],
    ["of all from a place", allRequest("forwards", place, 1), ofAll({ position }, { readDirection: 0, noFilter: {} })],
    [
      "by a subscription",
      subscriptionRequest("start"),
      ofAll(
        { start: {} },
        {
          subscription: {},
          filter: expect.objectContaining({
            streamIdentifier: { regex: "^[^$]", prefixList: [] },
            max: 512,
            checkpointintervalmultiplier: 8,
          }),
        },
      ),
    ],
    ["by a subscription behind a place", subscriptionRequest(place), ofAll({ position }, { subscription: {} })],
  ])("%s", (_, request, expected) => {
    expect(requested(request)).toEqual(expected);
  });
});

test.each([
  [NO_STREAM, { noStream: {}, streamPosition: "0" }],
  [0, { noStream: undefined, streamPosition: "0" }],
  [2 ** 40, { noStream: undefined, streamPosition: String(2 ** 40) }],
])("an append at revision %s as the server gets it", (expectedRevision, expected) => {
  const event = { ...anEvent({ name: "Zoë 🛰" }), type: "Größe" };
  const encoded = encodeEvent(event);
  const message = appendRequest({ stream: "booking-ß", expectedRevision, events: [encoded, encoded] }, ID);
  const request = streams.BatchAppendReq.deserializeBinary(message);
  expect(request.getCorrelationId()?.getString()).toBe(ID);
  expect(request.getIsFinal()).toBe(true);
  const options = request.getOptions();
  expect(options?.toObject()).toMatchObject({
    any: undefined,
    streamExists: undefined,
    deadline: undefined,
    ...expected,
  });
  expect(options?.hasNoStream()).toBe(expectedRevision === NO_STREAM);
  expect(options?.hasStreamPosition()).toBe(expectedRevision !== NO_STREAM);
  expect(Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe("booking-ß");
  expect(request.getProposedMessagesList()).toHaveLength(2);
  for (const proposed of request.getProposedMessagesList()) {
    expect(proposed.getId()?.getString()).toBe(event.id);
    expect(Object.fromEntries(proposed.getMetadataMap().toObject(false))).toEqual(encoded.properties);
    expect(Buffer.from(proposed.getData_asU8()).toString()).toBe(encoded.data);
    expect(Buffer.from(proposed.getCustomMetadata_asU8()).toString()).toBe(encoded.metadata);
  }
});

test("what JSON can't say is refused", () => {
  for (const data of [undefined, Symbol("x"), 1n]) {
    expect(() => encodeEvent({ ...anEvent(), data })).toThrow(TypeError);
  }
});

test.each([
  ["14 UNAVAILABLE: No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:2113", false],
  ["14 UNAVAILABLE: Name resolution failed for target dns:nowhere:2113", false],
  ["14 UNAVAILABLE: Channel closed before call started", false],
  ["14 UNAVAILABLE: Server Is Not Ready", false],
  ["14 UNAVAILABLE: Server Is Too Busy", false],
  ["Server Is Busy", false],
  ["14 UNAVAILABLE: Connection dropped", true],
  ["14 UNAVAILABLE: read ECONNRESET", true],
  ["13 INTERNAL: Received RST_STREAM with code 2", true],
  ["1 CANCELLED: Call cancelled", true],
  ["5 NOT_FOUND: Leader info available", true],
  ["Timeout", true],
  ["no answer within 3000 ms", true],
  ["anything else", true],
])("%s: the outcome of an append is unknown: %s", (reason, outcomeUnknown) => {
  const cause = new Error(reason);
  expect(appendUnavailable(cause)).toMatchObject({ outcomeUnknown, cause, message: expect.stringContaining(reason) });
});

test.each([
  "AccessDenied",
  "16 UNAUTHENTICATED: who are you",
  "7 PERMISSION_DENIED: Access Denied",
  "14 UNAVAILABLE: No connection established. Last error: Error: unable to get local issuer certificate",
  "14 UNAVAILABLE: No connection established. Last error: Error: unable to verify the first certificate",
  "14 UNAVAILABLE: No connection established. Last error: Error: certificate has expired",
  "14 UNAVAILABLE: No connection established. Last error: Error: Hostname/IP does not match certificate's altnames: x",
])("%s: waiting does not help, and nothing was attempted", (reason) => {
  for (const failed of [appendUnavailable, unavailable]) {
    expect(failed(new Error(reason))).toMatchObject({ outcomeUnknown: false, isMisconfigured: true });
  }
});

test("a failed read has stored nothing, and tells what the client says, if only the kind of error", () => {
  expect(unavailable(new Error("gone"))).toMatchObject({
    outcomeUnknown: false,
    message: expect.stringMatching(/gone$/),
  });
  const silent = Object.assign(new Error(""), { type: "access-denied" });
  expect(unavailable(silent).message).toBe("EventStoreDB is out of reach: access-denied");
  expect(unavailable("odd").message).toBe("EventStoreDB is out of reach: odd");
  const known = storeClosed();
  expect(unavailable(known)).toBe(known);
  expect(known).toBeInstanceOf(EventStoreUnavailable);
});

const RESULT = { revision: 0, position: 1n };

function held() {
  const { promise, resolve, reject } = Promise.withResolvers<typeof RESULT>();
  let attempts = 0;
  const append = () => {
    attempts++;
    return promise;
  };
  return { append, resolve, reject, attempts: () => attempts };
}

test("the same append shares the answer, another does not", async () => {
  const underWay = new InFlightAppends();
  const [event, other] = [anEvent(), anEvent()];
  const { append, resolve, attempts } = held();
  const run = (revision: number, events: readonly (typeof event)[], stream = "s") =>
    underWay.run(stream, revision, events, append);
  const all = [
    run(NO_STREAM, [event]),
    run(NO_STREAM, [{ ...event }]),
    run(NO_STREAM, [other]),
    run(NO_STREAM, [event, other]),
    run(0, [event]),
    run(NO_STREAM, [event], "t"),
  ];
  expect(attempts()).toBe(5);
  resolve(RESULT);
  expect(await Promise.all(all)).toStrictEqual(all.map(() => RESULT));
  await run(NO_STREAM, [event]);
  expect(attempts()).toBe(6);
});

test("who shares an append shares its failure, and a later one is attempted again", async () => {
  const underWay = new InFlightAppends();
  const event = anEvent();
  const failing = held();
  const both = [1, 2].map(() => underWay.run("s", NO_STREAM, [event], failing.append));
  failing.reject(new Error("lost"));
  await Promise.all(both.map((one) => expect(one).rejects.toThrow("lost")));
  await underWay.settled();
  expect(await underWay.run("s", NO_STREAM, [event], async () => RESULT)).toStrictEqual(RESULT);
});

test("settled waits for all, whatever becomes of them", async () => {
  const underWay = new InFlightAppends();
  const [one, two] = [held(), held()];
  const failed = underWay.run("s", NO_STREAM, [anEvent()], one.append).catch((error: Error) => error.message);
  const stored = underWay.run("s", NO_STREAM, [anEvent()], two.append);
  let isSettled = false;
  const settled = underWay.settled().then(() => {
    isSettled = true;
  });
  one.reject(new Error("lost"));
  expect(await failed).toBe("lost");
  expect(isSettled).toBe(false);
  two.resolve(RESULT);
  await stored;
  await settled;
});

describe("the answer to an append", () => {
  const request = { stream: "booking-1", expectedRevision: 4, events: [encodeEvent(anEvent({ seat: "ß" }))] };
  const answered = (fill: (response: InstanceType<typeof streams.BatchAppendResp>) => void) => {
    const response = new streams.BatchAppendResp();
    response.setCorrelationId(structuredUuid(ID));
    fill(response);
    return decodeAppendAnswer(response.serializeBinary());
  };
  const refused = (type: string, details: { serializeBinary(): Uint8Array } = new shared.Empty(), message = type) =>
    answered((response) => {
      const packed = new any.Any();
      packed.pack(details.serializeBinary(), `event_store.client.${type}`);
      const error = new statuses.Status();
      error.setMessage(message);
      error.setDetails(packed);
      response.setError(error);
    });

  test("names the append, and where its last event is, if the server says it", () => {
    const stored = (where: boolean) =>
      answered((response) => {
        const success = new streams.BatchAppendResp.Success();
        success.setCurrentRevision(String(2 ** 40));
        const position = new shared.AllStreamPosition();
        position.setCommitPosition("9007199254740993");
        if (where) success.setPosition(position);
        else success.setNoPosition(new empty.Empty());
        response.setSuccess(success);
      });
    expect(uuidOf(stored(true).id)).toBe(ID);
    expect(acknowledgementOf(stored(true), request)).toStrictEqual({ revision: 2 ** 40, position: 9007199254740993n });
    expect(acknowledgementOf(stored(false), request)).toStrictEqual({ revision: 2 ** 40, position: undefined });
  });

  test.each([
    ["0", 0],
    ["7", 7],
    [undefined, NO_STREAM],
  ])("says that the stream is at revision %s", (current, actual) => {
    const wrong = new shared.WrongExpectedVersion();
    if (current === undefined) wrong.setCurrentNoStream(new empty.Empty());
    else wrong.setCurrentStreamRevision(current);
    const answer = () => acknowledgementOf(refused("WrongExpectedVersion", wrong), request);
    expect(answer).toThrow(new WrongExpectedRevision("booking-1", 4, actual));
    expect(answer).toThrow(expect.objectContaining({ expected: 4, actual }));
  });

  test.each<[string, abstract new (...of: never) => Error, RegExp]>([
    ["MaximumAppendSizeExceeded", AppendRefused, /of \d+ bytes to stream booking-1 is refused: .* MaximumAppendSize/],
    ["MaximumAppendEventSizeExceeded", AppendRefused, /to stream booking-1 is refused: .* MaximumAppendEvent/],
    ["BadRequest", AppendRefused, /to stream booking-1 is refused: EventStoreDB says BadRequest/],
    ["StreamDeleted", StreamTombstoned, /booking-1/],
    ["AccessDenied", EventStoreUnavailable, /may not read/],
    ["Timeout", EventStoreUnavailable, /Timeout$/],
  ])("tells of %s", (type, kind, message) => {
    const answer = () => acknowledgementOf(refused(type), request);
    expect(answer).toThrow(kind);
    expect(answer).toThrow(message);
  });

  test("that says neither leaves it open whether the events are stored", () => {
    const answer = () =>
      acknowledgementOf(
        answered(() => undefined),
        request,
      );
    expect(answer).toThrow(expect.objectContaining({ outcomeUnknown: true }));
  });
});
