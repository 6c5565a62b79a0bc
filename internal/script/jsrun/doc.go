// Package jsrun runs author code: expressions and components of pages, in an engine with limits, to trees that the renderer draws.
//
// In: compiled units (see jsbuild), variables as ast.Value, a fixed time and a seed; a way to start processes, where code is to run in one.
// Out: values and nodes: HTML tags, components of the platform, text, slots; whether a browser has to go on with it; notes for the author.
// Never: gives code the network, files, a real clock or a host object; lets one page's code meet another's; believes what a process answers.
//
// # Limits
//
// Every page has a virtual machine of its own, made when its first expression runs. No host function is registered in it. Memory is capped by
// the engine. Time is checked by the engine between steps of bytecode and inside regular expressions, but not inside built-in
// loops such as Array.prototype.join; the prelude therefore refuses absurd lengths and checks the clock in costly built-ins.
//
// # Processes
//
// With Host.Start the machines stand in processes that run Serve (pool.go, outside.go, serve.go), one page at a time in each. What gets past
// the engine's limits is killed, and so is a process that answers out of form. An Engine has processes of its own and ends them when it is
// closed.
//
// Without, machines stand inside this process (inside.go), for tests and programs that trust their authors. There nothing can be killed: a
// call that does not end (comparing two strings of 20 MB ten thousand times) is left behind after a grace, the machine is closed when
// the engine next looks at its limit, and an Engine with too many of those runs nothing more until one ends.
package jsrun
