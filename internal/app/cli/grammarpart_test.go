package cli

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
)

// Every command is parsed with its own grammar, which has the same flags and subcommands for it as the whole grammar.
func TestEachCommandHasItsOwnGrammar(t *testing.T) {
	parse := func(g any) *kong.Application {
		k, err := kong.New(g, kong.NoDefaultHelp(), kong.Name("lectern"))
		if err != nil {
			t.Fatal(err)
		}
		return k.Model
	}
	leaves := func(n *kong.Node) (all []string) {
		for _, leaf := range append(n.Leaves(false), n) {
			all = append(all, leaf.FullPath())
			for _, flags := range leaf.AllFlags(false) {
				for _, f := range flags {
					all = append(all, leaf.FullPath()+" --"+f.Name+" "+f.Default)
				}
			}
		}
		return all
	}
	for _, command := range parse(&grammar{}).Children {
		own := parse(grammarFor([]string{command.Name, "--help"}))
		if len(own.Children) != 1 {
			t.Errorf("%s has a grammar of %d commands", command.Name, len(own.Children))
			continue
		}
		if got, want := leaves(own.Children[0]), leaves(command); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", command.Name, got, want)
		}
	}
	for _, args := range [][]string{nil, {"--debug", "serve"}, {"nonsense"}, {"--help"}} {
		if _, whole := grammarFor(args).(*grammar); !whole {
			t.Errorf("%q are not parsed with the whole grammar", args)
		}
	}
}
