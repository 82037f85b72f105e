"""Books with the client that openapi-generator makes for Python."""

import json
import os

from openapi_client import (
    ApiClient,
    ApiException,
    BookingsApi,
    Configuration,
    CreateBooking,
    CreatePayment,
    CreateWebhookEndpoint,
    ErrorResponse,
    EventsApi,
    FlightsApi,
    PayByCard,
    PaymentsApi,
    WebhookEndpointsApi,
)

client = ApiClient(Configuration(host=os.environ["BASE"], api_key={"ApiKey": os.environ["API_KEY"]}))
flights = FlightsApi(client)
bookings = BookingsApi(client)
endpoints = WebhookEndpointsApi(client)


def refusal(ask):
    try:
        ask()
    except ApiException as error:
        return ErrorResponse.from_json(error.body)
    raise AssertionError("was not refused")


flight = flights.list_flights(limit=1).data[0]
passenger = {"name": "Ada Lovelace", "email": "ada@example.com"}
order = CreateBooking.from_dict({"flightId": flight.id, "cabin": "economy", "passengers": [passenger]})
booking = bookings.create_booking(order)
card = CreatePayment(PayByCard(type="card", token="tok_visa"))
method = PaymentsApi(client).create_payment(booking.id, booking.id, card).method.actual_instance
assert len(method.card.last4) == 4 and method.wallet is None
now = bookings.get_booking(booking.id)
events = EventsApi(client).list_events(booking_id=booking.id).data
missing = refusal(lambda: bookings.get_booking("bkg_none"))
invalid = refusal(lambda: flights.list_flights(cursor="none"))
wanted = CreateWebhookEndpoint(url="https://example.com/events", events=["booking.confirmed"])
endpoints.delete_webhook_endpoint(endpoints.create_webhook_endpoint(wanted).id)

said = {
    "booked": booking.status,
    "paid": method.type,
    "status": now.status,
    "events": sorted(event.actual_instance.type for event in events),
    "missing": missing.status_code,
    "invalid": invalid.message.actual_instance,
}
print(json.dumps(said))
