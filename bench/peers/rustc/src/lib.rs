// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The examples for rustc's own nvptx64-nvidia-cuda target, with bounds checks: the same bodies, with slices made from pointer and
//! length, since that target passes a slice as one aggregate. A panic is a trap.
#![no_std]
#![feature(abi_ptx, stdarch_nvptx)]
#![allow(clippy::missing_safety_doc)]
