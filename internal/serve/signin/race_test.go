package signin_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

// races are tests with concurrent requests. They run on both databases, because a lock that is implicit on SQLite
// must be explicit on PostgreSQL.
var races = map[string]func(*testing.T, string){
	"one of ten uses a link":                                 oneUsesALink,
	"one of ten uses a recovery code":                        oneUsesARecoveryCode,
	"one of ten uses a code":                                 oneUsesACode,
	"a sign-in loses against a change of the password (K10)": aSignInLosesAgainstAChange,
}

func TestRacesOnSQLite(t *testing.T) {
	for name, race := range races {
		t.Run(name, func(t *testing.T) { race(t, sqlite(t)) })
	}
}

// The server is started here rather than for the whole package, because each fuzzing process would start one too.
func TestRacesOnPostgreSQL(t *testing.T) {
	server, err := postgres.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	for name, race := range races {
		t.Run(name, func(t *testing.T) { race(t, server.Database(t)) })
	}
}

// atOnce runs do ten times concurrently and returns how many calls succeeded.
func atOnce(do func(i int) error) (won int) {
	var wait sync.WaitGroup
	results := make([]error, 10)
	for i := range results {
		wait.Go(func() { results[i] = do(i) })
	}
	wait.Wait()
	for _, err := range results {
		if err == nil {
			won++
		}
	}
	return won
}

func oneUsesALink(t *testing.T, url string) {
	r := newRigOn(t, url)
	link := r.invite(account.InviteJoin, "", account.RoleOwner, "system")
	won := atOnce(func(i int) error {
		_, err := r.service.Join(t.Context(), link,
			signin.Joining{Email: fmt.Sprintf("owner%d@example.com", i), Password: goodPassword})
		return err
	})
	list, err := r.store.ListMembers(t.Context(), r.org.ID)
	r.ok(err)
	if won != 1 || len(list) != 1 || list[0].PersonID == "" {
		t.Errorf("%d succeeded, there are %d members", won, len(list))
	}
}

func oneUsesARecoveryCode(t *testing.T, url string) {
	r := newRigOn(t, url)
	r.member("owner@example.com", account.RoleOwner)
	_, recovery, _ := r.withTOTP("owner@example.com")
	for round := range 5 { // a single round could pass by chance
		r.service = signin.New(r.options) // a new Service has not counted any failures yet
		halves := []string{r.half("owner@example.com"), r.half("owner@example.com")}
		won := atOnce(func(i int) error {
			_, err := r.service.Second(t.Context(), halves[i%2], recovery[round], signin.Browser{})
			return err
		})
		if left := len(r.person("owner@example.com").Recovery); won != 1 || left != 9-round {
			t.Errorf("%d succeeded, %d codes are left", won, left)
		}
	}
}

func oneUsesACode(t *testing.T, url string) {
	r := newRigOn(t, url)
	r.member("owner@example.com", account.RoleOwner)
	secret, _, _ := r.withTOTP("owner@example.com")
	halves, code := []string{r.half("owner@example.com"), r.half("owner@example.com")}, r.code(secret)
	won := atOnce(func(i int) error {
		_, err := r.service.Second(t.Context(), halves[i%2], code, signin.Browser{})
		return err
	})
	if won != 1 {
		t.Errorf("%d succeeded", won)
	}
}

// Ten concurrent guesses count as ten guesses.
func TestConcurrentAttemptsDoNotBypassLimit(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	for range 2 {
		atOnce(func(int) error {
			_, err := r.service.SignIn(t.Context(), r.attempt("owner@example.com", otherPassword))
			return err
		})
	}
	_, err := r.service.SignIn(t.Context(), r.attempt("owner@example.com", goodPassword))
	r.refused(err, "too_many_attempts")
}

// If a password is changed while someone signs in with the old one, the change wins.
func aSignInLosesAgainstAChange(t *testing.T, url string) {
	r := newRigOn(t, url)
	r.member("owner@example.com", account.RoleOwner)
	token, v := r.in("owner@example.com")
	var changed string
	tokens := make([]string, 10)
	atOnce(func(i int) error {
		if i == 0 {
			var err error
			changed, err = r.service.ChangePassword(t.Context(), v, goodPassword, otherPassword, r.browser(token))
			return err
		}
		in, err := r.service.SignIn(t.Context(), r.attempt("owner@example.com", goodPassword))
		tokens[i] = in.Token
		return err
	})
	if !r.live(changed) {
		t.Error("the session that changed the password ended")
	}
	for _, old := range tokens {
		if old != "" && r.live(old) {
			t.Error("a session from the old password still works")
		}
	}
}
