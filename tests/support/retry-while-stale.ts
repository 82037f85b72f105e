import { setTimeout as pause } from "node:timers/promises";
import { ELECTIONS } from "./distributed/elections.ts";

/** Each comes after five seconds of waiting in the service. */
const MAX_REPETITIONS = 20;
/** Real milliseconds, and how often: for longer than any election takes. */
const ASK_AGAIN_MS = 100;
const MAX_REFUSALS = 100;

interface ReadResponse {
  readonly status: number;
  readonly body?: unknown;
}

/**
 * Asks again as long as read models are further behind than a read waits for. The server that stands in for MongoDB makes
 * one change at a time, so that on a busy machine this is met; on embedded engines it is a failure, and not for this.
 */
export async function retryWhileStale<Answer extends ReadResponse>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await retryDuringElections(ask);
  for (let again = 0; isBehind(answer) && again < MAX_REPETITIONS; again += 1) answer = await retryDuringElections(ask);
  return answer;
}

/** Where there are elections, asks again what was refused: nothing of it was attempted. */
export async function retryDuringElections<Answer extends ReadResponse>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let again = 0; ELECTIONS && answer.status === 503 && !isBehind(answer) && again < MAX_REFUSALS; again += 1) {
    await pause(ASK_AGAIN_MS);
    answer = await ask();
  }
  return answer;
}

function isBehind({ status, body }: ReadResponse): boolean {
  return status === 503 && JSON.stringify(body ?? null).includes("not yet readable");
}
