package daemon

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseProgramPages unmaps the pages of the program's file from this process. A build uses most of its 90 MB, and
// mapped pages are among the last that the kernel reclaims. Unmapped pages remain in the page cache until the memory is
// needed elsewhere; the few that are still in use are mapped again without reading the disk.
func releaseProgramPages() error {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return fmt.Errorf("find program file: %w", err)
	}
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return fmt.Errorf("read memory map: %w", err)
	}
	defer func() { _ = f.Close() }() // read only
	list, err := cleanMappings(f, program)
	if err != nil {
		return fmt.Errorf("read memory map: %w", err)
	}
	for _, m := range list {
		if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED); errno != 0 {
			return fmt.Errorf("release program pages: %w", errno)
		}
	}
	return nil
}

// mapping is an address range.
type mapping struct{ start, end uintptr }

// cleanMappings returns the mappings of a file that the process cannot write and has not modified. In a
// position-independent program some were modified before they were write-protected; modified pages cannot be read
// from the file again.
func cleanMappings(smaps io.Reader, file string) (out []mapping, err error) {
	var now mapping
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		line := lines.Text()
		fields := strings.Fields(line)
		switch {
		case len(fields) > 0 && strings.Contains(fields[0], "-"): // start of a mapping
			now = mapping{}
			if len(fields) < 6 || fields[1][1] == 'w' || !strings.HasSuffix(line, " "+file) {
				continue
			}
			if now, err = parseMapping(fields[0]); err != nil {
				return nil, err
			}
		case strings.HasPrefix(line, "Anonymous:") && now.end > 0 && fields[1] == "0":
			out = append(out, now)
		}
	}
	return out, lines.Err()
}

func parseMapping(text string) (m mapping, err error) {
	from, to, _ := strings.Cut(text, "-")
	start, err := strconv.ParseUint(from, 16, 64)
	if err != nil {
		return m, err
	}
	end, err := strconv.ParseUint(to, 16, 64)
	return mapping{uintptr(start), uintptr(end)}, err
}
