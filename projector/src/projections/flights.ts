import { flightBody } from "@travel-booking/api-contract";
import { availabilityChangesAt, type FlightEvent } from "@travel-booking/domain";
import { ALL, departureSort, FLIGHTS } from "@travel-booking/read-models";
