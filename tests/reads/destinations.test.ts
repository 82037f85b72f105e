import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { destinationSchema, listDestinationsOperation } from "@travel-booking/api-contract";
import type { Climate, Destination } from "@travel-booking/domain";
import { type ApiReader, errorOf, type ReadService, readAllPages, startReadService } from "./kit/read-service.ts";

const NOW = Date.UTC(2027, 0, 1);

let service: ReadService;
let read: ApiReader;

function destination(id: string, climate: Climate): Destination {
  return { id, name: `${id} "é"`, system: "Kepler-442", distanceLy: 1206.5, gravity: 1.3, climate };
}

const [A, B, C] = [destination("a", "arid"), destination("b", "polar"), destination("c/c", "arid")];

beforeAll(async () => {
  service = await startReadService(NOW);
  read = await service.openAccount("acc_1");
  for (const data of [A, B, C]) {
    await service.record(`destination-${data.id}`, { type: "DestinationListed", at: NOW, data });
  }
});
afterAll(() => service.stop());

describe("destinations", () => {
  test("are listed newest first", async () => {
    const answer = await read("/v1/destinations");
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({ data: [C, B, A], page: { nextCursor: null, hasMore: false } });
    expect(listDestinationsOperation.success.body.safeParse(answer.body).success).toBe(true);
  });

  test("of one climate", async () => {
    expect((await read("/v1/destinations?climate=arid")).body).toStrictEqual({
      data: [C, A],
      page: { nextCursor: null, hasMore: false },
    });
    expect((await read("/v1/destinations?climate=gaseous")).body).toStrictEqual({
      data: [],
      page: { nextCursor: null, hasMore: false },
    });
    expect((await read("/v1/destinations?climate=nice")).status).toBe(400);
  });

  test("page by page; a cursor is good for its own list alone", async () => {
    expect(await readAllPages(read, "/v1/destinations?limit=2")).toStrictEqual([[C, B], [A]]);
    expect(await readAllPages(read, "/v1/destinations?climate=arid&limit=1")).toStrictEqual([[C], [A]]);
    const first = (await read("/v1/destinations?climate=arid&limit=1")).body as { page: { nextCursor: string } };
    const cursor = first.page.nextCursor;
    const refused = errorOf(400, ["cursor is not one this list has given for these filters"], "Bad Request");
    for (const url of [`/v1/destinations?cursor=${cursor}`, `/v1/flights?cursor=${cursor}`]) {
      expect((await read(url)).body).toStrictEqual(refused);
    }
  });

  test("one by its id", async () => {
    const answer = await read("/v1/destinations/b");
    expect(answer.body).toStrictEqual(B);
    expect(destinationSchema.safeParse(answer.body).success).toBe(true);
    expect((await read("/v1/destinations/c%2Fc")).body).toStrictEqual(C);
    const missing = await read("/v1/destinations/x");
    expect(missing.status).toBe(404);
    expect(missing.body).toStrictEqual(errorOf(404, "no destination with this id", "Not Found"));
  });

  test("need their scope", async () => {
    const without = await service.openAccount("acc_2", ["bookings:read"]);
    expect((await without("/v1/destinations")).status).toBe(403);
    expect((await without("/v1/destinations/a")).status).toBe(403);
  });
});
