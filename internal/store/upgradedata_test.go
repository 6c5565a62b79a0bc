package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/store"
)

// table holds a table's columns, and its rows as text.
type table struct {
	columns []string
	rows    []string
}

// dump reads all our tables. If only is not nil, it reads only the columns in it.
func dump(t *testing.T, s *store.Store, only map[string]table) map[string]table {
	t.Helper()
	list := `SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`
	if s.Postgres() != nil {
		list = `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'
			ORDER BY table_name, ordinal_position`
	}
	out := map[string]table{}
	for _, name := range texts(t, s, list) {
		of, column, _ := strings.Cut(name, ".")
		if of == "goose_db_version" || of == "settings" || only != nil && !slices.Contains(only[of].columns, column) {
			continue
		}
		found := out[of]
		found.columns = append(found.columns, column)
		out[of] = found
	}
	for name, found := range out {
		var parts []string
		for _, c := range found.columns {
			parts = append(parts, `'`+c+`=' || COALESCE(CAST(`+c+` AS TEXT), 'NULL')`)
		}
		found.rows = texts(t, s, `SELECT `+strings.Join(parts, ` || ' ' || `)+` FROM `+name)
		slices.Sort(found.rows)
		out[name] = found
	}
	return out
}

func texts(t *testing.T, s *store.Store, query string) (out []string) {
	t.Helper()
	add := func(scan func(...any) error) {
		var v string
		if err := scan(&v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if pool := s.Postgres(); pool != nil {
		rows, err := pool.Query(t.Context(), query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		defer rows.Close()
		for rows.Next() {
			add(rows.Scan)
		}
		return out
	}
	rows, err := s.SQLite().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		add(rows.Scan)
	}
	return out
}

func compare(t *testing.T, before, after map[string]table) {
	t.Helper()
	rows := 0
	for name, was := range before {
		is := after[name]
		if !slices.Equal(is.columns, was.columns) {
			t.Errorf("%s has the columns %v, had %v", name, is.columns, was.columns)
		}
		if !slices.Equal(is.rows, was.rows) {
			t.Errorf("%s:\n%s\nwas\n%s", name, strings.Join(is.rows, "\n"), strings.Join(was.rows, "\n"))
		}
		rows += len(was.rows)
	}
	if rows < 20 {
		t.Errorf("only %d rows were compared", rows)
	}
}

// readBack reads, with our own calls, what programs of schemas up to from wrote.
func readBack(t *testing.T, s *store.Store, from int64) {
	t.Helper()
	ctx := t.Context()
	check := func(since int64, what string, holds bool, got any, err error) {
		t.Helper()
		if since <= from && (err != nil || !holds) {
			t.Errorf("%s: %+v (error %v)", what, got, err)
		}
	}
	p, err := s.FindPrincipal(ctx, "hash-1")
	check(1, "the key", p.Key.ID == "key_1" && p.Organization.ID == "org_1", p, err)
	live, err := s.FindLive(ctx, "www.example.com")
	check(1, "the live site", live.DeploymentID == "dep_1" && live.ManifestKey == "sites/prj_1/manifests/dep_1.json",
		live, err)
	pr, err := s.FindProject(ctx, "org_1", "prj_1")
	check(1, "the project", len(pr.Domains) >= 2 && pr.Source.Credential == "bot" && pr.DocsFolder == "docs", pr, err)
	d, err := s.FindDeployment(ctx, "org_1", "dep_1f")
	check(1, "the failed preview", d.Error == "no such branch", d, err)
	e, err := s.FindExport(ctx, "org_1", "se_1")
	b, missing := e.Bundle(export.Zip)
	check(1, "the export", missing == nil && b.Key == "exports/se_1/a.zip" && e.EndedAt != nil && e.Version == "v1", e,
		err)
	j, err := s.FindAgentJob(ctx, "org_1", "prj_1", "aj_1")
	check(1, "the agent job", j.Status == agentjob.Completed && j.Round == 1, j, err)
	events, err := s.ListEvents(ctx, "org_1", 0, 10)
	check(1, "the audit trail", len(events) == 2 && events[0].Verify() && events[1].Verify() &&
		events[1].PrevHash == events[0].Hash, events, err)
	m, err := s.FindColleague(ctx, "org_1", "mem_1")
	check(1, "the member", m.Email == "owner@example.com" && (from < 7) == (m.PersonID == ""), m, err)
	e, err = s.FindExport(ctx, "org_1", "se_2")
	check(2, "the export of schema 2", e.Status == export.Completed && e.PageCount == 12, e, err)
	e, err = s.FindExport(ctx, "org_1", "se_3")
	check(3, "the running export", e.PageTotal == 12 && e.DeploymentID == "dep_1", e, err)
	used, err := s.ListUsedBundles(ctx)
	check(4, "the bundles", used["exports/se_1/a.zip"] && !used["exports/se_4x/a.zip"], used, err)
	j, err = s.FindAgentJob(ctx, "org_1", "prj_1", "aj_5")
	check(5, "the active job", j.Status == agentjob.Active && j.Title == "Fix links", j, err)
	record, err := s.ListAgentEntries(ctx, "aj_5", 0, 10)
	check(5, "its record", len(record) == 2 && record[0].Text == "fix broken links", record, err)
	j, err = s.FindAgentJob(ctx, "org_1", "prj_1", "aj_6")
	check(6, "the archived job", j.Status == agentjob.Archived && j.Round == 2 && j.Summary == "Done.", j, err)
	pp, err := s.FindProposal(ctx, "pp_6")
	check(6, "the merged proposal", pp.MergeCommit == "dada", pp, err)
	v, err := s.FindVisitor(ctx, "session-hash")
	check(7, "the session", v.Person.ID == "per_7" && v.Person.TOTPStep == 42, v, err)
	i, err := s.FindInvitation(ctx, "invitation-hash")
	check(7, "the invitation", i.Email == "new@example.com", i, err)
	if n := len(texts(t, s, `SELECT name FROM counters WHERE n = 3`)); from >= 8 && n != 1 {
		t.Errorf("%d counters", n)
	}
	thread, err := s.FindThread(ctx, "prj_1", "thr_9")
	check(9, "the conversation", len(thread) == 2 && thread[0].Helpful != nil && !*thread[0].Helpful &&
		thread[0].Sources[0].Path == "/start#begin", thread, err)
	said, _, err := s.ListFeedback(ctx, "prj_1", audience.FeedbackFilter{Span: audience.Span{To: 1 << 20}},
		store.Page{Limit: 5})
	check(10, "the feedback", len(said) == 1 && said[0].ID == "fb_10" && said[0].Note == "thanks", said, err)
	terms, _, _, err := s.ListTerms(ctx, "prj_1", audience.Span{To: 1 << 20}, store.Page{Limit: 5})
	check(10, "the searches", len(terms) == 1 && terms[0].TopPage == "/guides/start" && terms[0].Hits == 7, terms, err)
	d, err = s.FindDeployment(ctx, "org_1", "dep_11")
	check(11, "what pages offer", d.Offers == "{Search:true}" && d.Trigger == "features", d, err)
	d, err = s.FindDeployment(ctx, "org_1", "dep_12b")
	check(12, "a failure that may go away", d.Transient && d.Error == "No.", d, err)
	k, err := s.FindTask(ctx, "dep_12")
	check(12, "the task that waited for storage", k.Ran == 42*time.Second && k.Fence == 3, k, err)
	domains, _, err := s.ListDomains(ctx, "org_1", store.Page{Limit: 10})
	states := map[string]string{}
	for _, d := range domains {
		states[d.Name] = string(d.State) + " " + string(d.Proof)
	}
	check(1, "the domains of older schemas", states["docs.example.com"] == "held earlier" &&
		states["www.example.com"] == "held earlier", states, err)
	check(schemaOf(t, "domains"), "the domains", states["proven.example.com"] == "held dns" &&
		states["claimed.example.com"] == "pending " && states["left.example.com"] == "reserved operator" &&
		slices.Equal(pr.Domains,
			[]string{"docs.example.com", "www.example.com", "proven.example.com", "claimed.example.com"}), states, err)
	below, err := s.ListLive(ctx, "below.example.com")
	check(schemaOf(t, "domain_paths"), "the site below a path", len(below) == 1 && below[0].ProjectID == "prj_24" &&
		below[0].Path == "/docs", below, err)
	held, err := s.FindCredentialByName(ctx, "org_1", "docs-bot")
	check(schemaOf(t, "credentials"), "the credential", held.ID == "crd_15" && held.Sealed == "c2VhbGVk" &&
		held.LastUsedAt == nil, held, err)
	d, err = s.FindDeployment(ctx, "org_1", "dep_16")
	check(schemaOf(t, "commit_change"), "what the commit says", d.Change.Author == "A" && d.Change.Compared &&
		slices.Equal(d.Change.Modified, []string{"index.mdx"}), d, err)
	allowed, err := s.FindReaderAccess(ctx, "prj_1")
	check(schemaOf(t, "reader_access"), "the reader access", allowed.Mode == access.Password &&
		allowed.PasswordHash == "hash-of-password" && allowed.Version == 3, allowed, err)
	reader, err := s.FindReaderSession(ctx, "reader-hash", "prj_1", "docs.example.com")
	check(schemaOf(t, "reader_access"), "the reader's session", reader.Method == access.Password &&
		slices.Equal(reader.Groups, []string{"staff"}), reader, err)
	user, err := s.FindDirectoryUser(ctx, "org_1", "mem_1")
	check(schemaOf(t, "directory"), "the directory's user", user.ExternalID == "x-1" && user.MemberID == "mem_1" &&
		user.Stored && user.Joined, user, err)
	off, err := s.Deactivated(ctx, "org_1", "left@example.com")
	check(schemaOf(t, "directory"), "the deactivated user", off, off, err)
	staff, err := s.ListGroupMembers(ctx, "org_1", "grp_26")
	check(schemaOf(t, "directory"), "the directory's group", len(staff) == 1 && staff[0].GroupName == "Staff" &&
		staff[0].UserID == "mem_1", staff, err)
	chores, err := s.ListChores(ctx)
	check(schemaOf(t, "chores"), "the chores", len(chores) == 1 && chores[0].Process == "proc_1", chores, err)
	j, err = s.FindAgentJob(ctx, "org_1", "prj_1", "aj_43")
	check(schemaOf(t, "dry_runs"), "the dry run", j.DryRun && j.Outcome == agentjob.WouldChange && j.PRLink == "", j, err)
	days, err := s.ListDays(ctx, "prj_1", audience.Span{To: 1 << 20})
	check(10, "the days", len(days) == 1 && days[0].Views[0] == 5 && days[0].Suggestions == 1, days, err)
	if err := execute(ctx, s, `DELETE FROM events`); err == nil {
		t.Error("an old event could be removed")
	}
	taken, ok, err := s.TakeTask(ctx, "w", time.Minute, false)
	check(1, "the task that waits", ok && (taken.ID == "dep_1q" || taken.ID == "se_1q" || taken.ID == "aj_5"), taken,
		err)
}
