// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kmeans.rs on a device and in plain C++. The size is the number of points.
#include "examples/demo/demo.hpp"

#include <array>

namespace mirgpu::examples {

/// `Point` of kmeans.rs: x, y.
using Point = std::array<float, 2>;

/// Threads in a block of `kmeans_update`.
static constexpr uint32_t kThreads = 128;
static constexpr uint32_t kCentres = 13;

static uint32_t nearest(Point point, std::span<const Point> centres) {
  uint32_t best = 0;
  float least = INFINITY;
  for (uint32_t k = 0; k < centres.size(); ++k) {
    float dx = point[0] - centres[k][0], dy = point[1] - centres[k][1];
    float square = dx * dx + dy * dy;
    if (square < least) {
      best = k;
      least = square;
    }
  }
  return best;
}

/// The mean of the points with the label `centre`, added up as the kernel's threads do: each its
/// own, then halves onto halves. `before` if there is none.
static Point mean(std::span<const Point> points, std::span<const uint32_t> labels, uint32_t centre,
                  Point before) {
  std::array<Point, kThreads> sums{};
  uint32_t count = 0;
  for (size_t i = 0; i < points.size(); ++i)
    if (labels[i] == centre) {
      sums[i % kThreads][0] += points[i][0];
      sums[i % kThreads][1] += points[i][1];
      ++count;
    }
  for (size_t distance = kThreads / 2; distance > 0; distance /= 2)
    for (size_t i = 0; i < distance; ++i) {
      sums[i][0] += sums[i + distance][0];
      sums[i][1] += sums[i + distance][1];
    }
  auto n = static_cast<float>(count);
  return count ? Point{sums[0][0] / n, sums[0][1] / n} : before;
}

namespace {

/// Points, centres (the last one so far away that it gets no points) and the labels of the points.
struct Work {
  std::vector<Point> points, centres;
  std::vector<uint32_t> labels;

  explicit Work(uint64_t count) {
    Numbers numbers(14);
    for (uint64_t i = 0; i < count; ++i)
      points.push_back({numbers.nextFloat(), numbers.nextFloat()});
    for (uint32_t k = 0; k + 1 < kCentres; ++k)
      centres.push_back({numbers.nextFloat(), numbers.nextFloat()});
    centres.push_back({1e6f, 1e6f});
    for (Point point : points)
      labels.push_back(nearest(point, centres));
  }
};

} // namespace

static Run runAssign(const Setup &setup, uint64_t count) {
  Work work(count);
  auto kernel =
      kernelOf<void(In<Point>, In<Point>, Out<uint32_t>)>(setup, "kmeans", "kmeans_assign");
  auto points = setup.device.from(setup.stream, work.points);
  auto centres = setup.device.from(setup.stream, work.centres);
  auto labels = setup.device.alloc<uint32_t>(count);
  if (Status status = firstError(kernel, points, centres, labels); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(256), *points, *centres, *labels);
  });
  return compared(ms, setup, *labels, work.labels);
}

static Run runUpdate(const Setup &setup, uint64_t count) {
  Work work(count);
  std::vector<Point> expected;
  for (uint32_t k = 0; k < kCentres; ++k)
    expected.push_back(mean(work.points, work.labels, k, work.centres[k]));
  auto kernel =
      kernelOf<void(In<Point>, In<uint32_t>, Out<Point>)>(setup, "kmeans", "kmeans_update");
  auto points = setup.device.from(setup.stream, work.points);
  auto labels = setup.device.from(setup.stream, work.labels);
  auto centres = setup.device.from(setup.stream, work.centres);
  if (Status status = firstError(kernel, points, labels, centres); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, Launch{{kCentres}, {kThreads}}, *points, *labels, *centres);
  });
  return compared(ms, setup, *centres, expected);
}

std::vector<ExampleKernel> kmeans() {
  return {{"kmeans_assign", runAssign, lengths()}, {"kmeans_update", runUpdate, lengths()}};
}

} // namespace mirgpu::examples
