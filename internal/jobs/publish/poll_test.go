package publish_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// However many repositories are due, a round polls each of them once: a bound on their number would make the time
// between two polls grow with the number of projects.
func TestPollAsksAllRepositoriesThatAreDue(t *testing.T) {
	b := worktest.New(t)
	const projects = 130
	for i := range projects {
		b.Project(t, fmt.Sprintf("p%d.example.com", i), project.Source{Repository: snapshot.BuiltIn})
	}
	var log bytes.Buffer
	poller := &publish.Poller{Store: b.Store, Source: b.Source, Every: 5 * time.Minute, Now: b.Now,
		Logger: slog.New(slog.NewTextHandler(&log, nil))}
	check(t, poller.Poll(t.Context()))
	if waiting, _, err := b.Store.CountTasks(t.Context()); err != nil || waiting != projects {
		t.Errorf("%d of %d projects are updated (error %v)\n%s", waiting, projects, err,
			strings.Join(strings.SplitN(log.String(), "\n", 3), "\n"))
	}
	due, err := b.Store.TakeDuePolls(t.Context(), b.Now().Add(-poller.Every), 1)
	if err != nil || len(due) != 0 {
		t.Errorf("still due: %v (error %v)", due, err)
	}
}
