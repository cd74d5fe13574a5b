#!/usr/bin/env bash
# The peer to compare with: llama.cpp (as the source package llama-cpp-python 0.3.36 ships it), built natively in the
# user's cache, on SmolLM2-135M in several weight formats. CSV on stdout: median and best tok/s of prefill (pp) and
# decode (tg), flash attention off and on, 2 threads.
#   tests/bench/llama_cpp.sh [FORMAT...]     formats: Q4_1 (as downloaded) Q4_0 Q8_0 BF16 F32; default all
# The first call builds for about ten minutes. Run it on a quiet machine, in the same hour as what it is compared with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=engine/cmake/setup.sh
source engine/cmake/setup.sh

root="$orthros_cache/llama.cpp-0.3.36"
threads=2
repetitions=${ORTHROS_BENCH_REPETITIONS:-3}
formats=("$@")
if ((${#formats[@]} == 0)); then formats=(Q4_1 Q4_0 Q8_0 BF16 F32); fi
for format in "${formats[@]}"; do
  case $format in
    Q4_1 | Q4_0 | Q8_0 | BF16 | F32) ;;
    *) orthros_say "unknown format $format: Q4_1, Q4_0, Q8_0, BF16 or F32"; exit 2 ;;
  esac
done

build_llama_cpp() {
  local download=$1 result=$2 source
  orthros_say "fetching and building llama.cpp (about ten minutes; once)"
  orthros_download "$download" --no-binary llama-cpp-python <<EOT || return 1
llama-cpp-python==0.3.36 --hash=sha256:832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
EOT
  tar -xzf "$download"/llama_cpp_python-0.3.36.tar.gz -C "$download" || return 1
  source="$download/llama_cpp_python-0.3.36/vendor/llama.cpp"
  cmake -S "$source" -B "$download/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGGML_NATIVE=ON -DBUILD_SHARED_LIBS=OFF \
    -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
    -DLLAMA_BUILD_SERVER=OFF >&2 || return 1
  cmake --build "$download/build" --parallel "$(nproc)" --target llama-bench llama-quantize >&2 || return 1
  mkdir "$result" && cp "$download"/build/bin/llama-{bench,quantize} "$result"
}

# shellcheck disable=SC2119
orthros_install_packages
orthros_make_once "$root" build_llama_cpp
model=$(bash sample_models/fetch_smollm2.sh)

# From the downloaded 4-bit file: the values are those of Q4_1, only held otherwise. That is what is timed.
convert() { "$root/llama-quantize" --allow-requantize "$model" "$2" "$format" "$threads" >&2; }

printf 'format,test,flash_attention,median_tok_s,best_tok_s\n'
for format in "${formats[@]}"; do
  file="$orthros_cache/models/SmolLM2-135M-Instruct.$format.gguf"
  orthros_make_once "$file" convert
  "$root/llama-bench" -m "$file" -t "$threads" -p 512,2048 -n 64 -fa 0,1 -r "$repetitions" -o jsonl 2>/dev/null |
    python3 -c '
import json, statistics, sys
for line in sys.stdin:
    run = json.loads(line)
    prompt, generated = run["n_prompt"], run["n_gen"]
    test = f"pp{prompt}" if prompt else f"tg{generated}"
    on = str(run["flash_attn"]) in ("1", "on", "True")
    speeds = run["samples_ts"]
    print(f"{sys.argv[1]},{test},{int(on)},{statistics.median(speeds):.1f},{max(speeds):.1f}", flush=True)
' "$format"
done
