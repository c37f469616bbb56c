// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A small ray tracer: one thread a pixel, shapes as an enum, the nearest hit as an `Option`.

use mirgpu_device::prelude::*;

type Vector = [f32; 3];

#[repr(C, u32)]
#[derive(Clone, Copy)]
pub enum Shape {
    Sphere { center: Vector, radius: f32 },
    /// The points whose product with the unit vector `normal` is `height`.
    Plane { normal: Vector, height: f32 },
}

struct Hit {
    distance: f32,
    normal: Vector,
}

#[gpu_module]
mod kernels {
    use super::*;

    /// The brightness of each pixel of a picture with rows of `width` pixels, seen from the origin along z; `light` is the direction
    /// towards the light, of length 1.
    #[kernel]
    pub fn ray_tracer(shapes: &[Shape], light: &[f32; 3], width: u32, mut out: DisjointSlice<f32>) {
        let height = out.len() as u32 / width;
        if let Some((pixel, i)) = out.get_mut_indexed() {
            let (row, column) = (i.get() as u32 / width, i.get() as u32 % width);
            let x = (column as f32 - width as f32 * 0.5) / width as f32;
            let y = (height as f32 * 0.5 - row as f32) / width as f32;
            let length = (x * x + y * y + 1.0).sqrt();
            let direction = [x / length, y / length, 1.0 / length];
            *pixel = match nearest(shapes, [0.0; 3], direction) {
                Some(hit) => shade(shapes, along([0.0; 3], direction, hit.distance), hit.normal, *light),
                None => 0.0,
            };
        }
    }
}

impl Shape {
    /// Where the ray first meets the shape, not at its very start.
    fn hit(&self, origin: Vector, direction: Vector) -> Option<Hit> {
        match *self {
            Shape::Sphere { center, radius } => {
                let to = along(center, origin, -1.0);
                let middle = dot(to, direction);
                let square = radius * radius - (dot(to, to) - middle * middle);
                if square < 0.0 {
                    return None;
                }
                let distance = middle - square.sqrt();
                let point = along(origin, direction, distance);
                let out = along(point, center, -1.0);
                let normal = [out[0] / radius, out[1] / radius, out[2] / radius];
                (distance > 0.001).then_some(Hit { distance, normal })
            }
            Shape::Plane { normal, height } => {
                let slope = dot(normal, direction);
                let distance = (height - dot(normal, origin)) / slope;
                (slope < 0.0 && distance > 0.001).then_some(Hit { distance, normal })
            }
        }
    }
}

fn nearest(shapes: &[Shape], origin: Vector, direction: Vector) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    for shape in shapes {
        if let Some(hit) = shape.hit(origin, direction)
            && best.as_ref().is_none_or(|best| hit.distance < best.distance)
        {
            best = Some(hit);
        }
    }
    best
}

/// A tenth everywhere, more where the light comes straight and nothing stands before it.
fn shade(shapes: &[Shape], point: Vector, normal: Vector, light: Vector) -> f32 {
    let facing = dot(normal, light);
    if facing > 0.0 && nearest(shapes, point, light).is_none() { 0.1 + 0.9 * facing } else { 0.1 }
}

fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `origin + direction * distance`.
fn along(origin: Vector, direction: Vector, distance: f32) -> Vector {
    [origin[0] + direction[0] * distance, origin[1] + direction[1] * distance, origin[2] + direction[2] * distance]
}
