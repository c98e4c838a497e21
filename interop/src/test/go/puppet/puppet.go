// Go's crypto/tls as a client that does what it is told on standard input: orders and answers as in ../../c/puppet.h.
// It cannot be told to update its keys; it answers the updates of its peer.
//
//	puppet PORT ROOT_PEM VERSION
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
)

func main() {
	socket, err := net.Dial("tcp", "127.0.0.1:"+os.Args[1])
	check(err)
	tcp := socket.(*net.TCPConn)
	connection := tls.Client(tcp, config(os.Args[2], os.Args[3]))
	check(connection.Handshake())
	fmt.Fprintf(os.Stderr, "connected TLSv%s %s\n",
		os.Args[3], tls.CipherSuiteName(connection.ConnectionState().CipherSuite))
	go receive(connection)
	obey(bufio.NewReader(os.Stdin), tcp, connection)
}

func config(root, wanted string) *tls.Config {
	pem, err := os.ReadFile(root)
	check(err)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		check(fmt.Errorf("no certificate in %s", root))
	}
	version := map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}[wanted]
	return &tls.Config{RootCAs: roots, ServerName: "localhost", MinVersion: version, MaxVersion: version}
}

func obey(orders *bufio.Reader, tcp *net.TCPConn, connection *tls.Conn) {
	for {
		order, err := orders.ReadByte()
		if err == io.EOF {
			return
		}
		check(err)
		switch order {
		case 'W':
			_, err = connection.Write(piece(orders))
		case 'C':
			err = connection.CloseWrite()
		case 'F':
			err = tcp.CloseWrite()
		case 'R':
			check(tcp.SetLinger(0))
			check(tcp.Close())
			return
		default:
			err = fmt.Errorf("unknown order %q", order)
		}
		check(err)
	}
}

func piece(orders io.Reader) []byte {
	var length uint32
	check(binary.Read(orders, binary.BigEndian, &length))
	bytes := make([]byte, length)
	_, err := io.ReadFull(orders, bytes)
	check(err)
	return bytes
}

func receive(connection *tls.Conn) {
	_, err := io.Copy(os.Stdout, connection)
	fmt.Fprintf(os.Stderr, "updates 0\nend %s\n", end(err))
	os.Stdout.Close()
}

func end(err error) string {
	switch {
	case err == nil:
		return "close_notify"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "truncated"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	}
	fmt.Fprintln(os.Stderr, "read:", err)
	return "error"
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "failed:", err)
		os.Exit(1)
	}
}
