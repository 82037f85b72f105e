import { expect } from "@jest/globals";
import type { ErrorResponse } from "@travel-booking/api-contract";
import type { TestResponse } from "./test-response.ts";

/** What an error says; the shape of it has been checked already. */
export function messageOf(answer: TestResponse): string | readonly string[] {
  return (answer.body as ErrorResponse).message;
}

/** 400 that names exactly these problems. */
export function expectProblems(answer: TestResponse, problems: readonly string[]): void {
  expect({ status: answer.status, message: messageOf(answer) }).toStrictEqual({ status: 400, message: problems });
}

/** An error of this status whose message has these words. */
export function expectRefused(answer: TestResponse, status: number, words: string | RegExp): void {
  expect(answer.status).toBe(status);
  expect(String(messageOf(answer))).toMatch(words);
}
