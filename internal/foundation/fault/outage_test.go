package fault_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Every outage of a dependency has its own response, with status 503 and a Retry-After.
func TestEveryOutageHasAPublicFault(t *testing.T) {
	for cause, code := range map[error]string{
		fault.ErrUnavailable:     fault.CodeUnavailable,
		fault.ErrStorageFull:     fault.CodeStorageFull,
		fault.ErrDatabaseDamaged: fault.CodeDatabaseDamaged,
		syscall.ENOSPC:           fault.CodeStorageFull,
		syscall.EDQUOT:           fault.CodeStorageFull,
		syscall.EMFILE:           fault.CodeTooManyFiles,
		syscall.ENFILE:           fault.CodeTooManyFiles,
		syscall.EROFS:            fault.CodeUnavailable,
	} {
		err := fmt.Errorf("write x: %w", cause)
		f, ok := fault.Outage(err)
		if !fault.IsOutage(err) || !ok || f.Code != code || f.Kind != fault.Unavailable || f.RetryAfter <= 0 ||
			f.Hint == "" || !errors.Is(f, cause) {
			t.Errorf("%v: outage %v, answer %+v", cause, fault.IsOutage(err), f)
		}
	}
	if _, ok := fault.Outage(syscall.ENOENT); ok || fault.IsOutage(syscall.ENOENT) {
		t.Error("a missing file is an outage")
	}
}
