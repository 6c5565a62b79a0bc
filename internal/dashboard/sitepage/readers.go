package sitepage

import (
	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/access"
)

// readersForm is the form of who may read a site.
type readersForm struct {
	Mode     string // as the person chose it, or as it is stored
	Now      string // as it is stored
	Sessions int64  // browsers in which readers are signed in
	Choices  []readersChoice
	Password shell.Input
	Error    string // about the mode
	Example  string
}

type readersChoice struct {
	Value, Text string
	Chosen      bool
}

// modeWords say who may read a site.
var modeWords = map[access.Mode]string{
	access.Public:       "Everybody",
	access.Password:     "Readers who know a password",
	access.Organization: "Members of this organization",
}

func (f *readersForm) fill(pageErr *shell.PageError) {
	for _, m := range access.Modes() {
		f.Choices = append(f.Choices, readersChoice{string(m), modeWords[m], string(m) == f.Mode})
	}
	f.Error = pageErr.FieldError("mode")
	f.Password = shell.Input{Name: "password", Label: "Password", Plain: true, Error: pageErr.FieldError("password"),
		Hint: "At least 12 characters. All readers share it; it is stored as a hash and not shown again."}
	f.Example = shell.Body(map[string]any{"mode": "password", "password": "…"})
}

func setReaders(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	in := client.SetReaderAccess{Mode: v.Field("mode")}
	if in.Mode == string(access.Password) {
		in.Password = v.Form.Get("password") // spaces around it may be meant
	}
	if _, err = v.API.SetReaderAccess(v.Ctx(), p.ProjectID, in); err == nil {
		return v.Done(shell.ProjectPath(p.ProjectID, "/settings"), "readers-saved")
	}
	pageErr := shell.FormError(err)
	if pageErr == nil {
		return err
	}
	found, err := v.API.GetReaderAccess(v.Ctx(), p.ProjectID)
	if err != nil {
		return err
	}
	return showSettings(v, pageErr.Status, *p, formOf(*p), settingsPage{ReadersError: pageErr,
		Readers: readersForm{Mode: in.Mode, Now: found.Mode, Sessions: found.ReaderSessions}})
}

func signReadersOut(b *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	if err := v.API.EndReaderSessions(v.Ctx(), projectID); err != nil {
		return err
	}
	return v.Done(shell.ProjectPath(projectID, "/settings"), "readers-signed-out")
}
