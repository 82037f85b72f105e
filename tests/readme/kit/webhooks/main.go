// Asks the function of the guide, which stands in the file beside it, about each delivery on standard input.
package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var deliveries []struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	said := []string{}
	for _, delivery := range deliveries {
		headers := http.Header{}
		for name, value := range delivery.Headers {
			headers.Set(name, value)
		}
		kind, err := receive(delivery.Secret, headers, []byte(delivery.Body))
		if err != nil {
			kind = "refused"
		}
		said = append(said, kind)
	}
	_ = json.NewEncoder(os.Stdout).Encode(said)
}
