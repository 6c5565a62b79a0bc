//go:build pins

// Package judgetools pins what the judges run. Clients that oapi-codegen generates import its runtime library; the
// judges compile them with the version that this module requires.
package judgetools

import _ "github.com/oapi-codegen/runtime"
