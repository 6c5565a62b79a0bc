// Package sarif writes findings in SARIF 2.1.0, the form that code hosts and editors read.
//
// In: findings, what is known about their codes, and the source lines they stand on.
// Out: one SARIF log with one run, the same bytes for the same input.
// Never: reads files, prints to a terminal, decides which findings count.
package sarif
