// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Values that each program is run with.
const COUNT: usize = 64;

/// The inputs of a program, the same in both modes.
fn inputs<I: Value>(seed: u64) -> Vec<I> {
    let mut source = Source(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    (0..COUNT).map(|_| I::make(&mut source)).collect()
}

fn bytes_of<T>(values: &[T]) -> &[u8] {
    // SAFETY: any bytes may be looked at; what padding holds does not matter.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), core::mem::size_of_val(values)) }
}

/// `SEED.in`, and `SEED.out` with bytes that no kernel leaves by chance.
fn write_buffers<I: Value, O: Value>(folder: &str, seed: u64) {
    std::fs::write(format!("{folder}/{seed}.in"), bytes_of(&inputs::<I>(seed))).expect("inputs are written");
    std::fs::write(format!("{folder}/{seed}.out"), vec![0xA5; COUNT * core::mem::size_of::<O>()]).expect("outputs are written");
}

/// Prints a line for each program: `seed ok`, or `seed wrong at I: …`.
fn check<I: Value + core::fmt::Debug, O: Value + core::fmt::Debug>(folder: &str, tag: &str, seed: u64, run: fn(&I) -> O) {
    let path = format!("{folder}/{seed}.{tag}");
    let Ok(bytes) = std::fs::read(&path) else { return println!("{seed} missing") };
    if bytes.len() != COUNT * core::mem::size_of::<O>() {
        return println!("{seed} has {} bytes", bytes.len());
    }
    for (index, input) in inputs::<I>(seed).iter().enumerate() {
        // SAFETY: the kernel wrote a value of O there; where it did not, that is the fault this looks for.
        let made: O = unsafe { bytes.as_ptr().cast::<O>().add(index).read_unaligned() };
        let expected = run(input);
        if hash(&made) != hash(&expected) {
            return println!("{seed} wrong at {index}: input {input:?}, expected {expected:?}, made {made:?}");
        }
    }
    println!("{seed} ok");
}

macro_rules! harness {
    ($mode:expr, $folder:expr, $tag:expr, $seed:expr, $program:ident) => {
        match $mode {
            "make" => write_buffers::<$program::Input, $program::Output>($folder, $seed),
            _ => check::<$program::Input, $program::Output>($folder, $tag, $seed, $program::run),
        }
    };
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (mode, folder, tag) = (args[1].as_str(), args[2].as_str(), args.get(3).map_or("", String::as_str));
    // PROGRAMS
}
