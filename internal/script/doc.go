// Package script documents the layer that compiles and runs authors' JavaScript, and programs that agents call, without giving them
// the rights of the server.
package script
