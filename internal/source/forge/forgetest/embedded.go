package forgetest

import "testing"

// RunEmbedded tests the embedded code host against the parts of the contract that do not concern the network. It has no
// keys, server, forks or comments.
func RunEmbedded(t *testing.T, start func(t *testing.T) *Rig) {
	for name, part := range map[string]func(*testing.T, *fixture){
		"MissingObjectsAreDistinguished":    absent,
		"OpeningTwiceReturnsOnePullRequest": openTwice,
		"UpdateChangesTitleAndText":         update,
		"DraftBecomesReadyAndStaysReady":    draft,
		"MergeIsReported":                   merged,
		"NewPullRequestAfterAClosedOne":     closed,
		"MissingBranchIsRefused":            noBranch,
		"CanceledCallReturns":               cancelled,
	} {
		t.Run(name, func(t *testing.T) {
			rig := start(t)
			part(t, &fixture{rig: rig, host: rig.Open(rig.URL, Right)})
		})
	}
}
