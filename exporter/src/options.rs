// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The exporter's own flags, which stand anywhere among rustc's: `--mirgpu-…`.
//!
//! Maps from: argv and the environment. To: `Options` and the argv that rustc sees. Invariant: rustc never sees a flag of ours, and
//! an unknown flag of ours is an error, never ignored.

use std::path::PathBuf;

pub const VERSION: &str = "0.1.0";

/// What to export, if anything, and how names are written.
#[derive(Default, Debug, Clone)]
pub struct Options {
    /// `--mirgpu-out=FILE`: export to this file.
    pub out: Option<PathBuf>,
    /// `MIRGPU_OUT=beside`: export final artifacts to `<out-dir>/<crate><extra-filename>.mir.json`.
    pub beside: bool,
    /// `--mirgpu-golden`: one row a line, no `source_root`.
    pub golden: bool,
    /// `--mirgpu-remap=FROM=TO`, in order; the last match wins, as with rustc's own flag.
    pub remap: Vec<(PathBuf, PathBuf)>,
    /// `--mirgpu-source-root=DIR`: the hint for tools that show sources.
    pub source_root: Option<String>,
    /// `--mirgpu-std`: this is a crate of the device sysroot.
    pub building_std: bool,
    /// `--mirgpu-heap`: kernels have a heap, also where no module asks for one.
    pub heap: bool,
    /// `--mirgpu-version`
    pub version: bool,
}

impl Options {
    /// Whether a file is to be written at all.
    pub fn exports(&self) -> bool {
        self.out.is_some() || self.beside
    }
}

/// Splits argv into our options and rustc's arguments.
pub fn parse(argv: Vec<String>) -> Result<(Options, Vec<String>), String> {
    let mut options = Options { beside: std::env::var_os("MIRGPU_OUT").is_some_and(|v| v == "beside"), ..Options::default() };
    let mut rest = Vec::new();
    for arg in argv {
        let Some(flag) = arg.strip_prefix("--mirgpu-") else {
            rest.push(arg);
            continue;
        };
        match flag.split_once('=') {
            Some(("out", file)) => options.out = Some(file.into()),
            Some(("source-root", dir)) => options.source_root = Some(dir.into()),
            Some(("remap", pair)) => match pair.split_once('=') {
                Some((from, to)) => options.remap.push((from.into(), to.into())),
                None => return Err(format!("`--mirgpu-remap={pair}` needs the form FROM=TO")),
            },
            None if flag == "golden" => options.golden = true,
            None if flag == "std" => options.building_std = true,
            None if flag == "heap" => options.heap = true,
            None if flag == "version" => options.version = true,
            _ => {
                return Err(format!(
                    "unknown flag `{arg}`; known: --mirgpu-out=FILE, --mirgpu-golden, --mirgpu-remap=FROM=TO, \
                                     --mirgpu-source-root=DIR, --mirgpu-std, --mirgpu-heap, --mirgpu-version"
                ));
            }
        }
    }
    Ok((options, rest))
}
