package export

import "fmt"

// Stage is what a job is doing, as a stable word for programs.
type Stage string

// The stages, in order. A job that failed keeps the one in which it did. A second attempt after a crash begins at
// Fetching again; figures do not fall for it.
const (
	StageQueued    Stage = "queued"
	StageFetching  Stage = "fetching"
	StageScanning  Stage = "scanning"
	StagePages     Stage = "pages"
	StageAssets    Stage = "assets"
	StagePackaging Stage = "packaging"
	StageDone      Stage = "done"
	StageWaiting   Stage = "waiting" // for storage that does not answer; then it begins at Fetching again
)

// CleanStage returns the stage a stored job is in. Rows of the first release have free text or nothing there.
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

// Sentence says for people what a job is doing, or how it ended.
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

// Total returns how many pages there will be, 0 while that is not known. It is never below PageCount, which a first
// attempt at an older source may have left.
func (j Job) Total() int {
	if j.PageTotal == 0 {
		return 0
	}
	return max(j.PageTotal, j.PageCount)
}
