// Package store keeps the ledger in SQL, on SQLite (embedded default) and PostgreSQL alike.
//
// In: ledger values; a database URL.
// Out: the same answers on both engines: every query is one text with $1 placeholders that both understand,
// times are microseconds since 1970, lists are JSON text.
// Never: rules that belong to a ledger noun, HTTP, or a query outside this room.
//
// Queries are written by hand on database/sql (SQLite) and pgx (PostgreSQL): the statements are few and simple, a
// builder would put argument values into the text and so defeat prepared statements, and the queue library needs
// the engine's own transaction. docs/decisions/0002-sql-by-hand.md tells more.
//
// Reads run outside transactions on a pool of their own; every change runs in Store.Tx. On SQLite there is one
// writing connection, so inside a transaction only the Tx may be used: the Store would wait for itself.
package store
