// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry of the unit tests. Filter with `mirgpu_unit_tests -tc='reader*'`.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
