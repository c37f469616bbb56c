// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `mirgpu-export`: a rustc 1.96.0 driver that writes serialized MIR (docs/mir_format.md).
//!
//! Maps from: rustc's argv and our own `--mirgpu-…` flags. To: a `.mir.json` where one is asked for; otherwise it is a plain
//! `rustc --emit=metadata`, which is how the device sysroot and the device crates are made. Invariant: it states facts of rustc and
//! lowers nothing; a program that rustc refuses, or a stub it cannot export, ends with a diagnostic and exit code 1.
#![feature(rustc_private)]

mod allocs;
mod asm;
mod attrs;
mod body;
mod callee;
mod consts;
mod context;
mod functions;
mod heap;
mod host;
mod instances;
mod json;
mod kernels;
mod layouts;
mod options;
mod output;
mod panic_args;
mod places;
mod purity;
mod rvalues;
mod session;
mod spans;
mod statics;
mod symbols;
mod terminators;
mod tests;
mod types;
mod unsize;

use std::process::ExitCode;

fn main() -> ExitCode {
    let (options, args) = match options::parse(std::env::args().collect()) {
        Ok(parsed) => parsed,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    if options.version {
        println!("mirgpu-export {} (rustc {})", options::VERSION, session::RUSTC);
        return ExitCode::SUCCESS;
    }
    let mut callbacks = session::Callbacks::new(options);
    rustc_driver_impl::catch_with_exit_code(|| rustc_driver_impl::run_compiler(&args, &mut callbacks))
}
