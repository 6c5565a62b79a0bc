package lectern

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// Ports are taken from below those that the kernel gives to outgoing connections: one of these could sit on the port of
// a server that is being restarted.
const (
	firstPort = 10_000
	lastPort  = 32_000
	portTries = 1000
)

// FreeAddresses are that many different loopback addresses that were unused a moment ago.
func FreeAddresses(t testing.TB, n int) (list []string) {
	t.Helper()
	for try := 0; len(list) < n; try++ {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(lastPort-firstPort)))
		if err == nil {
			// all are held until the last is found, so that none is found twice; nothing was accepted
			defer func() { _ = l.Close() }()
			list = append(list, l.Addr().String())
		} else if try == portTries {
			t.Fatalf("find a free address: %v", err)
		}
	}
	return list
}

// FreeAddress returns one of them.
func FreeAddress(t testing.TB) string {
	t.Helper()
	return FreeAddresses(t, 1)[0]
}
