// Package postgres is test infrastructure: it starts a real PostgreSQL server
// for the tests of one process and gives each test a database of its own.
//
//	func TestMain(m *testing.M) {
//		server, err := postgres.Start(context.Background())
//		…
//		code := m.Run()
//		server.Stop()
//		os.Exit(code)
//	}
//
// In: an installed PostgreSQL (tools/install-testservers installs one).
// Out: connection URLs.
// Never: imported by anything but tests; a database that outlives its test.
package postgres
