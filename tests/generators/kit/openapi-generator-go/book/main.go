// Books with the client that openapi-generator makes for Go.
package main

import (
	openapi "booking"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"slices"
)

func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func refusal[T any](_ T, _ *http.Response, err error) openapi.ErrorResponse {
	var refused *openapi.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic("was not refused")
	}
	return refused.Model().(openapi.ErrorResponse)
}

func main() {
	key := openapi.APIKey{Key: os.Getenv("API_KEY")}
	ctx := context.WithValue(context.Background(), openapi.ContextAPIKeys, map[string]openapi.APIKey{"ApiKey": key})
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("BASE")}}
	client := openapi.NewAPIClient(configuration)

	flight := must(client.FlightsAPI.ListFlights(ctx).Limit(1).Execute()).Data[0]
	ada := openapi.NewBookingPassengerRequest("Ada Lovelace", "ada@example.com")
	passenger := openapi.BookingPassengerRequestAsBookedPassenger(ada)
	order := openapi.NewCreateBooking(flight.Id, openapi.CABIN_ECONOMY, []openapi.BookedPassenger{passenger})
	booking := must(client.BookingsAPI.CreateBooking(ctx).CreateBooking(*order).Execute())
	card := openapi.PayByCardAsCreatePayment(openapi.NewPayByCard("card", "tok_visa"))
	pay := client.PaymentsAPI.CreatePayment(ctx, booking.Id).IdempotencyKey(booking.Id).CreatePayment(card)
	method := must(pay.Execute()).Method.CardMethod
	if len(method.Card.Last4) != 4 || method.Wallet != nil {
		panic("no card")
	}
	now := must(client.BookingsAPI.GetBooking(ctx, booking.Id).Execute())
	events := []string{}
	for _, event := range must(client.EventsAPI.ListEvents(ctx).BookingId(booking.Id).Execute()).Data {
		if event.BookingConfirmedEvent != nil {
			events = append(events, event.BookingConfirmedEvent.Type)
		} else {
			events = append(events, event.PaymentSucceededEvent.Type)
		}
	}
	slices.Sort(events)
	missing := refusal(client.BookingsAPI.GetBooking(ctx, "bkg_none").Execute())
	invalid := refusal(client.FlightsAPI.ListFlights(ctx).Cursor("none").Execute())
	wanted := openapi.NewCreateWebhookEndpoint("https://example.com/events", []openapi.EventSubscription{openapi.EVENTSUBSCRIPTION_BOOKING_CONFIRMED})
	endpoint := must(client.WebhookEndpointsAPI.CreateWebhookEndpoint(ctx).CreateWebhookEndpoint(*wanted).Execute())
	if _, err := client.WebhookEndpointsAPI.DeleteWebhookEndpoint(ctx, endpoint.Id).Execute(); err != nil {
		panic(err)
	}

	said := map[string]any{
		"booked":  booking.Status,
		"paid":    method.Type,
		"status":  now.Status,
		"events":  events,
		"missing": missing.StatusCode,
		"invalid": invalid.Message.ArrayOfString,
	}
	if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
		panic(err)
	}
}
