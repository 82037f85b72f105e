import type { ApiResponse } from "../route.ts";
import { AnswerNotKept } from "./answer-not-kept.ts";
import type { Attempt, Execute } from "./attempt.ts";
import { isSettling, isToBeRepeated, toKept, toReplayed } from "./idempotency-record.ts";
import { Overtaken } from "./overtaken.ts";

export interface Outcome {
  readonly response: ApiResponse;
  /** What whoever asks again is answered: the kept response, or this one where it was not kept. */
  readonly again: ApiResponse;
}

/** Another attempt has taken the command over; `own` is what this one would have answered, where it got so far. */
export interface OvertakenWith {
  readonly own: ApiResponse | undefined;
}

/** Carries the command out and leaves its record as the response asks for. A failure is thrown on. */
export async function carryOut(attempt: Attempt, execute: Execute): Promise<Outcome | OvertakenWith> {
  let response: ApiResponse;
  try {
    response = await attempt.run(execute);
  } catch (error) {
    if (error instanceof Overtaken) return { own: undefined };
    await attempt.giveBack();
    throw error;
  }
  if (isSettling(response)) {
    const kept = toKept(response);
    const isKept = await attempt.settle(kept).catch((error) => {
      throw new AnswerNotKept(error);
    });
    return isKept ? { response, again: toReplayed(kept) } : { own: response };
  }
  if (isToBeRepeated(response)) await attempt.giveBack();
  else await attempt.free();
  return { response, again: response };
}
