import { expect, test } from "@jest/globals";
import { type CursorScope, Cursors, type PageEntry, pageResponse } from "@travel-booking/http";

const cursors = new Cursors([new Uint8Array(32).fill(1)]);
const scope: CursorScope = {
  operationId: "listThings",
  accountId: "acc_1",
  filters: { colour: "red", size: undefined },
};

/** The things 1 to 5, "ä" among them, in order. */
const things = ["1", "2", "3", "4", "5"].map((sort) => ({
  sort,
  json: JSON.stringify({ id: sort, name: "ä" }),
}));

async function page(limit: number, cursor?: string) {
  const read = (most: number, after = "") => things.filter(({ sort }) => sort > after).slice(0, most);
  const response = await pageResponse({ cursors, scope, limit, cursor, read });
  return { status: response.status, body: JSON.parse(String(response.json)) };
}

test("pages follow one another without gap or repetition, the last one says so", async () => {
  const first = await page(2);
  expect(first.body.data).toStrictEqual([
    { id: "1", name: "ä" },
    { id: "2", name: "ä" },
  ]);
  expect([first.status, first.body.page.hasMore]).toStrictEqual([200, true]);
  const second = await page(2, first.body.page.nextCursor);
  expect(second.body.data.map(({ id }: { id: string }) => id)).toStrictEqual(["3", "4"]);
  const third = await page(2, second.body.page.nextCursor);
  expect(third.body).toStrictEqual({ data: [{ id: "5", name: "ä" }], page: { nextCursor: null, hasMore: false } });
});

test("a page that takes exactly what is left is the last one", async () => {
  expect((await page(5)).body.page).toStrictEqual({ nextCursor: null, hasMore: false });
});

test("an empty list is an empty page", async () => {
  const response = await pageResponse({ cursors, scope, limit: 2, cursor: undefined, read: () => [] });
  expect(String(response.json)).toBe('{"data":[],"page":{"nextCursor":null,"hasMore":false}}');
});

test("a list that was looked through in part goes on from there, whatever was found", async () => {
  const listed = async (limit: number, ...found: readonly PageEntry[]) => {
    const reads = [found.slice(0, limit + 1), found.slice(limit + 1)];
    const read = () => reads.shift() ?? [];
    const { json } = await pageResponse({ cursors, scope, limit, cursor: undefined, read });
    const { data, page } = JSON.parse(String(json));
    return [data.length, page.hasMore, cursors.decode(scope, page.nextCursor)];
  };
  const [one, two] = things as [PageEntry, PageEntry];
  const end: PageEntry = { sort: "7", json: null, more: true };
  expect(await listed(2, end)).toStrictEqual([0, true, "7"]);
  expect(await listed(2, one, end)).toStrictEqual([1, true, "7"]);
  expect(await listed(2, one, { ...two, more: true })).toStrictEqual([2, true, "2"]);
  expect(await listed(2, one, two, end)).toStrictEqual([2, true, "2"]);
});

test("an entry that shows nothing counts, and ends no list", async () => {
  const entries = ["1", "2", "3", "4"].map((sort) => ({ sort, json: sort === "2" ? null : sort }));
  const read = (most: number, after = "") => entries.filter(({ sort }) => sort > after).slice(0, most);
  const { json } = await pageResponse({ cursors, scope, limit: 3, cursor: undefined, read });
  const { data, page } = JSON.parse(String(json));
  expect([data, cursors.decode(scope, page.nextCursor)]).toStrictEqual([[1, 3], "3"]);
});

test("a long page is read in pieces, and one that gets too large ends early", async () => {
  const asked: (readonly [number, string | undefined])[] = [];
  const listed = async (limit: number, characters: number, cursor?: string) => {
    asked.length = 0;
    const all = Array.from({ length: 60 }, (_, index) => ({
      sort: String(index).padStart(2, "0"),
      json: JSON.stringify("x".repeat(characters)),
    }));
    const read = (most: number, after?: string) => {
      asked.push([most, after]);
      return all.filter(({ sort }) => after === undefined || sort > after).slice(0, most);
    };
    const { json } = await pageResponse({ cursors, scope, limit, cursor, read });
    const { data, page } = JSON.parse(String(json));
    return [data.length, page.nextCursor === null ? null : cursors.decode(scope, page.nextCursor)];
  };
  expect([await listed(20, 10), asked]).toStrictEqual([[20, "19"], [[21, undefined]]]);
  expect([await listed(50, 10), asked]).toStrictEqual([
    [50, "49"],
    [
      [21, undefined],
      [21, "20"],
      [9, "41"],
    ],
  ]);
  expect([await listed(100, 10), asked.length]).toStrictEqual([[60, null], 3]);
  expect([await listed(100, 50_000), asked.length]).toStrictEqual([[6, "05"], 1]);
  expect([await listed(100, 50_000, cursors.encode(scope, "53")), asked.length]).toStrictEqual([[6, null], 1]);
  expect(await listed(100, 300_000)).toStrictEqual([1, "00"]);
  // The last of a read fills the page.
  expect([await listed(100, 12_600), asked]).toStrictEqual([
    [21, "20"],
    [
      [21, undefined],
      [1, "20"],
    ],
  ]);
});

test("a cursor is good for its own list alone", () => {
  const cursor = cursors.encode(scope, "2027-01-10|ä");
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(cursors.decode({ ...scope, filters: { colour: "red" } }, cursor)).toBe("2027-01-10|ä");
  const foreign: CursorScope[] = [
    { ...scope, operationId: "listOthers" },
    { ...scope, accountId: "acc_2" },
    { ...scope, accountId: null },
    { ...scope, filters: { colour: "blue" } },
    { ...scope, filters: {} },
    { ...scope, filters: { colour: "red", size: 1 } },
  ];
  for (const other of foreign) expect(cursors.decode(other, cursor)).toBe(undefined);
  expect(new Cursors([new Uint8Array(32)]).decode(scope, cursor)).toBe(undefined);
  // Unless that key is known as the other one.
  expect(new Cursors([new Uint8Array(32), new Uint8Array(32).fill(1)]).decode(scope, cursor)).toBe("2027-01-10|ä");
});

test("a tampered cursor is 400", async () => {
  const cursor = cursors.encode(scope, "2");
  const bytes = Buffer.from(cursor, "base64url");
  const flipped = Array.from(bytes, (byte, index) => {
    const copy = Buffer.from(bytes);
    copy[index] = byte ^ 1;
    return copy.toString("base64url");
  });
  for (const odd of [...flipped, "x", "%", `${cursor}=`, `${cursor}A`, cursor.slice(1), "a".repeat(500), "ä"]) {
    expect(cursors.decode(scope, odd)).toBe(undefined);
  }
  const response = await pageResponse({ cursors, scope, limit: 2, cursor: flipped[0], read: () => things });
  expect(JSON.parse(String(response.json))).toStrictEqual({
    statusCode: 400,
    message: ["cursor is not one this list has given for these filters"],
    error: "Bad Request",
  });
});
