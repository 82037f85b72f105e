import type { BatchAppendResp } from "@eventstore/db-client/generated/streams_pb.js";
import { describe, expect, test } from "@jest/globals";
import { anEvent } from "../../contract/event-store-contract.ts";
import { parseAppendResponse } from "../../src/event-store/eventstoredb/append-messages.ts";
import { clientConnectionString } from "../../src/event-store/eventstoredb/connection-string.ts";
import { appendUnavailable, storeClosed, unavailable } from "../../src/event-store/eventstoredb/errors.ts";
import { decodeEvent, encodeEvent } from "../../src/event-store/eventstoredb/event-codec.ts";
import { InFlightAppends, openEventStoreDb } from "../../src/event-store/eventstoredb/eventstoredb-event-store.ts";
import { AppendRefused, EventStoreUnavailable, NO_STREAM } from "../../src/event-store/index.ts";

describe("a connection string", () => {
  test.each([
    ["esdb://localhost:2113?tls=false", "esdb://localhost:2113?tls=false&gossipTimeout=1"],
    ["kurrentdb://localhost:2113?tls=false", "esdb://localhost:2113?tls=false&gossipTimeout=1"],
    [" kurrentdb+discover://cluster.example.com ", "esdb+discover://cluster.example.com?gossipTimeout=1"],
    [
      "esdb://one:2113,two:2114,three/?nodePreference=leader",
      "esdb://one:2113,two:2114,three?nodePreference=leader&gossipTimeout=1",
    ],
    [
      "esdb://user:p%40ss@host?tls=true&tlsCaFile=/ca.pem",
      "esdb://user:p%40ss@host?tls=true&tlsCaFile=/ca.pem&gossipTimeout=1",
    ],
    ["esdb://host?keep_alive_interval=-1&gossip-timeout=5", "esdb://host?keep_alive_interval=-1&gossip-timeout=5"],
    ["esdb://host?keepAliveTimeout=-1&gossipTimeout=5", "esdb://host?keepAliveTimeout=2147483647&gossipTimeout=5"],
  ])("%s is what the client gets as %s", (url, expected) => {
    expect(clientConnectionString(url)).toBe(expected);
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

type Read = NonNullable<Parameters<typeof decodeEvent>[0]>;

/** As the client reads what was encoded. */
function read(changed: Partial<Record<keyof Read, unknown>> = {}): Read {
  const { id, type, data, metadata } = encodeEvent(anEvent({ seat: "1A" }));
  return {
    streamId: "booking-1",
    revision: 7n,
    position: { commit: 900n, prepare: 900n },
    created: new Date(0),
    isJson: true,
    id,
    type,
    data: JSON.parse(Buffer.from(data).toString()),
    metadata: JSON.parse(Buffer.from(metadata).toString()),
    ...changed,
  } as Read;
}

test.each([
  ["an event", undefined],
  ["an event that names who decided it", "7d0c0e6e-5a2b-4a51-9d0f-6f3f6f3b2a10"],
])("%s comes back as it was, with where it is", (_, instance) => {
  const made = anEvent({ seat: "1A" });
  const event = instance === undefined ? made : { ...made, metadata: { ...made.metadata, instance } };
  const { data, metadata } = encodeEvent(event);
  const decoded = decodeEvent(
    read({
      id: event.id,
      data: JSON.parse(Buffer.from(data).toString()),
      metadata: JSON.parse(Buffer.from(metadata).toString()),
    }),
  );
  expect(decoded).toStrictEqual({ ...event, stream: "booking-1", revision: 7, position: 900n });
});

describe("not ours is an event", () => {
  const stored = () => read().metadata as unknown as Record<string, unknown>;

  test.each<[string, () => Read | undefined]>([
    ["that is none", () => undefined],
    ["in a system stream", () => read({ streamId: "$ce-booking" })],
    ["of a system type", () => read({ type: "$>" })],
    ["without a position", () => read({ position: undefined })],
    ["that is no JSON", () => read({ isJson: false })],
    ["without metadata", () => read({ metadata: undefined })],
    ["with metadata that is no object", () => read({ metadata: "text" })],
    ...Object.keys(stored())
      .filter((name) => name !== "$causationId")
      .map((name): [string, () => Read] => [
        `without ${name}`,
        () => read({ metadata: { ...stored(), [name]: undefined } }),
      ]),
    ["with a causation of another kind", () => read({ metadata: { ...stored(), $causationId: 1 } })],
    ["of an instance without a name", () => read({ metadata: { ...stored(), instance: 1 } })],
    ["with a broken version", () => read({ metadata: { ...stored(), version: 1.5 } })],
    ["of an unknown kind of actor", () => read({ metadata: { ...stored(), actor: { kind: "ghost", id: "1" } } })],
    ["of an actor without an id", () => read({ metadata: { ...stored(), actor: { kind: "system" } } })],
    ["of an actor who is no object", () => read({ metadata: { ...stored(), actor: "system" } })],
  ])("%s", (_, made) => {
    expect(decodeEvent(read())).toBeDefined();
    expect(decodeEvent(made())).toBeUndefined();
  });
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

test.each(["MaximumAppendEventSizeExceeded", "MaximumAppendSizeExceeded", "BadRequest"])(
  "%s is a refusal: the outcome is known",
  (type) => {
    const details = { getTypeName: () => `event_store.client.${type}`, getValue_asU8: () => new Uint8Array() };
    const error = { getMessage: () => type, getDetails: () => details };
    const answer = { getSuccess: () => undefined, getError: () => error } as unknown as BatchAppendResp;
    const request = { stream: "booking-1", expectedRevision: NO_STREAM, events: [] };
    expect(() => parseAppendResponse(answer, request)).toThrow(AppendRefused);
  },
);
