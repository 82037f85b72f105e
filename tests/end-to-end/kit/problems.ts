import { expect } from "@jest/globals";
import type { ErrorResponse } from "@travel-booking/api-contract";
import type { Answer } from "./answer.ts";

/** What an error says; the shape of it has been checked already. */
export function messageOf(answer: Answer): string | readonly string[] {
  return (answer.body as ErrorResponse).message;
}

/** 400 that names exactly these problems. */
export function expectProblems(answer: Answer, problems: readonly string[]): void {
  expect({ status: answer.status, message: messageOf(answer) }).toStrictEqual({ status: 400, message: problems });
}

/** An error of this status whose message has these words. */
export function expectRefused(answer: Answer, status: number, words: string | RegExp): void {
  expect(answer.status).toBe(status);
  expect(String(messageOf(answer))).toMatch(words);
}
