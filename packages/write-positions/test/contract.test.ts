import { MemoryWritePositions } from "@travel-booking/write-positions";
import { describeWritePositions } from "@travel-booking/write-positions/contract";

describeWritePositions("memory", async () => ({
  instances: [new MemoryWritePositions()],
  dispose: async () => undefined,
}));
