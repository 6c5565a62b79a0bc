// Command calls calls one function of another module, for the test of the gate.
package main

import (
	"fmt"

	"golang.org/x/mod/semver"
)

func main() { fmt.Println(semver.Compare("v1.0.0", "v1.1.0")) }
