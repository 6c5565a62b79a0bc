package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// questions for the large site. The site contains no answer to the last one.
var questions = []struct{ name, text string }{
	{"two words", "rotate token"}, {"a sentence", "How do I rotate the secret of a tenant?"},
	{"a long question",
		"Why does the deploy of my cluster fail with a timeout when the request has a large payload and the cache is cold?"},
	{"mistyped", "How to configrue the webhok"}, {"not in the documentation", "zebra xylophone"},
}

// assistantPart measures the assistant's work before it calls a model: search, selection of passages, and their text.
// Without a model, this is all of its work.
func assistantPart(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	if err := writeFolder(dir, 1, o.large, kind{}); err != nil {
		return err
	}
	built := &sitehost.Built{}
	if _, err := build.Build(ctx, os.DirFS(dir), build.Options{Links: link.Clean,
		Offers: capability.Offers{Assistant: capability.Assistant{On: true}}}, built); err != nil {
		return err
	}
	l, texts := built.Library(), []string{}
	for name := range built.Manifest.Files {
		if path.Ext(name) == ".md" {
			raw, err := built.Read(ctx, name)
			if err != nil {
				return err
			}
			texts = append(texts, strings.ToLower(string(raw)))
		}
	}
	fmt.Printf("\n%-44s %10s %10s %14s %9s\n", fmt.Sprintf("assistant: passages from %d pages (ms)", o.large), "p50",
		"p99", "bare scan p50", "ratio")
	for _, q := range questions {
		if err := measureAnswers(ctx, l, texts, q.name, q.text); err != nil {
			return err
		}
	}
	return nil
}

// measureAnswers repeats one question, alternating with a simple search for its words in all texts.
func measureAnswers(ctx context.Context, l *sitereader.Library, texts []string, name, text string) error {
	a := assistant.New(nil, llm.Retry{})
	words := strings.Fields(strings.ToLower(text))
	var ours, bare []time.Duration
	found := 0
	for i := range 201 {
		begin := time.Now()
		r := a.Answer(ctx, l, assistant.Question{Text: text}, func(string) error { return nil })
		if r.Err != nil {
			return r.Err
		}
		if i > 0 { // the first run reads the index
			ours = append(ours, time.Since(begin))
		}
		if i%20 > 0 {
			continue
		}
		begin = time.Now()
		for _, t := range texts {
			for _, w := range words {
				if strings.Contains(t, w) {
					found++
				}
			}
		}
		bare = append(bare, time.Since(begin))
	}
	slices.Sort(ours)
	slices.Sort(bare)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	p50, scan := ours[len(ours)/2], bare[len(bare)/2]
	fmt.Printf("%-44s %10.2f %10.2f %14.2f %9.3f\n", name, ms(p50), ms(ours[len(ours)*99/100]), ms(scan),
		ms(p50)/ms(scan))
	_ = found // prevents the compiler from removing the search
	return nil
}
