// Package script documents the layer that compiles and runs authors' JavaScript, and runs programs that agents call,
// without giving either of them the server's privileges.
package script
