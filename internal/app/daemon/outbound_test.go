package daemon

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// F7: an air-gapped server follows authors' addresses only to hosts on the operator's list; other deployment types can
// also reach public ones.
func TestAirGappedServerContactsOnlyListedHosts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel() // no connection is made: the test only checks which component refuses
	for kind, closed := range map[string]bool{"cloud": false, "client-hosted": false, "air-gapped": true} {
		guard, err := newGuard(config.Server{DeploymentType: kind, AllowAddress: []string{"127.0.0.2"}})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := guard.DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatalf("%s: a listed host: %v", kind, err)
		}
		_ = conn.Close()
		for _, host := range []string{"1.1.1.1:443", "example.com:443"} {
			_, err := guard.DialContext(ended, "tcp", host)
			if refused := fault.HasCode(err, "address_not_allowed"); refused != closed || err == nil ||
				!refused && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %s: %v", kind, host, err)
			}
		}
	}
	if _, err := newGuard(config.Server{AllowAddress: []string{"no host"}}); err == nil {
		t.Error("an invalid list is accepted")
	}
}
