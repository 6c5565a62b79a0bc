package overview

import (
	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/settings"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// firstStep is a setup step that an organization takes once.
type firstStep struct {
	Text, Why, Path string
	Done            bool
}

// firstSteps lists the steps that the user may take; it is empty once all are done.
func (s overviewData) firstSteps(v *shell.Visit) (out []firstStep) {
	if v.May(shell.Admin) {
		out = append(out,
			firstStep{"Create an API key", "For scripts, pipelines and agents.", settings.KeysPath, s.hasKey()},
			firstStep{"Add a project", "A Git repository and a domain; the site is published immediately.",
				shell.ProjectsPath + "/new", s.hasProject()})
	}
	if v.May(shell.Editor) {
		if s.exporter {
			out = append(out, firstStep{"Export a site", "A bundle that runs anywhere, without this server.",
				"/dashboard/exports", len(s.exports) > 0})
		}
		out = append(out, firstStep{"Let an agent fix something",
			"It reads the docs, edits them, and proposes the changes.", "/dashboard/agent", s.hasJob()})
	}
	if v.May(shell.Admin) {
		out = append(out, firstStep{"Invite a colleague", "With a link, for the role you choose.", settings.MembersPath,
			s.members > 1 || s.invited > 0})
	}
	for _, step := range out {
		if !step.Done {
			return out
		}
	}
	return nil
}

// hasKey reports whether someone created or used a key; the key printed at the first start counts only once it is
// used.
func (s overviewData) hasKey() bool {
	for _, k := range s.keys {
		if k.CreatedBy != nil || k.LastUsedAt != nil {
			return true
		}
	}
	return false
}

// hasProject reports whether there is a project besides the documentation published at the first start.
func (s overviewData) hasProject() bool {
	for _, p := range s.projects {
		if p.SourceKind != client.ProjectSourceKindBuiltIn {
			return true
		}
	}
	return false
}

func (s overviewData) hasJob() bool {
	for _, list := range s.jobs {
		if len(list) > 0 {
			return true
		}
	}
	return false
}
