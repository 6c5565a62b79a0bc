package fault_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestFaultIsFoundThroughWrapping(t *testing.T) {
	cause := errors.New("disk on fire")
	err := fmt.Errorf("start export: %w", fault.New(fault.NotFound, "unknown_domain", "No such domain.").
		WithCause(cause))
	if !fault.Is(err, fault.NotFound) || !fault.HasCode(err, "unknown_domain") || !errors.Is(err, cause) {
		t.Fatalf("the chain lost its fault or its cause: %v", err)
	}
	if got := fault.Public(err); got != "No such domain." {
		t.Fatalf("public text = %q", got)
	}
}

func TestUnexpectedErrorShowsNoInternals(t *testing.T) {
	if got := fault.Public(errors.New("open /secret/path: denied")); strings.Contains(got, "secret") {
		t.Fatalf("internals leaked: %q", got)
	}
}

func TestWithMethodsDoNotChangeTheOriginal(t *testing.T) {
	base := fault.New(fault.Invalid, "bad", "Bad.")
	_ = base.WithField("name").WithHint("do x")
	if base.Field != "" || base.Hint != "" {
		t.Fatal("With… changed its receiver")
	}
}
