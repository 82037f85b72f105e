import type { Route } from "@travel-booking/http";
import { getBoardingPass, getBoardingPassKeys } from "./boarding-passes.ts";
import { getBooking, getBookingHistory, listBookings, listDocuments } from "./bookings.ts";
import type { QueryDependencies } from "./dependencies.ts";
import { getDestination, listDestinations } from "./destinations.ts";
import { getEvent, listEvents } from "./events.ts";
import { getFlight, getSeatMap, listFlights, searchFlights } from "./flights.ts";
import { getLoyaltyAccount, listLoyaltyTransactions } from "./loyalty.ts";
import { getPassenger, listPassengers } from "./passengers.ts";
import { getPayment } from "./payments.ts";
import { getWebhookStatus, listWebhookDeliveries, listWebhookEndpoints } from "./webhooks.ts";

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
    getBoardingPassKeys(dependencies),
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
