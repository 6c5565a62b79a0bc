// Package sarif writes findings in SARIF 2.1.0, the format that code hosts and editors read.
//
// Inputs: findings, descriptions of their codes, and the source lines they refer to. Outputs: one SARIF log with
// one run; the same input results in the same bytes. It never reads files, prints to a terminal, or decides which
// findings count.
package sarif
