import { describeRateCounter } from "../../contract/rate-counter-contract.ts";
import { MemoryRateCounter } from "../../src/rate-counter/index.ts";

describeRateCounter("memory", async () => ({ instances: [new MemoryRateCounter()], dispose: async () => undefined }));
