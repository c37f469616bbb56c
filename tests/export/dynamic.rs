// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trait objects: vtables, virtual calls, upcasting, drop glue through a vtable, function pointers, CoerceUnsized.
// has: {"upcast":
// has: "kind":"drop_virtual"
// has: "kind":"virtual"
// has: {"super":
// has: "reify_fn_pointer"
// has: "closure_fn_pointer"
// has: "path":[0,0
#![no_std]
extern crate alloc;
use alloc::boxed::Box;
use alloc::rc::Rc;

pub trait Named {
    fn id(&self) -> u32;
}
pub trait Sized2 {
    fn size(&self) -> u32 {
        2
    }
}
impl Sized2 for Square {}
impl Sized2 for Circle {}
pub trait Shape: Sized2 + Named {
    fn area(&self) -> f32;
    fn twice(&self) -> f32 {
        self.area() * 2.0
    }
}
pub struct Square(pub f32);
pub struct Circle {
    pub radius: f32,
    pub owned: Box<u64>,
}
impl Named for Square {
    fn id(&self) -> u32 {
        4
    }
}
impl Named for Circle {
    fn id(&self) -> u32 {
        0
    }
}
impl Shape for Square {
    fn area(&self) -> f32 {
        self.0 * self.0
    }
}
impl Shape for Circle {
    fn area(&self) -> f32 {
        self.radius * *self.owned as f32
    }
}

fn negate(x: f32) -> f32 {
    -x
}

#[inline(never)]
fn apply(f: fn(f32) -> f32, x: f32) -> f32 {
    f(x)
}

#[inline(never)]
fn make(which: bool, v: f32) -> Box<dyn Shape> {
    if which { Box::new(Square(v)) } else { Box::new(Circle { radius: v, owned: Box::new(3) }) }
}

#[mirgpu_tool::kernel]
pub fn shapes(which: bool, v: f32, out: &mut f32) {
    let shape = make(which, v);
    let named: &dyn Named = &*shape;
    let shared: Rc<dyn Fn(f32) -> f32> = Rc::new(move |x| x + v);
    *out = shape.twice() + named.id() as f32 + apply(negate, v) + apply(|x| x * 3.0, v) + shared(v);
}
