// Connects with an encrypted ClientHello, once more if the server sends another key, and says what it saw:
// ech ROOT_PEM ADDRESS SERVER_NAME ECH_CONFIG_LIST
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	pem, err := os.ReadFile(os.Args[1])
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	list, err := base64.StdEncoding.DecodeString(os.Args[4])
	check(err)
	err = connect(roots, list)
	var rejected *tls.ECHRejectionError
	if errors.As(err, &rejected) {
		fmt.Println("retry=" + base64.StdEncoding.EncodeToString(rejected.RetryConfigList))
		err = connect(roots, rejected.RetryConfigList)
	}
	check(err)
}

func connect(roots *x509.CertPool, list []byte) error {
	connection, err := tls.Dial("tcp", os.Args[2], &tls.Config{
		RootCAs:                        roots,
		ServerName:                     os.Args[3],
		MinVersion:                     tls.VersionTLS13,
		EncryptedClientHelloConfigList: list,
	})
	if err != nil {
		return err
	}
	defer connection.Close()
	state := connection.ConnectionState()
	_, err = connection.Write([]byte("hello\n"))
	check(err)
	answer, err := io.ReadAll(connection)
	check(err)
	fmt.Printf("accepted=%t name=%s answer=%s\n",
		state.ECHAccepted, state.PeerCertificates[0].DNSNames[0], answer)
	return nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
