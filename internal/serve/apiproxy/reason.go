package apiproxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// reason returns the log text for a failed exchange. Errors from the standard library may quote input, such as a URL
// with its query or a line of the response. Therefore an error is logged unchanged only if its kind quotes nothing but
// hosts and ports; for all other errors, only the kind is logged (K9).
func reason(err error) error {
	var certificate *tls.CertificateVerificationError
	var place *net.OpError
	var unknown *net.DNSError
	f, ours := fault.As(err)
	switch {
	case err == nil, errors.Is(err, errGone):
		return err
	case ours:
		return fmt.Errorf("%s: %s", f.Code, fault.Public(f))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &certificate):
		return certificate
	case errors.As(err, &unknown):
		return unknown
	case errors.As(err, &place):
		return place
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return fmt.Errorf("the exchange failed (%T)", err)
}
