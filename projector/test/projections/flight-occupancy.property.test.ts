import { expect, test } from "@jest/globals";
import { evolveOccupancy, type FlightEvent, type FlightScheduled, flightDecider, fold } from "@travel-booking/domain";
import { aimed, arbitrarySteps, NaiveFlight, sampleFlight } from "@travel-booking/domain/testing";
import { deserializeOccupancy, serializeOccupancy } from "@travel-booking/read-models";
import fc from "fast-check";

type LaterEvent = Exclude<FlightEvent, FlightScheduled>;

test("an occupancy folded from its serialized form is that of the aggregate, after every command", () => {
  fc.assert(
    fc.property(arbitrarySteps, (steps) => {
      const model = new NaiveFlight(sampleFlight.NOW);
      let state = fold(flightDecider, [sampleFlight.scheduled]);
      if (state.status === "unscheduled") throw new Error("scheduled above");
      let serialized = serializeOccupancy(state.occupancy);
      for (const step of steps) {
        if (step.type === "Pass") {
          model.now += step.milliseconds;
          continue;
        }
        const command = aimed(step.command, step.aim, model);
        const { events } = flightDecider.decide(command, state, model.now);
        model.recordLapsed();
        if (events.some(({ type }) => type !== "SeatHoldExpired")) model.carryOut(command);
        for (const event of events) state = flightDecider.evolve(state, event);
        if (state.status === "unscheduled") throw new Error("scheduled above");
        const occupancy = (events as readonly LaterEvent[]).reduce(evolveOccupancy, deserializeOccupancy(serialized));
        serialized = serializeOccupancy(occupancy);
        expect(serialized).toStrictEqual(serializeOccupancy(state.occupancy));
      }
    }),
    { numRuns: 200 },
  );
});
