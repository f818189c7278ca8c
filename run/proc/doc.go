// Package proc starts the processes of an attempt, knows them again after a crash of the
// runner, and ends them for certain.
//
// Engines do not make that easy. Their workers leave the process group, survive the death
// of the server with the GPU's memory in their hands, and overwrite their own environment
// with a title. So a process belongs to an attempt by any of these:
//
//   - the attempt's nonce, or the mark of one start, in its environment,
//   - the session that Start gave the server,
//   - descent from a process that was known when the ladder of signals began.
//
// A process id alone proves nothing, since ids come back within hours: it counts only with
// the start time and the boot that it was seen with. A zombie counts as gone, since nothing
// but a number is left of it and not every init takes those.
//
// Only Linux tells all this, through /proc. Elsewhere the package compiles and says so.
package proc
