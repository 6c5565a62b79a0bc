package forgetest

import "testing"

// RunEmbedded holds the embedded code host to the parts of the contract that are not about the network: it has no keys,
// no server between, no forks, and no comments.
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
