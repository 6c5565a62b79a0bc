// Package cluster tests several servers and workers that share PostgreSQL, S3 and nothing else: real processes of the
// real binary, each with its own folder, which are killed, frozen and restarted while people use them.
//
// Inputs: the repository's source, from which the binary is built once; a seed for random choices. Outputs: proof that
// the instructions in docs/guides/scale-out.mdx work. Never: imports the packages under test. Tests see only what users
// see, including through the public client, and the content of the database and the bucket.
package cluster
