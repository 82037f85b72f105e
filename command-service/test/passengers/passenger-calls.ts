import type { PassengerProfileBody } from "@travel-booking/api-contract";
import {
  type DomainEvent,
  fold,
  type PassengerEmailEvent,
  type PassengerEvent,
  type PassengerProfileState,
  passengerDecider,
  passengerEmailDecider,
} from "@travel-booking/domain";
import type { CallOptions, CallResponse, ExternalSystems, Service } from "../support/service.ts";

export const ADA_EMAIL = "Ada@example.com";
export const EVE_EMAIL = "eve@example.com";

export const BODY = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: ADA_EMAIL,
  dateOfBirth: "1985-12-10",
  nationality: "GB",
  passport: null,
  loyaltyNumber: null,
  metadata: {},
  preferences: { seat: "any", meal: "standard", cryosleep: false },
};

type Profile = CallResponse<PassengerProfileBody>;

export function save(service: Service, more: object = {}, asked?: CallOptions): Promise<Profile> {
  return service.call("createPassenger", {}, { ...BODY, ...more }, asked);
}

export function change(service: Service, id: string, body: object, asked?: CallOptions): Promise<Profile> {
  return service.call("changePassenger", { id }, body, asked);
}

export function remove(service: Service, id: string, asked?: CallOptions): Promise<CallResponse<undefined>> {
  return service.call("deletePassenger", { id }, {}, asked);
}

export interface PassengerSnapshot {
  /** Profiles that are not deleted, by id. */
  readonly profiles: ReadonlyMap<string, PassengerProfileState>;
  /** How many claims each passenger has, on however many addresses. */
  readonly claims: ReadonlyMap<string, number>;
}

/** Every profile and every claim, as the log tells. */
export async function passengerSnapshot(disk: ExternalSystems): Promise<PassengerSnapshot> {
  const profiles = new Map<string, PassengerProfileState>();
  const claims = new Map<string, number>();
  const streams = Map.groupBy(await disk.log(), ({ stream }) => stream);
  for (const [stream, events] of streams) {
    if (stream.startsWith("passenger-")) {
      const state = fold(passengerDecider, events as readonly DomainEvent[] as readonly PassengerEvent[]);
      if (state.status === "created" && !state.profile.deleted) profiles.set(state.profile.id, state.profile);
    } else if (stream.startsWith("passengerEmail-")) {
      const state = fold(passengerEmailDecider, events as readonly DomainEvent[] as readonly PassengerEmailEvent[]);
      if (state.status === "free") continue;
      claims.set(state.passengerId, (claims.get(state.passengerId) ?? 0) + state.claimIds.length);
    }
  }
  return { profiles, claims };
}
