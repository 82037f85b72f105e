export { beginnings, type Step, steps, type Terms, terms } from "../test/booking/model/steps.ts";
export { World as BookingWorld } from "../test/booking/model/world.ts";
