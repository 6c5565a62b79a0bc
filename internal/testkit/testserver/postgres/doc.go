// Package postgres starts a real PostgreSQL server for the tests of one process and gives each test its own
// database.
//
//	func TestMain(m *testing.M) {
//		server, err := postgres.Start(context.Background())
//		…
//		code := m.Run()
//		server.Stop()
//		os.Exit(code)
//	}
//
// Inputs: an installed PostgreSQL (tools/install-testservers installs one). Outputs: connection URLs. Only tests
// import it. No database remains after its test.
package postgres
