import { describePaymentGateway } from "../contract/payment-gateway-contract.ts";
import { SandboxGateway } from "../src/sandbox/index.ts";
import { FaultyGateway } from "../testing/faulty-gateway.ts";
import { InterleavingStateStore } from "./interleaving-state-store.ts";

const tokens = {
  succeeds: "tok_visa",
  declined: "tok_declined_insufficient_funds",
  answerLost: "tok_timeout",
  malformed: "tok_nobody",
};

describePaymentGateway("sandbox", async () => {
  const store = new InterleavingStateStore();
  return {
    gateway: new SandboxGateway(store),
    other: new SandboxGateway(store),
    tokens,
    declineCode: "insufficient_funds",
    close: () => store.close(),
  };
});

describePaymentGateway("faulty, without a script", async () => {
  const store = new InterleavingStateStore();
  return {
    gateway: new FaultyGateway(new SandboxGateway(store)),
    other: new SandboxGateway(store),
    tokens,
    declineCode: "insufficient_funds",
    close: () => store.close(),
  };
});
