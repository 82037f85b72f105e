import type { ServerResponse } from "node:http";
import type { Received } from "./received.ts";

/** What a receiver does with a delivery. @param count how many have come so far, this one included. */
export type Respond = (received: Received, response: ServerResponse, count: number) => void | Promise<void>;

/** Always the same, with no body. */
export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_received, response) => {
    response.writeHead(status, headers).end();
  };
