package linediff

// Compare compares two lists of lines and returns them as kept, removed and added lines. It skips equal lines at
// both ends and searches the rest for the smallest number of changes.
func Compare(a, b []string) []Line {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var steps []Line
	for _, l := range a[:head] {
		steps = append(steps, Line{' ', l})
	}
	steps = append(steps, shortest(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, l := range a[len(a)-tail:] {
		steps = append(steps, Line{' ', l})
	}
	return steps
}

// shortest searches along diagonals. far[k] is the furthest position in a that d changes can reach on diagonal k. The
// diagonal is the position in a minus the position in b.
func shortest(a, b []string) []Line {
	limit := min(len(a)+len(b), maxDiff)
	far := make([]int, 2*limit+3)
	var trace [][]int
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int(nil), far[limit+1-d:limit+2+d]...))
		for k := -d; k <= d; k += 2 {
			at := limit + 1 + k
			x := far[at-1] + 1
			if k == -d || k != d && far[at-1] < far[at+1] {
				x = far[at+1]
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			far[at] = x
			if x >= len(a) && x-k >= len(b) {
				return retrace(a, b, trace)
			}
		}
	}
	var all []Line
	for _, l := range a {
		all = append(all, Line{'-', l})
	}
	for _, l := range b {
		all = append(all, Line{'+', l})
	}
	return all
}

// retrace reconstructs the changes by following the trace backwards from the end.
func retrace(a, b []string, trace [][]int) []Line {
	var back []Line
	x, y := len(a), len(b)
	for d := len(trace) - 1; d >= 0; d-- {
		far := trace[d] // diagonals -d to d before change d
		k := x - y
		reach := func(k int) int {
			if i := k + d; i >= 0 && i < len(far) {
				return far[i]
			}
			return -1
		}
		prev := k - 1
		if k == -d || k != d && reach(k-1) < reach(k+1) {
			prev = k + 1
		}
		px := 0
		if d > 0 {
			px = reach(prev)
		}
		py := px - prev
		if d == 0 {
			py = 0
		}
		for x > px && y > py {
			x, y = x-1, y-1
			back = append(back, Line{' ', a[x]})
		}
		if d > 0 && x > px {
			x--
			back = append(back, Line{'-', a[x]})
		} else if d > 0 && y > py {
			y--
			back = append(back, Line{'+', b[y]})
		}
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}
