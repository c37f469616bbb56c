// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A stack machine for single-precision arithmetic. Plain Rust: the kernel in `interpreter.rs` and the host program in
//! `reference.rs` compile this same file.

/// One operation. `repr(C, u32)` fixes the layout (a `u32` tag, then the operand), so that a host of any language can write programs.
#[repr(C, u32)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(dead_code, reason = "most operations come from the host's program")]
pub enum Op {
    /// Pushes the constant.
    Push(f32),
    /// Pushes an input.
    Load(u16),
    /// Pops b, then a; pushes a + b.
    Add,
    /// Pops b, then a; pushes a - b.
    Sub,
    /// Pops b, then a; pushes a * b.
    Mul,
    /// Pops b, then a; pushes the larger one, b if neither is.
    Max,
    /// Pushes the top once more.
    Dup,
    /// Exchanges the two topmost values.
    Swap,
    /// Pops; goes on at the operation named if the value is zero.
    JumpIfZero(u16),
    /// Goes on at the operation named.
    Jump(u16),
    /// Pops the result and ends.
    Halt,
}

/// Why a program was stopped.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    StackUnderflow = 1,
    StackOverflow = 2,
    NoSuchInput = 3,
    NoSuchOperation = 4,
    OutOfSteps = 5,
}

/// How many values the stack holds.
pub const STACK_SIZE: usize = 16;

struct Stack {
    values: [f32; STACK_SIZE],
    depth: usize,
}

impl Stack {
    fn push(&mut self, value: f32) -> Result<(), Fault> {
        *self
            .values
            .get_mut(self.depth)
            .ok_or(Fault::StackOverflow)? = value;
        self.depth += 1;
        Ok(())
    }

    fn pop(&mut self) -> Result<f32, Fault> {
        self.depth = self.depth.checked_sub(1).ok_or(Fault::StackUnderflow)?;
        Ok(self.values[self.depth])
    }

    /// Pops b, then a.
    fn pop_two(&mut self) -> Result<(f32, f32), Fault> {
        let b = self.pop()?;
        Ok((self.pop()?, b))
    }

    /// Pops b, then a; pushes what `f` makes of a and b.
    fn combine(&mut self, f: impl Fn(f32, f32) -> f32) -> Result<(), Fault> {
        let (a, b) = self.pop_two()?;
        self.push(f(a, b))
    }

    fn dup(&mut self) -> Result<(), Fault> {
        let top = self.pop()?;
        self.depth += 1;
        self.push(top)
    }

    fn swap(&mut self) -> Result<(), Fault> {
        let (a, b) = self.pop_two()?;
        self.push(b)?;
        self.push(a)
    }
}

/// Runs `program` on `inputs` until it halts or has done `steps` operations.
pub fn run(program: &[Op], inputs: &[f32], steps: u32) -> Result<f32, Fault> {
    let mut stack = Stack {
        values: [0.0; STACK_SIZE],
        depth: 0,
    };
    let mut next = 0;
    for _ in 0..steps {
        let op = *program.get(next).ok_or(Fault::NoSuchOperation)?;
        next += 1;
        match op {
            Op::Push(value) => stack.push(value),
            Op::Load(input) => match inputs.get(input as usize) {
                Some(&value) => stack.push(value),
                None => Err(Fault::NoSuchInput),
            },
            Op::Add => stack.combine(|a, b| a + b),
            Op::Sub => stack.combine(|a, b| a - b),
            Op::Mul => stack.combine(|a, b| a * b),
            Op::Max => stack.combine(|a, b| if a > b { a } else { b }),
            Op::Dup => stack.dup(),
            Op::Swap => stack.swap(),
            Op::JumpIfZero(to) => stack.pop().map(|value| {
                if value == 0.0 {
                    next = to as usize;
                }
            }),
            Op::Jump(to) => {
                next = to as usize;
                Ok(())
            }
            Op::Halt => return stack.pop(),
        }?;
    }
    Err(Fault::OutOfSteps)
}
