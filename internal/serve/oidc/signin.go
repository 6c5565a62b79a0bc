package oidc

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"

	gooidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

// minVerifier is the minimum length of a verifier according to RFC 7636.
const minVerifier = 43

// Begin returns the URL to send the browser to. state, nonce and verifier (at least 43 characters) must be random and
// used only for this sign-in.
func (p *Provider) Begin(ctx context.Context, redirectURL, state, nonce, verifier string) (authURL string, err error) {
	if state == "" || nonce == "" || len(verifier) < minVerifier {
		return "", errors.New("begin sign-in: state, nonce or verifier is missing")
	}
	ctx, cancel := context.WithTimeout(ctx, callLife)
	defer cancel()
	d, err := p.describe(ctx)
	if err != nil {
		return "", explain(err)
	}
	return p.config(d, redirectURL).AuthCodeURL(state, gooidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)), nil
}

// Finish exchanges the browser's code for the person's identity. redirectURL, nonce and verifier must be those passed
// to Begin.
func (p *Provider) Finish(ctx context.Context, redirectURL, code, nonce, verifier string) (Identity, error) {
	if nonce == "" || len(verifier) < minVerifier {
		return Identity{}, errors.New("finish sign-in: nonce or verifier is missing")
	}
	ctx, cancel := context.WithTimeout(gooidc.ClientContext(ctx, p.http), callLife)
	defer cancel()
	secrets := []string{code, nonce, verifier, p.opt.ClientSecret}
	d, err := p.describe(ctx)
	if err != nil {
		return Identity{}, explain(err, secrets...)
	}
	token, err := p.config(d, redirectURL).Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return Identity{}, explain(fmt.Errorf("exchange code: %w", err), secrets...)
	}
	raw, _ := token.Extra("id_token").(string)
	secrets = append(secrets, raw, token.AccessToken, token.RefreshToken)
	proof, err := p.verify(ctx, d, raw, nonce)
	if err != nil {
		return Identity{}, explain(fmt.Errorf("verify ID token: %w", err), secrets...)
	}
	if proof.AccessTokenHash != "" {
		if err := proof.VerifyAccessToken(token.AccessToken); err != nil {
			return Identity{}, explain(fmt.Errorf("verify access token: %w", err), secrets...)
		}
	}
	who, err := p.identify(ctx, d, proof, token)
	if err != nil {
		return Identity{}, explain(fmt.Errorf("read identity: %w", err), secrets...)
	}
	return who, nil
}

func (p *Provider) config(d *described, redirectURL string) *oauth2.Config {
	scopes := []string{gooidc.ScopeOpenID, gooidc.ScopeEmail, gooidc.ScopeProfile}
	for _, s := range p.opt.Scopes {
		if s != "" && !slices.Contains(scopes, s) {
			scopes = append(scopes, s)
		}
	}
	return &oauth2.Config{ClientID: p.opt.ClientID, ClientSecret: p.opt.ClientSecret, Endpoint: d.endpoint,
		RedirectURL: redirectURL, Scopes: scopes}
}

// verify performs the checks in OpenID Connect Core 3.1.3.7: the library checks signature, algorithm, issuer,
// audience and expiry.
func (p *Provider) verify(ctx context.Context, d *described, raw, nonce string) (*gooidc.IDToken, error) {
	if raw == "" {
		return nil, errors.New("the response contains none")
	}
	var keys error
	proof, err := d.verifier.Verify(context.WithValue(ctx, keysFailure{}, &keys), raw)
	if err != nil {
		if idpfault.Is[*idpfault.Silence](keys) || idpfault.Is[*idpfault.Mismatch](keys) {
			return nil, keys
		}
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(proof.Nonce), []byte(nonce)) != 1 {
		return nil, errors.New("it is for another sign-in: the nonce differs")
	}
	var party struct {
		AZP *string `json:"azp"`
	}
	if err := proof.Claims(&party); err != nil {
		return nil, errors.New("its authorized party is not a string")
	}
	if party.AZP != nil && *party.AZP != p.opt.ClientID || party.AZP == nil && len(proof.Audience) > 1 {
		return nil, errors.New("it was issued to another client: the authorized party differs")
	}
	if proof.Subject == "" || len(proof.Subject) > maxSubject {
		return nil, fmt.Errorf("its subject is empty or longer than %d bytes", maxSubject)
	}
	return proof, nil
}

// keysFailure is the context key under which tellingKeys stores its error, since the library keeps only the error's
// text.
type keysFailure struct{}

type tellingKeys struct{ set *gooidc.RemoteKeySet }

func (k tellingKeys) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.set.VerifySignature(ctx, jwt)
	if slot, ok := ctx.Value(keysFailure{}).(*error); ok {
		*slot = err
		if ctx.Err() != nil {
			*slot = &idpfault.Silence{Err: ctx.Err()}
		}
	}
	return payload, err
}
