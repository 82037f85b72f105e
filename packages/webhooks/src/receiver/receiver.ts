import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { verify } from "./verify.ts";

export interface ReceiverOptions {
  /** Any free one where it is 0. */
  readonly port: number;
  /** Of the endpoints that lead here; none: signatures are not checked. */
  readonly secrets: readonly string[];
  /** What every delivery is answered with. */
  readonly status: number;
  readonly print: (line: string) => void;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Prints what arrives, and whether its signature is right. */
export async function startReceiver(
  options: ReceiverOptions,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    receive(request, response, options).catch(() => response.destroy());
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(request: IncomingMessage, response: ServerResponse, options: ReceiverOptions): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return void response.writeHead(413).end();
    chunks.push(chunk as Buffer);
  }
  const body = Buffer.concat(chunks);
  options.print([new Date().toISOString(), verdict(request, body, options.secrets), summary(body)].join("  "));
  response.writeHead(options.status).end();
}

function verdict({ headers }: IncomingMessage, body: Buffer, secrets: readonly string[]): string {
  if (secrets.length === 0) return "not checked (no secret given)";
  const known = headers as Record<string, string | undefined>;
  const verdicts = secrets.map((secret) => verify(secret, known, body));
  const isRight = verdicts.some(({ service, standard }) => service === true && standard !== false);
  return isRight ? "signature right" : "SIGNATURE WRONG";
}

/** One line, whatever was sent. */
function summary(body: Buffer): string {
  try {
    const { id, type, data } = JSON.parse(body.toString()) as {
      readonly id?: unknown;
      readonly type?: unknown;
      readonly data?: { readonly object?: { readonly id?: unknown } };
    };
    return JSON.stringify({ id, type, object: data?.object?.id });
  } catch {
    return JSON.stringify(body.toString().slice(0, 200));
  }
}
