// Command ferretdb serves the MongoDB protocol on one TCP address, over PostgreSQL or SQLite.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	address := flag.String("listen", "127.0.0.1:0", "TCP address")
	postgresql := flag.String("postgresql", "", "address of a PostgreSQL database")
	sqlite := flag.String("sqlite", "", "folder of the SQLite files, where no PostgreSQL is given")
	flag.Parse()

	config := &ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Logger:   slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	}
	if *postgresql != "" {
		config.Handler, config.PostgreSQLURL = "postgresql", *postgresql
	} else {
		config.Handler, config.SQLiteURL = "sqlite", "file:"+*sqlite+"/"
	}
	server, err := ferretdb.New(config)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	inner, _ := url.Parse(server.MongoDBURI())
	go oneChangeAtATime(listener, inner.Host)
	// The address is bound by now: whoever connects from here on is served.
	fmt.Printf("listening on mongodb://%s/\n", listener.Addr())
	if err := server.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
