// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ray_tracer.rs on a device and in plain C++, bit for bit: no operation but +, -, *, / and the
// square root. The size is the number of rows.
#include "examples/demo/demo.hpp"

#include <optional>

namespace mirgpu::examples {

namespace {

using Vector = std::array<float, 3>;

/// `Shape` of ray_tracer.rs: a sphere (0: center, radius) or a plane (1: normal, height).
struct Shape {
  uint32_t tag;
  Vector vector;
  float number;
};
static_assert(sizeof(Shape) == 20);

struct Hit {
  float distance;
  Vector normal;
};

} // namespace

static float dot(Vector a, Vector b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static Vector along(Vector origin, Vector direction, float t) {
  return {origin[0] + direction[0] * t, origin[1] + direction[1] * t, origin[2] + direction[2] * t};
}

static std::optional<Hit> hitOf(const Shape &shape, Vector origin, Vector direction) {
  if (shape.tag == 1) {
    float slope = dot(shape.vector, direction);
    float t = (shape.number - dot(shape.vector, origin)) / slope;
    return slope < 0 && t > 0.001f ? std::optional(Hit{t, shape.vector}) : std::nullopt;
  }
  Vector to = along(shape.vector, origin, -1);
  float middle = dot(to, direction), radius = shape.number;
  float square = radius * radius - (dot(to, to) - middle * middle);
  if (square < 0)
    return std::nullopt;
  float t = middle - std::sqrt(square);
  Vector normal = along(along(origin, direction, t), shape.vector, -1);
  for (float &part : normal)
    part /= radius;
  return t > 0.001f ? std::optional(Hit{t, normal}) : std::nullopt;
}

static std::optional<Hit> nearestOf(std::span<const Shape> shapes, Vector origin,
                                    Vector direction) {
  std::optional<Hit> best;
  for (const Shape &shape : shapes)
    if (auto hit = hitOf(shape, origin, direction);
        hit && (!best || hit->distance < best->distance))
      best = hit;
  return best;
}

static float pixelOf(std::span<const Shape> shapes, Vector light, float x, float y) {
  float length = std::sqrt(x * x + y * y + 1.0f);
  Vector direction = {x / length, y / length, 1.0f / length};
  auto hit = nearestOf(shapes, {}, direction);
  if (!hit)
    return 0;
  float facing = dot(hit->normal, light);
  bool lit = facing > 0 && !nearestOf(shapes, along({}, direction, hit->distance), light);
  return lit ? 0.1f + 0.9f * facing : 0.1f;
}

static Run run(const Setup &setup, uint64_t rows) {
  auto width = static_cast<uint32_t>(rows) * 4 / 3 + 1;
  Numbers numbers(15);
  std::vector<Shape> shapes = {{1, {0, 1, 0}, -2}};
  for (int i = 0; i < 12; ++i)
    shapes.push_back({0,
                      {numbers.between(-3, 3), numbers.between(-2, 2), numbers.between(5, 9)},
                      numbers.between(0.3f, 1)});
  Vector light = {0.48f, 0.8f, -0.36f};
  std::vector<float> expected;
  auto w = static_cast<float>(width), h = static_cast<float>(rows);
  for (uint64_t i = 0; i < rows * width; ++i)
    expected.push_back(pixelOf(shapes, light, (static_cast<float>(i % width) - w * 0.5f) / w,
                               (h * 0.5f - static_cast<float>(i / width)) / w));
  using Signature = void(In<Shape>, In<float>, uint32_t, Out<float>);
  auto kernel = kernelOf<Signature>(setup, "ray_tracer", "ray_tracer");
  auto bufferShapes = setup.device.from(setup.stream, shapes);
  auto bufferLight =
      setup.device.from(setup.stream, std::vector<float>(light.begin(), light.end()));
  auto out = setup.device.alloc<float>(expected.size());
  if (Status status = firstError(kernel, bufferShapes, bufferLight, out); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(expected.size()).block(128), *bufferShapes,
                          *bufferLight, width, *out);
  });
  return compared(ms, setup, *out, expected);
}

std::vector<ExampleKernel> ray_tracer() { return {{"ray_tracer", run, {1, 2, 33, 150}}}; }

} // namespace mirgpu::examples
