package daemon

import (
	"context"
	"errors"
	"net"
	"syscall"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// listen opens the TCP address of a setting. Its error includes the system's reason, because the person who starts a
// server can act on it, for example if a port is in use.
func listen(ctx context.Context, setting, address string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err == nil {
		return l, nil
	}
	reason := err
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		reason = op.Err // the message already contains the address
	}
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		reason = errno // omits the name of the system call
	}
	f := fault.Newf(fault.Invalid, "bad_setting", "%s: cannot listen on %s: %v.", setting, address, reason).
		WithField(setting).WithCause(err)
	if errors.Is(err, syscall.EADDRINUSE) {
		f = f.WithHint("Another program uses this port; stop it or choose another port with --" + setting + ".")
	}
	return nil, f
}
