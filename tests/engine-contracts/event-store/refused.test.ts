import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { NO_STREAM, START } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { findCommand } from "../../engines/processes/find-command.ts";
import { newFolder } from "../../engines/processes/new-folder.ts";
import { BackgroundReader } from "./kit/reader.ts";
import { useDouble } from "./kit/use-double.ts";

const server = useDouble();
const testWithOpenssl = findCommand("openssl") === undefined ? test.skip : test;

/** What a start is told, which does not wait then. */
async function refusal(url: string): Promise<unknown> {
  const ping = async () => {
    const store = openEventStoreDb(url);
    return store.ping().finally(() => store.close());
  };
  return ping().catch((error: unknown) => error);
}

test.each([
  ["unauthenticated", "EventStoreDB does not accept the user and the password of the address"],
  ["access denied", "the user of the address, or nobody if it names none, may not read $all and write streams"],
] as const)("%s: said at once, and nothing was attempted", async (how, message) => {
  await server.faults.refuse(how);
  expect(await refusal(server.double.url)).toMatchObject({
    name: "EventStoreUnavailable",
    isMisconfigured: true,
    message,
  });
  const store = server.open();
  const append = () => store.append(`booking-${randomUUID()}`, NO_STREAM, [anEvent()]);
  for (const call of [append, () => store.readStream("booking-1"), () => store.head()]) {
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: false, message });
  }
});

test("a user who may not subscribe is told so", async () => {
  await server.faults.refuse("access denied");
  const problem = Promise.withResolvers<Error>();
  const reader = new BackgroundReader(server.open({ onProblem: problem.resolve }), START);
  expect((await problem.promise).message).toBe(
    "a subscription to EventStoreDB was dropped, and is being resumed: the user of the address, or nobody if it names none, may not read $all and write streams",
  );
  await reader.stop();
});

test("TLS to a server that speaks none", async () => {
  expect(await refusal(server.double.url.replace("tls=false", "tls=true"))).toMatchObject({
    isMisconfigured: true,
    message: "EventStoreDB speaks no TLS: give it a certificate, or add tls=false to the address",
  });
});

testWithOpenssl("no TLS to a server that speaks it", async () => {
  const server = await listenWithTls();
  try {
    for (const nodes of [`localhost:${server.port}`, `localhost:${server.port},localhost:${server.port}`]) {
      expect(await refusal(`esdb://${nodes}?tls=false`)).toMatchObject({
        isMisconfigured: true,
        message: "EventStoreDB speaks TLS: take tls=false out of the address",
      });
    }
  } finally {
    server.close();
  }
});

test("a file of certificates that is not there", async () => {
  expect(await refusal(server.double.url.replace("tls=false", "tlsCAFile=/nowhere/ca.pem"))).toMatchObject({
    isMisconfigured: true,
    message: "a file that the address names with tlsCAFile, userCertFile or userKeyFile can't be read",
  });
});

testWithOpenssl("a certificate of an authority that is not trusted", async () => {
  const { port, close } = await listenWithTls();
  try {
    for (const scheme of ["esdb", "esdb+discover"]) {
      expect(await refusal(`${scheme}://user:s3,cret@localhost:${port},localhost:${port}`)).toMatchObject({
        isMisconfigured: true,
        message:
          "the certificate of EventStoreDB is not trusted here: name its authority's with tlsCAFile in the address",
      });
    }
    expect(await refusal(`esdb://user:s3cret@localhost:${port}`)).toHaveProperty("isMisconfigured", true);
  } finally {
    close();
  }
});

test("who does not answer is only waited for", async () => {
  expect(await refusal("esdb://127.0.0.1:1?tls=false")).toBe(false);
});

/** A server that speaks TLS, with a certificate of its own. */
async function listenWithTls() {
  const folder = newFolder("tls");
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"];
  await promisify(execFile)("openssl", [...request, ...subject, "-keyout", key, "-out", cert]);
  const listening = tls.createServer({
    key: fs.readFileSync(key),
    cert: fs.readFileSync(cert),
    ALPNProtocols: ["h2"],
  });
  fs.rmSync(folder, { recursive: true });
  // Whoever speaks no TLS is cut off.
  listening.on("tlsClientError", () => undefined);
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return { port: (listening.address() as AddressInfo).port, close: () => listening.close() };
}
