#!/usr/bin/env bash
# Installs what is missing, builds, runs every test. Enough on a fresh Debian 12 machine with a network.
#   tests/run.sh                  release: all tests; then the torch-free folders under ASan and UBSan, with the
#                                 fuzz corpus replayed
#   tests/run.sh --fast           the same without the tests labelled slow
#   tests/run.sh --preset NAME    all tests of that preset of CMakePresets.json alone (asan-ubsan, tsan, fuzz, dev)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=engine/cmake/setup.sh
source engine/cmake/setup.sh

usage() { sed -n '2,6s/^# \{0,1\}//p' tests/run.sh >&2; }

preset=
skip_slow=()
while (($#)); do
  case $1 in
    --fast) skip_slow=(-LE slow) ;;
    --preset)
      if (($# < 2)); then usage; exit 2; fi
      preset=$2
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) orthros_say "unknown option $1"; usage; exit 2 ;;
  esac
  shift
done

# test_preset PRESET CTEST-OPTION...
test_preset() {
  local name=$1
  shift
  orthros_say "preset $name: configure, build, test"
  orthros_configure "$name"
  cmake --build --preset "$name" --parallel "$(nproc)"
  ctest --test-dir "build/$name" --output-on-failure --no-tests=error --timeout 1500 "$@"
}

extra_packages=("${orthros_studio_packages[@]}" xdotool imagemagick)  # the last two drive and picture a window
if [[ $preset == fuzz ]]; then extra_packages=(clang libclang-rt-14-dev); fi
orthros_install_packages "${extra_packages[@]}"
orthros_provide_libtorch
# Tests that need the real model read its path from here, and skip, saying so, where it is unset.
if ((${#skip_slow[@]} == 0)); then
  ORTHROS_SMOLLM2_GGUF=$(bash sample_models/fetch_smollm2.sh)
  export ORTHROS_SMOLLM2_GGUF
fi

if [[ -n $preset ]]; then
  test_preset "$preset" "${skip_slow[@]}"
else
  test_preset release "${skip_slow[@]}"
  test_preset asan-ubsan-notorch -LE slow
fi
