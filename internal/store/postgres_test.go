package store

import "testing"

// Five processes with default settings stay within the hundred connections that PostgreSQL allows, on any machine.
// Operators can set another limit.
func TestConnectionLimitDefaultsToSmallNumber(t *testing.T) {
	for _, c := range []struct {
		url        string
		read, want int32
	}{
		{"postgres://u:p@db/x", 4, connections},
		{"postgres://u:p@db/x", 128, connections}, // one connection per processor of a large machine
		{"postgres://u:p@db/x?sslmode=disable&pool_max_conns=8", 8, 8},
		{"postgres://u:p@db/x?pool_max_conns=60", 60, 60},
		{"postgres://u:p@db/x?pool_max_conns=1", 1, fewestConnection},
	} {
		if got := poolSize(c.url, c.read); got != c.want {
			t.Errorf("%s: %d connections, want %d", c.url, got, c.want)
		}
	}
	if 5*connections >= 100 {
		t.Error("five processes need more than PostgreSQL has by default")
	}
}
