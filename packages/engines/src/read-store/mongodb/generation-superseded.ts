import type { Generation } from "../port.ts";

/** Reads go to one made later, by another process: they never go back. */
export class GenerationSuperseded extends Error {
  override readonly name = "GenerationSuperseded";

  constructor({ projection, generation }: Generation) {
    super(`generation ${generation} of projection ${projection} comes too late: reads go to one made after it`);
  }
}
