// Serves TLS on 127.0.0.1 and tells each client how it came to be connected.
//
// Arguments: certificate chain, key, authorities for clients' certificates, version (1.2 or 1.3).
// Prints the port to standard output.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
)

func main() {
	certificate, err := tls.LoadX509KeyPair(os.Args[1], os.Args[2])
	check(err)
	pem, err := os.ReadFile(os.Args[3])
	check(err)
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(pem)
	version := uint16(tls.VersionTLS13)
	if os.Args[4] == "1.2" {
		version = tls.VersionTLS12
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    authorities,
		MinVersion:   version,
		MaxVersion:   version,
		NextProtos:   []string{"h2", "http/1.1"},
	})
	check(err)
	fmt.Println("port", listener.Addr().(*net.TCPAddr).Port)
	for {
		connection, err := listener.Accept()
		check(err)
		go tell(connection.(*tls.Conn))
	}
}

func tell(connection *tls.Conn) {
	defer connection.Close()
	if err := connection.Handshake(); err != nil {
		return
	}
	state := connection.ConnectionState()
	buffer := make([]byte, 4)
	if _, err := connection.Read(buffer); err != nil {
		return
	}
	fmt.Fprintf(connection, "resumed=%v client=%s alpn=%s sni=%s", state.DidResume,
		state.PeerCertificates[0].Subject.CommonName, state.NegotiatedProtocol, state.ServerName)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
