// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted objects: what the C ABI's handles point to, and what work in flight keeps alive. A Ref
// holds one count; the last one to go deletes the object, on whatever thread that happens.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace mirgpu::runtime {

/// Base of every object with a count. A new object has one reference, its maker's.
class Object {
public:
  Object() = default;
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  void retain() { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

protected:
  virtual ~Object() = default;

private:
  std::atomic<uint32_t> count_{1};
};

/// One reference to an Object, or none.
template <class T> class Ref {
public:
  Ref() = default;
  /// Another reference to an object that the caller knows to live.
  explicit Ref(T *object) : object_(object) {
    if (object_)
      object_->retain();
  }
  Ref(const Ref &other) : Ref(other.object_) {}
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U> Ref(Ref<U> other) noexcept : object_(other.leak()) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_)
      object_->release();
  }
  T *operator->() const { return object_; }
  T &operator*() const { return *object_; }
  T *get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  /// Gives the reference to the caller.
  T *leak() { return std::exchange(object_, nullptr); }

private:
  T *object_ = nullptr;
};

} // namespace mirgpu::runtime
