// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of hash_table.rs on a device, held against a std::map.
//
// In which slot a key lies depends on the order in which the threads come. What does not: which
// pairs are in the table, and what `find` gives. These are compared.
#include "examples/demo/demo.hpp"

#include <algorithm>
#include <map>

namespace mirgpu::examples {

namespace {

/// The work of one size: keys of which most occur several times, and as many again that are not in
/// the table.
struct Work {
  std::vector<uint32_t> keys, values, absent;
  std::map<uint32_t, uint32_t> least;
  uint64_t slots = 1;

  explicit Work(uint64_t count) {
    Numbers numbers(12);
    for (uint64_t i = 0; i < count; ++i) {
      uint32_t key = numbers.next() % static_cast<uint32_t>(count) * 2, value = numbers.next();
      keys.push_back(key);
      values.push_back(value);
      absent.push_back(key + 1);
      auto [entry, isNew] = least.try_emplace(key, value);
      entry->second = std::min(entry->second, value);
    }
    while (slots < least.size() + least.size() / 4)
      slots *= 2;
  }
};

struct Filled {
  Buffer<uint64_t> slots;
  Buffer<uint32_t> stored;
  double ms;
};

} // namespace

static Result<Filled> insertAll(const Setup &setup, const Work &work) {
  using Signature = void(In<uint32_t>, In<uint32_t>, Out<uint64_t>, Out<uint32_t>);
  auto kernel = kernelOf<Signature>(setup, "hash_table", "insert");
  auto keys = setup.device.from(setup.stream, work.keys);
  auto values = setup.device.from(setup.stream, work.values);
  auto slots = setup.device.from(setup.stream, std::vector<uint64_t>(work.slots, UINT64_MAX));
  auto stored = setup.device.alloc<uint32_t>(work.keys.size());
  if (Status status = firstError(kernel, keys, values, slots, stored); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(work.keys.size()).block(128), *keys, *values, *slots,
                          *stored);
  });
  if (!ms)
    return ms.error();
  return Filled{*slots, *stored, *ms};
}

static Run runInsert(const Setup &setup, uint64_t count) {
  Work work(count);
  auto filled = insertAll(setup, work);
  if (!filled)
    return filled.error();
  auto slots = filled->slots.toVector(setup.stream);
  if (!slots)
    return slots.error();
  std::vector<uint64_t> expected;
  for (auto [key, value] : work.least)
    expected.push_back(static_cast<uint64_t>(key) << 32 | value);
  expected.resize(work.slots, UINT64_MAX);
  std::sort(slots->begin(), slots->end());
  if (*slots != expected)
    return wrong("the table does not hold each key once with its least value");
  return compared(filled->ms, setup, filled->stored, std::vector<uint32_t>(count, 1));
}

static Run runFind(const Setup &setup, uint64_t count) {
  Work work(count);
  auto filled = insertAll(setup, work);
  if (!filled)
    return filled.error();
  std::vector<uint32_t> queries = work.keys, expected;
  queries.insert(queries.end(), work.absent.begin(), work.absent.end());
  for (uint32_t key : work.keys)
    expected.push_back(work.least[key]);
  expected.resize(queries.size(), UINT32_MAX);
  auto kernel =
      kernelOf<void(In<uint32_t>, Out<uint64_t>, Out<uint32_t>)>(setup, "hash_table", "find");
  auto keys = setup.device.from(setup.stream, queries);
  auto values = setup.device.alloc<uint32_t>(queries.size());
  if (Status status = firstError(kernel, keys, values); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(queries.size()).block(128), *keys, filled->slots,
                          *values);
  });
  return compared(ms, setup, *values, expected);
}

std::vector<ExampleKernel> hash_table() {
  return {{"insert", runInsert, {1, 31, 256, 20001}}, {"find", runFind, {1, 31, 256, 20001}}};
}

} // namespace mirgpu::examples
