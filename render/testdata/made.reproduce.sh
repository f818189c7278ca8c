#!/usr/bin/env bash
#
# A small study
# 小实验
#
# Starts the server that this guide ended with, waits until it is ready, warms it up, runs the
# benchmark client, and stops the server again. Every command comes from the guide's report.
# 启动本指南最终采用的服务，等待就绪并预热，再运行基准测试，最后停掉服务。所有命令均取自指南的报告。
#
# Usage / 用法:
#   bash reproduce.sh [WORKLOAD]
# Workloads / 负载 (the first one is the default / 默认为第一个):
#   main: main load / 主负载
# The guide measured, by the names that the client prints / 指南测得（名称与测试工具的输出一致）:
#   main: Total Token throughput (tok/s): 1062.74
# Needs bash, curl, the engine and the client / 需要 bash、curl、推理引擎和测试工具:
#   vllm serve, vllm bench serve

set -euo pipefail

# Set any of these in the environment to change it.
# 以下变量都可以用环境变量覆盖。
MODEL=${MODEL:-Qwen/Qwen3-8B}	# id, or a local folder / 模型 id 或本地目录
PORT=${PORT:-8000}
GPUS=${GPUS:-0}	# for CUDA_VISIBLE_DEVICES / 使用的 GPU
OUT=${OUT:-$PWD/reproduced}	# logs and results / 日志和结果
WAIT=${WAIT:-3600}	# seconds until the server must be ready / 等待就绪的最长秒数
PROMPTS=${PROMPTS:-$(cd "$(dirname "$0")" && pwd)/../../studies/small/raw/runs/published/prompts}	# the guide's prompt files / 指南的提示词文件

NAME="$MODEL"	# that requests call the model by / 请求中的模型名
BASE=http://127.0.0.1:$PORT

say() { echo "reproduce: $*" >&2; }
fail() {
	say "$*"
	exit 3
}

# installed NAME VERSION COMMAND...: warns if the version is another one.
# 检查是否已安装；版本不同时给出警告。
installed() {
	local name=$1 wanted=$2 found
	shift 2
	found=$("$@" 2>&1) || fail "$name cannot be asked for its version; is it installed? tried: $*"
	case " $found " in
	*[!0-9.]"$wanted"[!0-9.]*) return ;;
	esac
	found=$(grep -i -m 1 '^version' <<<"$found" || tail -n 1 <<<"$found")
	say "warning: the guide used $name $wanted, installed is: $found"
}

# needs FILE HINT: a file that the client reads.
# 检查测试工具要读取的文件。
needs() { [ -e "$1" ] || fail "$1 is missing; $2"; }

workload=${1:-main}
case $workload in
main)
	needs "$PROMPTS"/main.jsonl 'it is published beside the guide; set PROMPTS to the folder that it is in'
	warmup=8
	programs=(curl vllm)
	client=(
		vllm bench serve
		--model "$MODEL"
		--served-model-name "$NAME"
		--tokenizer "$MODEL"
		--host 127.0.0.1
		--port "$PORT"
		--dataset-name custom
		--dataset-path "$PROMPTS"/main.jsonl
		--num-prompts 100
		--max-concurrency 4
		--ignore-eos
		--temperature 0
		--save-result
		--save-detailed
		--result-dir "$OUT"
		--result-filename main.json
	)
	;;
*)
	say "there is no workload $workload; take one of: main"
	exit 2
	;;
esac
WARMUP=${WARMUP:-$warmup}	# requests before the measurement / 预热请求数

serve=(
	env VLLM_LOGGING_LEVEL=INFO
	vllm serve "$MODEL"
	--max-num-seqs 1
	--port "$PORT"
)

# All that will be started is there before the server is, whose start can take minutes.
# 先确认要用的程序都在，再启动服务：启动可能需要几分钟。
missing=
for program in "${programs[@]}"; do
	command -v "$program" >/dev/null || missing="$missing $program"
done
[ -z "$missing" ] || fail "not found:$missing; install what is missing, or add its folder to PATH; no server was started"
installed vLLM 0.11.0 vllm --version
if curl -fsS -m 5 -o /dev/null "$BASE/health" 2>/dev/null; then
	fail "a server answers on port $PORT already; stop it, or set PORT"
fi

# Ends the server with everything that it started; a second signal ends the waiting.
# 结束服务及其全部子进程。
server=
stop() {
	trap - EXIT INT TERM
	[ -n "$server" ] || return 0
	kill -TERM -- "-$server" 2>/dev/null || return 0
	for ((i = 0; i < 60; i++)); do
		kill -0 -- "-$server" 2>/dev/null || return 0
		sleep 0.5
	done
	kill -KILL -- "-$server" 2>/dev/null || true
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# post BODY: one request, a JSON object without its model.
# 发送一个请求。
post() {
	curl -fsS -m 600 -o /dev/null -H 'Content-Type: application/json' --data-binary @- "$BASE/v1/completions" \
		<<<"${1%\}}, \"model\": \"$NAME\"}"
}

mkdir -p "$OUT"
say "starting the server; its log is $OUT/server.log"
SECONDS=0
set -m # a process group of its own / 独立的进程组
CUDA_VISIBLE_DEVICES=$GPUS "${serve[@]}" >"$OUT/server.log" 2>&1 </dev/null &
server=$!
set +m

# Ready is a server that is alive, healthy and has answered.
# 进程存活、健康检查通过并能生成，才算就绪。
until curl -fsS -m 5 -o /dev/null "$BASE/health" 2>/dev/null && post '{"prompt": "Hello", "max_tokens": 4, "temperature": 0}' 2>/dev/null; do
	if ! kill -0 "$server" 2>/dev/null; then
		tail -n 20 "$OUT/server.log" >&2
		fail "the server has ended; the end of its log is above"
	fi
	((SECONDS < WAIT)) || fail "the server was not ready within $WAIT seconds; see $OUT/server.log"
	sleep 1
done
say "the server was ready after $SECONDS seconds"

# answered: waits for the requests of the warm-up that are under way.
# 等待已发出的预热请求完成。
pids=()
answered() {
	local pid
	for pid in ${pids[@]+"${pids[@]}"}; do
		wait "$pid" || fail "a request of the warm-up failed; see $OUT/server.log"
	done
	pids=()
}

# The warm-up has prompts of its own, so that no prompt of the workload is in the cache.
# 预热使用另外的提示词，以免负载的提示词进入前缀缓存。
say "sending $WARMUP requests to warm up"
for ((i = 1; i <= WARMUP; i++)); do
	post "{\"prompt\": \"Warm-up request number $i. Tell a story about it.\", \"max_tokens\": 64, \"temperature\": 0}" &
	pids+=($!)
done
answered

say "running the client under $workload"
"${client[@]}" | tee "$OUT/$workload.txt"
say "the result is $OUT/$workload.txt; stopping the server"
