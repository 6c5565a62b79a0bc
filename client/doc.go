// Package client calls the admin API of a Lectern server. It depends only on the standard library.
//
//	c, err := client.New("https://lectern.example.com", os.Getenv("LECTERN_KEY"))
//	job, err := c.StartExport(ctx, client.StartExport{Domain: "docs.example.com"})
//	job, err = c.WaitExport(ctx, job.JobID, nil)
//	link, err := c.CreateExportBundle(ctx, job.JobID, client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
//	err = c.Download(ctx, link, file)
//
// Types and methods are generated from api/openapi.yaml by tools/apitypes; the server uses the same types. Every
// operation is a method of the same shape. Its arguments are the ids in the path's order, the body, the query as a
// struct whose zero values are not sent (each only if the operation has it), and request options. It returns the
// decoded JSON response. If the response is a file, the method writes it to an io.Writer instead. Lists that are also
// available as CSV have a second method, with the suffix CSV.
//
// These methods are written by hand on top of the generated requests:
//
//   - StreamExport and StreamAgentJob read events until a job ends.
//   - AskAssistant and AskAssistantV1 pass on the parts of an answer as they arrive.
//   - SendPush and ReportLeakedKeys sign the bytes that they send.
//   - WaitExport, WaitUpdate and WaitAgentJob poll until a job has ended.
//   - Download follows a link outside the API, without the key, and verifies what it receives.
//
// Inputs: a server's address, an admin API key, and requests. Outputs: the API's responses as Go values; errors of
// the API as *Error. It never reads the environment, writes files, sends the key anywhere but to the server, or
// includes it in an error.
package client
