import { setTimeout as pause } from "node:timers/promises";

/** Real time: far longer than anything is away in a test. */
export const GIVE_UP_AFTER_MS = 120_000;
const BETWEEN_ATTEMPTS_MS = 100;
/** Real time: a request nobody answers is as good as refused. */
const ANSWERED_WITHIN_MS = 20_000;

interface Answered {
  readonly status: number;
  readonly headers?: Headers;
  readonly body: unknown;
}

/**
 * Asks until the answer is for good, as a careful client does while servers come and go. What is asked for must come
 * about once however often it is asked.
 * @param heard of each attempt: its answer, undefined where there was none.
 * @throws Error it was told to come back later for two minutes.
 */
export async function repeatUntilAnswered<Answer extends Answered>(
  ask: () => Promise<Answer>,
  heard: (answer: Answer | undefined) => void = () => {},
): Promise<Answer> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const answer = await withinTime(ask()).catch(() => undefined);
    heard(answer);
    if (answer !== undefined && answer.status < 500 && answer.headers?.has("retry-after") !== true) return answer;
    if (performance.now() > giveUpAt) {
      throw new Error(`no answer for good, at last ${answer?.status} ${JSON.stringify(answer?.body)}`);
    }
    await pause(BETWEEN_ATTEMPTS_MS);
  }
}

async function withinTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = setTimeout(() => reject(new Error("no answer")), ANSWERED_WITHIN_MS);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(late);
  }
}
