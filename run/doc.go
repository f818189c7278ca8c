// Package run carries a study out: it starts engines, measures them, keeps what was
// printed, and decides with the code that the guide uses.
//
// All state is files below runs/RUN of the study:
//
//	run.yaml                         when, with which client, mark and seed
//	prompts/WORKLOAD.jsonl           the prompts, the same for every start
//	journal.jsonl                    what happened, in order; nothing is decided by it
//	STAGE/CANDIDATE/start-N/         a finished attempt (package attempt says what is in it)
//	STAGE/CANDIDATE/failed-N/        an attempt that the machine or a person spoilt; never read as a result
//	.work/NONCE/                     an attempt under way
//
// What comes next is a function of these files (see Next): a run that was killed goes
// on from them, and a finished attempt is never repeated.
package run
