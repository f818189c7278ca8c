package run

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxNonce fits what the name of a model, a job and a container may be.
const maxNonce = 60

// nonceOf names an attempt: readable for a person who sees it in a list of processes or
// jobs, and ending in a tag that no other attempt has. Rehearsals are to come out the
// same each time, so there the tag follows from what is started.
func nonceOf(id string, s Start, rehearsed bool) (string, error) {
	tag := make([]byte, 4)
	if rehearsed {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d %d %s", id, s.Ref(), s.Number, s.Try, s.Block, s.Phase))
		copy(tag, sum[:])
	} else if _, err := rand.Read(tag); err != nil {
		return "", err
	}
	end := fmt.Sprintf("-%d-%d-%s", s.Number, s.Try, hex.EncodeToString(tag))
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(id+"-"+s.Stage+"-"+s.Candidate))
	return strings.TrimLeft(name[:min(len(name), maxNonce-len(end))], "-") + end, nil
}
