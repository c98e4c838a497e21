// Gets a page twice, each time on a new connection, and says what it saw: client ROOT_PEM TLS_VERSION URL
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{
			RootCAs:            pool(os.Args[1]),
			MinVersion:         version(os.Args[2]),
			MaxVersion:         version(os.Args[2]),
			ClientSessionCache: tls.NewLRUClientSessionCache(4),
		},
	}}
	for i := 0; i < 2; i++ {
		get(client, os.Args[3])
	}
}

func get(client *http.Client, url string) {
	response, err := client.Get(url)
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	fmt.Printf("status=%d bytes=%d version=0x%04x resumed=%t ocsp=%t\n",
		response.StatusCode, len(body), response.TLS.Version, response.TLS.DidResume,
		len(response.TLS.OCSPResponse) > 0)
}

func pool(file string) *x509.CertPool {
	pem, err := os.ReadFile(file)
	check(err)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		check(fmt.Errorf("no certificate in %s", file))
	}
	return roots
}

func version(text string) uint16 {
	if text == "1.2" {
		return tls.VersionTLS12
	}
	return tls.VersionTLS13
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
