// Package s3 is test infrastructure: it starts a real S3 server (versitygw on a
// temporary folder) for the tests of one process and gives each test a bucket
// of its own.
//
//	func TestMain(m *testing.M) {
//		server, err := s3.Start(context.Background())
//		…
//		code := m.Run()
//		server.Stop()
//		os.Exit(code)
//	}
//
// In: the server program in the cache folder (tools/install-testservers builds it).
// Out: an endpoint, credentials, bucket names.
// Never: imported by anything but tests; a bucket that outlives its test.
package s3
