// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// VALUE of `mirgpu run` to bytes and back to text: every form, every element type, and what is
// refused with which words.
#include "driver/driver.h"
#include "driver/npy.h"
#include "driver/values.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace mirgpu::driver;

static std::string problem(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  CHECK_FALSE(text.empty());
  return text;
}

static BufferValue buffer(llvm::StringRef text) {
  auto value = parseValue("arg", text);
  if (!value) {
    FAIL(llvm::toString(value.takeError()));
    return {};
  }
  REQUIRE(std::holds_alternative<BufferValue>(*value));
  return std::get<BufferValue>(*value);
}

static std::string shown(llvm::StringRef text) {
  BufferValue value = buffer(text);
  return bufferText(value.element, value.bytes);
}

static bool refused(llvm::StringRef text, llvm::StringRef words) {
  auto value = parseValue("arg", text);
  return !value && llvm::StringRef(problem(value.takeError())).contains(words);
}

TEST_CASE("values: fillings") {
  CHECK(shown("f32[3]:zeros") == "[0.0, 0.0, 0.0]");
  CHECK(shown("f64[3]:iota") == "[0.0, 1.0, 2.0]");
  CHECK(shown("u8[4]:iota") == "[0, 1, 2, 3]");
  CHECK(shown("i16:[-1,0x7fff,1_000]") == "[-1, 32767, 1000]");
  CHECK(shown("f32[2]:0.1,-inf") == "[0.1, -inf]");
  CHECK(shown("u64:[18446744073709551615]") == "[18446744073709551615]");
  CHECK(shown("i64:[-9223372036854775808]") == "[-9223372036854775808]");
  CHECK(shown("u32[0]:zeros") == "[]");
  CHECK(shown("u32:[]") == "[]");
}

TEST_CASE("values: refusals name what is wrong") {
  CHECK(refused("f33[4]:zeros", "no element type `f33`"));
  CHECK(refused("u8:[256]", "`256` does not fit u8"));
  CHECK(refused("u8:[-1]", "`-1` does not fit u8"));
  CHECK(refused("i8:[128]", "does not fit i8"));
  CHECK(refused("u32[3]:1,2", "has 2 values where 3 are announced"));
  CHECK(refused("u32[x]:zeros", "no number of elements"));
  CHECK(refused("u32[99999999999999]:zeros", "no number of elements"));
  CHECK(refused("f32[1]:abc", "`abc` is no number"));
  CHECK(refused("f32[1]:rand(x)", "seed"));
  CHECK(refused("bytes:@/not/there", "/not/there"));
}

TEST_CASE("values: rand is SplitMix64") {
  uint64_t state = 1234567;
  CHECK(splitMix64(state) == 6457827717110365317u);
  CHECK(splitMix64(state) == 3203168211198807973u);
  CHECK(shown("u64[2]:rand(1234567)") == "[6457827717110365317, 3203168211198807973]");
  BufferValue floats = buffer("f32[1000]:rand(1)");
  for (size_t i = 0; i < 1000; ++i) {
    float value = 0;
    std::memcpy(&value, floats.bytes.data() + i * 4, 4);
    CHECK(value >= 0.0f);
    CHECK(value < 1.0f);
  }
}

TEST_CASE("values: scalars by the parameter's type") {
  auto encoded = [](llvm::StringRef text, llvm::StringRef type, uint64_t size) {
    auto bytes = encodeScalar("arg", text, type, size);
    return bytes ? bufferText(std::nullopt, *bytes) : llvm::toString(bytes.takeError());
  };
  CHECK(encoded("true", "bool", 1) == "01");
  CHECK(encoded("1", "bool", 1) == "arg: `1` is no bool; write true or false");
  CHECK(encoded("'x'", "char", 4) == "78000000");
  CHECK(encoded("'é'", "char", 4) == "e9000000");
  CHECK(encoded("xy", "char", 4) == "arg: `xy` is no single character");
  CHECK(encoded("1.5", "f32", 4) == "0000c03f");
  CHECK(encoded("1.5", "f16", 2) == "003e");
  CHECK(encoded("-2", "isize", 8) == "feffffffffffffff");
  CHECK(encoded("-2", "usize", 8) == "arg: `-2` does not fit u64");
  CHECK(encoded("-1", "i128", 16) == "ffffffffffffffffffffffffffffffff");
  CHECK(encoded("2.5", "u32", 4) == "arg: `2.5` is no whole number");
  CHECK(encoded("2.5", "i32", 4) == "arg: `2.5` is no whole number");
  CHECK(encoded("-1", "u32", 4) == "arg: `-1` does not fit u32");
  CHECK(encoded("300", "u8", 1) == "arg: `300` does not fit u8");
  CHECK(encoded("1e39", "f32", 4) ==
        "arg: `1e39` does not fit f32; write inf where infinity is meant");
  CHECK(encoded("inf", "f32", 4) == "0000807f");
  CHECK(encoded("1", "f128", 16) == "0000000000000000000000000000ff3f");
}

TEST_CASE("values: floats are printed as Rust's {:?}") {
  auto text = [](float value) {
    return elementText(Element::F32, reinterpret_cast<const char *>(&value));
  };
  CHECK(text(0.0f) == "0.0");
  CHECK(text(-0.0f) == "-0.0");
  CHECK(text(1.0f) == "1.0");
  CHECK(text(0.1f) == "0.1");
  CHECK(text(16777216.0f) == "16777216.0");
  CHECK(text(1e16f) == "1e16");
  CHECK(text(1.5e-7f) == "1.5e-7");
  CHECK(text(0.0001f) == "0.0001");
  CHECK(text(3.4028235e38f) == "3.4028235e38");
  CHECK(text(1e-45f) == "1e-45");
  CHECK(text(__builtin_nanf("")) == "NaN");
  double tenth = 0.1;
  CHECK(elementText(Element::F64, reinterpret_cast<const char *>(&tenth)) == "0.1");
}

TEST_CASE("npy: what is written is read, whatever else is refused") {
  std::string bytes(12, '\0');
  bytes[4] = 7;
  for (Element element : {Element::F32, Element::I32, Element::U32}) {
    auto read = parseNpy(writeNpy(element, bytes), "x.npy");
    REQUIRE(static_cast<bool>(read));
    CHECK(read->element == element);
    CHECK(read->count == 3);
    CHECK(read->bytes == bytes);
  }
  std::string good = writeNpy(Element::F32, bytes);
  CHECK((good.size() - bytes.size()) % 64 == 0);
  for (size_t length = 0; length < good.size(); ++length) { // every truncation
    auto read = parseNpy(good.substr(0, length), "x.npy");
    CHECK_FALSE(static_cast<bool>(read));
    llvm::consumeError(read.takeError());
  }
  auto refusedAs = [](std::string file, llvm::StringRef words) {
    auto read = parseNpy(file, "x.npy");
    return !read && llvm::StringRef(problem(read.takeError())).contains(words);
  };
  std::string other = good;
  other[6] = 2;
  CHECK(refusedAs(other, "version 2.0"));
  other = good;
  other.replace(other.find("<f4"), 3, ">f4");
  CHECK(refusedAs(other, "`>f4`"));
  other = good;
  other.replace(other.find("(3,)"), 4, "(9,)");
  CHECK(refusedAs(other, "its shape asks for 9"));
  CHECK(refusedAs("hello, world", "is no NumPy file"));
}
