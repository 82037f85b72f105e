import { InvalidBlobKey } from "./errors.ts";

const KEY = /^[!-~]{1,200}$/;

/** @throws InvalidBlobKey */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new InvalidBlobKey();
}
