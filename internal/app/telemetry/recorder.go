package telemetry

import (
	"io"
	"net/http"
)

// recorder records the status of a response while passing it on.
type recorder struct {
	http.ResponseWriter
	status int // 0 until the response headers are sent
}

// serve calls next. A panic before the start of the response counts as a 500, and continues.
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

// Status returns the status that the caller saw: 200 if the handler wrote nothing.
func (r *recorder) Status() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

// WriteHeader records the final status; 1xx responses are informational and do not count, except for a protocol
// switch.
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

// ReadFrom preserves the zero-copy path for sending files.
func (r *recorder) ReadFrom(src io.Reader) (int64, error) {
	r.wrote()
	return io.Copy(r.ResponseWriter, src)
}

// Flush is for handlers that stream without http.ResponseController.
func (r *recorder) Flush() {
	r.wrote()
	_ = http.NewResponseController(r.ResponseWriter).Flush() // unsupported means that nothing is buffered
}

// Unwrap gives http.ResponseController access to deadlines and flushing.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) wrote() {
	if r.status == 0 {
		r.status = http.StatusOK
	}
}
