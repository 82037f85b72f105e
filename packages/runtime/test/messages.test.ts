import { Readable, Writable } from "node:stream";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Message, messagesOf, writeMessage } from "../src/messages.ts";

function written(messages: readonly Message[]): Buffer {
  const parts: Buffer[] = [];
  const stream = new Writable({ write: (part, _encoding, done) => done(void parts.push(part)) });
  for (const { value, file } of messages) writeMessage(stream, value as object, file);
  return Buffer.concat(parts);
}

async function read(parts: Iterable<Uint8Array>, maxBytes: number): Promise<readonly Message[]> {
  const messages: Message[] = [];
  for await (const { value, file } of messagesOf(Readable.from(parts), maxBytes)) {
    messages.push({ value, file: new Uint8Array(file) });
  }
  return messages;
}

test("messages arrive as they were sent, wherever the stream is cut", async () => {
  const message = fc.record({
    value: fc.dictionary(fc.string(), fc.string()),
    file: fc.uint8Array({ maxLength: 200 }),
  });
  const cuts = fc.array(fc.nat({ max: 50 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(message), cuts, async (messages, sizes) => {
      const bytes = written(messages);
      const parts: Buffer[] = [];
      for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
        const size = 1 + (sizes[cut % sizes.length] ?? 0);
        parts.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(JSON.stringify(await read(parts, 100_000))).toBe(JSON.stringify(messages));
    }),
  );
});

test("one that is too long is refused before it has arrived; one that is cut off is none", async () => {
  const bytes = written([{ value: { id: 1 }, file: new Uint8Array(100) }]);
  expect((await read([bytes], bytes.length)).length).toBe(1);
  const longValue = written([{ value: { text: "x".repeat(1_048_576) }, file: new Uint8Array() }]);
  await expect(read([longValue.subarray(0, 10)], longValue.length)).rejects.toThrow("a value of 1048595 bytes");
  await expect(read([bytes.subarray(0, 10)], bytes.length - 1)).rejects.toThrow("a message of 116 bytes");
  expect(await read([bytes.subarray(0, -1)], bytes.length)).toStrictEqual([]);
});
