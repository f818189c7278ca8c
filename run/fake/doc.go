// Package fake stands in for engines and GPUs: a server with the flags and endpoints of
// vLLM, SGLang, TensorRT-LLM and llama.cpp, whose speed is that of the roofline model,
// and an nvidia-smi; both show faults by a script. Rehearsals and tests use it.
package fake
