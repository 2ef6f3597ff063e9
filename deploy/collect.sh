#!/bin/sh
# Copies what an app needs at run time, and nothing else, to a folder: built code, production packages, migrations.
# Usage, from the top of the repository: sh deploy/collect.sh <api|worker> <folder>
set -eu
app=$1
to=$2
mkdir -p "$to"
cp --parents -R package.json node_modules prisma/migrations "apps/$app/package.json" "apps/$app/dist" "$to"
for lib in libs/*/; do
  if [ -d "${lib}dist" ]; then cp --parents -R "${lib}package.json" "${lib}dist" "$to"; fi
  if [ -d "${lib}node_modules" ]; then cp --parents -R "${lib}node_modules" "$to"; fi
done
