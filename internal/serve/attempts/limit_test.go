package attempts

import "testing"

func TestAttemptsAreCountedByAddressOrNetwork(t *testing.T) {
	for address, want := range map[string]string{"192.0.2.1": "192.0.2.1", "2001:db8:1:2:3::4": "2001:db8:1:2::/64",
		"": "", "unix": "unix"} {
		if got := Place(address); got != want {
			t.Errorf("%q is counted under %q", address, got)
		}
	}
}
