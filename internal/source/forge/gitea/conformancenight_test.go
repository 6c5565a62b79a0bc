//go:build nightly

package gitea_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
)

// The conformance suite on a real server. The stories of e2e open and merge pull requests on one with each change.
func TestConformance(t *testing.T) { forgetest.Run(t, newRig) }
