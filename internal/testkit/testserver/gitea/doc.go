// Package gitea starts a real Gitea server on a temporary folder for the tests of one process and gives each test
// users and repositories of its own.
//
//	func TestMain(m *testing.M) {
//		code := m.Run()
//		gitea.StopShared()
//		os.Exit(code)
//	}
//
// Shared starts the server when the first test asks for it; Start makes one for a test that needs its own.
//
// Inputs: the server program in the cache folder (tools/install-testservers builds it).
// Outputs: an address, users with tokens, repositories, and calls of the server's own API.
// Only tests import it. Nothing outlives the process, and it never replaces a missing program with a fake.
package gitea
