package signin

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/totp"
	"github.com/lectern-docs/lectern/internal/store"
)

const setupLife = 15 * time.Minute

// Setup is a new second factor. It is shown to its owner, and not stored until they prove that their app has it.
type Setup struct {
	Sealed string // for ConfirmTOTP
	Secret string // for people to type
	URI    string // for apps on the same machine
	QR     string // SVG
}

// setup is the content of Setup.Sealed.
type setup struct {
	Secret string    `json:"secret"`
	Until  time.Time `json:"until"`
}

// BeginTOTP creates a new second factor for the person. issuer is this server's name in their app.
func (d *Service) BeginTOTP(v Visit, issuer string) (Setup, error) {
	if err := mayHaveTOTP(v.Person); err != nil {
		return Setup{}, err
	}
	secret := totp.NewSecret(d.Rand)
	return d.setUp(v, issuer, secret,
		d.seal(forSetup, v.Person.ID, setup{Secret: secret, Until: d.Now().Add(setupLife)}))
}

// ResumeTOTP shows a second factor again during setup, after a wrong code.
func (d *Service) ResumeTOTP(v Visit, issuer, sealed string) (Setup, error) {
	s, err := d.openSetup(v, sealed)
	if err != nil {
		return Setup{}, err
	}
	return d.setUp(v, issuer, s.Secret, sealed)
}

func (d *Service) setUp(v Visit, issuer, secret, sealed string) (Setup, error) {
	out := Setup{Sealed: sealed, Secret: secret, URI: totp.URI(issuer, v.Person.Email, secret)}
	var err error
	out.QR, err = totp.QR(out.URI)
	return out, err
}

func (d *Service) openSetup(v Visit, sealed string) (setup, error) {
	var s setup
	if _, ok := d.unseal(forSetup, v.Person.ID, sealed, &s); !ok || !d.Now().Before(s.Until) {
		return s, fault.New(fault.Invalid, "start_over", "This took too long.").
			WithHint("Start over. The app gets a new entry; delete the old one.")
	}
	return s, nil
}

func mayHaveTOTP(p account.Person) error {
	if p.TwoFactor() {
		return fault.New(fault.Conflict, "second_factor_on", "Two-factor sign-in is already on.")
	}
	if p.PasswordHash == "" {
		return fault.New(fault.Conflict, "no_password",
			"Your account has no password: you sign in with an identity provider.").
			WithHint("Turn on two-factor sign-in there.")
	}
	return nil
}

// ConfirmTOTP turns the second factor on, after its owner has entered a code and the password. The recovery codes are
// returned only this once. The person's other sessions end, and this one continues with a new token.
func (d *Service) ConfirmTOTP(ctx context.Context, v Visit, sealed, code, password string, b Browser) (token string,
	recovery []string, err error) {
	s, err := d.openSetup(v, sealed)
	if err != nil {
		return "", nil, err
	}
	p, err := d.checkOwn(ctx, v, password)
	if err != nil {
		return "", nil, err
	}
	step, ok := totp.Match(s.Secret, code, d.Now(), 0)
	if !ok {
		return "", nil, fault.New(fault.Invalid, "invalid_code", "That is not the current code of the app.").
			WithField("code").
			WithHint("Wait for the next code. If that does not help, check the clocks of the phone and the server.")
	}
	recovery = totp.NewRecovery(d.Rand)
	token, err = d.renew(ctx, v, p, "member.totp_on", b, func(_ *store.Tx, p *account.Person) error {
		if err := mayHaveTOTP(*p); err != nil {
			return err
		}
		p.TOTPSealed, p.TOTPStep, p.Recovery = d.seal(forTOTP, p.ID, s.Secret), step, d.recoveryHashes(p.ID, recovery)
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	return token, recovery, nil
}

// EndTOTP turns the second factor off. It requires the password.
func (d *Service) EndTOTP(ctx context.Context, v Visit, password string, b Browser) (token string, err error) {
	p, err := d.checkOwn(ctx, v, password)
	if err != nil {
		return "", err
	}
	return d.renew(ctx, v, p, "member.totp_off", b, func(_ *store.Tx, p *account.Person) error {
		p.TOTPSealed, p.TOTPStep, p.Recovery = "", 0, nil
		return nil
	})
}

// NewRecovery creates new recovery codes and invalidates the previous ones. It requires the password.
func (d *Service) NewRecovery(ctx context.Context, v Visit, password string, b Browser) (token string,
	recovery []string, err error) {
	p, err := d.checkOwn(ctx, v, password)
	if err != nil {
		return "", nil, err
	}
	recovery = totp.NewRecovery(d.Rand)
	token, err = d.renew(ctx, v, p, "member.recovery_codes", b, func(_ *store.Tx, p *account.Person) error {
		if !p.TwoFactor() {
			return fault.New(fault.Conflict, "second_factor_off", "Two-factor sign-in is off.")
		}
		p.Recovery = d.recoveryHashes(p.ID, recovery)
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	return token, recovery, nil
}

func (d *Service) recoveryHashes(personID string, codes []string) []string {
	out := make([]string, len(codes))
	for i, code := range codes {
		out[i] = recoveryHash(d.Masters[0], personID, code)
	}
	return out
}
