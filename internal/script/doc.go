// Package script documents the layer that compiles and runs authors' JavaScript, and programs that agents call, without
// giving them the server's privileges.
package script
