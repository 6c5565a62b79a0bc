package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/jobs/doctor"
)

func TestDoctorAlignsItsFindings(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	tell := (&doctorCommand{}).findingPrinter(&run{Process: Process{Stdout: &out}})
	tell(doctor.Finding{Check: "git", Level: doctor.OK, Text: "Text"})
	tell(doctor.Finding{Check: "local sources", Level: doctor.Warn, Text: "Text", Do: "Do"}) // the longest name
	lines := strings.Split(out.String(), "\n")
	column := strings.Index(lines[0], "Text")
	if strings.Index(lines[1], "Text") != column || !strings.HasPrefix(lines[2], strings.Repeat(" ", column+2)+"→") {
		t.Errorf("not aligned:\n%s", out.String())
	}
}
