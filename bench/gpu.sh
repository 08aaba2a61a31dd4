#!/usr/bin/env bash
# For the owner of an NVIDIA GPU: throughput, latency and head parity, GPU against CPU.
#   bench/gpu.sh             installs, measures, prints one JSON on stdout (all else goes to stderr)
#   bench/gpu.sh --no-install  with the packages that are there
#   bench/gpu.sh --dry-run   the same steps on the CPU, nothing installed: proves the plumbing only
# MODEL_PATH names other weights. Needs Node 20.20 or newer and, without --dry-run, CUDA 12 or 13.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dry_run=false
install=true
for argument in "$@"; do
  case "$argument" in
    --dry-run) dry_run=true install=false ;;
    --no-install) install=false ;;
    *) echo "usage: bench/gpu.sh [--no-install | --dry-run]" >&2; exit 2 ;;
  esac
done

refuse() { echo "bench/gpu.sh: $1" >&2; exit 1; }
step() { echo "== $1" >&2; }

command -v node > /dev/null || refuse "Node is not installed; 20.20 or newer is needed."
if [ "$dry_run" = false ]; then
  command -v nvidia-smi > /dev/null \
    || refuse "no nvidia-smi, so no NVIDIA driver: nothing was measured. --dry-run tries the steps on the CPU."
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader >&2 \
    || refuse "nvidia-smi finds no GPU: nothing was measured."
fi

if [ "$install" = true ]; then
  step "packages"
  npm ci --no-audit --no-fund >&2
  # The root replaces the CUDA binaries with an empty package; deploy/cuda has the real ones.
  npm ci --prefix deploy/cuda --ignore-scripts --no-audit --no-fund >&2
  rm -rf node_modules/@node-llama-cpp/linux-x64-cuda node_modules/@node-llama-cpp/linux-x64-cuda-ext
  cp -R deploy/cuda/node_modules/@node-llama-cpp/. node_modules/@node-llama-cpp/
fi

step "device"
if [ "$dry_run" = true ]; then export MODEL_GPU=false; else export MODEL_GPU=auto; fi
device="$(node --import tsx bench/gpu/device.ts)"
if [ "$dry_run" = false ] && [[ "$device" != *'"gpu":"cuda"'* ]]; then
  refuse "llama.cpp does not see the GPU ($device): are CUDA's libcudart and libcublas 12 or 13 installed?"
fi

step "throughput and latency"
server="$(npm run --silent bench -- server --json | tail -n 1)"

step "head parity"
parity="$(node --import tsx bench/gpu/parity.ts)"

printf '{"dry_run":%s,"device":%s,"server":%s,"parity":%s}\n' "$dry_run" "$device" "$server" "$parity"
