import { describe, expect, test } from "@jest/globals";
import { anEvent } from "../../../contract/event-store-contract.ts";
import { decodeEvent, encodeEvent } from "../../../src/event-store/eventstoredb/event-codec.ts";

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

test("an event comes back as it was, with where it is", () => {
  const event = anEvent({ seat: "1A" });
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
