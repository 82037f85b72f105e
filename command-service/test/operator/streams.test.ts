import { expect, test } from "@jest/globals";
import type { OperatorRequest } from "@travel-booking/http/operator";
import type { OperatorServices } from "../../src/operator/operator-services.ts";
import { streamRoutes } from "../../src/operator/system.ts";

const EVENTS = 1_200;

/** The revisions that are answered, and how many events were opened for it. */
async function shown(query: Readonly<Record<string, string>>, letters = 1, stream = "flight-F") {
  const events = Array.from({ length: EVENTS }, (_, revision) => {
    return { revision, position: BigInt(10 * revision + 10), at: 0, data: "x".repeat(letters) };
  });
  let opened = 0;
  const readStream = async (name: string, from = 0, most = EVENTS) =>
    name === "flight-F" ? events.slice(from, from + most) : [];
  const store = {
    asStored: { readStream },
    async readStream(...asked: Parameters<typeof readStream>) {
      const read = await readStream(...asked);
      opened += read.length;
      return read;
    },
  };
  const [route] = streamRoutes({ store } as unknown as OperatorServices);
  if (route === undefined || !("lines" in route)) throw new Error("no lines");
  const lines = await route.lines({ params: { stream }, query } as unknown as OperatorRequest);
  const revisions = (await Array.fromAsync(lines)).map((event) => (event as { readonly revision: number }).revision);
  return [revisions[0], revisions.at(-1), opened];
}

test("an answer has the latest fifty events of a stream, those before one, or those up to a position", async () => {
  expect(await shown({})).toStrictEqual([1_150, 1_199, 50]);
  expect(await shown({ before: "1150" })).toStrictEqual([1_100, 1_149, 50]);
  expect(await shown({ before: "7" })).toStrictEqual([0, 6, 7]);
  expect(await shown({ before: "0" })).toStrictEqual([undefined, undefined, 0]);
  expect(await shown({ before: "9999" })).toStrictEqual([1_150, 1_199, 50]);
  expect(await shown({ until: "5019" })).toStrictEqual([451, 500, 50]);
  expect(await shown({ until: "5019", before: "460" })).toStrictEqual([410, 459, 50]);
  expect(await shown({}, 20_000)).toStrictEqual([1_187, 1_199, 50]);
  await expect(shown({ before: "x" })).rejects.toThrow("before takes the revision of an event, from 0");
  await expect(shown({ until: "x" })).rejects.toThrow("until takes the position of an event");
  for (const asked of [shown({}, 1, "flight-G"), shown({ until: "9" })])
    await expect(asked).rejects.toThrow("no stream with this name");
});
