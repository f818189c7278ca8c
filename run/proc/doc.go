// Package proc starts the processes of an attempt, knows them again after a crash of the
// runner, and ends them for certain.
package proc
