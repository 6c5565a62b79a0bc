package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	gooidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

const (
	maxSubject = 255 // bytes, OpenID Connect Core 2
	maxEmail   = 254 // bytes
	maxName    = 200 // characters
)

// Identity is a person as described by the provider. Issuer and Subject together identify a person permanently; the
// rest may change.
type Identity struct {
	Issuer, Subject string
	Email           string // "" if the provider sends none
	Verified        bool   // whether the provider states that the address belongs to the person
	Name            string // "" if the provider sends none, like the two below
	GivenName       string
	FamilyName      string
	Content         json.RawMessage // value of the claim "content", not validated; nil if absent
	Groups          []string
}

// claims maps claim names to values.
type claims map[string]json.RawMessage

// identify reads the ID token, and asks the userinfo endpoint for an address or groups that the token lacks.
func (p *Provider) identify(ctx context.Context, d *described, proof *gooidc.IDToken, token *oauth2.Token) (Identity,
	error) {
	who := Identity{Issuer: p.opt.Issuer, Subject: proof.Subject}
	var said claims
	if err := proof.Claims(&said); err != nil {
		return Identity{}, errors.New("the claims are not an object")
	}
	who.Email, who.Verified = said.email()
	who.describe(said)
	groups, present, err := said.groups(p.opt.GroupsClaim)
	if err != nil {
		return Identity{}, err
	}
	who.Groups = groups
	if present && who.Email != "" || d.provider.UserInfoEndpoint() == "" {
		return who, nil
	}
	more, err := p.userinfo(ctx, d, proof.Subject, token)
	if err != nil {
		return Identity{}, err
	}
	if who.Email == "" {
		who.Email, who.Verified = more.email()
	}
	who.describe(more)
	if !present {
		who.Groups, _, err = more.groups(p.opt.GroupsClaim)
	}
	return who, err
}

// describe fills in the person's names and content where they are still missing.
func (i *Identity) describe(said claims) {
	if i.Name == "" {
		i.Name = said.name()
	}
	if i.GivenName == "" {
		i.GivenName = shortText(said.text("given_name"))
	}
	if i.FamilyName == "" {
		i.FamilyName = shortText(said.text("family_name"))
	}
	if i.Content == nil {
		i.Content = said["content"]
	}
}

// userinfo requests more claims. They are used only if they have the same subject as the ID token, because an access
// token may belong to another person.
func (p *Provider) userinfo(ctx context.Context, d *described, subject string, token *oauth2.Token) (claims, error) {
	info, err := d.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return nil, fmt.Errorf("request userinfo: %w", err)
	}
	if info.Subject != subject {
		return nil, errors.New("userinfo is for another subject")
	}
	var more claims
	if err := info.Claims(&more); err != nil {
		return nil, errors.New("userinfo is not an object")
	}
	return more, nil
}

// email returns the address and whether it is verified, from the same set of claims. Some providers encode the latter
// as a string.
func (c claims) email() (address string, verified bool) {
	address = strings.TrimSpace(c.text("email"))
	if len(address) > maxEmail || !strings.Contains(address, "@") || strings.ContainsFunc(address, odd) {
		return "", false
	}
	proof := string(c["email_verified"])
	return address, proof == "true" || proof == `"true"`
}

func odd(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar
}

func (c claims) name() string {
	name := c.text("name")
	if strings.TrimSpace(name) == "" {
		name = c.text("preferred_username")
	}
	return shortText(name)
}

// shortText cleans a person's name and limits its length.
func shortText(name string) string {
	letters := []rune(strings.Join(strings.FieldsFunc(name, odd), " "))
	return string(letters[:min(len(letters), maxName)])
}

// text returns a string claim, or "" if it is missing or not a string.
func (c claims) text(name string) (s string) {
	if json.Unmarshal(c[name], &s) != nil {
		return ""
	}
	return s
}

// groups parses a list of strings, or a single string; present reports whether the claim exists. Anything else is an
// error, because continuing without groups could silently remove a person's permissions.
func (c claims) groups(name string) (groups []string, present bool, err error) {
	raw, there := c[name]
	if !there || string(raw) == "null" {
		return nil, false, nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		groups = []string{one}
	} else if json.Unmarshal(raw, &groups) != nil {
		return nil, false, &idpfault.Mismatch{Err: fmt.Errorf("claim %q is neither a string nor a list of strings", name)}
	}
	slices.Sort(groups)
	groups = slices.Compact(groups)
	return slices.DeleteFunc(groups, func(g string) bool { return strings.TrimSpace(g) == "" }), true, nil
}
