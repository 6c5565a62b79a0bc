// Package http3 serves HTTP/3 next to a server's own HTTPS, for the same handler and with the same certificates.
//
// Inputs: a UDP socket, the TLS configuration and the handler of the HTTPS server. Outputs: responses; the header
// Alt-Svc of responses over HTTPS, from which browsers learn that they can use HTTP/3. It never accepts data before the
// handshake is complete (0-RTT), which could be a replay of recorded data.
package http3
