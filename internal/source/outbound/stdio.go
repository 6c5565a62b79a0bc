package outbound

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
)

// PasswordEnv is the environment variable with a proxy session's password for the program that calls DialStdio.
const PasswordEnv = "LECTERN_PROXY_PASSWORD"

// DialStdio connects stdin and stdout to host:port through the proxy at proxyAddr and returns when the other side
// has closed the connection. ssh runs it as its ProxyCommand.
func DialStdio(ctx context.Context, proxyAddr, password, host, port string, stdin io.Reader, stdout io.Writer) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", proxyAddr)
	if err != nil {
		return fmt.Errorf("connect to proxy: %w", err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	target := net.JoinHostPort(host, port)
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: target}, Host: target, Header: http.Header{}}
	req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(proxyUser+":"+password)))
	if err := req.Write(conn); err != nil {
		return fmt.Errorf("send proxy request: %w", err)
	}
	reader := bufio.NewReader(conn)
	resp, err := http.ReadResponse(reader, req)
	if err != nil {
		return fmt.Errorf("read proxy response: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("proxy refused the connection: %s", resp.Status)
	}
	go func() {
		_, _ = io.Copy(conn, stdin)
		closeWrite(conn)
	}()
	if _, err := io.Copy(stdout, reader); err != nil {
		return fmt.Errorf("copy from proxy: %w", err)
	}
	return nil
}
