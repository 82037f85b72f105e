import { type Duplex, duplexPair } from "node:stream";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { answerRequests, writeMessage } from "@travel-booking/runtime/messages";
import { AskedHasEnded, NoAnswer, NobodyToAsk, Requests } from "@travel-booking/runtime/requests";
import { z } from "zod";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const BOUNDS = { maxAnswerBytes: 1_000, timeoutMs: 1_000, silenceMs: 2_500, endMs: 100 };

/** Requests to somebody who answers when told to; `far` are the other ends of the streams. */
function begin(connect?: () => Promise<Duplex>) {
  const far: Duplex[] = [];
  const asked: { readonly request: unknown; readonly file: Uint8Array; answer(twice: number): void }[] = [];
  const open = async () => {
    const [near, other] = duplexPair();
    far.push(other);
    const answer = (request: unknown, file: Uint8Array) => {
      const { promise, resolve } = Promise.withResolvers<{ answer: object; file: Uint8Array }>();
      asked.push({ request, file, answer: (twice) => resolve({ answer: { twice }, file }) });
      return promise;
    };
    const end = () => void other.destroy();
    answerRequests(other, 1_000, answer).then(end, end);
    return near;
  };
  const requests = new Requests({ connect: connect ?? open, answer: z.object({ twice: z.number() }), ...BOUNDS });
  return { requests, far, asked };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error.constructor,
  );

describe("requests on a stream", () => {
  test("get their own answers, whichever comes first, with the file that goes with it", async () => {
    const { requests, far, asked } = begin();
    const answers = [1, 2].map((one) => requests.ask({ one }, new Uint8Array([one])));
    while (asked.length < 2) await turn();
    expect(asked.map(({ request }) => request)).toStrictEqual([
      { id: 1, one: 1 },
      { id: 2, one: 2 },
    ]);
    for (const { answer } of asked.toReversed()) answer(asked.length);
    const [first, second] = await Promise.all(answers);
    expect([first?.answer, second?.answer]).toStrictEqual([{ twice: 2 }, { twice: 2 }]);
    expect([first, second].map((answered) => [...(answered?.file ?? [])])).toStrictEqual([[1], [2]]);
    expect(far.length).toBe(1);
  });

  test("fail where it ends, and the next one opens another", async () => {
    const { requests, far, asked } = begin();
    const lost = [requests.ask({}), requests.ask({})].map(failureOf);
    while (asked.length < 2) await turn();
    far[0]?.destroy();
    expect(await Promise.all(lost)).toStrictEqual([AskedHasEnded, AskedHasEnded]);
    const next = requests.ask({});
    while (asked.length < 3) await turn();
    asked[2]?.answer(6);
    expect((await next).answer).toStrictEqual({ twice: 6 });
    expect(far.length).toBe(2);
  });

  test("fail where nobody is there, and the next one looks again", async () => {
    let tries = 0;
    const { requests } = begin(() => {
      tries += 1;
      return Promise.reject(new Error("refused"));
    });
    expect(await Promise.all([requests.ask({}), requests.ask({})].map(failureOf))).toStrictEqual([
      NobodyToAsk,
      NobodyToAsk,
    ]);
    expect(await failureOf(requests.ask({}))).toBe(NobodyToAsk);
    expect(tries).toBe(2);
  });

  test.each<readonly [string, (stream: Duplex) => unknown]>([
    ["an answer of another shape", (stream) => writeMessage(stream, { id: 1, twice: "2" })],
    ["an answer to nothing that was asked", (stream) => writeMessage(stream, { id: 7, twice: 2 })],
    ["an answer without a number", (stream) => writeMessage(stream, { twice: 2 })],
    ["a number alone", (stream) => stream.write(Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0x35]))],
    ["what is no JSON", (stream) => stream.write(Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0x41]))],
    ["more than is allowed", (stream) => stream.write(Buffer.from([0, 0, 0, 1, 0xff, 0, 0, 0]))],
  ])("fail by %s, which ends the stream", async (_, say) => {
    const { requests, far, asked } = begin();
    const failed = [requests.ask({}), requests.ask({})].map(failureOf);
    while (asked.length < 2) await turn();
    say(far[0] as Duplex);
    expect(await Promise.all(failed)).toStrictEqual([AskedHasEnded, AskedHasEnded]);
    while (far[0]?.destroyed !== true) await turn();
  });

  test("are failed where they are aborted; who was asked is told by the end of the stream", async () => {
    const { requests, far, asked } = begin();
    const failed = failureOf(requests.ask({}));
    while (asked.length < 1) await turn();
    requests.abort();
    expect(await failed).toBe(AskedHasEnded);
    while (far[0]?.destroyed !== true) await turn();
    const other = failureOf(requests.ask({}));
    requests.abort();
    expect(await other).toBe(AskedHasEnded);
  });

  test("that come after those aborted have a stream of their own, and keep it", async () => {
    const { requests, far, asked } = begin();
    const aborted = failureOf(requests.ask({}));
    requests.abort();
    const next = requests.ask({});
    expect(await aborted).toBe(AskedHasEnded);
    while (far[0]?.destroyed !== true) await turn();
    // What was aborted may not have arrived.
    const before = asked.length;
    const last = requests.ask({});
    while (asked.length === before) await turn();
    for (const { answer } of asked) answer(2);
    expect([(await next).answer, (await last).answer, far.length]).toStrictEqual([{ twice: 2 }, { twice: 2 }, 2]);
  });

  test("are answered by nobody who takes what is no request for one", async () => {
    const [near, other] = duplexPair();
    const answered = answerRequests(other, 1_000, () => Promise.reject(new Error("not asked")));
    writeMessage(near, [1]);
    await expect(answered).rejects.toThrow("a request without a number");
  });
});

describe("an answer that is late", () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Asks, and lets the time for an answer go by. */
  async function late({ requests, asked }: ReturnType<typeof begin>) {
    const count = asked.length;
    const failed = failureOf(requests.ask({}));
    while (asked.length === count) await turn();
    jest.advanceTimersByTime(BOUNDS.timeoutMs);
    expect(await failed).toBe(NoAnswer);
  }

  test("fails its request alone; where nothing else comes either, for longer, the stream is ended", async () => {
    const begun = begin();
    await late(begun);
    await late(begun);
    expect(begun.far.map(({ destroyed }) => destroyed)).toStrictEqual([false]);
    begun.asked[0]?.answer(1);
    await turn();
    await turn();
    for (let times = 0; times < 3; times += 1) await late(begun);
    while (begun.far[0]?.destroyed !== true) await turn();
    expect(begun.far.length).toBe(1);
    await late(begun);
    expect(begun.far.length).toBe(2);
  });
});
