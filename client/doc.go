// Package client calls the admin API of a Lectern server. It depends only on the standard library.
//
//	c, err := client.New("https://lectern.example.com", os.Getenv("LECTERN_KEY"))
//	job, err := c.StartExport(ctx, client.StartExport{Domain: "docs.example.com"})
//	job, err = c.WaitExport(ctx, job.JobID, nil)
//	link, err := c.CreateExportBundle(ctx, job.JobID, client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
//	err = c.Download(ctx, link, file)
//
// Types and methods are generated from api/openapi.yaml by tools/apitypes; the server answers with the same types.
// Every operation is a method of one form. Its arguments are the ids in the order of the path, the body, and the query
// as a struct whose zero values are not sent, each only if the operation has it; then options of the request. It
// returns what JSON answers have. When the answer is a file, it writes that to an io.Writer instead, and lists that can
// be had as CSV have a second method for it, whose name ends so.
//
// These are written by hand, on top of generated requests:
//
//   - StreamExport and StreamAgentJob, which read events until a job ends.
//   - AskAssistant and AskAssistantV1, which pass on the parts of an answer as they arrive.
//   - SendPush and ReportLeakedKeys, which sign the bytes that they send.
//   - WaitExport, WaitUpdate and WaitAgentJob, which repeat an operation until it shows the end of a job.
//   - Download, which follows a link that is not an operation, without the key, and checks what it gets.
//
// Inputs: a server's address, an admin API key, and what to ask for.
// Outputs: the API's answers as Go values; refusals as *Error.
// Never: reads the environment, keeps files, sends the key anywhere but to the server, or shows it in an error.
package client
