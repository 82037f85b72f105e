import { expect, test } from "@jest/globals";
import { DiskFull, DiskSpace } from "../src/disk-space/index.ts";

const MB = 1_048_576;

/** A disk of which 800 megabytes are kept free, read again at every question a second later. */
function disk(freeMb: number) {
  const state = { freeMb, now: 0, readings: 0 };
  const space = new DiskSpace("/nowhere", {
    reserve: 800 * MB,
    readFree: () => {
      state.readings += 1;
      return state.freeMb * MB;
    },
    now: () => state.now,
  });
  const at = (megabytes: number, afterMs = 1_000) => {
    state.freeMb = megabytes;
    state.now += afterMs;
    const { level, takesUploads, takesCommands, takesWrites, takesLast } = space;
    return [level, takesUploads, takesCommands, takesWrites, takesLast];
  };
  return { space, state, at };
}

test("uploads end at the reserve, all that begins at a quarter of it, the rest a moment later, all at an eighth", () => {
  const { at } = disk(5_000);
  expect(at(800)).toStrictEqual(["ok", true, true, true, true]);
  expect(at(799)).toStrictEqual(["no uploads", false, true, true, true]);
  expect(at(200)).toStrictEqual(["no uploads", false, true, true, true]);
  expect(at(199)).toStrictEqual(["no writes", false, false, true, true]);
  expect(at(198, 999)).toStrictEqual(["no writes", false, false, true, true]);
  expect(at(198, 1)).toStrictEqual(["no writes", false, false, false, true]);
  expect(at(99)).toStrictEqual(["no writes", false, false, false, false]);
});

test("a disk that is all but full at once takes nothing at once", () => {
  expect(disk(5_000).at(99)).toStrictEqual(["no writes", false, false, false, false]);
});

test("what was refused is allowed again a little above the bound", () => {
  const { at } = disk(100);
  expect(at(210)[0]).toBe("no writes");
  expect(at(221)[0]).toBe("no uploads");
  expect(at(870)[0]).toBe("no uploads");
  expect(at(881)).toStrictEqual(["ok", true, true, true, true]);
  expect(disk(10).at(5_000)).toStrictEqual(["ok", true, true, true, true]);
});

test("the nearer the bound, the sooner it is read again", () => {
  const far = disk(100_000);
  far.at(100_000, 999);
  expect(far.state.readings).toBe(1);
  far.at(100_000, 1);
  expect(far.state.readings).toBe(2);
  const near = disk(801);
  near.at(801, 9);
  expect(near.state.readings).toBe(1);
  near.at(801, 1);
  expect(near.state.readings).toBe(2);
});

test("without a reserve everything is allowed", () => {
  const space = new DiskSpace("/nowhere", { reserve: 0, readFree: () => 0 });
  expect([space.level, space.takesWrites, space.takesLast]).toStrictEqual(["ok", true, true]);
});

test("a disk that can't be read is taken for what it was", () => {
  const space = new DiskSpace("/nowhere", { reserve: MB, now: () => 0 });
  expect(space.level).toBe("ok");
});

test("what waits for room goes on when there is some, or ends when the disk is closed", async () => {
  const { space } = disk(10);
  let room = false;
  const waiting = space.wait(() => room);
  room = true;
  await expect(waiting).resolves.toBeUndefined();
  const ended = space.wait(() => false);
  space.close();
  await expect(ended).rejects.toBeInstanceOf(DiskFull);
});
