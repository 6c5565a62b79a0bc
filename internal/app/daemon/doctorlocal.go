package daemon

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/jobs/backup"
	"github.com/lectern-docs/lectern/internal/jobs/doctor"
	"github.com/lectern-docs/lectern/internal/script/scriptproc"
	"github.com/lectern-docs/lectern/internal/source/git"
)

func lookAtGit(ctx context.Context) []doctor.Finding {
	version, enough, err := git.Version(ctx)
	switch {
	case err != nil:
		return []doctor.Finding{{Level: doctor.Warn,
			Text: "git is not installed: projects with repositories cannot be published, and agents cannot propose changes.", Do: "Install git."}}
	case !enough:
		return []doctor.Finding{{Level: doctor.Warn, Text: "git is older than " + git.Oldest + ": " + version + ".",
			Do: "Install a newer git."}}
	}
	return []doctor.Finding{{Level: doctor.OK, Text: "git " + version + "."}}
}

// scriptStart is how long a process for author code is observed: if it cannot drop its privileges, it exits
// immediately.
const scriptStart = 300 * time.Millisecond

func (c *clinic) lookAtScripts(context.Context) []doctor.Finding {
	if c.Config.Scripts == "off" {
		return []doctor.Finding{{Level: doctor.OK, Text: "JavaScript of authors is not run (scripts: off)."}}
	}
	child, err := scriptproc.New(scriptproc.Options{Exe: c.SelfExe, Args: []string{ScriptCommand}}).Start()
	if err != nil {
		return []doctor.Finding{doctor.FromError(err,
			"Allow the server's user to start processes of this program, or set scripts: off.",
			"A process for author code cannot be started")}
	}
	defer child.Kill()
	ended := make(chan error, 1)
	go func() {
		_, err := child.Read(make([]byte, 1)) // its first output
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			break
		}
		return []doctor.Finding{{Level: doctor.Fail,
			Text: "A process for author code exits immediately: it cannot drop its privileges.",
			Do:   "See the server's log, or set scripts: off."}}
	case <-time.After(scriptStart):
	}
	return []doctor.Finding{{Level: doctor.OK, Text: "A process for author code starts and drops its privileges."}}
}

// lookAtSandbox tests the sandbox for agents' programs. A failure matters only if the settings use the sandbox.
func (c *clinic) lookAtSandbox(ctx context.Context) []doctor.Finding {
	s := c.Config
	used := s.AgentShell == "on" || s.AgentCommandSandbox == "on" && slices.Contains(s.AgentModels, config.ModelCommand)
	err := newBox(c.SelfExe).Check(ctx)
	switch {
	case err == nil:
		return []doctor.Finding{{Level: doctor.OK, Text: "This system can run agents' programs in a sandbox."}}
	case used:
		return []doctor.Finding{doctor.FromError(err,
			"Allow user namespaces, or use a model other than command and agent.shell: off.",
			"The sandbox for agents' programs does not work")}
	}
	return []doctor.Finding{{Level: doctor.OK,
		Text: "This system has no sandbox for agents' programs; the settings do not need one."}}
}

// backupAge is the age from which the last backup causes a warning.
const backupAge = 7 * 24 * time.Hour

func (c *clinic) adviseBackup(context.Context) []doctor.Finding {
	if embedded(c.Options) != nil {
		return []doctor.Finding{{Level: doctor.OK,
			Text: "Back up the database and the bucket with their own tools; see docs/guides/backup.mdx."}}
	}
	at, made, err := backup.Last(c.Config.Data)
	if err != nil {
		return []doctor.Finding{doctor.FromError(err, "", "The last backup cannot be determined")}
	}
	do := "Create one every day: lectern backup FILE --data " + c.Config.Data
	switch age := c.Now().Sub(at); {
	case c.store == nil:
		return nil // nothing to back up yet
	case !made:
		return []doctor.Finding{{Level: doctor.Warn, Text: "No backup has been made with lectern backup yet.", Do: do}}
	case age > backupAge:
		return []doctor.Finding{{Level: doctor.Warn,
			Text: fmt.Sprintf("The last backup is %d days old.", int(age.Hours()/24)), Do: do}}
	}
	return []doctor.Finding{{Level: doctor.OK, Text: "The last backup was made at " + at.UTC().
		Format("2006-01-02 15:04 MST") + "."}}
}
