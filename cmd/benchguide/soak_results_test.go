//go:build linux

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/study"
)

// results are the files of the run that must be those of every other run of the study, to
// the last byte. What may differ is listed here and nowhere else:
//
//   - journal.jsonl: what happened to the run;
//   - failed-N: attempts that a signal ended in order. Only these may be there;
//   - attempt.json: times;
//   - the port, and the nonce, which counts the attempts at a start: they are replaced in
//     attempt.json, server.log, server_info.json and the metrics;
//   - result.json: the digests of those files, which are held against them here.
func (s *soak) results() map[string]string {
	s.t.Helper()
	list, failed := map[string]string{}, 0
	top := filepath.Dir(s.run()) // runs: nothing may be left beside the run either
	err := filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(top, name)
		switch {
		case err != nil:
			return err
		case e.IsDir() && strings.HasPrefix(e.Name(), "failed-"):
			failed++
			s.requireStopped(name)
			return fs.SkipDir
		case e.IsDir():
			list[rel] = "a folder"
		case e.Name() == "journal.jsonl":
			list[rel] = ""
		default:
			list[rel] = s.comparable(name)
		}
		return nil
	})
	require.NoError(s.t, err)
	require.LessOrEqual(s.t, failed, s.polite, "more failed than was stopped")
	return list
}

// requireStopped proves that an attempt came to nothing because a person stopped it.
func (s *soak) requireStopped(folder string) {
	r, sealed, err := attempt.Sealed(folder)
	require.NoError(s.t, err)
	require.True(s.t, sealed, folder)
	require.Equal(s.t, study.FailUser, r.Class, "%s: %s", folder, r.Reason)
}

var ports = regexp.MustCompile(`(VLLM_PORT=|--port |'port': |127\.0\.0\.1:)\d+`)

// comparable is the text of a file without what may differ.
func (s *soak) comparable(name string) string {
	data, err := os.ReadFile(name)
	require.NoError(s.t, err)
	switch base := filepath.Base(name); {
	case base == attempt.ResultFile:
		return s.seal(filepath.Dir(name))
	case base == attempt.AttemptFile:
		var a map[string]any
		require.NoError(s.t, json.Unmarshal([]byte(anonymous(s.nonce(name), string(data))), &a))
		delete(a, "times")
		data, err = json.Marshal(a)
		require.NoError(s.t, err)
		return string(data)
	case base == study.ServerLog, base == attempt.InfoFile, strings.HasPrefix(base, "metrics-"):
		return anonymous(s.nonce(name), string(data))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// anonymous replaces the nonce and the port.
func anonymous(nonce, text string) string {
	return ports.ReplaceAllString(strings.ReplaceAll(text, nonce, "NONCE"), "${1}PORT")
}

// nonce is that of the attempt that a file belongs to.
func (s *soak) nonce(name string) string {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(name), attempt.AttemptFile))
	require.NoError(s.t, err)
	var a study.Attempt
	require.NoError(s.t, json.Unmarshal(data, &a))
	require.NotEmpty(s.t, a.Nonce)
	return a.Nonce
}

// seal is what an attempt came to, with the names of its files: their digests hold.
func (s *soak) seal(folder string) string {
	r, sealed, err := attempt.Sealed(folder)
	require.NoError(s.t, err)
	require.True(s.t, sealed)
	for file := range r.Files {
		r.Files[file] = ""
	}
	data, err := json.Marshal(r)
	require.NoError(s.t, err)
	return string(data)
}
