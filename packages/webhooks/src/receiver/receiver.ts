import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { printable } from "@travel-booking/runtime/printable";

export interface ReceiverOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Secrets of the endpoints that deliver here. Without any, signatures are not checked. */
  readonly secrets: readonly string[];
  /** The status of every response, or of every n-th one (`every`); the others get 204. */
  readonly status: number;
  readonly every?: number;
  /** True: headers and bodies are printed, too. */
  readonly verbose?: boolean;
  readonly print: (line: string) => void;
}

const ACCEPTED = 204;
const MAX_BODY_BYTES = 1024 * 1024;

/** Prints every delivery, and whether its signature is right. */
export async function startReceiver(
  options: ReceiverOptions,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    const status = received % (options.every ?? 1) === 0 ? options.status : ACCEPTED;
    receive(request, response, status, options).catch(() => response.destroy());
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

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  { secrets, verbose, print: printLine }: ReceiverOptions,
): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return void response.writeHead(413).end();
    chunks.push(chunk as Buffer);
  }
  const body = Buffer.concat(chunks);
  const print = (line: string) => printLine(printable(line));
  const said = [new Date().toISOString(), verdict(request, body, secrets), summary(body)];
  print((status === ACCEPTED ? said : [...said, `answered with ${status}`]).join("  "));
  if (verbose) {
    for (const [name, value] of Object.entries(request.headers)) print(`    ${name}: ${value}`);
    print(`    ${JSON.stringify(body.toString()).slice(1, -1).replaceAll('\\"', '"')}`);
  }
  response.writeHead(status).end();
}

function verdict({ headers }: IncomingMessage, body: Buffer, secrets: readonly string[]): string {
  if (secrets.length === 0) return "not checked (no secret given)";
  const known = headers as Record<string, string | undefined>;
  const verdicts = secrets.map((secret) => verify(secret, known, body));
  const isRight = verdicts.some(({ service, standard }) => service === true && standard !== false);
  const age = ageOf(known);
  if (isRight && age !== undefined) return `signature right, but ${age}: a receiver refuses that`;
  return isRight ? "signature right" : `SIGNATURE WRONG: ${whyWrong(known, body, secrets)}`;
}

/** The greatest age of a signature. Receivers refuse older ones, which may have been recorded to be sent again. */
const TOLERANCE_S = 5 * 60;
const FORM = { service: /^[0-9a-f]{64}$/, standard: /^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)*$/ };

/** The reason of a wrong signature, as far as it can be found. */
function whyWrong(headers: DeliveryHeaders, body: Buffer, secrets: readonly string[]): string {
  const { "service-signature": service, "webhook-signature": standard } = headers;
  if (service === undefined && standard === undefined) return "there is none";
  if (service !== undefined && !FORM.service.test(service)) return "service-signature is no hexadecimal SHA-256";
  if (standard !== undefined && !FORM.standard.test(standard)) return "webhook-signature is no v1,BASE64";
  const checks = secrets.map((secret) => verify(secret, headers, body));
  if (checks.some((check) => check.standard === true)) {
    return "service-signature is of another secret than webhook-signature: give both, the secret was rotated";
  }
  if (checks.some((check) => check.service === true)) {
    return "webhook-signature is not of these webhook-id and webhook-timestamp, or of another secret than service-signature";
  }
  const rewritten = rewrittenJson(body);
  if (rewritten !== undefined && secrets.some((secret) => verify(secret, headers, rewritten).service === true)) {
    return "the body was changed on its way: parsed and written again";
  }
  const age = ageOf(headers);
  return `it is of another secret than the given, or of another body${age === undefined ? "" : `; and ${age}`}`;
}

/** The problem with the time of a delivery; undefined if it was sent just now, or has no time. */
function ageOf({ "webhook-timestamp": timestamp }: DeliveryHeaders): string | undefined {
  if (timestamp === undefined) return undefined;
  const age = Math.round(Date.now() / 1_000 - Number(timestamp));
  return Math.abs(age) <= TOLERANCE_S ? undefined : `webhook-timestamp is ${age} s from now`;
}

/** The body in the form in which the service writes JSON; undefined if it is no JSON. */
function rewrittenJson(body: Buffer): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString())));
  } catch {
    return undefined;
  }
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
  const { "service-signature": service, "webhook-signature": standard } = headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const head = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const ofService = createHmac("sha256", secret).update(body).digest("hex");
  const ofStandard = `v1,${createHmac("sha256", key).update(head).update(body).digest("base64")}`;
  return {
    service: service === undefined ? undefined : isSame(service, ofService),
    standard: standard?.split(" ").some((one) => isSame(one, ofStandard)),
  };
}

/** Takes constant time. */
function isSame(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
