import { once } from "node:events";
import net from "node:net";

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends these very bytes and reads until the other side closes. */
export async function sendRaw(url: string, bytes: string): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  socket.write(bytes);
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(statusLine.split(" ")[1]), headers: Object.fromEntries(headers), body };
}
