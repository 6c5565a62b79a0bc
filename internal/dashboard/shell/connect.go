package shell

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/inprocess"
)

// connect returns a client that calls the admin API in this process, with the permissions of the signed-in user.
func (b *Board) connect(v *Visit) (*client.Client, error) {
	wire := &inprocess.Transport{Handler: b.API,
		Adopt: func(r *http.Request) *http.Request { return adopt(r, v.R, b.SignIn.Caller(v.Visit)) }}
	return client.New(b.Base(v.R), "", client.WithHTTPClient(&http.Client{Transport: wire}),
		client.WithUserAgent("lectern-dashboard"))
}

// adopt makes the client's request look as if the user's browser had sent it, and adds the user's permissions to its
// context. A request from the network cannot do that.
func adopt(r, from *http.Request, caller auth.Caller) *http.Request {
	return inprocess.Forward(r.WithContext(auth.WithCaller(r.Context(), caller)), from)
}

// Pass forwards a response of the API unchanged, for downloads and streams.
func (v *Visit) Pass(method, path string) {
	call, err := http.NewRequestWithContext(v.Ctx(), method, path, http.NoBody)
	if err != nil {
		v.fail(err)
		return
	}
	v.B.API.ServeHTTP(v.W, adopt(call, v.R, v.B.SignIn.Caller(v.Visit)))
}
