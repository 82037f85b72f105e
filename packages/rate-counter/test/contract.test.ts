import { MemoryRateCounter } from "@travel-booking/rate-counter";
import { describeRateCounter } from "@travel-booking/rate-counter/contract";

describeRateCounter("memory", async () => ({ instances: [new MemoryRateCounter()], dispose: async () => undefined }));
