package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"sync"
)

// FerretDB 1 changes a document by reading it and writing it back: of two changes at once one may be lost, and two
// clients may both replace what they expected. It also keeps a connection to its storage while it waits for a second
// one, so that enough changes at once wait for ever. MongoDB does neither. Here one change is made after another.
var changing sync.Mutex

// It also keeps a connection to its storage for each update of one message until all are done. So it is made to ask its
// clients for fewer writes in one message than it has connections (50).
const maxWrites = 20

var maxWritesField = []byte("\x10maxWriteBatchSize\x00")

func limitWrites(hello []byte) {
	if at := bytes.Index(hello, maxWritesField); at >= 0 {
		binary.LittleEndian.PutUint32(hello[at+len(maxWritesField):], maxWrites)
	}
}

var changes = map[string]bool{"insert": true, "update": true, "delete": true, "findAndModify": true}

const (
	headerBytes = 16
	opMsg       = 2013
	moreToCome  = 1 << 1
)

func oneChangeAtATime(listener net.Listener, upstream string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		go serve(client, upstream)
	}
}

func serve(client net.Conn, upstream string) {
	defer client.Close()
	server, err := net.Dial("tcp", upstream)
	if err != nil {
		return
	}
	defer server.Close()
	for {
		command, err := readMessage(client)
		if err != nil {
			return
		}
		answer, err := ask(server, command)
		if err != nil {
			return
		}
		limitWrites(answer)
		if _, err := client.Write(answer); err != nil {
			return
		}
	}
}

func ask(server net.Conn, command []byte) ([]byte, error) {
	if changes[nameOf(command)] {
		changing.Lock()
		defer changing.Unlock()
	}
	if _, err := server.Write(command); err != nil {
		return nil, err
	}
	if isMessage(command) && binary.LittleEndian.Uint32(command[headerBytes:])&moreToCome != 0 {
		return nil, nil
	}
	return readMessage(server)
}

func readMessage(from io.Reader) ([]byte, error) {
	length := make([]byte, 4)
	if _, err := io.ReadFull(from, length); err != nil {
		return nil, err
	}
	message := make([]byte, binary.LittleEndian.Uint32(length))
	copy(message, length)
	_, err := io.ReadFull(from, message[4:])
	return message, err
}

func isMessage(message []byte) bool {
	return len(message) > headerBytes+4 && binary.LittleEndian.Uint32(message[12:]) == opMsg
}

// nameOf is the name of the first field of a message's document: behind its flags, the kind of its section, the length
// of the document and the type of the field.
func nameOf(message []byte) string {
	if !isMessage(message) {
		return ""
	}
	name, _, _ := bytes.Cut(message[headerBytes+4+1+4+1:], []byte{0})
	return string(name)
}
