// Package client speaks to a Lectern server's admin API. It needs nothing beyond the standard library.
//
//	c, err := client.New("https://lectern.example.com", os.Getenv("LECTERN_KEY"))
//	job, err := c.StartExport(ctx, client.StartExport{Domain: "docs.example.com"})
//	job, err = c.WaitExport(ctx, job.JobID, nil)
//	link, err := c.CreateExportBundle(ctx, job.JobID, client.BundleFormatTarGz)
//	err = c.Download(ctx, link, file)
//
// The types of requests and answers are generated from api/openapi.yaml by tools/apitypes; the server answers with the
// same ones.
//
// In: a server's address, an admin API key, and what to ask for.
// Out: the API's answers as Go values; refusals as *Error.
// Never: reads the environment, keeps files, sends the key anywhere but to the server, or shows it in an error.
package client
