// Package cluster holds the stories of several servers and workers that share PostgreSQL, S3 and nothing else: real
// processes of the real binary, each with a folder of its own, which are killed, frozen and restarted while people use
// them.
//
// Inputs: the repository's source, from which the binary is built once; a seed for what is left to chance. Outputs: proof of
// the instructions of docs/guides/scale-out.mdx. Never: imports of the packages under test; stories see what users see
// (the public client is theirs too) and what stays in the database and the bucket.
package cluster
