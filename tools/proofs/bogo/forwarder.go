// The program that BoringSSL's runner starts for each test: it hands its arguments to the process that examines the
// engines, at the socket SLUICE_BOGO_SHIM, and ends as that says.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
)

func main() {
	for _, argument := range os.Args[1:] {
		if argument == "-is-handshaker-supported" {
			fmt.Println("No")
			return
		}
	}
	shim, err := net.Dial("unix", os.Getenv("SLUICE_BOGO_SHIM"))
	check(err)
	request := binary.BigEndian.AppendUint32(nil, uint32(len(os.Args)-1))
	for _, argument := range os.Args[1:] {
		request = binary.BigEndian.AppendUint32(request, uint32(len(argument)))
		request = append(request, argument...)
	}
	_, err = shim.Write(request)
	check(err)
	answer, err := io.ReadAll(shim)
	check(err)
	if len(answer) < 4 {
		check(io.ErrUnexpectedEOF)
	}
	os.Stderr.Write(answer[4:])
	os.Exit(int(binary.BigEndian.Uint32(answer)))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "forwarder:", err)
		os.Exit(1)
	}
}
