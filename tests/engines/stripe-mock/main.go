// Command stripe-mock serves stripe-mock's HTTP API on one address, and refuses every other version of Stripe's API than
// its own.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/stripe/stripe-mock/embedded"
	"github.com/stripe/stripe-mock/server"
)

func main() {
	address := flag.String("listen", "127.0.0.1:0", "TCP address")
	flag.Parse()

	handler, err := handler()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	if err := http.Serve(listener, handler); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func handler() (http.Handler, error) {
	spec, err := server.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		return nil, err
	}
	fixtures, err := server.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		return nil, err
	}
	stub, err := server.NewStubServer(fixtures, spec, true, false)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(stub.HandleRequest), nil
}
