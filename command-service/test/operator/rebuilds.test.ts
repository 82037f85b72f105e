import { expect, test } from "@jest/globals";
import { projectionRoutes } from "../../src/operator/system.ts";

type Given = Parameters<typeof projectionRoutes>;

const status = (name: string) => ({ name, state: "live" });
const request = {} as never;

/** The lines of `rebuild --all`, and the projections whose rebuild has begun. */
async function rebuildAll(names: readonly string[]) {
  const begun: string[] = [];
  const all = Promise.withResolvers<void>();
  const projector = {
    list: async () => names.map(status),
    async rebuild(name: string) {
      begun.push(name);
      if (begun.length === names.length) all.resolve();
      if (name === "bad") throw new Error("no");
      return name;
    },
  } as unknown as Given[0];
  const routes = projectionRoutes(projector, {} as Given[1], new Promise(() => undefined), async () => undefined);
  const route = routes.find(({ path }) => path === "/operator/projections/rebuild");
  if (route === undefined || !("lines" in route)) throw new Error("no such route");
  return { lines: await route.lines(request), begun, all: all.promise };
}

test("all projections are rebuilt one after another, also if one can't be", async () => {
  const { lines } = await rebuildAll(["a", "bad", "c"]);
  expect(await Array.fromAsync(lines)).toStrictEqual([{ result: "a" }, { error: { message: "no" } }, { result: "c" }]);
});

test("all projections are rebuilt though the client that asked has gone", async () => {
  const { begun, all } = await rebuildAll(["a", "bad", "c"]);
  await all;
  expect(begun).toStrictEqual(["a", "bad", "c"]);
});
