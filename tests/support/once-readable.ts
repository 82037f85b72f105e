/** Each comes after five seconds of waiting in the service. */
const MOST_REPETITIONS = 20;

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Asks again as long as read models are further behind than a read waits for. The server that stands in for MongoDB makes
 * one change at a time, so that on a busy machine this is met; on embedded engines it is a failure, and not for this.
 */
export async function onceReadable<Answer extends Answered>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let again = 0; isBehind(answer) && again < MOST_REPETITIONS; again += 1) answer = await ask();
  return answer;
}

function isBehind({ status, body }: Answered): boolean {
  return status === 503 && JSON.stringify(body ?? null).includes("not yet readable");
}
