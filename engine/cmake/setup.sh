# Brings what the build needs: Debian packages, LibTorch, wheels with a pinned hash. Sourced by app/run.sh,
# tests/run.sh and the scripts that fetch models; each function is cheap when its work is already done.
# Errors: one line on stderr and a non-zero return; nothing is left half unpacked.
# shellcheck shell=bash

orthros_cache="${XDG_CACHE_HOME:-$HOME/.cache}/orthros"
orthros_libtorch_version=2.11.0

# The only list of packages; the tests' own are here too, because one CMake tree declares everything.
orthros_packages=(
  ca-certificates ccache cmake g++ mold ninja-build pkg-config python3 python3-pip unzip
  libbenchmark-dev libcli11-dev libexpected-dev libfmt-dev libgmock-dev libgtest-dev libhwy-dev libpcre2-dev
  libspdlog-dev libsqlite3-dev libsqlitecpp-dev libutf8proc-dev nlohmann-json3-dev sqlite3 zlib1g-dev
)
# What the desktop program needs besides: Qt, and the fonts that its pictures are drawn with.
orthros_studio_packages=(
  qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools libqcustomplot-dev
  xvfb fonts-inter fonts-jetbrains-mono fonts-noto-cjk
)

orthros_say() { printf '%s\n' "orthros: $*" >&2; }

# orthros_install_packages [NAME...]: installs those of the list (and of the arguments) that are missing.
orthros_install_packages() {
  local wanted=("${orthros_packages[@]}" "$@") installed missing=() name as_root=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    orthros_say "no apt-get here: install the equivalents of: ${wanted[*]}"
    return 0
  fi
  # dpkg-query fails where it never heard of one of them, which on a fresh machine is the usual case.
  installed=" $(dpkg-query -W -f='${Package}=${db:Status-Status} ' "${wanted[@]}" 2>/dev/null || true) "
  for name in "${wanted[@]}"; do
    [[ $installed == *" $name=installed "* ]] || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
      orthros_say "these packages are missing, and there is neither root nor sudo to install them. As root, run:"
      orthros_say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  orthros_say "installing ${missing[*]}"
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  if ! { "${as_root[@]}" update && "${as_root[@]}" install --no-install-recommends "${missing[@]}"; } >&2 </dev/null; then
    orthros_say "apt-get could not install ${missing[*]}: see its message above"
    return 1
  fi
}

# A python that has pip: the first one on the PATH may be a private build without it.
orthros_python_with_pip() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -m pip --version >/dev/null 2>&1; then
      printf '%s\n' "$python"
      return 0
    fi
  done
  orthros_say "no python3 with pip: install the package python3-pip"
  return 1
}

# orthros_download FOLDER PIP-OPTION... <<< 'name==version --hash=sha256:...': exactly these files, hash checked.
orthros_download() {
  local folder=$1 python requirements
  shift
  python=$(orthros_python_with_pip) || return 1
  requirements="$folder/requirements.txt"
  cat >"$requirements"
  if ! "$python" -m pip download -q --disable-pip-version-check --no-input --no-deps --no-cache-dir \
    --require-hashes "$@" -d "$folder" -r "$requirements" >&2; then
    orthros_say "pip could not download $(cut -d' ' -f1 "$requirements" | paste -sd' '): see its message above"
    return 1
  fi
}

# orthros_make_once TARGET FUNCTION: FUNCTION fills a temporary folder or file beside TARGET, which is renamed to
# TARGET only when it succeeded. Two starts at once wait for each other.
orthros_make_once() {
  local target=$1 make=$2 work status=0
  [[ -e $target ]] && return 0
  mkdir -p "$(dirname "$target")" || return 1
  exec {orthros_lock}>"$target.lock"
  flock "$orthros_lock"
  if [[ ! -e $target ]]; then
    rm -rf "$target".tmp.*  # of an interrupted start: the lock is ours, so nobody works there
    work=$(mktemp -d "$target.tmp.XXXXXX") || return 1
    mkdir "$work/download"
    if "$make" "$work/download" "$work/result" && mv "$work/result" "$target"; then status=0; else status=1; fi
    rm -rf "$work"
  fi
  exec {orthros_lock}>&-
  return "$status"
}

# CPU use needs these three wheels side by side, as pip lays them; torch's CUDA libraries (0.5 GB) and Python parts
# are left out.
orthros_fetch_libtorch() {
  local download=$1 result=$2 wheel
  orthros_say "fetching LibTorch $orthros_libtorch_version (a 0.5 GB wheel; once)"
  # The tags are those of the wheels, not of the python that runs pip.
  orthros_download "$download" --only-binary=:all: --implementation cp --python-version 311 --abi cp311 \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_25_x86_64 --platform manylinux_2_17_x86_64 \
    --platform manylinux2014_x86_64 <<EOT || return 1
torch==$orthros_libtorch_version --hash=sha256:7aa2f9bbc6d4595ba72138026b2074be1233186150e9292865e04b7a63b8c67a
nvidia-cuda-runtime==13.0.96 --hash=sha256:7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548
nvidia-cuda-cupti==13.0.85 --hash=sha256:4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8
EOT
  mkdir "$result"
  for wheel in "$download"/torch-*.whl; do
    unzip -q "$wheel" 'torch/lib/*' 'torch/include/*' 'torch/version.py' '*.dist-info/*' \
      -x 'torch/lib/libtorch_cuda*' 'torch/lib/libtorch_python.so' 'torch/lib/libtorch_nvshmem.so' \
      'torch/lib/libc10_cuda.so' -d "$result" || return 1
  done
  for wheel in "$download"/nvidia_*.whl; do
    unzip -q "$wheel" -d "$result" || return 1
  done
}

# Leaves LibTorch where engine/cmake/FindLibTorch.cmake looks: ORTHROS_LIBTORCH if set, else the user's cache.
orthros_provide_libtorch() {
  if [[ -n ${ORTHROS_LIBTORCH:-} ]]; then
    if [[ ! -e $ORTHROS_LIBTORCH/torch/lib/libtorch_cpu.so && ! -e $ORTHROS_LIBTORCH/lib/libtorch_cpu.so ]]; then
      orthros_say "ORTHROS_LIBTORCH=$ORTHROS_LIBTORCH holds no torch/lib/libtorch_cpu.so: unset it or name such a folder"
      return 1
    fi
    return 0
  fi
  if [[ $(uname -s)-$(uname -m) != Linux-x86_64 ]]; then
    orthros_say "the LibTorch wheel is for Linux on x86_64: set ORTHROS_LIBTORCH to a folder with LibTorch for $(uname -sm)"
    return 1
  fi
  orthros_make_once "$orthros_cache/libtorch-$orthros_libtorch_version" orthros_fetch_libtorch
}

# orthros_configure PRESET: CMake finds LibTorch anew each time, so that a changed ORTHROS_LIBTORCH is seen.
orthros_configure() {
  cmake --preset "$1" -U LIBTORCH_ROOT -DORTHROS_LIBTORCH="${ORTHROS_LIBTORCH:-}" >&2
}
