import { describeWritePositions } from "../../contract/write-positions-contract.ts";
import { InMemoryWritePositions } from "../../src/write-positions/memory.ts";

describeWritePositions("memory", async () => ({
  instances: [new InMemoryWritePositions()],
  dispose: async () => undefined,
}));
