// Command toxiproxy serves Toxiproxy's HTTP API on one address.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

func main() {
	address := flag.String("listen", "127.0.0.1:0", "TCP address")
	flag.Parse()

	listener, err := net.Listen("tcp", *address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.New(os.Stderr).Level(zerolog.ErrorLevel))
	fmt.Printf("listening on http://%s\n", listener.Addr())
	if err := http.Serve(listener, server.Routes()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
