// Package store persists the domain types in SQL, on SQLite (the embedded default) and PostgreSQL.
//
// Inputs: domain values; a database URL. Outputs: the same results on both engines: every query is a single text with
// $1 placeholders that both understand, times are microseconds since 1970, and lists are JSON text. The package
// contains no HTTP code and no domain rules; no other package contains a query.
//
// Queries are written by hand on database/sql (SQLite) and pgx (PostgreSQL). There are few statements and they are
// simple. A query builder would put argument values into the text, which would defeat prepared statements. See
// docs/decisions/0002-sql-by-hand.md.
//
// Reads run outside transactions on their own connection pool; every change runs in Store.Tx. On SQLite there is
// one writing connection, so code inside a transaction must use only the Tx: calling a method of the Store would
// deadlock.
package store
