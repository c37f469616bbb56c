# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verbs of ./dev, one module each."""
