// Package s3 starts a real S3 server (versitygw in a temporary folder) for the tests of one process and gives each
// test its own bucket.
//
//	func TestMain(m *testing.M) {
//		server, err := s3.Start(context.Background())
//		…
//		code := m.Run()
//		server.Stop()
//		os.Exit(code)
//	}
//
// Inputs: the server program in the cache folder (tools/install-testservers builds it). Outputs: an endpoint,
// credentials, bucket names. Only tests import it. No bucket remains after its test.
package s3
