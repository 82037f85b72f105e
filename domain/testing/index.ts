export { BookingModel } from "../test/booking/model/booking-model.ts";
export { type BookingTerms, bookingTerms, openingSteps, type Step, steps } from "../test/booking/model/steps.ts";
export { aimed, arbitrarySteps, type Step as FlightStep } from "../test/flight/arbitrary-steps.ts";
export { NaiveFlight } from "../test/flight/naive-flight.ts";
export * as sampleFlight from "../test/flight/sample-flight.ts";
export { LoyaltyModel } from "../test/loyalty/model/loyalty-model.ts";
export { steps as loyaltySteps } from "../test/loyalty/model/steps.ts";
