import type { Operation } from "../operation.ts";
import { listOf } from "../resources/page.ts";
import {
  changePassengerSchema,
  createPassengerSchema,
  passengerListQuerySchema,
  passengerProfileSchema,
} from "../resources/passenger.ts";

const NO_PASSENGER = { 404: "There is no passenger with this id." };
const REUSED_KEY = { 422: "The Idempotency-Key was already used with a different request." };

export const createPassengerOperation = {
  id: "createPassenger",
  method: "POST",
  path: "/v1/passengers",
  service: "command",
  tag: "Passengers",
  summary: "Save a passenger profile",
  description: "An e-mail address is unique in the account, whatever its case. `preferences`, when sent, is complete.",
  scope: "passengers:write",
  body: createPassengerSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: passengerProfileSchema },
  errors: { 409: "A passenger with this e-mail address exists.", ...REUSED_KEY },
} as const satisfies Operation;

export const listPassengersOperation = {
  id: "listPassengers",
  method: "GET",
  path: "/v1/passengers",
  service: "query",
  tag: "Passengers",
  summary: "List passenger profiles, newest first",
  description: "With `email`, only the passenger with this address, whatever its case.",
  scope: "passengers:read",
  query: passengerListQuerySchema,
  success: { status: 200, body: listOf(passengerProfileSchema) },
} as const satisfies Operation;

export const getPassengerOperation = {
  id: "getPassenger",
  method: "GET",
  path: "/v1/passengers/{id}",
  service: "query",
  tag: "Passengers",
  summary: "Get a passenger profile",
  scope: "passengers:read",
  success: { status: 200, body: passengerProfileSchema },
  errors: NO_PASSENGER,
} as const satisfies Operation;

export const changePassengerOperation = {
  id: "changePassenger",
  method: "PATCH",
  path: "/v1/passengers/{id}",
  service: "command",
  tag: "Passengers",
  summary: "Change a passenger profile",
  description:
    "Fields that are left out keep their value. `passport: null` removes the passport. `metadata` is merged into what is there, and an empty value removes its key; at most 20 keys may be left. `preferences` may hold only those to change.",
  scope: "passengers:write",
  body: changePassengerSchema,
  idempotencyKey: "accepted",
  success: { status: 200, body: passengerProfileSchema },
  errors: { ...NO_PASSENGER, 409: "Another passenger already has this e-mail address.", ...REUSED_KEY },
} as const satisfies Operation;

export const deletePassengerOperation = {
  id: "deletePassenger",
  method: "DELETE",
  path: "/v1/passengers/{id}",
  service: "command",
  tag: "Passengers",
  summary: "Delete a passenger profile",
  description: "Its e-mail address is free again. Bookings the passenger is on are unaffected.",
  scope: "passengers:write",
  success: { status: 204, body: null },
  errors: NO_PASSENGER,
} as const satisfies Operation;
