import { beforeEach, describe, expect, test } from "@jest/globals";
import { FaultyStateStore, ManualTime } from "@travel-booking/engines/leases/testing";
import { type ApiResponse, type CommandIdentity, errorResponse, Idempotency } from "@travel-booking/http";
import { ManualClock, sequentialCommandIds } from "@travel-booking/runtime";
import type { RealTime } from "@travel-booking/runtime/real-time";
import { unsealedWords } from "./support/service.ts";

const REQUEST = { accountId: "acc_1", operationId: "makeThing", key: "k", fingerprint: "f", sealer: unsealedWords };
const HOUR = 3_600_000;

let time: ManualTime;
let shared: FaultyStateStore;
let clock: ManualClock;
const ids = sequentialCommandIds();

beforeEach(() => {
  time = new ManualTime();
  shared = new FaultyStateStore();
  clock = new ManualClock(1_000);
});

interface Call {
  readonly identity: CommandIdentity;
  readonly answer: (response: ApiResponse) => void;
  readonly fail: (error: Error) => void;
}

interface InstanceOptions {
  readonly singleProcess?: boolean;
  readonly store?: FaultyStateStore;
  readonly realTime?: RealTime;
}

/** One of several processes behind the same API. The test ends its commands. */
class Instance {
  readonly calls: Call[] = [];
  readonly #idempotency: Idempotency;

  constructor({ singleProcess = false, store = shared, realTime = time }: InstanceOptions = {}) {
    const alone = singleProcess && { holder: null };
    this.#idempotency = new Idempotency({ store: store.store, clock, commandIds: ids, ...alone, realTime });
  }

  send(request: Partial<typeof REQUEST> = {}): PendingCall {
    const asked: PendingCall = { answer: undefined, error: undefined };
    this.#idempotency
      .run({ ...REQUEST, ...request }, (identity) => {
        const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
        this.calls.push({ identity, answer: resolve, fail: reject });
        return promise;
      })
      .then(
        (answer) => {
          asked.answer = answer;
        },
        (error) => {
          asked.error = error;
        },
      );
    return asked;
  }
}

interface PendingCall {
  answer: ApiResponse | undefined;
  error: Error | undefined;
}

/** A process that can be stalled, its calls to the store included. */
class Stallable {
  readonly store = new FaultyStateStore();
  readonly #instance: Instance;
  #gate = Promise.resolve();
  wake: () => void = () => {};

  constructor() {
    Object.assign(this.store, { inner: shared.inner });
    const realTime: RealTime = {
      now: () => time.now(),
      pause: async (ms, signal) => {
        await time.pause(ms, signal);
        await this.#gate;
      },
    };
    this.#instance = new Instance({ store: this.store, realTime });
  }

  get instance(): Instance {
    return this.#instance;
  }

  stall(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    this.store.gate = promise;
    this.wake = resolve;
  }
}

/** A process that stalled in the middle of a command, and the request. */
async function stalled() {
  const slow = new Stallable();
  const first = slow.instance.send();
  await time.advance(100);
  slow.stall();
  return { slow, first };
}

/** The same, and a second process that got the retry and has taken the command over. */
async function superseded() {
  const { slow, first } = await stalled();
  const two = new Instance();
  const retry = two.send();
  await time.advance(6_000);
  return { slow, first, two, retry };
}

const made = (name: string): ApiResponse => ({ status: 201, json: JSON.stringify({ name }) });
const replayed = (name: string): ApiResponse => ({ ...made(name), headers: { "Idempotent-Replayed": "true" } });
const seen = ({ identity: { commandId, repeated } }: Call) => ({ commandId, repeated });
const status = ({ answer }: PendingCall) => answer?.status;

describe("while another process runs the command of a key", () => {
  test("its result is awaited and replayed", async () => {
    const [one, two] = [new Instance(), new Instance()];
    const first = one.send();
    await time.advance(100);
    const twin = two.send();
    await time.advance(2_000);
    expect([two.calls.length, twin.answer]).toStrictEqual([0, undefined]);
    one.calls[0]?.answer(made("a"));
    await time.advance(500);
    expect([first.answer, twin.answer]).toStrictEqual([made("a"), replayed("a")]);
    expect(two.calls).toStrictEqual([]);
  });

  test("for ten seconds at most, then the client gets 409 with Retry-After", async () => {
    const [one, two] = [new Instance(), new Instance()];
    one.send();
    await time.advance(100);
    const twin = two.send();
    await time.advance(10_000);
    expect([status(twin), twin.answer?.headers?.["Retry-After"]]).toStrictEqual([409, "1"]);
    expect([one.calls[0]?.identity.repeated, two.calls.length]).toStrictEqual([false, 0]);
  });

  test("another request under the key is refused at once", async () => {
    const [one, two] = [new Instance(), new Instance()];
    one.send();
    await time.advance(0);
    const other = two.send({ fingerprint: "other" });
    await time.advance(0);
    expect(status(other)).toBe(422);
  });

  test("a short command costs two writes, a long one further writes for renewals", async () => {
    const one = new Instance();
    one.send();
    await time.advance(1_600);
    one.calls[0]?.answer(made("a"));
    await time.advance(10_000);
    expect(shared.writes).toBe(2);
    one.send({ key: "long" });
    await time.advance(6_000);
    one.calls[1]?.answer(made("b"));
    await time.advance(10_000);
    expect(shared.writes).toBe(2 + 2 + 3);
  });

  test("of equal requests to all instances one runs the command", async () => {
    const instances = Array.from({ length: 4 }, () => new Instance());
    const asked = Array.from({ length: 40 }, (_, index) => instances[index % 4]!.send());
    await time.advance(1_000);
    const calls = instances.flatMap((instance) => instance.calls);
    expect(calls).toHaveLength(1);
    calls[0]!.answer(made("a"));
    await time.advance(1_000);
    expect(asked.filter(({ answer }) => answer?.headers?.["Idempotent-Replayed"] === "true")).toHaveLength(39);
    expect(new Set(asked.map(({ answer }) => answer?.json)).size).toBe(1);
  });
});

describe("after a crash", () => {
  test("the same command is run again when its lease has expired, and not before", async () => {
    const { slow: dying } = await stalled();
    const two = new Instance();
    const retry = two.send();
    await time.advance(4_999);
    expect(two.calls).toStrictEqual([]);
    await time.advance(500);
    const { commandId } = dying.instance.calls[0]!.identity;
    expect(two.calls.map(seen)).toStrictEqual([{ commandId, repeated: true }]);
    two.calls[0]?.answer(made("a"));
    await time.advance(0);
    expect(retry.answer).toStrictEqual(made("a"));
  });

  test("of many waiting processes one runs it", async () => {
    await stalled();
    const others = Array.from({ length: 5 }, () => new Instance());
    const asked = others.map((other) => other.send());
    await time.advance(6_000);
    const calls = others.flatMap((other) => other.calls);
    expect(calls).toHaveLength(1);
    calls[0]!.answer(made("a"));
    await time.advance(1_000);
    expect(asked.map(({ answer }) => answer?.json)).toStrictEqual(new Array(5).fill(made("a").json));
  });

  test("a single process runs it at once, and the response is stored", async () => {
    const before = new Instance({ singleProcess: true });
    before.send();
    await time.advance(0);
    const [begun] = await shared.inner.list("idempotency", { limit: 1 });
    const after = new Instance({ singleProcess: true });
    const retry = after.send();
    await time.advance(0);
    const { commandId } = before.calls[0]!.identity;
    expect(after.calls.map(seen)).toStrictEqual([{ commandId, repeated: true }]);
    after.calls[0]?.answer(made("a"));
    await time.advance(0);
    const third = after.send();
    await time.advance(60_000);
    expect([retry.answer, third.answer]).toStrictEqual([made("a"), replayed("a")]);
    const [record] = await shared.inner.list("idempotency", { limit: 1 });
    expect(record?.version).toBe((begun?.version ?? 0) + 1);
  });

  test.each([[true], [false]])(
    "the command of an old record without a holder is run again at once (single process: %s)",
    async (singleProcess) => {
      const [old] = [new Instance({ singleProcess: true })];
      old.send();
      await time.advance(0);
      const [record] = await shared.inner.list<Record<string, unknown>>("idempotency", { limit: 1 });
      const { holder: _, ...without } = record!.value;
      await shared.inner.put("idempotency", record!.key, without, { expiresAt: record!.expiresAt });
      const after = new Instance({ singleProcess });
      const retry = after.send();
      await time.advance(0);
      expect(after.calls[0]?.identity.repeated).toBe(true);
      after.calls[0]?.answer(made("a"));
      await time.advance(0);
      expect(retry.answer).toStrictEqual(made("a"));
    },
  );
});

describe("a command that failed", () => {
  test.each<[string, (call: Call) => void]>([
    ["500", ({ answer }) => answer(errorResponse(500, "internal_error", "no"))],
    [
      "in progress",
      ({ answer }) => answer({ ...errorResponse(409, "payment_in_progress", "another payment"), transient: true }),
    ],
    ["an exception", ({ fail }) => fail(new Error("no"))],
  ])("with %s is run again at once by any process", async (_, end) => {
    const [one, two] = [new Instance(), new Instance()];
    one.send();
    await time.advance(0);
    end(one.calls[0]!);
    await time.advance(0);
    two.send();
    await time.advance(0);
    const { commandId } = one.calls[0]!.identity;
    expect(two.calls.map(seen)).toStrictEqual([{ commandId, repeated: true }]);
  });

  test("and could not release its lease is run again at once by its own process", async () => {
    const one = new Instance();
    one.send();
    await time.advance(0);
    shared.fault = "lost-before";
    one.calls[0]!.fail(new Error("no"));
    await time.advance(0);
    shared.fault = undefined;
    one.send();
    await time.advance(0);
    expect(one.calls.map(({ identity }) => identity.repeated)).toStrictEqual([false, true]);
  });

  test("with a refusal that is not final frees the key, and no late write overwrites its next use", async () => {
    const { slow: late, first: lateAnswer } = await stalled();
    late.instance.calls[0]?.answer(made("late"));
    const two = new Instance();
    two.send();
    await time.advance(6_000);
    two.calls[0]?.answer(errorResponse(400, "invalid_request", "no"));
    await time.advance(0);
    const other = two.send({ fingerprint: "other" });
    await time.advance(0);
    expect(two.calls[1]?.identity.repeated).toBe(false);
    late.wake();
    await time.advance(0);
    two.calls[1]?.answer(made("other"));
    await time.advance(0);
    const again = two.send({ fingerprint: "other" });
    await time.advance(0);
    expect([lateAnswer.answer, other.answer, again.answer]).toStrictEqual([
      made("late"),
      made("other"),
      replayed("other"),
    ]);
  });
});

describe("a process that was stalled past its lease", () => {
  test("has lapsed before another can take over, and stops once it knows that one has", async () => {
    const { slow } = await stalled();
    const two = new Instance();
    two.send();
    const { identity } = slow.instance.calls[0]!;
    await time.advance(4_399);
    expect([identity.lapsed, two.calls.length]).toStrictEqual([false, 0]);
    await time.advance(1);
    expect([identity.lapsed, two.calls.length]).toStrictEqual([true, 0]);
    await time.advance(2_000);
    expect([identity.lapsed, two.calls.length]).toStrictEqual([true, 1]);
    slow.wake();
    await time.advance(0);
    expect(() => identity.repeated).toThrow("another attempt has taken this command over");
  });

  test("goes on as the first if no other took over", async () => {
    const { slow } = await stalled();
    await time.advance(10_000);
    const { identity } = slow.instance.calls[0]!;
    expect(identity.lapsed).toBe(true);
    slow.wake();
    await time.advance(0);
    expect([identity.lapsed, identity.repeated]).toStrictEqual([false, false]);
  });

  test("sends the other one's response, though its own differs", async () => {
    const { slow, first, two, retry } = await superseded();
    two.calls[0]?.answer(made("by the other"));
    await time.advance(0);
    slow.instance.calls[0]?.answer(errorResponse(409, "payment_in_progress", "too late"));
    slow.wake();
    await time.advance(0);
    expect([first.answer, retry.answer]).toStrictEqual([replayed("by the other"), made("by the other")]);
  });

  test("waits for the other one while that still runs the command", async () => {
    const { slow, first, two } = await superseded();
    slow.instance.calls[0]?.answer(made("late"));
    slow.wake();
    await time.advance(1_000);
    expect(first.answer).toBeUndefined();
    two.calls[0]?.answer(made("by the other"));
    await time.advance(1_000);
    expect(first.answer).toStrictEqual(replayed("by the other"));
  });

  test("keeps its own response when the other one freed the key and its process uses it for another request", async () => {
    const { slow, first, two } = await superseded();
    slow.instance.calls[0]?.answer(made("late"));
    slow.wake();
    await time.advance(100);
    two.calls[0]?.answer(errorResponse(400, "invalid_request", "no"));
    await time.advance(0);
    slow.instance.send({ fingerprint: "another" });
    await time.advance(1_000);
    expect(first.answer).toStrictEqual(made("late"));
  });

  test("gives up a refusal of its own when the other one freed the key: another answer may stand under it by now", async () => {
    const { slow, first, two } = await superseded();
    slow.instance.calls[0]?.answer(errorResponse(409, "seat_taken", "seat is taken: 10B"));
    slow.wake();
    await time.advance(100);
    two.calls[0]?.answer({ ...errorResponse(409, "attempt_given_up", "book again"), givenUp: true });
    await time.advance(0);
    const again = two.send();
    await time.advance(0);
    two.calls.at(-1)?.answer(errorResponse(409, "seat_taken", "seat is taken: 10A, 10B"));
    await time.advance(1_000);
    expect([status(again), first.answer?.headers]).toStrictEqual([
      409,
      expect.objectContaining({ "Retry-After": "1" }),
    ]);
    const repeated = slow.instance.send();
    await time.advance(0);
    expect(repeated.answer?.json).toBe(again.answer?.json);
  });

  test("runs the command again if the other one is dead by then", async () => {
    const { slow, first } = await stalled();
    const dying = new Stallable();
    dying.instance.send();
    await time.advance(6_000);
    expect(dying.instance.calls).toHaveLength(1);
    dying.stall();
    slow.instance.calls[0]?.answer(made("late"));
    slow.wake();
    await time.advance(6_000);
    expect(slow.instance.calls.map(({ identity }) => identity.commandId)).toStrictEqual(
      new Array(2).fill(slow.instance.calls[0]!.identity.commandId),
    );
    expect(slow.instance.calls[1]?.identity.repeated).toBe(true);
    slow.instance.calls[1]?.answer(made("again"));
    await time.advance(0);
    expect(first.answer).toStrictEqual(made("again"));
  });

  test("gets the other one's response after it stopped because of it", async () => {
    const { slow, first, two } = await superseded();
    two.calls[0]?.answer(made("by the other"));
    slow.wake();
    await time.advance(0);
    const { identity, fail } = slow.instance.calls[0]!;
    try {
      identity.repeated;
    } catch (error) {
      fail(error as Error);
    }
    await time.advance(0);
    expect(first.answer).toStrictEqual(replayed("by the other"));
  });
});

describe("a state store that fails for a while", () => {
  test.each(["lost-before", "lost-after"] as const)("(%s) costs a running command nothing", async (fault) => {
    const [one, two] = [new Instance(), new Instance()];
    const first = one.send();
    await time.advance(1_000);
    const twin = two.send();
    await time.advance(0);
    shared.fault = fault;
    await time.advance(2_000);
    shared.fault = undefined;
    await time.advance(3_000);
    expect(twin.error?.name).toBe("StateStoreUnavailable");
    expect(one.calls[0]?.identity.repeated).toBe(false);
    one.calls[0]?.answer(made("a"));
    await time.advance(0);
    expect(first.answer).toStrictEqual(made("a"));
  });

  test("when the response is stored: the client gets a failure, and a retry runs the same command", async () => {
    const [one, two] = [new Instance(), new Instance()];
    const first = one.send();
    await time.advance(0);
    shared.fault = "lost-before";
    one.calls[0]?.answer(made("a"));
    await time.advance(0);
    expect(first.error).toMatchObject({ name: "ResponseNotStored", outcomeUnknown: true });
    shared.fault = undefined;
    two.send();
    await time.advance(6_000);
    const { commandId } = one.calls[0]!.identity;
    expect(two.calls.map(seen)).toStrictEqual([{ commandId, repeated: true }]);
  });
});

test("a key that expires while its command still runs elsewhere belongs to a new one, and stores the new response", async () => {
  const [one, two] = [new Instance(), new Instance()];
  const first = one.send();
  await time.advance(0);
  clock.advance(24 * HOUR);
  const second = two.send();
  await time.advance(0);
  expect(two.calls[0]?.identity.repeated).toBe(false);
  one.calls[0]?.answer(made("old"));
  await time.advance(0);
  two.calls[0]?.answer(made("new"));
  await time.advance(0);
  const third = one.send();
  await time.advance(0);
  expect([first.answer, second.answer, third.answer]).toStrictEqual([made("old"), made("new"), replayed("new")]);
});
