package telemetry

import (
	"io"
	"net/http"
)

// recorder notes the status of an answer while passing it on.
type recorder struct {
	http.ResponseWriter
	status int // 0 until the answer's headers are sent
}

// serve lets next answer. A panic before the answer counts as a 500, and goes on.
func (r *recorder) serve(next http.Handler, req *http.Request) {
	returned := false
	defer func() {
		if !returned && r.status == 0 {
			r.status = http.StatusInternalServerError
		}
	}()
	next.ServeHTTP(r, req)
	returned = true
}

// Status returns what the caller saw: a handler that wrote nothing answered 200.
func (r *recorder) Status() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

// WriteHeader notes the final status; those of the 100s are only announcements, except for a change of protocol.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	r.wrote()
	return r.ResponseWriter.Write(p)
}

// ReadFrom keeps the way open for the kernel to send a file by itself.
func (r *recorder) ReadFrom(src io.Reader) (int64, error) {
	r.wrote()
	return io.Copy(r.ResponseWriter, src)
}

// Flush serves handlers that stream without http.ResponseController.
func (r *recorder) Flush() {
	r.wrote()
	_ = http.NewResponseController(r.ResponseWriter).Flush() // unsupported means that nothing is held back
}

// Unwrap lets http.ResponseController reach deadlines and flushing.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) wrote() {
	if r.status == 0 {
		r.status = http.StatusOK
	}
}
