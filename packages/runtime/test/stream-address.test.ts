import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { connectTo, listenAt, streamAddress } from "@travel-booking/runtime/stream-address";

test.each([
  ["unix:/run/reader/reader.sock", { path: "/run/reader/reader.sock" }],
  ["tcp://reader:7001", { host: "reader", port: 7001 }],
  ["tcp://10.0.0.1:1", { host: "10.0.0.1", port: 1 }],
  ["tcp://[::1]:65535", { host: "::1", port: 65_535 }],
])("%s is an address", (text, address) => {
  expect(streamAddress(text)).toStrictEqual(address);
});

test.each([
  "",
  "/run/reader.sock",
  "unix:reader.sock",
  "unix:/a\0b",
  `unix:/${"a".repeat(107)}`,
  "tcp://reader",
  "tcp://reader:65536",
  "tcp://reader:7001/",
  "tcp://user:secret@reader:7001",
  "tcp://:7001",
  "http://reader:7001",
])("%j is none", (text) => {
  expect(streamAddress(text)).toBeUndefined();
});

/** Sends back what comes. */
const echo = (socket: Socket) => void socket.pipe(socket);

async function echoed(address: string): Promise<string> {
  const socket = await connectTo(address);
  socket.write("hello");
  const [said] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return said.toString();
}

test("streams are opened by a socket's path and by a port", async () => {
  const folder = mkdtempSync(join(tmpdir(), "streams-"));
  try {
    const path = join(folder, "socket");
    await expect(connectTo(`unix:${path}`)).rejects.toThrow("ENOENT");
    // As a process that was killed leaves it.
    writeFileSync(path, "");
    await expect(connectTo(`unix:${path}`)).rejects.toThrow("ECONNREFUSED");
    const first = await listenAt(`unix:${path}`, echo);
    expect(await echoed(`unix:${path}`)).toBe("hello");
    first.close();
    const second = await listenAt("tcp://127.0.0.1:0", echo);
    expect(await echoed(`tcp://127.0.0.1:${(second.address() as AddressInfo).port}`)).toBe("hello");
    second.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
