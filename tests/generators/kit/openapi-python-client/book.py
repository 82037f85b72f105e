"""Books with the client that openapi-python-client makes."""

import json
import os

from generated.api.bookings import create_booking, get_booking
from generated.api.events import list_events
from generated.api.flights import list_flights
from generated.api.payments import create_payment
from generated.api.webhook_endpoints import create_webhook_endpoint, delete_webhook_endpoint
from generated.client import AuthenticatedClient
from generated.models import (
    Cabin,
    CreateBooking,
    CreateWebhookEndpoint,
    ErrorResponse,
    EventSubscription,
    BookingPassengerRequest,
    PayByCard,
)

client = AuthenticatedClient(
    base_url=os.environ["BASE"], token=os.environ["API_KEY"], prefix="", auth_header_name="x-api-key"
)
flight = list_flights.sync(client=client, limit=1).data[0]
passenger = BookingPassengerRequest(name="Ada Lovelace", email="ada@example.com")
order = CreateBooking(flight_id=flight.id, cabin=Cabin.ECONOMY, passengers=[passenger])
booking = create_booking.sync(client=client, body=order)
card = PayByCard(type_="card", token="tok_visa")
method = create_payment.sync(booking.id, client=client, body=card, idempotency_key=booking.id).method
assert len(method.card.last4) == 4 and method.wallet is None
now = get_booking.sync(booking.id, client=client)
events = list_events.sync(client=client, booking_id=booking.id).data
missing = get_booking.sync("bkg_none", client=client)
invalid = list_flights.sync(client=client, cursor="none")
assert isinstance(missing, ErrorResponse) and isinstance(invalid, ErrorResponse)
wanted = CreateWebhookEndpoint(url="https://example.com/events", events=[EventSubscription.BOOKING_CONFIRMED])
endpoint = create_webhook_endpoint.sync(client=client, body=wanted)
delete_webhook_endpoint.sync_detailed(endpoint.id, client=client)

said = {
    "booked": booking.status,
    "paid": method.type_,
    "status": now.status,
    "events": sorted(event.type_ for event in events),
    "missing": missing.status_code,
    "invalid": invalid.message,
}
print(json.dumps(said))
