//go:build nightly

package gitea_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
)

// Runs the conformance suite on a real server. The e2e tests, which run for each change, also open and merge pull
// requests on one.
func TestConformance(t *testing.T) { forgetest.Run(t, newRig) }
