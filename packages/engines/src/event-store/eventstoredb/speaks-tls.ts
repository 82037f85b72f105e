import { isIP } from "node:net";
import tls from "node:tls";

/** Whether TLS is spoken at this host and port, whatever the certificate. False also where nobody answers in time. */
export function speaksTls(address: string, timeoutMs: number): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = tls.connect({
    host: hostname,
    port: Number(port),
    // An address is no name that a certificate could be chosen by.
    servername: isIP(hostname) === 0 ? hostname : "",
    rejectUnauthorized: false,
    timeout: timeoutMs,
  });
  return new Promise<boolean>((resolve) => {
    socket.once("secureConnect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("timeout", () => resolve(false));
  }).finally(() => socket.destroy());
}
