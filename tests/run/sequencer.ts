import fs from "node:fs";

/** Few and long, with a single case that no worker can share; started last, they would run alone. */
const FIRST = ["/tests/simulation/", "/tests/distributed/"];

interface TestFile {
  readonly path: string;
}

/**
 * The order of test files, longest first as far as one can know without an earlier run: those that start processes,
 * then the units, the larger before the smaller.
 */
export default class Sequencer {
  sort<File extends TestFile>(files: readonly File[]): File[] {
    const cost = ({ path }: File) => {
      const size = fs.statSync(path).size;
      if (FIRST.some((folder) => path.includes(folder))) return size + 2e9;
      return path.includes("/tests/") ? size + 1e9 : size;
    };
    return files.toSorted((one, other) => cost(other) - cost(one));
  }

  /** Called by Jest; the order needs no memory. */
  cacheResults(): void {}
}
