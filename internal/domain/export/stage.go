package export

import "fmt"

// Stage is the current step of a job, as a stable identifier for programs.
type Stage string

// The stages, in order. A failed job keeps its stage. A second attempt after a crash starts at Fetching again, but
// progress does not decrease.
const (
	StageQueued    Stage = "queued"
	StageFetching  Stage = "fetching"
	StageScanning  Stage = "scanning"
	StagePages     Stage = "pages"
	StageAssets    Stage = "assets"
	StagePackaging Stage = "packaging"
	StageDone      Stage = "done"
	StageWaiting   Stage = "waiting" // waiting for unavailable storage; continues at Fetching
)

// CleanStage returns the stage of a stored job. Rows of the first release contain free text or nothing.
func CleanStage(stored string, s Status) Stage {
	switch st := Stage(stored); st {
	case StageQueued, StageFetching, StageScanning, StagePages, StageAssets, StagePackaging, StageDone, StageWaiting:
		return st
	}
	switch s {
	case Queued:
		return StageQueued
	case Running:
		return StageFetching
	}
	return StageDone
}

// Sentence describes, for people, what a job is doing or how it ended.
func (j Job) Sentence() string {
	switch {
	case j.Status == Failed:
		return "The export failed."
	case j.Status == Completed && j.ExpiredAt != nil:
		return "The export is completed; its bundles have since been removed."
	case j.Status == Completed && j.ReusedFrom != "":
		return "The bundles of an earlier export of the same state are ready."
	case j.CanceledBy != "":
		return "The export is being stopped."
	}
	switch j.Stage {
	case StageFetching:
		return "Fetching the source."
	case StageScanning:
		return "Reading the docs folder."
	case StagePages:
		if j.PageTotal == 0 {
			return "Writing pages."
		}
		return fmt.Sprintf("Writing pages: %d of %d.", j.PageCount, j.Total())
	case StageAssets:
		return "Writing the search index, page lists and files."
	case StagePackaging:
		return "Storing the bundles."
	case StageDone:
		return "The bundles are ready."
	case StageWaiting:
		return "Waiting for storage that is unavailable. The export continues automatically."
	}
	return "Waiting for a worker."
}

// Total returns the expected number of pages, 0 while unknown. It is never below PageCount, which may come from an
// attempt with an older source.
func (j Job) Total() int {
	if j.PageTotal == 0 {
		return 0
	}
	return max(j.PageTotal, j.PageCount)
}
