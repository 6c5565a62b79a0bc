package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/client"
)

type domainsCommands struct {
	List   domainsListCommand   `cmd:"" help:"List the organization's domains, newest first, and how to verify pending ones."`
	Verify domainsVerifyCommand `cmd:"" help:"Verify a pending domain now."`

	Certificate domainsCertificateCommand `cmd:"" help:"Show a domain's TLS certificate and DNS records."`
}

type domainsListCommand struct{ remote }

func (c *domainsListCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	all := client.DomainList{Domains: []client.Domain{}}
	for page := (client.ListDomainsParams{Limit: 100}); ; {
		list, err := cl.ListDomains(ctx, page)
		if err != nil {
			return err
		}
		all.Domains = append(all.Domains, list.Domains...)
		if list.NextCursor == nil {
			break
		}
		page.Cursor = *list.NextCursor
	}
	return c.result(r, all, func(w io.Writer) error {
		var rows [][]string
		for _, d := range all.Domains {
			rows = append(rows, []string{d.Domain, string(d.State), orNone(d.Proof), dayOr(d.ReservedUntil, "-"),
				orNone(d.ProjectID)})
		}
		if err := printTable(w, []string{"DOMAIN", "STATE", "PROOF", "RESERVED UNTIL", "PROJECT ID"},
			rows); err != nil {
			return err
		}
		for _, d := range all.Domains {
			describeChallenge(r.Stderr, d)
		}
		return nil
	})
}

// describeChallenge prints how to prove ownership of a pending domain.
func describeChallenge(w io.Writer, d client.Domain) {
	if d.Challenge == nil {
		return
	}
	fmt.Fprintf(w,
		"\n%s is pending. Prove that you control it in one of these two ways, then run: lectern domains verify %s\n",
		d.Domain, d.Domain)
	fmt.Fprintf(w, "  DNS record  %s  %s  %s\n", d.Challenge.DNS.Name, d.Challenge.DNS.Type, d.Challenge.DNS.Value)
	fmt.Fprintf(w, "  or a file   %s  with the line  %s\n", d.Challenge.File.URL, d.Challenge.File.Content)
}

type domainsVerifyCommand struct {
	remote
	Domain string `arg:"" help:"Domain, such as docs.example.com or example.com/docs."`
}

// Help returns the long description.
func (domainsVerifyCommand) Help() string {
	return `Prints the domain's state. If the challenge is not found, exits with 5 and shows what was found instead.

    lectern domains verify docs.example.com`
}

func (c *domainsVerifyCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	d, err := cl.VerifyDomain(ctx, c.Domain)
	if err != nil {
		return err
	}
	return c.result(r, d, line(string(d.State)))
}

type domainsCertificateCommand struct {
	remote
	Domain string `arg:"" help:"Domain, such as docs.example.com or example.com/docs."`
}

// Help returns the long description.
func (domainsCertificateCommand) Help() string {
	return `Shows whether the domain has a certificate, why its last order failed and when the next is tried, where its DNS name leads, and the DNS records to set.

    lectern domains certificate docs.example.com`
}

func (c *domainsCertificateCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	d, err := cl.GetDomainCertificate(ctx, c.Domain)
	if err != nil {
		return err
	}
	return c.result(r, d, func(w io.Writer) error {
		rows := [][]string{{string(d.State), string(d.Origin), orNone(d.Issuer), dayOr(d.NotAfter, "-"), string(d.DNS.Target)}}
		if err := printTable(w, []string{"CERTIFICATE", "ORIGIN", "ISSUER", "ENDS", "DNS LEADS"}, rows); err != nil {
			return err
		}
		if d.LastError != nil {
			fmt.Fprintf(r.Stderr, "\nThe last order failed: %s\nNext try: %s\n", *d.LastError, dayOr(d.NextTry, "-"))
		}
		if d.DNS.Target == "here" {
			return nil
		}
		for _, record := range d.DNS.Records {
			fmt.Fprintf(r.Stderr, "\nDNS record to set  %s  %s  %s\n", record.Name, record.Type, record.Value)
		}
		return nil
	})
}
