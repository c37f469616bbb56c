# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(mirgpu): gives mirgpu::mirgpu, the launch runtime with mirgpu.h and mirgpu.hpp.
include(${CMAKE_CURRENT_LIST_DIR}/mirgpuTargets.cmake)
