import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ReceiverOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Secrets of the endpoints that deliver here. Without any, signatures are not checked. */
  readonly secrets: readonly string[];
  /** The response to every delivery. */
  readonly status: number;
  readonly print: (line: string) => void;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Prints every delivery, and whether its signature is right. */
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

/** One line, even for a body that is not JSON. */
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

/** The headers of a delivery that its signatures are made of. */
export interface DeliveryHeaders {
  readonly "service-signature"?: string | undefined;
  readonly "webhook-id"?: string | undefined;
  readonly "webhook-timestamp"?: string | undefined;
  readonly "webhook-signature"?: string | undefined;
}

/** Whether each of the two signatures is right; undefined if it was not sent. */
interface SignatureChecks {
  readonly service: boolean | undefined;
  /** Of the Standard Webhooks specification. */
  readonly standard: boolean | undefined;
}

/** Checks the signatures of a delivery with the secret of its endpoint. */
export function verify(secret: string, headers: DeliveryHeaders, body: Uint8Array): SignatureChecks {
  return { service: verifyService(secret, headers, body), standard: verifyStandard(secret, headers, body) };
}

function verifyService(secret: string, headers: DeliveryHeaders, body: Uint8Array): boolean | undefined {
  const sent = headers["service-signature"];
  return sent === undefined ? undefined : isSame(sent, createHmac("sha256", secret).update(body).digest("hex"));
}

function verifyStandard(secret: string, headers: DeliveryHeaders, body: Uint8Array): boolean | undefined {
  const sent = headers["webhook-signature"];
  if (sent === undefined) return undefined;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const head = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const expected = `v1,${createHmac("sha256", key).update(head).update(body).digest("base64")}`;
  return sent.split(" ").some((one) => isSame(one, expected));
}

/** Takes constant time. */
function isSame(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
