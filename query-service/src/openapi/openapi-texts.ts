import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What is sent, with the headers of its kind. */
export interface MadeText {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The OpenAPI document, and what is made from it, each under its path. */
export type OpenApiTexts = Readonly<Record<"document" | "reference" | "changelog" | "yaml" | "postman", MadeText>>;

/** Makes them in a thread of their own, which ends then: to load what they need and to make them takes long. */
export async function makeOpenApiTexts(rateLimited: boolean): Promise<OpenApiTexts> {
  const thread = new Worker(new URL("./openapi-thread.ts", import.meta.url), {
    workerData: { rateLimited },
    stdout: true,
    stderr: true,
  });
  // A process that is told to end does not wait for them.
  thread.unref();
  const [texts] = (await once(thread, "message")) as [OpenApiTexts];
  return texts;
}
