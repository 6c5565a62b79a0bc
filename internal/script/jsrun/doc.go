// Package jsrun runs author code (expressions and components of pages) in an engine with limits, and returns trees for
// the renderer.
//
// Inputs: compiled units (see jsbuild), variables as ast.Value, a fixed time and a seed; optionally a function that
// starts processes.
// Outputs: values and nodes (HTML tags, components of the platform, text, slots); whether a browser has to continue the
// work; notes for the author.
// It never gives code access to the network, files, a real clock or a host object, never lets the code of one page
// affect that of another, and never trusts the answers of a process.
//
// # Limits
//
// Every page has its own virtual machine, created when its first expression runs. It has no host functions. The engine
// limits memory. It checks the time between steps of bytecode and inside regular expressions, but not inside built-in
// loops such as Array.prototype.join. The prelude therefore refuses absurd lengths and checks the clock in costly
// built-in functions.
//
// # Processes
//
// If Host.Start is set, virtual machines run in processes that run Serve (pool.go, outside.go, serve.go), one page at a
// time in each. A process that gets past the engine's limits, or that sends a malformed answer, is killed. An Engine
// has its own processes and ends them when it is closed.
//
// Without Host.Start, virtual machines run inside this process (inside.go), for tests and programs that trust their
// authors. Nothing can be killed there. A call that does not end, such as one that compares two strings of 20 MB ten
// thousand times, is abandoned after a grace period. Its machine is closed when the engine next checks its limit. An
// Engine with too many abandoned calls runs nothing more until one of them ends.
package jsrun
