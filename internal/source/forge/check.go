package forge

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// Check is one step of a connection test with its result.
type Check struct {
	Name    string // host, identity, permissions, repositories, repository, write or webhooks
	Result  Result
	Code    string // of the fault; "" if there is none
	Message string // a sentence for people
	Hint    string // what to do; "" = none
}

// Result is the result of a check.
type Result string

// The results. Warned means that something is missing that only some features need.
const (
	Passed Result = "passed"
	Warned Result = "warning"
	Failed Result = "failed"
)

// Report is the result of a connection test.
type Report struct {
	Host    string // kind of the code host; "" = unknown
	Account string // the credential's account; "" = the host does not say
	Expires *time.Time
	Checks  []Check
}

// OK reports whether no check failed.
func (r Report) OK() bool {
	for _, c := range r.Checks {
		if c.Result == Failed {
			return false
		}
	}
	return true
}

func (r *Report) add(name string, result Result, message, hint string) {
	r.Checks = append(r.Checks, Check{Name: name, Result: result, Message: message, Hint: hint})
}

// Target is what a test checks.
type Target struct {
	Base       string // the credential's base URL
	Repository string // clone URL; "" = none
	Keep       func(connect.Repository) bool
}

// Test tests a credential against its code host. Connection failures are in the report; it returns only other errors.
func (h Hosts) Test(ctx context.Context, c Credential, t Target) (Report, error) {
	var r Report
	kind, err := h.KindAt(t.Base)
	var account connect.Account
	if err == nil {
		account, err = h.Account(t.Base, c)
	}
	if err != nil {
		return r, r.fail(ctx, "host", hostOf(t.Base), err)
	}
	r.Host = string(kind)
	who, err := account.Identify(ctx)
	if err != nil {
		name := "identity"
		if rest.Status(err) == 0 { // no response, or not from a code host
			name = "host"
		}
		return r, r.fail(ctx, name, hostOf(t.Base), err)
	}
	r.add("host", Passed, driverOf(kind).label()+" responded at "+hostOf(t.Base)+".", "")
	r.identified(who, h.Now())
	page, err := account.List(ctx, connect.Query{Limit: 1, Keep: t.Keep})
	switch {
	case err != nil:
		if err := r.fail(ctx, "repositories", hostOf(t.Base), err); err != nil {
			return r, err
		}
	case len(page.Repositories) == 0 && page.Next != "":
		r.add("repositories", Warned, "None of the first repositories that the credential can list is at or below "+t.Base+".", "")
	case len(page.Repositories) == 0:
		r.add("repositories", Warned, "The credential can list no repository at or below "+t.Base+".",
			"Give it access to a repository there, or store it for another address.")
	default:
		r.add("repositories", Passed, "It can list repositories, such as "+page.Repositories[0].Name+".", "")
	}
	if t.Repository == "" {
		return r, nil
	}
	return r, h.testRepository(ctx, c, t.Repository, &r)
}

func (r *Report) identified(who connect.Identity, now time.Time) {
	r.Account, r.Expires = rest.Title(who.Name), who.Expires
	sentence := "The code host accepts the credential, but does not report whose it is."
	if r.Account != "" {
		sentence = "The code host accepts the credential of " + r.Account + "."
	}
	const soon = 14 * 24 * time.Hour
	switch {
	case who.Expires != nil && who.Expires.Before(now.Add(soon)):
		r.add("identity", Warned, sentence+" It expires on "+who.Expires.UTC().Format(time.DateOnly)+".",
			"Create a new one at the code host and replace the credential.")
	default:
		r.add("identity", Passed, sentence, "")
	}
	if len(who.Lacks) > 0 {
		r.add("permissions", Warned, "These permissions are missing: "+strings.Join(who.Lacks, ", ")+".",
			"Add them at the code host. Without them, agents cannot open pull requests or webhooks cannot be installed.")
	}
}

func (h Hosts) testRepository(ctx context.Context, c Credential, repository string, r *Report) error {
	place, err := h.Place(repository, c)
	var rights connect.Rights
	if err == nil {
		rights, err = place.Rights(ctx)
	}
	if err != nil {
		return r.fail(ctx, "repository", hostOf(repository), err)
	}
	r.add("repository", Passed, "It can read the repository.", "")
	for _, one := range []struct{ name, can, cannot, unknown, hint string }{
		{"write", "It can push branches and open pull requests.", "It cannot push branches and open pull requests.",
			"The code host does not report whether it can push branches and open pull requests.",
			"Only agents need this. Give the credential write access to contents and pull requests."},
		{"webhooks", "It can manage the repository's webhooks.", "It cannot manage the repository's webhooks.",
			"The code host does not report whether it can manage the repository's webhooks.",
			"Add the webhook by hand, or give the credential this permission."},
	} {
		right := rights.Write
		if one.name == "webhooks" {
			right = rights.Webhooks
		}
		switch right {
		case connect.Allowed:
			r.add(one.name, Passed, one.can, "")
		case connect.Missing:
			r.add(one.name, Warned, one.cannot, one.hint)
		default:
			r.add(one.name, Warned, one.unknown, one.hint)
		}
	}
	return nil
}

// fail records an error as a failed check. It returns errors that are not about the connection.
func (r *Report) fail(ctx context.Context, name, host string, err error) error {
	f, ok := fault.As(err)
	if !ok || ctx.Err() != nil || f.Kind == fault.Internal {
		return err
	}
	check := Check{Name: name, Result: Failed, Code: f.Code, Message: f.Public, Hint: f.Hint}
	switch said := rest.Said(err); {
	case rest.Status(err) == http.StatusUnauthorized && strings.Contains(said, "is expired"):
		check.Code, check.Message = "forge_key_expired", "The credential has expired. Message: "+said
		check.Hint = "Create a new one at the code host and replace the credential."
	case rest.Status(err) == http.StatusUnauthorized:
		check.Message = "The code host does not know the credential: it is wrong, expired or revoked."
		if said != "" {
			check.Message += " Message: " + said
		}
		check.Hint = "Create a new one at the code host and replace the credential."
	case f.Code == "forge_busy" && rest.Status(err) == 0:
		check.Code, check.Message = "forge_unreachable", unreachable(host, err)
		check.Hint = "Check the credential's address, and that this server can reach the host."
	}
	r.Checks = append(r.Checks, check)
	return nil
}

// unreachable explains why the host did not respond.
func unreachable(host string, err error) string {
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var wrongName x509.HostnameError
	var invalid x509.CertificateInvalidError
	var slow interface{ Timeout() bool }
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "The host name " + host + " does not exist."
	case errors.As(err, &unknown), errors.As(err, &wrongName), errors.As(err, &invalid):
		return "The certificate of " + host + " is not trusted by this server."
	case errors.Is(err, syscall.ECONNREFUSED):
		return host + " refused the connection."
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return host + " did not respond in time."
	}
	return host + " cannot be reached."
}
