import { describeWritePositions } from "../../contract/write-positions-contract.ts";
import { MemoryWritePositions } from "../../src/write-positions/index.ts";

describeWritePositions("memory", async () => ({
  instances: [new MemoryWritePositions()],
  dispose: async () => undefined,
}));
