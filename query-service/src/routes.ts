import type { Route } from "@travel-booking/http";
import { getBoardingPass } from "./boarding-passes/get-boarding-pass.ts";
import { getBooking } from "./bookings/get-booking.ts";
import { getBookingHistory } from "./bookings/get-booking-history.ts";
import { listBookings } from "./bookings/list-bookings.ts";
import { getDestination } from "./destinations/get-destination.ts";
import { listDestinations } from "./destinations/list-destinations.ts";
import { listDocuments } from "./documents/list-documents.ts";
import { getEvent } from "./events/get-event.ts";
import { listEvents } from "./events/list-events.ts";
import { getFlight } from "./flights/get-flight.ts";
import { getSeatMap } from "./flights/get-seat-map.ts";
import { listFlights } from "./flights/list-flights.ts";
import { searchFlights } from "./flights/search-flights.ts";
import { getLoyaltyAccount } from "./loyalty/get-account.ts";
import { listLoyaltyTransactions } from "./loyalty/list-transactions.ts";
import { getPassenger } from "./passengers/get-passenger.ts";
import { listPassengers } from "./passengers/list-passengers.ts";
import { getPayment } from "./payments/get-payment.ts";
import type { QueryDependencies } from "./query-dependencies.ts";
import { getWebhookStatus } from "./webhooks/get-status.ts";
import { listWebhookDeliveries } from "./webhooks/list-deliveries.ts";
import { listWebhookEndpoints } from "./webhooks/list-endpoints.ts";

/** Everything that reads. */
export function queryRoutes(dependencies: QueryDependencies): readonly Route[] {
  return [
    getBooking(dependencies),
    getFlight(dependencies),
    getPayment(dependencies),
    searchFlights(dependencies),
    listFlights(dependencies),
    getSeatMap(dependencies),
    listDestinations(dependencies),
    getDestination(dependencies),
    listBookings(dependencies),
    getBookingHistory(dependencies),
    getBoardingPass(dependencies),
    listDocuments(dependencies),
    getLoyaltyAccount(dependencies),
    listLoyaltyTransactions(dependencies),
    listEvents(dependencies),
    getEvent(dependencies),
    listPassengers(dependencies),
    getPassenger(dependencies),
    listWebhookEndpoints(dependencies),
    listWebhookDeliveries(dependencies),
    getWebhookStatus(dependencies),
  ];
}
