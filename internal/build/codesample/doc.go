// Package codesample runs the code blocks of pages that their authors marked to be tested.
//
// Inputs: sources of pages, the languages that the operator enabled with the program of each, and a Runner, which is a
// sandbox unless the operator says otherwise. Outputs: a finding at the line of each block that failed or printed
// something else than the page says.
// It never runs a block that is not marked, or one in a language that is not enabled. Programs have no network, see no
// files of the site, and leave nothing behind.
//
// A block is marked in its first line. Blocks of a page with the same name and language are one program, in the order of
// the page; a block with {true} is a program of its own. A block with output="NAME" says what the program prints:
//
//	```python test="greet"
//	print("Hello")
//	```
//	```text output="greet"
//	Hello
//	```
package codesample
