import { describeWritePositions } from "../../contract/write-positions-contract.ts";
import { InMemoryWritePositions } from "../../src/write-positions/index.ts";

describeWritePositions("memory", async () => ({
  instances: [new InMemoryWritePositions()],
  dispose: async () => undefined,
}));
