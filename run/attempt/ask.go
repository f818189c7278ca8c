package attempt

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"benchguide/run/disk"
	"benchguide/run/server"
)

// askServer records what the server says of itself: its version, which must be the
// study's, and the configuration in force, with whatever its options left to it.
func (j *job) askServer(ctx context.Context) error {
	log := j.readLog()
	if err := j.checkVersion(ctx, log); err != nil {
		return err
	}
	// What options leave to an engine changes between versions, so that it is asked and not assumed.
	effective, raw, err := j.driver.Effective(ctx, j.target)
	if err != nil { // it is for the record only, and the log says much of it
		j.tell.warn("the server does not tell its configuration: " + err.Error())
	}
	if raw != nil {
		if err := disk.Write(filepath.Join(j.folder, InfoFile), raw); err != nil {
			return err
		}
	}
	// Each knows what the other does not, such as the attention backend that vLLM has chosen.
	j.record.Server = server.EffectiveFromLog(j.order.Engine, log)
	for name, v := range effective {
		set(&j.record.Server, name, v)
	}
	return j.save(map[string]int{})
}

// checkVersion compares the server's version with the study's. A server that does not
// say is believed: its machine's profile names the program. A fake engine has none.
func (j *job) checkVersion(ctx context.Context, log []byte) error {
	if j.order.Rehearse != nil {
		return nil
	}
	said, err := j.driver.Version(ctx, j.target)
	if err != nil {
		j.tell.warn("the server does not tell its version: " + err.Error())
	}
	said = cmp.Or(said, server.VersionFromLog(j.order.Engine, log))
	if said == "" || sameVersion(said, j.order.Version) {
		return nil
	}
	return configFault(fmt.Sprintf("install %s %s, say in machine.yaml under engines where it is (%s@%s), or write %s into study.yaml",
		j.config.Engine.Name, j.order.Version, j.order.Engine, j.order.Version, said),
		"the server is %s %s, and the study asks for %s", j.config.Engine.Name, said, j.order.Version)
}

// scrape keeps what the server counts. Where an engine counts nothing, or loses what is
// read, there is no file.
func (j *job) scrape(ctx context.Context, file string) error {
	once, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	counts, err := j.driver.Metrics(once, j.target)
	if err != nil || counts == nil {
		if err != nil && ctx.Err() == nil {
			j.tell.warn("the server does not tell what it counts: " + err.Error())
		}
		return nil // cache hits are not known then, which is for the analysis to say
	}
	return disk.Write(file, counts)
}

// stillOurs asks after a trial whether it was our living server that answered.
func (j *job) stillOurs(ctx context.Context, during string) error {
	once, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	if err := j.driver.Live(once, j.target); err != nil {
		if j.endsSoon() {
			return j.died(during)
		}
		d := server.Diagnose(j.readLog(), server.ExitInfo{})
		return j.faulty(d, during, fmt.Sprintf("after %s the server no longer says that it is alive: %v", during, err))
	}
	return j.identify(ctx)
}
