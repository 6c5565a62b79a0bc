package endpoint_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestUnknownEventTypesAreRefused(t *testing.T) {
	validate := func(types ...string) error {
		e := endpoint.Endpoint{Format: endpoint.Standard, URL: "https://hooks.example.com", Events: types}
		return e.Validate(func(string) bool { return false })
	}
	for _, action := range event.Actions {
		noun, _, _ := strings.Cut(action, ".")
		if err := validate(action, noun+".*"); err != nil {
			t.Errorf("%s: %v", action, err)
		}
	}
	for wrong, near := range map[string]string{"export.strat": "export.start", "Export.start": "export.start",
		"exports.*": "export.*", "deployment.failed": "deployment.fail", "*": "", ".*": "", "": "", "export.": "export.*",
		"expo*": "", "export.*.*": "export.*", strings.Repeat("x", 10_000): ""} {
		f, ok := fault.As(validate("key.create", wrong))
		if !ok || f.Kind != fault.Invalid || f.Field != "events" || len(f.Public) > 200 {
			t.Errorf("%.50s: %+v", wrong, f)
			continue
		}
		if suggested, found := strings.CutPrefix(f.Hint, "Did you mean "); found != (near != "") ||
			found && suggested != near+"?" {
			t.Errorf("%.50s: the hint is %q", wrong, f.Hint)
		}
	}
}
