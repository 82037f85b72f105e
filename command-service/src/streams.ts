import { passengerEmailId } from "@travel-booking/domain";

/** Names of the streams, one per aggregate (docs/architecture.md#streams). */
export const flightStream = (flightId: string): string => `flight-${flightId}`;
export const bookingStream = (bookingId: string): string => `booking-${bookingId}`;
export const passengerStream = (passengerId: string): string => `passenger-${passengerId}`;
export const passengerEmailStream = (accountId: string, emailKey: string): string =>
  `passengerEmail-${passengerEmailId(accountId, emailKey)}`;
export const loyaltyStream = (accountId: string): string => `loyalty-${accountId}`;
export const webhookEndpointsStream = (accountId: string): string => `webhookEndpoints-${accountId}`;
export const accountStream = (accountId: string): string => `account-${accountId}`;
export const destinationStream = (destinationId: string): string => `destination-${destinationId}`;
