import type { Duplex } from "node:stream";
import { type Answered, answerRequests } from "@travel-booking/runtime/messages";
import type { Drawer } from "./drawer.ts";
import { tellFailure } from "./failures.ts";
import type { DrawAnswer, DrawRequest } from "./printer.ts";

/** As much as a value may have. */
const MAX_REQUEST_BYTES = 1_048_576;

/** Draws what is asked for on a stream, until that ends; then what waits for its turn is drawn no more. @throws as `answerRequests` */
export async function serveDrawer(stream: Duplex, drawer: Pick<Drawer, "draw">): Promise<void> {
  const draw = async (request: unknown): Promise<Answered<DrawAnswer>> => {
    try {
      const { account, drawing } = request as DrawRequest;
      return { answer: {}, file: await drawer.draw(account, drawing, () => stream.writable) };
    } catch (error) {
      return { answer: { failure: tellFailure(error) } };
    }
  };
  await answerRequests(stream, MAX_REQUEST_BYTES, draw);
}
