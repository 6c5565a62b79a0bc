package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) mail(m mail.Mail) mail.Mail {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		m, err = tx.QueueMail(w.ctx, m)
		return err
	})
	return m
}

func (w *world) takeMail() task.Hold {
	w.t.Helper()
	k, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Mail)
	if err != nil || !ok {
		w.t.Fatalf("no mail can be taken: %v", err)
	}
	return hold(k)
}

func (w *world) findMail(mailID string) mail.Mail {
	w.t.Helper()
	m, err := w.s.FindMail(w.ctx, mailID)
	w.ok(err)
	return m
}

func (w *world) lastAction(organizationID string) string {
	w.t.Helper()
	list, err := w.s.ListEvents(w.ctx, organizationID, 0, 1000)
	w.ok(err)
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1].Action
}

func testMail(t *testing.T, database func(*testing.T) string) {
	t.Run("waits on its own lane until it ends", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		m := w.mail(mail.Mail{OrganizationID: o.ID, Kind: mail.Invitation, To: "a@example.com", InvitationID: "inv_a",
			Sealed: "sealed"})
		if got := w.findMail(m.ID); got != m || m.State != mail.Queued {
			t.Errorf("stored %+v, found %+v", m, got)
		}
		lanes := w.waker.lanes()
		if len(lanes) != 1 || lanes[0] != task.Mails {
			t.Errorf("woke %v", lanes)
		}
		if _, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Export, task.Deploy, task.Agent); ok || err != nil {
			t.Errorf("another lane took it: %v", err)
		}
		h := w.takeMail()
		w.ok(w.s.NoteMail(w.ctx, h, lease, "No answer."))
		if all, err := w.s.ListInvitationMails(w.ctx, o.ID); err != nil ||
			all["inv_a"] != (mail.Status{State: mail.Queued, Error: "No answer."}) {
			t.Errorf("emails for invitations: %v (error %v)", all, err)
		}
		w.ok(w.s.EndMail(w.ctx, h, mail.Sent))
		if got := w.findMail(m.ID); got.State != mail.Sent || got.Error != "" || got.Sealed != "" || got.EndedAt == nil {
			t.Errorf("after its end: %+v", got)
		}
		w.wantLost("a second end", w.s.EndMail(w.ctx, h, mail.Sent))
		w.wantLost("a late failure", w.s.FailMail(w.ctx, h, task.Failure{Sentence: "x"}))
	})
	t.Run("a failed email is recorded as an event", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		for want, f := range map[string]task.Failure{"No answer.": {Sentence: "Retried.", Transient: true},
			"No such user.": {Sentence: "No such user."}} {
			m := w.mail(mail.Mail{OrganizationID: o.ID, Kind: mail.Alert, To: "a@example.com"})
			h := w.takeMail()
			w.ok(w.s.NoteMail(w.ctx, h, lease, "No answer."))
			w.ok(w.s.FailMail(w.ctx, h, f))
			if got := w.findMail(m.ID); got.State != mail.Failed || got.Error != want || w.lastAction(o.ID) != "mail.fail" {
				t.Errorf("%+v, last event %s", got, w.lastAction(o.ID))
			}
		}
	})
	t.Run("is postponed for longer than other tasks, and not lost", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		m := w.mail(mail.Mail{OrganizationID: o.ID, Kind: mail.Alert, To: "a@example.com"})
		outage := &task.Outage{Limit: mail.GiveUp, Longest: task.LongestMailPause, Random: 1}
		for range 20 {
			w.ok(w.s.ReleaseTask(w.ctx, w.takeMail(), outage))
			w.clock.advance(task.LongestMailPause)
		}
		w.ok(w.s.ReleaseTask(w.ctx, w.takeMail(), outage))
		w.clock.advance(task.LongestMailPause - time.Second)
		if _, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Mail); ok || err != nil {
			t.Errorf("it was taken before its pause was over (error %v)", err)
		}
		if waiting, err := w.s.Waiting(w.ctx); err != nil || waiting.Postponed != 1 {
			t.Errorf("waiting %+v (error %v)", waiting, err)
		}
		w.clock.advance(mail.GiveUp)
		h := w.takeMail()
		if err := w.s.ReleaseTask(w.ctx, h, outage); !errors.Is(err, task.ErrWaitedTooLong) {
			t.Errorf("after days: %v", err)
		}
		w.ok(w.s.FailMail(w.ctx, h, task.Failure{Sentence: "Gave up.", Transient: true}))
		if got := w.findMail(m.ID); got.State != mail.Failed || got.Error != "Gave up." {
			t.Errorf("%+v", got)
		}
	})
	t.Run("is pruned with its task some time after its end", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		old := w.mail(mail.Mail{OrganizationID: o.ID, Kind: mail.Alert, To: "a@example.com"})
		w.ok(w.s.EndMail(w.ctx, w.takeMail(), mail.Sent))
		w.clock.advance(time.Hour)
		w.mail(mail.Mail{OrganizationID: o.ID, Kind: mail.Alert, To: "b@example.com"})
		w.ok(w.s.EndMail(w.ctx, w.takeMail(), mail.Sent))
		w.mail(mail.Mail{OrganizationID: o.ID, Kind: mail.Alert, To: "c@example.com"})
		w.ok(w.s.PruneMails(w.ctx, w.clock.now()))
		_, err := w.s.FindMail(w.ctx, old.ID)
		w.wantFault(err, fault.NotFound, "unknown_mail")
		if mails, tasks := w.count(`SELECT count(*) FROM mails`), w.count(`SELECT count(*) FROM tasks`); mails != 2 ||
			tasks != 2 {
			t.Errorf("%d emails and %d tasks are left", mails, tasks)
		}
	})
	t.Run("a request for a new password is queued alike for every address", func(t *testing.T) {
		w := newWorld(t, database)
		reset := func(email string) { w.tx(func(tx *store.Tx) error { return tx.QueueReset(w.ctx, email) }) }
		reset("nobody@example.com") // a server that has no organizations
		if n := w.count(`SELECT count(*) FROM mails`); n != 0 {
			t.Errorf("%d emails without an organization", n)
		}
		first := w.organization("first")
		w.clock.advance(time.Second)
		second := w.organization("second")
		m := w.member(second.ID, "known@example.com", account.RoleEditor)
		reset("nobody@example.com")
		h := w.takeMail()
		unknown := w.findMail(h.TaskID)
		reset("known@example.com")
		known := w.findMail(w.takeMail().TaskID)
		if unknown.OrganizationID != first.ID || known.OrganizationID != second.ID || known.To != m.Email ||
			known.Kind != mail.Reset || unknown.Kind != mail.Reset {
			t.Errorf("unknown %+v, known %+v", unknown, known)
		}
		w.ok(w.s.EndMail(w.ctx, h, mail.Dropped))
		if n := w.count(`SELECT count(*) FROM mails WHERE address = 'nobody@example.com'`); n != 0 {
			t.Error("an address without an account is kept")
		}
	})
	t.Run("gets its link only once", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.member(o.ID, "a@example.com", account.RoleEditor)
		w.tx(func(tx *store.Tx) error { return tx.QueueReset(w.ctx, "a@example.com") })
		h := w.takeMail()
		m, err := w.s.AddResetLink(w.ctx, h, lease, w.findMail(h.TaskID), account.Invitation{OrganizationID: o.ID,
			Kind: account.InvitePassword, Email: "a@example.com", Hash: "h", CreatedBy: account.ByThemself,
			ExpiresAt: w.clock.now().Add(time.Hour)}, func(id string) string { return "sealed " + id })
		if err != nil || w.findMail(m.ID) != m || m.Sealed != "sealed "+m.InvitationID ||
			w.lastAction(o.ID) != "member.password_reset" {
			t.Errorf("%+v (error %v)", m, err)
		}
		if i, err := w.s.FindInvitationByID(w.ctx, m.InvitationID); err != nil || i.Hash != "h" {
			t.Errorf("link %+v (error %v)", i, err)
		}
		late := task.Hold{TaskID: h.TaskID, Fence: h.Fence - 1}
		_, err = w.s.AddResetLink(w.ctx, late, lease, m, account.Invitation{OrganizationID: o.ID,
			Kind: account.InvitePassword, Hash: "h2"}, func(string) string { return "" })
		w.wantLost("a late worker", err)
	})
}

func testAlert(t *testing.T, database func(*testing.T) string) {
	t.Run("is raised once, for every owner, until cleared", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.member(o.ID, "owner@example.com", account.RoleOwner)
		w.member(o.ID, "second@example.com", account.RoleOwner)
		w.member(o.ID, "admin@example.com", account.RoleAdmin)
		a := store.Alert{Rule: "build", OrganizationID: o.ID, Subject: "prj_a"}
		raise := func() bool {
			raised, err := w.s.RaiseAlert(w.ctx, a, mail.Notice{Title: "Failing"}, true)
			w.ok(err)
			return raised
		}
		if !raise() || raise() || w.lastAction(o.ID) != "alert.raise" {
			t.Error("it was not raised exactly once")
		}
		list, err := w.s.ListMails(w.ctx, o.ID)
		if err != nil || len(list) != 2 {
			t.Fatalf("mails %+v (error %v)", list, err)
		}
		if n, err := list[0].Notice(); err != nil || n.Title != "Failing" {
			t.Errorf("notice %+v (error %v)", n, err)
		}
		if known, err := w.s.ListAlerts(w.ctx, "build"); err != nil || len(known) != 1 || known[0] != a {
			t.Errorf("alerts %v (error %v)", known, err)
		}
		if other, err := w.s.ListAlerts(w.ctx, "certificate"); err != nil || len(other) != 0 {
			t.Errorf("alerts for another rule: %v (error %v)", other, err)
		}
		w.ok(w.s.ClearAlert(w.ctx, a))
		if w.lastAction(o.ID) != "alert.end" {
			t.Error("its end is not recorded")
		}
		if !raise() {
			t.Error("it was not raised again after it was over")
		}
	})
	t.Run("concurrent processes raise it once", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		w.member(o.ID, "owner@example.com", account.RoleOwner)
		w.ok(together(4, func(int) error {
			_, err := w.s.RaiseAlert(w.ctx, store.Alert{Rule: "build", OrganizationID: o.ID, Subject: "prj_a"}, mail.Notice{}, true)
			return err
		}))
		if n := w.count(`SELECT count(*) FROM mails`); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
	t.Run("a project fails since the first failure after its last success", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p, fine := w.project(o.ID, "a.example.com"), w.project(o.ID, "b.example.com")
		fail := func(why string) {
			d, h := w.started(p, deploy.Production, "")
			d.Error = why
			w.ok(w.s.FailDeployment(w.ctx, h, d))
		}
		failing := func() []store.FailingProject {
			list, err := w.s.ListFailingProjects(w.ctx, w.clock.now())
			w.ok(err)
			return list
		}
		w.published(deploy.Production, o.ID, p.ID, "")
		w.published(deploy.Production, o.ID, fine.ID, "")
		if len(failing()) != 0 {
			t.Error("a project without failures fails")
		}
		w.clock.advance(time.Hour)
		fail("first")
		first := w.clock.now().Truncate(time.Microsecond)
		w.clock.advance(time.Hour)
		fail("second")
		list := failing()
		if len(list) != 1 || list[0].ID != p.ID || list[0].OrganizationID != o.ID || !list[0].Since.Equal(first) ||
			list[0].Error != "second" || list[0].Name != p.Name {
			t.Errorf("failing: %+v, want since %s", list, first)
		}
		if list, err := w.s.ListFailingProjects(w.ctx, first.Add(-time.Second)); err != nil || len(list) != 0 {
			t.Errorf("failing before the first failure: %+v (error %v)", list, err)
		}
		w.clock.advance(time.Hour)
		w.published(deploy.Production, o.ID, p.ID, "")
		if len(failing()) != 0 {
			t.Error("it fails after a success")
		}
	})
}
