// Package gitea starts a real Gitea server in a temporary folder for the tests of one process and gives each test
// its own users and repositories.
//
//	func TestMain(m *testing.M) {
//		code := m.Run()
//		gitea.StopShared()
//		os.Exit(code)
//	}
//
// The first call to Shared starts the server; Start starts a separate server for a test that needs its own.
//
// Inputs: the server program in the cache folder (tools/install-testservers builds it). Outputs: an address, users with
// tokens, repositories, and calls to the server's own API. Only tests import it. Nothing remains after the process, and
// it never replaces a missing program with a fake.
package gitea
