import type { ServerResponse } from "node:http";
import type { ReceivedDelivery } from "./received.ts";

/** What a receiver does with a delivery. @param count how many have come so far, this one included. */
export type Respond = (received: ReceivedDelivery, response: ServerResponse, count: number) => void | Promise<void>;

/** Always the same, with no body. */
export const respondWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_received, response) => {
    response.writeHead(status, headers).end();
  };
