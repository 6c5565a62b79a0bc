package notify_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	domain "github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/jobs/deadlink"
	"github.com/lectern-docs/lectern/internal/jobs/notify"
	"github.com/lectern-docs/lectern/internal/store"
)

func (r *rig) alerts(rules ...notify.Rule) *notify.Alerts {
	return &notify.Alerts{Store: r.store, Rules: rules, Mails: true, Logger: slog.New(slog.DiscardHandler)}
}

// deployed completes a deployment of a project with the error why; "" means success.
func (r *rig) deployed(p project.Project, why string) {
	r.Helper()
	r.tx(func(tx *store.Tx) error {
		_, err := tx.QueueDeployment(r.Context(), p, deploy.Production, "", "api")
		return err
	})
	k, ok, err := r.store.TakeTask(r.Context(), "w", time.Minute, false, task.Deploy)
	if err != nil || !ok {
		r.Fatal(err)
	}
	h := task.Hold{TaskID: k.ID, Fence: k.Fence}
	d, err := r.store.StartDeployment(r.Context(), h, time.Minute)
	r.ok(err)
	if d.Error = why; why != "" {
		r.ok(r.store.FailDeployment(r.Context(), h, d))
		return
	}
	d.ManifestKey = "m"
	r.ok(r.store.PublishDeployment(r.Context(), h, d))
}

func (r *rig) mails() int {
	r.Helper()
	list, err := r.store.ListMails(r.Context(), r.org.ID)
	r.ok(err)
	return len(list)
}

// Owners are alerted about failing updates once, after a day, and again if updates recover and then fail.
func TestOwnersAreAlertedOnceAboutFailingBuilds(t *testing.T) {
	r := newRig(t)
	r.person("owner@example.com", "x", account.RoleOwner)
	r.person("editor@example.com", "x", account.RoleEditor)
	var p project.Project
	r.tx(func(tx *store.Tx) (err error) {
		p, err = tx.CreateProject(t.Context(), project.Project{OrganizationID: r.org.ID, Name: "Handbook\r\nBcc: x@example.com",
			Source: project.Source{Path: "/x"}, Domains: []string{"docs.localhost"}})
		return err
	})
	a := r.alerts(notify.Builds(r.store, r.clock.Now))
	check := func(want int) {
		t.Helper()
		r.ok(a.Check(t.Context()))
		if got := r.mails(); got != want {
			t.Fatalf("%d emails, want %d", got, want)
		}
	}
	r.deployed(p, "")
	r.clock.Advance(time.Hour)
	r.deployed(p, "page.mdx: the tag is not closed\nline 2")
	r.clock.Advance(24*time.Hour - time.Minute)
	check(0)
	r.clock.Advance(time.Minute)
	check(1)
	check(1)
	r.deployed(p, "another error")
	r.clock.Advance(72 * time.Hour)
	check(1)
	r.work()
	got := r.server.Wait(t)
	h, subject, text, _ := r.read(got)
	if got.To != "owner@example.com" || subject != "Updates of Handbook Bcc: x@example.com are failing" || len(h["Bcc"]) != 0 ||
		!strings.Contains(text, "the tag is not closed line 2") || !strings.Contains(text, public+"/dashboard/projects/"+p.ID) {
		t.Errorf("to %s: %s\n%s", got.To, subject, text)
	}
	r.deployed(p, "")
	check(1)
	r.deployed(p, "broken again")
	r.clock.Advance(25 * time.Hour)
	check(2)
}

func TestOwnersAreAlertedAboutExpiringCertificates(t *testing.T) {
	r := newRig(t)
	r.person("owner@example.com", "x", account.RoleOwner)
	now, day := r.clock.Now(), 24*time.Hour
	for name, c := range map[string]struct {
		life, left time.Duration
		ends       bool
	}{
		"90 days, renewal due":      {90 * day, 29 * day, false},
		"90 days, renewal overdue":  {90 * day, 13 * day, true},
		"a year":                    {365 * day, 15 * day, false},
		"a year, two weeks":         {365 * day, 13 * day, true},
		"six days, renewal due":     {6 * day, 2 * day, false},
		"six days, renewal overdue": {6 * day, 23 * time.Hour, true},
		"ended":                     {90 * day, -day, true},
	} {
		if got := (notify.Certificate{Begin: now.Add(c.left - c.life), End: now.Add(c.left)}).Ending(now); got != c.ends {
			t.Errorf("%s: %v", name, got)
		}
	}
	end := now.Add(20 * day)
	a := r.alerts(notify.Certificates(func(context.Context) ([]notify.Certificate, error) {
		return []notify.Certificate{{Host: "docs.example.com", OrganizationID: r.org.ID, Begin: end.Add(-90 * day), End: end}}, nil
	}, r.clock.Now))
	for _, step := range []struct {
		wait  time.Duration
		mails int
	}{{0, 0}, {7 * day, 1}, {2 * day, 1}} {
		r.clock.Advance(step.wait)
		r.ok(a.Check(t.Context()))
		if got := r.mails(); got != step.mails {
			t.Errorf("after %s: %d mails", step.wait, got)
		}
	}
	r.work()
	if _, subject, text, _ := r.read(r.server.Wait(t)); subject != "The certificate of docs.example.com ends soon" ||
		!strings.Contains(text, "24 March 2026, 05:06 UTC") {
		t.Errorf("%s\n%s", subject, text)
	}
	end = end.Add(90 * day) // renewed
	r.ok(a.Check(t.Context()))
	if known, err := r.store.ListAlerts(t.Context(), "certificate"); err != nil || len(known) != 0 {
		t.Errorf("alerts %v (error %v)", known, err)
	}
}

// Endpoints get alerts and their ends as events, even on a server that sends no mail.
func TestEndpointsGetAlerts(t *testing.T) {
	r := newRig(t)
	r.person("owner@example.com", "x", account.RoleOwner)
	var e endpoint.Endpoint
	r.tx(func(tx *store.Tx) (err error) {
		e, err = tx.CreateEndpoint(t.Context(), endpoint.Endpoint{OrganizationID: r.org.ID, URL: "https://hooks.example.com",
			Format: endpoint.Slack, Events: []string{"alert.*"}, Enabled: true}, func(string) string { return "" })
		return err
	})
	found := []notify.Finding{{OrganizationID: r.org.ID, Subject: "docs.example.com", Notice: domain.Notice{Title: "It ends soon"}}}
	a := r.alerts(notify.Rule{Name: "certificate", Find: func(context.Context) ([]notify.Finding, error) { return found, nil }})
	a.Mails = false
	r.ok(a.Check(t.Context()))
	r.clock.Advance(time.Hour)
	found = nil
	r.ok(a.Check(t.Context()))
	r.ok(a.Check(t.Context()))
	events, err := r.store.ListEvents(t.Context(), r.org.ID, 0, 10)
	r.ok(err)
	var said []string
	for _, v := range events {
		said = append(said, v.Who(nil)+" "+v.Did(nil))
	}
	if got := strings.Join(said, "\n"); got != "The server raised an alert about docs.example.com (certificate): It ends soon\n"+
		"The server ended the alert about docs.example.com (certificate)" {
		t.Errorf("%s", got)
	}
	list, _, err := r.store.ListDeliveries(t.Context(), r.org.ID, e.ID, "", store.Page{Limit: 10})
	if err != nil || len(list) != 2 || list[0].Type != "alert.end" || list[1].Type != "alert.raise" || r.mails() != 0 {
		t.Errorf("%+v, %d emails (error %v)", list, r.mails(), err)
	}
}

// If a rule fails, its alerts stay, so that they are not raised again, and the other rules are still applied.
func TestFailingRuleKeepsItsAlerts(t *testing.T) {
	r := newRig(t)
	r.person("owner@example.com", "x", account.RoleOwner)
	var broken error
	found := []notify.Finding{{OrganizationID: r.org.ID, Subject: "x", Notice: domain.Notice{Title: "x"}}}
	a := r.alerts(notify.Rule{Name: "first", Find: func(context.Context) ([]notify.Finding, error) { return found, broken }},
		notify.Rule{Name: "second", Find: func(context.Context) ([]notify.Finding, error) { return found, nil }})
	broken = errors.New("the database is away")
	if err := a.Check(t.Context()); !errors.Is(err, broken) || r.mails() != 1 {
		t.Errorf("%v, %d mails", err, r.mails())
	}
	broken = nil
	r.ok(a.Check(t.Context()))
	broken = errors.New("again")
	if err := a.Check(t.Context()); !errors.Is(err, broken) {
		t.Error(err)
	}
	broken = nil
	r.ok(a.Check(t.Context()))
	if r.mails() != 2 {
		t.Errorf("%d mails", r.mails())
	}
}

// Owners are alerted once about a site with dead links. The alert ends when the links work again or are no longer
// checked.
func TestOwnersAreAlertedAboutDeadLinks(t *testing.T) {
	r := newRig(t)
	r.person("owner@example.com", "x", account.RoleOwner)
	var dead []deadlink.Site
	rule := notify.Links(func(context.Context) ([]deadlink.Site, error) { return dead, nil })
	alerts := func(rule notify.Rule) int {
		t.Helper()
		r.ok(r.alerts(rule).Check(t.Context()))
		list, err := r.store.ListAlerts(t.Context(), "link")
		r.ok(err)
		return len(list)
	}
	if n := alerts(rule); n != 0 {
		t.Errorf("%d alerts without dead links", n)
	}
	site := deadlink.Site{OrganizationID: r.org.ID, ProjectID: "prj_1", Name: "Handbook"}
	for range 12 {
		site.Links = append(site.Links, deadlink.Link{Address: "https://example.com/a\nb", Page: "index", Reason: "the site responds with 404",
			Since: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	}
	dead = []deadlink.Site{site}
	found, err := rule.Find(t.Context())
	if r.ok(err); len(found) != 1 || len(found[0].Notice.Paragraphs) != 11 || !strings.Contains(found[0].Notice.Paragraphs[0], "days: 12.") ||
		found[0].Notice.Paragraphs[1] != "On the page /index, since 1 March 2026: https://example.com/a b (the site responds with 404)" {
		t.Errorf("%+v", found)
	}
	for range 2 {
		if n := alerts(rule); n != 1 || r.mails() != 1 {
			t.Errorf("%d alerts, %d mails", n, r.mails())
		}
	}
	if n := alerts(notify.Links(nil)); n != 0 {
		t.Errorf("%d alerts left although links are not checked", n)
	}
}
