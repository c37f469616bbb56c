// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types of parameter types in every form that the exporter writes.
#include "support/type_name.h"

#include <doctest/doctest.h>

using namespace mirgpu;

TEST_CASE("type names: the element of a slice, an array, a pointee") {
  CHECK(elementTypeName("&[f32]") == "f32");
  CHECK(elementTypeName("&mut [u16]") == "u16");
  CHECK(elementTypeName("&'a mut [u16]") == "u16");
  CHECK(elementTypeName("&[[f32; 4]]") == "[f32; 4]");
  CHECK(elementTypeName("&[a::Pair<u8,u16>]") == "a::Pair<u8,u16>");
  CHECK(elementTypeName("&mut [f32; 4]") == "f32");
  CHECK(elementTypeName("&str") == "u8");
  CHECK(elementTypeName("*const f64") == "f64");
  CHECK(elementTypeName("*mut i8") == "i8");
  CHECK(elementTypeName("f32").empty());
  CHECK(elementTypeName("").empty());
  CHECK(elementTypeName("&").empty());
  CHECK(elementTypeName("a<").empty());
}

TEST_CASE("type names: the element of a disjoint slice is its first type argument") {
  CHECK(elementTypeName("DisjointSlice<f32>") == "f32");
  CHECK(elementTypeName("mirgpu_device::disjoint::DisjointSlice<'_, i32>") == "i32");
  CHECK(elementTypeName(
            "mirgpu_device::disjoint::DisjointSlice<u32,mirgpu_device::thread::Index1D>") == "u32");
  CHECK(elementTypeName("DisjointSlice<(u8,u16),Index1D>") == "(u8,u16)");
  CHECK(elementTypeName("DisjointSlice<a::Pair<u8,u16>,Index1D>") == "a::Pair<u8,u16>");
}

TEST_CASE("type names: primitive types, also within an atomic") {
  CHECK(primitiveTypeName("usize") == "usize");
  CHECK(primitiveTypeName("core::sync::atomic::Atomic<i64>") == "i64");
  CHECK(primitiveTypeName("core::num::nonzero::NonZero<u32>").empty());
  CHECK(primitiveTypeName("mine::Atomic<u32>").empty());
  CHECK(primitiveTypeName("mine::f32").empty());
}
