package lectern

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// Ports are chosen below the range that the kernel uses for outgoing connections. Otherwise such a connection could
// occupy the port of a server that is being restarted.
const (
	firstPort = 10_000
	lastPort  = 32_000
	portTries = 1000
)

// FreeAddresses returns n different loopback addresses that are currently unused.
func FreeAddresses(t testing.TB, n int) (list []string) {
	t.Helper()
	for try := 0; len(list) < n; try++ {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(lastPort-firstPort)))
		if err == nil {
			// keep all of them open until the last is found, so that none is found twice; no connection was
			// accepted
			defer func() { _ = l.Close() }()
			list = append(list, l.Addr().String())
		} else if try == portTries {
			t.Fatalf("find a free address: %v", err)
		}
	}
	return list
}

// FreeAddress returns a loopback address that is currently unused.
func FreeAddress(t testing.TB) string {
	t.Helper()
	return FreeAddresses(t, 1)[0]
}
