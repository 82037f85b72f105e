import { describePaymentGateway } from "@travel-booking/payment-gateway/contract";
import { StripeUnderTest } from "./kit/open-stripe.ts";

describePaymentGateway("stripe", async () => {
  const stripe = await StripeUnderTest.start();
  return {
    gateway: stripe.gateway(),
    other: stripe.gateway(),
    tokens: {
      succeeds: "tok_visa",
      declined: "tok_chargeDeclinedInsufficientFunds",
      answerLost: "tok_double_answer_lost",
      malformed: "4242424242424242",
    },
    declineCode: "insufficient_funds",
    close: () => stripe.stop(),
  };
});
