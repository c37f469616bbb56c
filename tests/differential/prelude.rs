// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every generated program starts from: values made from a random source and folded into a hash, and the helpers that generated
// code calls.

/// xorshift64*, with a liking for the ends of ranges.
pub struct Source(pub u64);

impl Source {
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    fn bits(&mut self) -> u128 {
        match self.word() >> 61 {
            0 => 0,
            1 => u128::MAX,
            2 => 1 << (self.word() % 128),
            3 => u128::MAX >> (self.word() % 128),
            4 => u128::from(self.word() % 10),
            _ => u128::from(self.word()) << 64 | u128::from(self.word()),
        }
    }
}

/// FNV-1a over the leaves of a value.
pub struct Sink(pub u64);

impl Sink {
    pub fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23);
    }
}

pub trait Value: Copy {
    fn make(source: &mut Source) -> Self;
    fn fold(&self, sink: &mut Sink);
}

macro_rules! integers {
    ($($t:ty)*) => { $(impl Value for $t {
        fn make(source: &mut Source) -> Self { source.bits() as $t }
        fn fold(&self, sink: &mut Sink) { let wide = *self as u128; sink.word(wide as u64); sink.word((wide >> 64) as u64); }
    }
    impl Value for core::num::NonZero<$t> {
        fn make(source: &mut Source) -> Self { match core::num::NonZero::new(source.bits() as $t) { Some(v) => v, None => core::num::NonZero::<$t>::MAX } }
        fn fold(&self, sink: &mut Sink) { self.get().fold(sink) }
    })* };
}
integers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128);

macro_rules! floats {
    ($($t:ty, $n:ty;)*) => { $(impl Value for $t {
        fn make(source: &mut Source) -> Self {
            match source.word() >> 61 {
                0 => 0.0, 1 => -1.5, 2 => <$t>::INFINITY, 3 => (source.word() as i64) as $t, 4 => (source.word() % 1000) as $t / 8.0,
                _ => { let v = <$t>::from_bits(source.bits() as $n); if v.is_nan() { <$t>::NAN } else { v } }
            }
        }
        fn fold(&self, sink: &mut Sink) { sink.word(if self.is_nan() { 77 } else { u64::from(self.to_bits()) }) }
    })* };
}
floats!(f32, u32; f64, u64;);

impl Value for bool {
    fn make(source: &mut Source) -> Self {
        source.word() >> 63 == 1
    }
    fn fold(&self, sink: &mut Sink) {
        sink.word(*self as u64)
    }
}

impl Value for char {
    fn make(source: &mut Source) -> Self {
        char::from_u32((source.bits() % 0x11_0000) as u32).unwrap_or('\u{10FFFF}')
    }
    fn fold(&self, sink: &mut Sink) {
        sink.word(*self as u64)
    }
}

impl<T: Value> Value for Option<T> {
    fn make(source: &mut Source) -> Self {
        if source.word() % 3 == 0 { None } else { Some(T::make(source)) }
    }
    fn fold(&self, sink: &mut Sink) {
        match self {
            None => sink.word(11),
            Some(value) => {
                sink.word(13);
                value.fold(sink)
            }
        }
    }
}

impl<T: Value, E: Value> Value for Result<T, E> {
    fn make(source: &mut Source) -> Self {
        if source.word() % 3 == 0 { Err(E::make(source)) } else { Ok(T::make(source)) }
    }
    fn fold(&self, sink: &mut Sink) {
        match self {
            Ok(value) => {
                sink.word(17);
                value.fold(sink)
            }
            Err(error) => {
                sink.word(19);
                error.fold(sink)
            }
        }
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn make(source: &mut Source) -> Self {
        [(); N].map(|()| T::make(source))
    }
    fn fold(&self, sink: &mut Sink) {
        for item in self {
            item.fold(sink)
        }
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),*))*) => { $(impl<$($t: Value),*> Value for ($($t,)*) {
        #[allow(unused_variables, clippy::unused_unit)]
        fn make(source: &mut Source) -> Self { ($($t::make(source),)*) }
        #[allow(unused_variables)]
        fn fold(&self, sink: &mut Sink) { $(self.$i.fold(sink);)* }
    })* };
}
tuples!(() (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3));

pub fn hash<T: Value>(value: &T) -> u64 {
    let mut sink = Sink(0xCBF2_9CE4_8422_2325);
    value.fold(&mut sink);
    sink.0
}

fn pick<T: Copy>(first: bool, a: T, b: T) -> T {
    *(if first { &a } else { &b })
}

#[inline(never)]
fn touch<T: Value>(value: &mut T) {
    if hash(value) % 5 == 0 {
        *value = T::make(&mut Source(hash(value) | 1));
    }
}

fn once<F: FnOnce(i32) -> u64>(f: F) -> u64 {
    f(9)
}

fn twice(f: &mut dyn FnMut(i32) -> u64) -> u64 {
    f(1) ^ f(2).rotate_left(5)
}

trait Operation {
    fn apply(&self, x: u64) -> u64;
    fn name(&self) -> &'static str {
        "default"
    }
}
struct Adder(u64);
struct Mixer {
    a: u8,
    b: u128,
}
struct Nothing;
impl Operation for Adder {
    fn apply(&self, x: u64) -> u64 {
        self.0.wrapping_add(x)
    }
}
impl Operation for Mixer {
    fn apply(&self, x: u64) -> u64 {
        (self.b >> 3) as u64 ^ x.rotate_left(self.a as u32)
    }
    fn name(&self) -> &'static str {
        "mix"
    }
}
impl Operation for Nothing {
    fn apply(&self, x: u64) -> u64 {
        x
    }
}

impl Operation for Guard<'_> {
    fn apply(&self, x: u64) -> u64 {
        x ^ self.1
    }
}

fn identity<'a>(x: &'a u64) -> &'a u64 {
    x
}
fn double(x: u64) -> u64 {
    x << 1
}
fn collatz(x: u64) -> u64 {
    match x % 1000 {
        0 | 1 => 0,
        x if x % 2 == 0 => 1 + collatz(x / 2),
        x => 1 + collatz((3 * x + 1) % 1000),
    }
}
static TABLE: [fn(u64) -> u64; 4] = [double, |x| x ^ 0x55, collatz, u64::swap_bytes];
#[inline(never)]
fn call_through(f: fn(u64) -> u64, x: u64) -> u64 {
    f(x % 4096)
}
static WORDS: [(u64, &str); 8] = [(3, "a"), (0, ""), (!0, "three"), (1 << 40, "longer text"), (5, "b"), (8, "cc"), (13, "\u{e9}"), (21, "end")];

/// Counts into the cell when it is dropped, so that the order of drops is seen.
struct Guard<'a>(&'a core::cell::Cell<u64>, u64);
impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().wrapping_mul(31).wrapping_add(self.1));
    }
}
