// Books with the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func pointer[T any](value T) *T { return &value }

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", os.Getenv("API_KEY"))
		return nil
	}
	client := must(NewClientWithResponses(os.Getenv("BASE"), WithRequestEditorFn(withKey)))

	flight := must(client.ListFlightsWithResponse(ctx, &ListFlightsParams{Limit: pointer(int32(1))})).JSON200.Data[0]
	passenger := BookedPassenger{}
	ada := BookingPassengerRequest{Name: "Ada Lovelace", Email: "ada@example.com"}
	must(0, passenger.FromBookingPassengerRequest(ada))
	order := CreateBooking{FlightId: flight.Id, Cabin: Economy, Passengers: []BookedPassenger{passenger}}
	booking := must(client.CreateBookingWithResponse(ctx, nil, order)).JSON201
	card := CreatePayment{}
	must(0, card.FromPayByCard(PayByCard{Token: "tok_visa"}))
	key := &CreatePaymentParams{IdempotencyKey: booking.Id}
	payment := must(client.CreatePaymentWithResponse(ctx, booking.Id, key, card)).JSON201
	method := must(payment.Method.AsCardMethod())
	if len(method.Card.Last4) != 4 || method.Wallet != nil {
		panic("no card")
	}
	now := must(client.GetBookingWithResponse(ctx, booking.Id, nil)).JSON200
	events := []string{}
	for _, event := range must(client.ListEventsWithResponse(ctx, &ListEventsParams{BookingId: &booking.Id})).JSON200.Data {
		events = append(events, must(event.Discriminator()))
	}
	slices.Sort(events)
	missing := must(client.GetBookingWithResponse(ctx, "bkg_none", nil)).JSON404
	invalid := must(client.ListFlightsWithResponse(ctx, &ListFlightsParams{Cursor: pointer("none")})).JSON400
	wanted := CreateWebhookEndpoint{Url: "https://example.com/events", Events: []EventSubscription{EventSubscriptionBookingConfirmed}}
	endpoint := must(client.CreateWebhookEndpointWithResponse(ctx, nil, wanted)).JSON201
	must(client.DeleteWebhookEndpointWithResponse(ctx, endpoint.Id, nil))

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"booked":  booking.Status,
		"paid":    method.Type,
		"status":  now.Status,
		"events":  events,
		"missing": missing.StatusCode,
		"invalid": invalid.Message,
	}))
}
