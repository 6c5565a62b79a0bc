//go:build nightly

package gitea_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
)

// The conformance suite runs against a real server. The e2e tests, which run on every change, also open and merge pull
// requests on one.
func TestConformance(t *testing.T) { forgetest.Run(t, newRig) }
