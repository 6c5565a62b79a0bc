// Package gitea starts a real Gitea server on a temporary folder for the tests of one process and gives each test
// users and repositories of its own.
//
//	func TestMain(m *testing.M) {
//		server, err := gitea.Start(context.Background())
//		…
//		code := m.Run()
//		server.Stop()
//		os.Exit(code)
//	}
//
// Inputs: the server program in the cache folder (tools/install-testservers builds it).
// Outputs: an address, users with tokens, repositories, and calls of the server's own API.
// Only tests import it. Nothing outlives the process, and it never replaces a missing program with a fake.
package gitea
