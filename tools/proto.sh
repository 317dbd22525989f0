#!/usr/bin/env bash
# proto.sh BIN FOLDER: generates the Python code of proto/ into FOLDER (hearts/v1 in the repository).
set -euo pipefail
bin=$1
folder=$2

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$bin/python" -m grpc_tools.protoc -I proto \
  --python_out="$out" --pyi_out="$out" --grpc_python_out="$out" proto/hearts/v1/*.proto
mkdir -p "$folder"
rm -f "$folder"/*_pb2.py "$folder"/*_pb2.pyi "$folder"/*_pb2_grpc.py
cp "$out"/hearts/v1/* "$folder"/
