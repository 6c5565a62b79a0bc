package adminapi_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/store"
)

type shownDeployment struct {
	StatusID, Kind, Status, Trigger string
	Branch, Commit, URL, Error      *string
	Live                            bool
	PageCount                       int
	shownPeople
}

type shownPeople struct {
	StartedBy, RestoredBy *struct{ ID, Name *string }
	RestoredAt            *string
}

func (w *world) deployments(t testing.TB, x tenant, query string) []shownDeployment {
	t.Helper()
	return read[struct{ Deployments []shownDeployment }](t, w.do(t,
		ask{"GET", "/v1/projects/" + x.project.ID + "/deployments" + query, x.key, "", nil}).want(t, 200)).Deployments
}

func TestDeploymentNamesItsActors(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	w.do(t, ask{"POST", "/v1/project/rollback/" + x.project.ID, x.key,
		`{"deploymentId": "` + x.earlier.ID + `"}`, nil}).want(t, 200)
	w.do(t, ask{"POST", "/v1/project/update/" + x.project.ID, x.key, "", nil}).want(t, 202)
	for _, d := range w.deployments(t, x, "") {
		one := read[shownPeople](t, w.do(t, ask{"GET", "/v1/project/update-status/" + d.StatusID, x.key, "",
			nil}).want(t, 200))
		started, restored := d.Status == "queued", d.StatusID == x.earlier.ID
		for what, got := range map[string]shownPeople{"list": d.shownPeople, "status": one} {
			if (got.StartedBy != nil) != started || started && !strings.HasPrefix(*got.StartedBy.ID, "key_") ||
				(got.RestoredBy != nil) != restored || (got.RestoredAt != nil) != restored {
				t.Errorf("%s: %+v", what, got)
			}
		}
	}
}

func TestDeploymentListShowsLiveDeployment(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	var preview, waiting deploy.Deployment
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		if preview, err = tx.QueueDeployment(t.Context(), x.project, deploy.Preview, "feature/x", "api"); err != nil {
			return err
		}
		waiting, err = tx.QueueDeployment(t.Context(), x.project, deploy.Production, "", "webhook")
		return err
	}))
	w.publish(t, &preview)
	got := w.deployments(t, x, "")
	var order []string
	for _, d := range got {
		order = append(order, d.StatusID)
	}
	if want := []string{waiting.ID, preview.ID, x.deployment.ID, x.earlier.ID}; strings.Join(order,
		" ") != strings.Join(want, " ") {
		t.Fatalf("%v, want %v", order, want)
	}
	if d := got[0]; d.Status != "queued" || d.Trigger != "webhook" || d.Live || d.URL != nil || d.Commit != nil {
		t.Errorf("waiting: %+v", d)
	}
	if d := got[1]; d.Kind != "preview" || *d.Branch != "feature/x" || d.Live ||
		*d.URL != "http://"+deploy.HostLabel(preview.ID)+".preview.localhost:8080" {
		t.Errorf("preview: %+v", d)
	}
	if d := got[2]; !d.Live || *d.URL != "http://docs.a.example:8080" || d.PageCount != 3 || d.Commit == nil {
		t.Errorf("live: %+v", d)
	}
	if d := got[3]; d.Live || d.URL != nil || d.Status != "success" {
		t.Errorf("earlier: %+v", d)
	}
	if got := w.deployments(t, x, "?kind=preview"); len(got) != 1 || got[0].StatusID != preview.ID {
		t.Errorf("%+v", got)
	}
	if got := w.deployments(t, x, "?kind=production&limit=2"); len(got) != 2 || got[1].StatusID != x.deployment.ID {
		t.Errorf("%+v", got)
	}
}

func TestRollbackTakesEffectAtOnce(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	back := func(deploymentID string) reply {
		return w.do(t, ask{"POST", "/v1/project/rollback/" + x.project.ID, x.key,
			`{"deploymentId":"` + deploymentID + `"}`, nil})
	}
	if got := back(x.deployment.ID).want(t, 409); got.code(t) != "already_live" {
		t.Errorf("%s", got.body)
	}
	project := back(x.earlier.ID).want(t, 200).object(t)
	if live := project["live"].(map[string]any); live["deploymentId"] != x.earlier.ID ||
		project["webhookSecret"] != nil {
		t.Errorf("%v", project)
	}
	if live, err := w.store.FindLive(t.Context(), x.project.Domains[0]); err != nil ||
		live.DeploymentID != x.earlier.ID {
		t.Errorf("live deployment: %+v, %v", live, err)
	}
	if action, actor, target, data := w.lastEvent(t, x.org.ID); action != "deployment.rollback" || actor != x.keyID ||
		target != x.earlier.ID ||
		data["from"] != x.deployment.ID || data["to"] != x.earlier.ID || data["project"] != x.project.ID {
		t.Errorf("%s %s %s %v", action, actor, target, data)
	}
	back(x.deployment.ID).want(t, 200) // and forward again
}

func TestRollbackToUnusableDeploymentIsRefused(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	other := w.newTenant(t, "b", account.PlanPro)
	var preview, waiting, elsewhere deploy.Deployment
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		if preview, err = tx.QueueDeployment(t.Context(), x.project, deploy.Preview, "b", "api"); err != nil {
			return err
		}
		if elsewhere, err = tx.QueueDeployment(t.Context(), x.folder, deploy.Production, "", "api"); err != nil {
			return err
		}
		waiting, err = tx.QueueDeployment(t.Context(), x.project, deploy.Production, "", "api")
		return err
	}))
	w.publish(t, &preview)
	for deploymentID, want := range map[string]struct {
		status int
		code   string
	}{
		preview.ID: {409, "not_production"}, waiting.ID: {409, "wrong_state"},
		elsewhere.ID: {404, "unknown_deployment"}, other.earlier.ID: {404, "unknown_deployment"},
		"dep_none": {404, "unknown_deployment"}, `' OR 1=1`: {404, "unknown_deployment"}, "": {400, "invalid_field"},
	} {
		got := w.do(t, ask{"POST", "/v1/project/rollback/" + x.project.ID, x.key,
			`{"deploymentId":"` + deploymentID + `"}`, nil})
		if got.status != want.status || got.code(t) != want.code {
			t.Errorf("%q: %d %s", deploymentID, got.status, got.body)
		}
	}
	if live, err := w.store.FindLive(t.Context(), x.project.Domains[0]); err != nil ||
		live.DeploymentID != x.deployment.ID {
		t.Errorf("live deployment: %+v, %v", live, err)
	}
}

// C4: no project is served on the server's own host, so that author content never shares its origin.
func TestServerHostCannotBeADomain(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	for host, c := range map[string]struct {
		domain string
		status int
		code   string
	}{
		"lectern.example.com:8443": {"Lectern.example.com", 400, "reserved_domain"},
		"lectern.example.com.":     {"lectern.example.com", 400, "reserved_domain"},
		"other.example.com":        {"lectern.example.com", 201, ""},
		"":                         {"localhost", 400, "invalid_field"},
		"127.0.0.1":                {"127.0.0.1", 400, "invalid_field"},
		"[::1]":                    {"0x7f.1", 400, "invalid_field"},
	} {
		a := ask{"POST", "/v1/projects", x.key, `{"name":"New","domain":"` + c.domain +
			`","source":{"repository":"https://git.example.com/a/b.git"}}`, map[string]string{"Host": host}}
		if got := w.do(t, a); got.status != c.status || c.code != "" && got.code(t) != c.code {
			t.Errorf("%s on host %s: %d %s", c.domain, host, got.status, got.body)
		}
	}
}
