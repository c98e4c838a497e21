// Shakes hands and says which certificate it got: kinds ROOT_PEM ADDRESS NAME TLS_VERSION KEY_KIND [CERT KEY]
// With TLS 1.2, KEY_KIND (RSA, ECDSA or any) is the only kind of certificate that the client's suites fit.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"os"
)

func main() {
	pem, err := os.ReadFile(os.Args[1])
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	config := &tls.Config{RootCAs: roots, ServerName: os.Args[3]}
	if os.Args[4] == "1.2" {
		config.MaxVersion = tls.VersionTLS12
	} else {
		config.MinVersion = tls.VersionTLS13
	}
	switch os.Args[5] {
	case "RSA":
		config.CipherSuites = []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}
	case "ECDSA":
		config.CipherSuites = []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}
	}
	if len(os.Args) > 7 {
		own, err := tls.LoadX509KeyPair(os.Args[6], os.Args[7])
		check(err)
		config.Certificates = []tls.Certificate{own}
	}
	connection, err := tls.Dial("tcp", os.Args[2], config)
	check(err)
	defer connection.Close()
	_, err = connection.Write([]byte("x"))
	check(err)
	_, err = io.ReadFull(connection, make([]byte, 1))
	check(err)
	state := connection.ConnectionState()
	leaf := state.PeerCertificates[0]
	fmt.Printf("version=0x%04x subject=%s key=%s sent=%d\n",
		state.Version, leaf.Subject, leaf.PublicKeyAlgorithm, len(state.PeerCertificates))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
