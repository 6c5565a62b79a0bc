package storetest

import "testing"

// Run checks that a store meets its contract. empty creates a database without tables for one test and returns its URL
// for store.Options.URL; migrated does the same for a database with every table. Both remove their databases when the
// test ends.
func Run(t *testing.T, empty, migrated func(t *testing.T) string) {
	t.Run("migrate", func(t *testing.T) {
		t.Parallel()
		testMigrate(t, empty)
	})
	for _, part := range []struct {
		name string
		run  func(*testing.T, func(*testing.T) string)
	}{
		{"open", testOpen},
		{"transaction", testTransaction},
		{"setting", testSetting},
		{"organization", testOrganization},
		{"person", testPerson},
		{"member", testMember},
		{"role in a project", testProjectRole},
		{"directory", testDirectory},
		{"session", testSession},
		{"reader access", testReaderAccess},
		{"reader session", testReaderSession},
		{"invitation", testInvitation},
		{"key", testKey},
		{"credential", testCredential},
		{"project", testProject},
		{"domain", testDomain}, {"domain path", testDomainPath},
		{"poll", testPoll},
		{"page", testPage},
		{"export", testExport},
		{"export model", testExportModel},
		{"export edge", testExportEdge},
		{"cancel", testCancel},
		{"export join", testExportJoin},
		{"export cap", testExportCap},
		{"export keep", testExportKeep},
		{"deployment", testDeployment},
		{"publish", testPublish},
		{"roll-back", testRollBack},
		{"deployment list", testDeploymentList},
		{"prune", testPrune},
		{"pull request preview", testPullPreview},
		{"agent job", testAgentJob},
		{"agent run", testAgentRun},
		{"agent message", testAgentSay},
		{"agent redo", testAgentRedo},
		{"agent pull request", testAgentPull},
		{"agent keep", testAgentKeep},
		{"proposal", testProposal},
		{"proposal review", testProposalReview},
		{"embedded", testEmbedded},
		{"task", testTask},
		{"fairness", testFairness},
		{"outage", testOutage},
		{"join postponed", testJoinPostponed},
		{"job cap", testJobCap},
		{"fence", testFence},
		{"wake", testWake},
		{"chore", testChore},
		{"clock", testClock},
		{"idempotency", testIdempotency},
		{"delivery", testDelivery},
		{"automation", testAutomation},
		{"mention", testMentions},
		{"product repository", testProduct},
		{"receipt", testReceipt},
		{"webhook endpoint", testEndpoint},
		{"webhook delivery", testEndpointDelivery},
		{"counter", testCounter},
		{"certificate", testCertificate},
		{"mail", testMail},
		{"alert", testAlert},
		{"conversation", testConversation},
		{"audience", testAudience},
		{"search terms", testTerms},
		{"feedback", testFeedback},
		{"blocked", testBlocked},
		{"reader views", testReaderView},
		{"audience keep", testAudienceKeep},
		{"event", testEvent},
		{"event list", testEventList},
		{"event of an end", testEventEnd},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel() // each part creates its own databases
			part.run(t, migrated)
		})
	}
}
