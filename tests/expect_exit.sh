#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# expect_exit.sh N COMMAND…: runs COMMAND and succeeds if it ends with exit code N exactly. (LLVM's `not` takes any failure.)
wanted=$1
shift
"$@"
code=$?
if [ "$code" -ne "$wanted" ]; then
  echo "exit code $code where $wanted is expected: $*" >&2
  exit 1
fi
