import { once } from "node:events";
import { Agent, createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, jest, test } from "@jest/globals";
import { errorResponse, type StagedFile } from "@travel-booking/http";
import { InvalidFile, MultipartParser, readUpload, type StageContent, type UploadResult } from "../src/upload.ts";

const MAX_BYTES = 1_000_000;
const TYPE = "multipart/form-data; boundary=xx";
const head = (name = "file") => `--xx\r\nContent-Disposition: form-data; name="${name}"; filename="a.pdf"\r\n\r\n`;
const END = "\r\n--xx--\r\n";

interface StagedBytes extends StagedFile {
  readonly body: number;
}

/** Stages every file; counts those staged and those discarded. */
function staging() {
  const seen = { staged: 0, discarded: 0, failed: undefined as unknown, mostAtOnce: 0 };
  const stage: StageContent = async ({ content }): Promise<StagedBytes> => {
    let size = 0;
    try {
      for await (const piece of content) {
        size += piece.length;
        seen.mostAtOnce = Math.max(seen.mostAtOnce, piece.length);
      }
    } catch (error) {
      seen.failed = error;
      throw error;
    }
    seen.staged += 1;
    return {
      body: size,
      fingerprint: size,
      settle: async () => {
        seen.discarded += 1;
      },
    };
  };
  return { seen, stage };
}

/** A server that reads one upload; `outcome` is what it read. */
async function reading(stage: StageContent) {
  const read = Promise.withResolvers<UploadResult>();
  const arrived = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.once("data", () => arrived.resolve());
    readUpload(request, MAX_BYTES, stage).then(
      (outcome) => {
        read.resolve(outcome);
        if (outcome !== "aborted") response.end("read");
      },
      (error: unknown) => {
        read.reject(error);
        response.end("failed");
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const begin = (headers: Record<string, string> = {}, agent?: Agent) => {
    const request = httpRequest({
      port,
      host: "127.0.0.1",
      method: "POST",
      ...(agent && { agent }),
      headers: { "content-type": TYPE, ...headers },
    });
    request.on("error", () => undefined);
    return request;
  };
  return { begin, arrived: arrived.promise, outcome: read.promise, close: () => server.close().closeAllConnections() };
}

describe("an upload", () => {
  test("that arrives bit by bit is staged", async () => {
    const { seen, stage } = staging();
    const { begin, outcome, close } = await reading(stage);
    const request = begin();
    for (const character of `${head()}content${END}`) request.write(character);
    request.end();
    const read = await outcome;
    expect(read).toMatchObject({ body: 7 });
    expect(seen).toMatchObject({ staged: 1, discarded: 0 });
    close();
  });

  test.each([
    ["in its head", head().slice(0, 20)],
    ["in its file", `${head()}half of it`],
    ["before its last boundary", `${head()}all of it`],
    ["behind its file", `${head()}all of it\r\n--xx\r\n`],
  ])("whose client disconnects %s leaves nothing", async (_, sent) => {
    const { seen, stage } = staging();
    const { begin, arrived, outcome, close } = await reading(stage);
    const request = begin({ "content-length": "5000" });
    request.write(sent);
    await arrived;
    request.destroy();
    expect(await outcome).toBe("aborted");
    expect(seen.staged).toBe(seen.discarded);
    close();
  });

  test("that is too large gets its response while it is still being sent", async () => {
    const { seen, stage } = staging();
    const { begin, outcome, close } = await reading(stage);
    const request = begin();
    request.write(head());
    const answered = once(request, "response");
    const piece = Buffer.alloc(100_000);
    for (let sent = 0; sent < 3 * MAX_BYTES; sent += piece.length) request.write(piece);
    expect(await outcome).toStrictEqual(
      errorResponse(400, "invalid_file", [`file must have at most ${MAX_BYTES} bytes`]),
    );
    const [response] = await answered;
    response.resume();
    request.destroy();
    expect(seen.staged).toBe(0);
    close();
  });

  test("that is refused is refused without its file being read", async () => {
    const { begin, outcome, close } = await reading(async () => ({ status: 404, json: "{}" }));
    const request = begin();
    request.end(`${head()}${"x".repeat(500_000)}${END}`);
    expect(await outcome).toStrictEqual({ status: 404, json: "{}" });
    close();
  });

  test("that is refused once it has come leaves its connection to later requests", async () => {
    const { begin, close } = await reading(async ({ content }) => {
      for await (const _ of content);
      throw new InvalidFile("file must be a PDF");
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answered = async () => {
      const request = begin({}, agent);
      request.end(`${head()}content${END}`);
      const [response] = await once(request, "response");
      await once(response.resume(), "end");
      return request.socket;
    };
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance", "Date"] });
    const first = await answered();
    jest.runAllTimers();
    expect(await answered()).toBe(first);
    jest.useRealTimers();
    agent.destroy();
    close();
  });

  test.each(["", `${head()}content\r\n`])(
    "of parts without end, behind %j, is refused before it has come",
    async (first) => {
      const { seen, stage } = staging();
      const { begin, outcome, close } = await reading(stage);
      const request = begin({ "content-length": String(MAX_BYTES) });
      request.write(first + "--xx\r\n\r\n".repeat(20_000));
      expect(await outcome).toStrictEqual(errorResponse(400, "invalid_file", ["body has too many parts"]));
      expect(seen.staged).toBe(0);
      request.destroy();
      close();
    },
  );

  test("fails if its staging fails", async () => {
    const failure = new Error("the disk is full");
    const { begin, outcome, close } = await reading(async () => {
      throw failure;
    });
    begin().end(`${head()}content${END}`);
    await expect(outcome).rejects.toBe(failure);
    close();
  });

  test("is discarded if the body is invalid after its file", async () => {
    const { seen, stage } = staging();
    const { begin, outcome, close } = await reading(stage);
    begin().end(`${head()}content\r\n${head("more")}content${END}`);
    expect(await outcome).toStrictEqual(errorResponse(400, "invalid_file", ["more is not a known field"]));
    expect(seen.staged).toBe(0);
    close();
  });
});

test("a slow reader slows the sender down", async () => {
  let read = 0;
  const source = new PassThrough();
  const { promise, resolve } = Promise.withResolvers<AsyncIterable<Uint8Array>>();
  const multipart = new MultipartParser(TYPE, 100_000_000, ({ content }) => resolve(content));
  multipart.read(source as never);
  source.write(`${head()}and as much as tells that its head is over`);
  const content = (await promise)[Symbol.asyncIterator]();
  const piece = Buffer.alloc(65_536);
  let sent = 0;
  while (source.write(piece)) sent += piece.length;
  expect(sent).toBeLessThan(2_000_000);
  source.end(END);
  for (let next = await content.next(); next.done !== true; next = await content.next()) read += next.value.length;
  expect(read).toBeGreaterThanOrEqual(sent);
  expect(await multipart.problems).toStrictEqual([]);
});
