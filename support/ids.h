// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed dense indices. An `Id<Tag>` names an element of one table and of no other, so that mixing a
// local with a block does not compile. `IndexedVector<IdT, T>` is a vector that is indexed by such
// an id alone.
#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace mirgpu {

template <class Tag> struct Id {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t i) : index(i) {}
  /// False for a default-constructed id, which names nothing.
  constexpr bool isValid() const { return index != kNone; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

template <class IdT, class T> class IndexedVector {
public:
  IndexedVector() = default;
  explicit IndexedVector(size_t n) : items_(n) {}

  T &operator[](IdT id) { return items_[(assert(id.index < items_.size()), id.index)]; }
  const T &operator[](IdT id) const { return items_[(assert(id.index < items_.size()), id.index)]; }
  IdT push(T value) {
    items_.push_back(std::move(value));
    return IdT(static_cast<uint32_t>(items_.size() - 1));
  }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  bool contains(IdT id) const { return id.index < items_.size(); }
  void reserve(size_t n) { items_.reserve(n); }
  void resize(size_t n) { items_.resize(n); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  const std::vector<T> &raw() const { return items_; }

private:
  std::vector<T> items_;
};

} // namespace mirgpu

template <class Tag> struct std::hash<mirgpu::Id<Tag>> {
  size_t operator()(mirgpu::Id<Tag> id) const noexcept { return std::hash<uint32_t>()(id.index); }
};
