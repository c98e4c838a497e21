// Clients of a fleet: each has sessions of its own, and comes back to nodes at random. fleet ROOT_PEM TLS_VERSION CLIENTS
//
// Reads commands, one in a line, and answers each in a line:
//
//	nodes 8443,8444    from now on these ports of 127.0.0.1
//	run 1000 100       so many handshakes, so many in a second
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const request = "GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

// A client does one thing at a time, and has one session, if any: crypto/tls throws it away when a handshake breaks off.
type client struct {
	mutex   sync.Mutex
	config  *tls.Config
	session *tls.ClientSessionState
}

func (c *client) Get(string) (*tls.ClientSessionState, bool) {
	return c.session, c.session != nil
}

func (c *client) Put(_ string, session *tls.ClientSessionState) {
	c.session = session
}

type counts struct {
	mutex                         sync.Mutex
	first, resumed, full, refused int
	errors                        map[string]int
}

func main() {
	clients := make([]*client, number(os.Args[3]))
	for i := range clients {
		clients[i] = &client{}
		clients[i].config = &tls.Config{
			RootCAs:            pool(os.Args[1]),
			ServerName:         "localhost",
			MinVersion:         version(os.Args[2]),
			MaxVersion:         version(os.Args[2]),
			ClientSessionCache: clients[i],
		}
	}
	var nodes []string
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		words := strings.Fields(commands.Text())
		if words[0] == "nodes" {
			nodes = strings.Split(words[1], ",")
			fmt.Println("nodes", len(nodes))
			continue
		}
		run(clients, nodes, number(words[1]), number(words[2]))
	}
}

func run(clients []*client, nodes []string, handshakes, rate int) {
	var done sync.WaitGroup
	sum := counts{errors: map[string]int{}}
	pace := time.NewTicker(time.Second / time.Duration(rate))
	for i := 0; i < handshakes; i++ {
		<-pace.C
		done.Add(1)
		go func() {
			defer done.Done()
			clients[rand.Intn(len(clients))].visit(nodes, &sum)
		}()
	}
	done.Wait()
	fmt.Printf("first=%d resumed=%d full=%d refused=%d errors=%v\n",
		sum.first, sum.resumed, sum.full, sum.refused, sum.errors)
}

// Goes to a node at random, and to the next one when it does not answer.
func (c *client) visit(nodes []string, sum *counts) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	start := rand.Intn(len(nodes))
	for i := range nodes {
		hasSession := c.session != nil
		resumed, err := c.get("127.0.0.1:" + nodes[(start+i)%len(nodes)])
		sum.mutex.Lock()
		switch {
		case err != nil:
			sum.refused++
			sum.errors[kind(err)]++
		case resumed:
			sum.resumed++
		case hasSession:
			sum.full++
		default:
			sum.first++
		}
		sum.mutex.Unlock()
		if err == nil {
			return
		}
	}
}

// Reads to the end: the ticket for the next time comes before it.
func (c *client) get(address string) (bool, error) {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	connection, err := tls.DialWithDialer(dialer, "tcp", address, c.config)
	if err != nil {
		return false, err
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err = connection.Write([]byte(request)); err != nil {
		return false, err
	}
	body, err := io.ReadAll(connection)
	if err == nil && !strings.HasPrefix(string(body), "HTTP/1.1 200") {
		err = fmt.Errorf("no page")
	}
	return connection.ConnectionState().DidResume, err
}

func kind(err error) string {
	text := err.Error()
	return text[strings.LastIndex(text, ":")+1:]
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	check(err)
	return n
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
