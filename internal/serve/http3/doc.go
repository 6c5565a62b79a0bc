// Package http3 serves HTTP/3 next to a server's own HTTPS, for the same handler and with the same certificates.
//
// Inputs: a UDP socket, the TLS configuration and the handler of the HTTPS server. Outputs: responses; the Alt-Svc
// header in HTTPS responses, which tells browsers that they can use HTTP/3. It never accepts data before the
// handshake is complete (0-RTT), which could be a replay of recorded data.
package http3
