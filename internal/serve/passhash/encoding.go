package passhash

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Bounds on the parameters of a stored hash. The upper bounds keep a broken or hostile hash from taking all of the
// server's memory, or a core for minutes; the lower ones exclude values for which the library panics, and hashes
// short enough to be guessed.
const (
	maxMemory = 256 << 10 // KiB
	maxPasses = 10
	maxLanes  = 16
	minLane   = 8 // KiB of memory per lane, required by RFC 9106
	minSalt   = 8
	maxSalt   = 64
	minSum    = 16
	maxSum    = 64
	// maxText exceeds the length of any text within these bounds.
	maxText = 256
)

// version is the version of argon2, the only one in use.
const version = "v=19"

// sealed is a parsed hash.
type sealed struct {
	memory uint32 // KiB
	passes uint32
	lanes  uint8
	salt   []byte
	sum    []byte
}

// String returns the PHC form: $argon2id$v=19$m=KIB,t=PASSES,p=LANES$SALT$SUM, the last two in base64 without
// padding.
func (s sealed) String() string {
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$%s$m=%d,t=%d,p=%d$%s$%s", version, s.memory, s.passes, s.lanes,
		enc.EncodeToString(s.salt), enc.EncodeToString(s.sum))
}

// parse accepts only text in the exact form that String returns, so each hash has only one encoding.
func parse(text string) (sealed, error) {
	if len(text) > maxText {
		return sealed{}, errors.New("read password hash: too long")
	}
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != version {
		return sealed{}, errors.New("read password hash: not argon2id, version 19")
	}
	costs := strings.Split(parts[3], ",")
	if len(costs) != 3 {
		return sealed{}, errors.New("read password hash: expected three parameters")
	}
	memory, errM := cost(costs[0], "m=", 1, maxMemory)
	passes, errT := cost(costs[1], "t=", 1, maxPasses)
	lanes, errP := cost(costs[2], "p=", 1, maxLanes)
	salt, errS := raw(parts[4], "salt", minSalt, maxSalt)
	sum, errH := raw(parts[5], "sum", minSum, maxSum)
	if err := errors.Join(errM, errT, errP, errS, errH); err != nil {
		return sealed{}, fmt.Errorf("read password hash: %w", err)
	}
	s := sealed{memory: memory, passes: passes, lanes: uint8(lanes), salt: salt, sum: sum}
	if memory < minLane*lanes {
		return sealed{}, errors.New("read password hash: too little memory per lane")
	}
	if s.String() != text { // rejects leading zeros and line breaks in base64
		return sealed{}, errors.New("read password hash: it is not in canonical form")
	}
	return s, nil
}

func cost(text, name string, least, most uint32) (uint32, error) {
	digits, ok := strings.CutPrefix(text, name)
	n, err := strconv.ParseUint(digits, 10, 32)
	if !ok || err != nil || uint32(n) < least || uint32(n) > most {
		return 0, fmt.Errorf("%s is not a number from %d to %d", name, least, most)
	}
	return uint32(n), nil
}

func raw(text, name string, least, most int) ([]byte, error) {
	data, err := base64.RawStdEncoding.Strict().DecodeString(text)
	if err != nil || len(data) < least || len(data) > most {
		return nil, fmt.Errorf("%s is not the base64 encoding of %d to %d bytes", name, least, most)
	}
	return data, nil
}
