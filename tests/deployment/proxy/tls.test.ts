import { execFile } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import https from "node:https";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "@jest/globals";
import { findCommand } from "../../engines/processes/find-command.ts";
import { freePort } from "../../engines/processes/free-port.ts";
import { describeProxy } from "../kit/describe-proxy.ts";
import { ProxyFixture } from "../kit/proxy-fixture.ts";

const OPENSSL = findCommand("openssl");

describeProxy("the proxy can end TLS", () => {
  const setting = new ProxyFixture();
  afterEach(() => setting.stop());

  (OPENSSL === undefined ? test.skip : test)("by a file beside its configuration, and says so", async () => {
    const query = await setting.service("query");
    const port = await freePort();
    let certificate = "";
    await setting.proxy(
      { query: [query.url] },
      {
        async prepare(folder) {
          certificate = await selfSigned(folder);
          fs.writeFileSync(
            path.join(folder, "tls.conf"),
            `listen 127.0.0.1:${port} ssl;
             ssl_certificate ${folder}/certificate.pem;
             ssl_certificate_key ${folder}/key.pem;`,
          );
        },
      },
    );
    const request = https.get({
      port,
      host: "127.0.0.1",
      servername: "localhost",
      path: "/v1/flights",
      ca: certificate,
    });
    const [response] = await once(request, "response");
    expect(response.resume().statusCode).toBe(200);
    // Nothing a service answers depends on how it was asked.
    expect(query.received[0]?.headers).not.toHaveProperty("x-forwarded-proto");
  });
});

/** @returns the certificate. */
async function selfSigned(folder: string): Promise<string> {
  const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"];
  await promisify(execFile)("openssl", [...request, ...subject, "-keyout", key, "-out", certificate]);
  return fs.readFileSync(certificate, "utf8");
}
