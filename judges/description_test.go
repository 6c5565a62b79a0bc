package judges

import (
	"path/filepath"
	"testing"
)

// description is what tools read first: the file in the repository.
var description = filepath.Join("..", "api", "openapi.yaml")

func TestRedoclyFindsNoMistake(t *testing.T) {
	t.Parallel()
	judged(t, "API description", npmVersion(t, "@redocly/cli"))
	out, err := nodeCommand(t, npmProgram(t, "redocly"), "lint", "--extends", "spec", description).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
