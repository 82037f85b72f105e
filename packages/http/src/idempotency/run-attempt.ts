import type { ApiResponse } from "../route.ts";
import type { CommandAttempt, Execute } from "./command-attempt.ts";
import { isFinalResponse, isRetryable, toReplayedResponse, toStoredResponse } from "./idempotency-record.ts";
import { ResponseNotStored } from "./response-not-stored.ts";
import { Superseded } from "./superseded.ts";

export interface AttemptOutcome {
  readonly response: ApiResponse;
  /** What whoever asks again is answered: the kept response, or this one where it was not kept. */
  readonly replay: ApiResponse;
}

/** Another attempt has taken the command over; `own` is what this one would have answered, where it got so far. */
export interface SupersededOutcome {
  readonly ownResponse: ApiResponse | undefined;
}

/** Carries the command out and leaves its record as the response asks for. A failure is thrown on. */
export async function runAttempt(
  attempt: CommandAttempt,
  execute: Execute,
): Promise<AttemptOutcome | SupersededOutcome> {
  let response: ApiResponse;
  try {
    response = await attempt.run(execute);
  } catch (error) {
    if (error instanceof Superseded) return { ownResponse: undefined };
    await attempt.releaseLease();
    throw error;
  }
  if (isFinalResponse(response)) {
    const kept = toStoredResponse(response);
    const isKept = await attempt.storeResponse(kept).catch((error) => {
      throw new ResponseNotStored(error);
    });
    return isKept ? { response, replay: toReplayedResponse(kept) } : { ownResponse: response };
  }
  if (isRetryable(response)) await attempt.releaseLease();
  else await attempt.releaseKey();
  return { response, replay: response };
}
