package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// cost is the resource use of some work. On one core, time is processor time including garbage collection, so other
// programs on the machine do not affect it.
type cost struct {
	took    time.Duration
	wall    time.Duration
	objects uint64 // allocated
	bytes   uint64
}

// add runs the work and adds its cost.
func (c *cost) add(work func() error) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin, spent := time.Now(), processorTime()
	err := work()
	c.took += processorTime() - spent
	c.wall += time.Since(begin)
	runtime.ReadMemStats(&after)
	c.objects += after.Mallocs - before.Mallocs
	c.bytes += after.TotalAlloc - before.TotalAlloc
	return err
}

// processorTime returns the processor time used by this process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// less subtracts a part of the cost that was measured separately.
func (c cost) less(o cost) cost {
	return cost{c.took - o.took, c.wall - o.wall, c.objects - min(o.objects, c.objects),
		c.bytes - min(o.bytes, c.bytes)}
}

// least returns the fastest round, which was the least disturbed by other work on the machine.
func least(rounds []cost) cost {
	return slices.MinFunc(rounds, func(a, b cost) int { return cmp.Compare(a.took, b.took) })
}

func heading(name string, columns ...string) {
	fmt.Printf("\n%-44s", name)
	for i, c := range columns {
		fmt.Printf(" %*s", width(i), c)
	}
	fmt.Println()
}

func width(column int) int {
	if column < 2 {
		return 14
	}
	return 9
}

// row prints two figures and their ratio. NaN stands for a figure that was not measured.
func row(name string, ours, bare float64) {
	fmt.Printf("%-44s %14s %14s %9s\n", name, measured(ours, 1), measured(bare, 1), measured(ours/bare, 2))
}

func measured(f float64, digits int) string {
	if math.IsNaN(f) {
		return "–"
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}

// line prints the pages per second of a stage, compared with a plain library if it has that stage, and the allocations
// per page.
func line(name string, ours, bare cost, pages int) {
	beside, ratio := "–", "–"
	if bare.took > 0 {
		beside, ratio = fmt.Sprintf("%.0f", perSecond(bare, pages)),
			fmt.Sprintf("%.2f", ours.took.Seconds()/bare.took.Seconds())
	}
	fmt.Printf("%-44s %14.0f %14s %9s %9.0f %9d %9.1f\n", name, perSecond(ours, pages), beside, ratio,
		micro(ours.took)/float64(pages),
		ours.objects/uint64(pages), float64(ours.bytes)/float64(pages)/1024)
}

func perSecond(c cost, pages int) float64 { return float64(pages) / c.took.Seconds() }

func ms(d time.Duration) float64    { return float64(d.Microseconds()) / 1000 }
func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

func median(list []time.Duration) time.Duration {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}

// profile starts a CPU profile if name is not empty. The returned function stops it.
func profile(name string) (stop func() error, err error) {
	if name == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}
