// Package gitea is test infrastructure: it starts a real Gitea server on a temporary folder for the tests of one process and gives each
// test users and repositories of its own.
//
//	func TestMain(m *testing.M) {
//		server, err := gitea.Start(context.Background())
//		…
//		code := m.Run()
//		server.Stop()
//		os.Exit(code)
//	}
//
// In: the server program in the cache folder (tools/install-testservers builds it).
// Out: an address, users with tokens, repositories, and calls of the server's own API.
// Never: imported by anything but tests; anything that outlives the process; a stand-in for a missing program.
package gitea
