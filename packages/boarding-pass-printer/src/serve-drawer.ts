import type { Duplex } from "node:stream";
import { type Answered, answerRequests } from "@travel-booking/runtime/messages";
import type { Drawer } from "./drawer.ts";
import { tellFailure } from "./failures.ts";
import type { DrawAnswer, DrawRequest } from "./printer.ts";

/** The size limit of one message. */
const MAX_REQUEST_BYTES = 1_048_576;

/** Draws the requests of a stream until it ends. Then waiting drawings are dropped. @throws as `answerRequests` */
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
