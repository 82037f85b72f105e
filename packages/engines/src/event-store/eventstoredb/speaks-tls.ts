import { isIP } from "node:net";
import tls from "node:tls";

/** Whether this host and port speak TLS, whatever the certificate. False if no answer comes in time. */
export function speaksTls(address: string, timeoutMs: number): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = tls.connect({
    host: hostname,
    port: Number(port),
    // An IP address is no server name, so it can't choose a certificate.
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
