// Package codesample runs the code blocks of pages that their authors marked for testing.
//
// Inputs: sources of pages, the languages that the operator enabled with the program for each, and a Runner, which
// is a sandbox unless the operator chooses otherwise. Outputs: a finding at the line of each block that failed or
// whose output differs from the page. It never runs a block that is not marked, or one in a language that is not
// enabled. Programs have no network, see no files of the site, and leave nothing behind.
//
// A block is marked in its first line. Blocks of a page with the same name and language form one program, in the
// order of the page; a block with {true} is a separate program. A block with output="NAME" contains the expected
// output of the program:
//
//	```python test="greet"
//	print("Hello")
//	```
//	```text output="greet"
//	Hello
//	```
package codesample
