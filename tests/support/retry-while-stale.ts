/** Each comes after five seconds of waiting in the service. */
const MAX_REPETITIONS = 20;

interface ReadResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Asks again as long as read models are further behind than a read waits for. The server that stands in for MongoDB makes
 * one change at a time, so that on a busy machine this is met; on embedded engines it is a failure, and not for this.
 */
export async function retryWhileStale<Answer extends ReadResponse>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let again = 0; isBehind(answer) && again < MAX_REPETITIONS; again += 1) answer = await ask();
  return answer;
}

function isBehind({ status, body }: ReadResponse): boolean {
  return status === 503 && JSON.stringify(body ?? null).includes("not yet readable");
}
