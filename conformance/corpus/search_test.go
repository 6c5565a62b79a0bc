package main

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchquality"
)

// Shares below their floors are reported unless they are based on too few items.
func TestBelowFloorsReportsLowShares(t *testing.T) {
	good := searchquality.Result{}
	good.Title = searchquality.Share{Good: 200, All: 200}
	good.Apart.First = searchquality.Share{Good: 1, All: 10}
	if err := belowFloors(good); err != nil {
		t.Error(err)
	}
	bad := good
	bad.Title.Good = 190
	bad.Apart.First = searchquality.Share{Good: 70, All: 100}
	err := belowFloors(bad)
	for _, want := range []string{"pages by title, first: 190 of 200, want 99 %", "questions kept apart, first: 70 of 100, want 75 %"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not contain %q", err, want)
		}
	}
}
