package daemon

import (
	"context"
	"errors"
	"net"
	"syscall"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// listen opens the TCP address of a setting. Its error states the system's reason: the person who starts a server can do
// something about a port that is in use.
func listen(ctx context.Context, setting, address string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err == nil {
		return l, nil
	}
	reason := err
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		reason = op.Err // without the address, which the sentence has
	}
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		reason = errno // without the name of the system call
	}
	f := fault.Newf(fault.Invalid, "bad_setting", "%s: cannot listen on %s: %v.", setting, address, reason).
		WithField(setting).WithCause(err)
	if errors.Is(err, syscall.EADDRINUSE) {
		f = f.WithHint("Another program uses this port; stop it or choose another port with --" + setting + ".")
	}
	return nil, f
}
