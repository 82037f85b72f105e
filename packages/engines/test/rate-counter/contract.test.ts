import { describeRateCounter } from "../../contract/rate-counter-contract.ts";
import { InMemoryRateCounter } from "../../src/rate-counter/memory.ts";

describeRateCounter("memory", async () => ({ instances: [new InMemoryRateCounter()], dispose: async () => undefined }));
