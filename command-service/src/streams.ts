import {
  accountDecider,
  bankEntryDecider,
  bookingDecider,
  destinationDecider,
  flightDecider,
  loyaltyDecider,
  passengerDecider,
  passengerEmailDecider,
  passengerEmailId,
  webhookEndpointsDecider,
} from "@travel-booking/domain";

/** The streams of one kind of aggregate: their names, and their decider (docs/architecture.md#streams). */
function streamsOf<AggregateDecider>(category: string, decider: AggregateDecider) {
  return (id: string) => ({ stream: `${category}-${id}`, decider });
}

export const flightStream = streamsOf("flight", flightDecider);
export const bookingStream = streamsOf("booking", bookingDecider);
export const passengerStream = streamsOf("passenger", passengerDecider);
const emailStream = streamsOf("passengerEmail", passengerEmailDecider);
export const passengerEmailStream = (accountId: string, emailKey: string) =>
  emailStream(passengerEmailId(accountId, emailKey));
export const loyaltyStream = streamsOf("loyalty", loyaltyDecider);
export const webhookEndpointsStream = streamsOf("webhookEndpoints", webhookEndpointsDecider);
export const accountStream = streamsOf("account", accountDecider);
export const bankEntryStream = streamsOf("bankEntry", bankEntryDecider);
export const destinationStream = streamsOf("destination", destinationDecider);
