// Servers of crypto/tls that say hello over HTTP/1.1, each configured in another way: doctor CHAIN KEY, which writes "name port" for each.
package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
)

func main() {
	pair, err := tls.LoadX509KeyPair(os.Args[1], os.Args[2])
	if err != nil {
		panic(err)
	}
	serve("well", with(func(config *tls.Config) {}))
	serve("cbc", with(func(config *tls.Config) {
		config.CipherSuites = append(config.CipherSuites, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA)
	}))
	serve("1.2-only", with(func(config *tls.Config) { config.MaxVersion = tls.VersionTLS12 }))
	serve("no-tickets", with(func(config *tls.Config) { config.SessionTicketsDisabled = true }))
	serve("no-post-quantum", with(func(config *tls.Config) { config.CurvePreferences = []tls.CurveID{tls.X25519, tls.CurveP256} }))
	serve("old", with(func(config *tls.Config) {
		config.MinVersion = tls.VersionTLS10
		config.CipherSuites = append(config.CipherSuites, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA)
	}))
	serve("no-alpn", with(func(config *tls.Config) { config.NextProtos = nil }))
	if knowsPostQuantum() {
		serve("post-quantum", with(func(config *tls.Config) { config.CurvePreferences = []tls.CurveID{x25519mlkem768, tls.X25519} }))
	}
	all(pair)
	fmt.Println("ready")
	select {}
}

const x25519mlkem768 = tls.CurveID(0x11EC)

// Since Go 1.24; with a number that it does not know, crypto/tls makes a mess.
func knowsPostQuantum() bool {
	var minor int
	_, err := fmt.Sscanf(runtime.Version(), "go1.%d", &minor)
	return err == nil && minor >= 24
}

// A configuration of which nothing is to be complained, changed. Said in full: what stands for nothing differs from version to version.
func with(change func(config *tls.Config)) *tls.Config {
	config := &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		CipherSuites: []uint16{
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
			tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
		},
	}
	change(config)
	return config
}

var configurations = map[string]*tls.Config{}
var names []string

func serve(name string, config *tls.Config) {
	names = append(names, name)
	configurations[name] = config
}

func all(pair tls.Certificate) {
	for _, name := range names {
		config := configurations[name]
		config.Certificates = []tls.Certificate{pair}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		fmt.Println(name, listener.Addr().(*net.TCPAddr).Port)
		server := &http.Server{TLSConfig: config, Handler: http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(answer, "hello")
		})}
		go server.Serve(tls.NewListener(listener, config))
	}
}
