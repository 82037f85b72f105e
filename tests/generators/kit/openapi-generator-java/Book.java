import com.google.gson.Gson;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

class Book {
  interface Request {
    void send() throws ApiException;
  }

  static ErrorResponse refusal(Request request) throws Exception {
    try {
      request.send();
    } catch (ApiException error) {
      return ErrorResponse.fromJson(error.getResponseBody());
    }
    throw new IllegalStateException("was not refused");
  }

  static String typeOf(Event event) {
    if (event.getActualInstance() instanceof BookingConfirmedEvent confirmed) return confirmed.getType().getValue();
    return event.getPaymentSucceededEvent().getType().getValue();
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("BASE"));
    client.setApiKey(System.getenv("API_KEY"));
    FlightsApi flights = new FlightsApi(client);
    BookingsApi bookings = new BookingsApi(client);
    WebhookEndpointsApi endpoints = new WebhookEndpointsApi(client);

    Flight flight = flights.listFlights(null, null, null, null, null, 1, null, null, null).getData().get(0);
    CreateBooking order = new CreateBooking().flightId(flight.getId()).cabin(Cabin.ECONOMY);
    var ada = new BookingPassengerRequest().name("Ada Lovelace").email("ada@example.com");
    order.addPassengersItem(new BookedPassenger(ada));
    Booking booking = bookings.createBooking(order, null, null, null);
    CreatePayment card = new CreatePayment(new PayByCard().type(PayByCard.TypeEnum.CARD).token("tok_visa"));
    PaymentsApi payments = new PaymentsApi(client);
    CardMethod method =
        payments.createPayment(booking.getId(), booking.getId(), card, null, null).getMethod().getCardMethod();
    if (method.getCard().getLast4().length() != 4 || method.getWallet() != null) throw new IllegalStateException("no card");
    Booking now = bookings.getBooking(booking.getId(), null, null, null);
    List<Event> events =
        new EventsApi(client)
            .listEvents(null, booking.getId(), null, null, null, null, null, null, null, null, null)
            .getData();
    ErrorResponse missing = refusal(() -> bookings.getBooking("bkg_none", null, null, null));
    ErrorResponse invalid = refusal(() -> flights.listFlights(null, null, null, null, null, null, "none", null, null));
    CreateWebhookEndpoint wanted =
        new CreateWebhookEndpoint()
            .url(java.net.URI.create("https://example.com/events"))
            .events(new LinkedHashSet<>(List.of(EventSubscription.BOOKING_CONFIRMED)));
    String endpoint = endpoints.createWebhookEndpoint(wanted, null, null, null).getId();
    endpoints.deleteWebhookEndpoint(endpoint, null, null);

    System.out.println(
        new Gson()
            .toJson(
                Map.of(
                    "booked", booking.getStatus().getValue(),
                    "paid", method.getType().getValue(),
                    "status", now.getStatus().getValue(),
                    "events", events.stream().map(Book::typeOf).sorted().toList(),
                    "missing", missing.getStatusCode(),
                    "invalid", invalid.getMessage().getActualInstance())));
  }
}
