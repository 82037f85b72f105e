export { BookingModel as BookingWorld } from "../test/booking/model/booking-model.ts";
export { type BookingTerms, bookingTerms, openingSteps, type Step, steps } from "../test/booking/model/steps.ts";
