// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The interpreter on the host: `reference PROGRAM DATA WIDTH STEPS > RESULTS`.
//!
//! Maps from: two files as a kernel launch would have them in its buffers (8 bytes an operation: u32 tag, operand; rows of f32). To:
//! for each row the result and the fault, 4 bytes each. Invariant: the same `machine::run` as the kernel's, compiled by rustc.

use std::io::Write;

mod machine;
use machine::Op;

fn decode(bytes: &[u8]) -> Option<Op> {
    let word = u32::from_le_bytes(bytes[4..8].try_into().ok()?);
    let short = (word & 0xffff) as u16;
    Some(match u32::from_le_bytes(bytes[0..4].try_into().ok()?) {
        0 => Op::Push(f32::from_bits(word)),
        1 => Op::Load(short),
        2 => Op::Add,
        3 => Op::Sub,
        4 => Op::Mul,
        5 => Op::Max,
        6 => Op::Dup,
        7 => Op::Swap,
        8 => Op::JumpIfZero(short),
        9 => Op::Jump(short),
        10 => Op::Halt,
        _ => return None,
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, program, data, width, steps] = &args[..] else {
        return Err("usage: reference PROGRAM DATA WIDTH STEPS".into());
    };
    let program: Option<Vec<Op>> = std::fs::read(program)?
        .chunks_exact(8)
        .map(decode)
        .collect();
    let program = program.ok_or("an operation has a tag that does not exist")?;
    let data: Vec<f32> = std::fs::read(data)?
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes(b.try_into().expect("four bytes")))
        .collect();
    let mut out = Vec::new();
    for row in data.chunks_exact(width.parse()?) {
        let (value, fault) = match machine::run(&program, row, steps.parse()?) {
            Ok(value) => (value, 0),
            Err(fault) => (0.0, fault as u32),
        };
        out.extend_from_slice(&value.to_bits().to_le_bytes());
        out.extend_from_slice(&fault.to_le_bytes());
    }
    std::io::stdout().write_all(&out)?;
    Ok(())
}
