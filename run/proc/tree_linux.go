package proc

// Tree sums up what the processes of an attempt have done so far. Known ones are those
// that the caller started, so that one with an overwritten environment is found, too.
func Tree(nonce string, known ...Identity) (ProcessTreeStats, error) {
	f := newFamily(byNonce(nonce), known)
	if err := f.grow(); err != nil {
		return ProcessTreeStats{}, err
	}
	var t ProcessTreeStats
	for _, m := range f.alive() {
		t.Processes++
		t.CPU += m.cpu
		t.ReadBytes += readBytes(m.pid)
	}
	return t, nil
}
