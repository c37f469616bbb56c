// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly: each target runs its own, of one export; operands of every width, in, out and both, constants, clobbers, pure assembly.
// RUN: %mirgpu run %mir --kernel assembly --grid 2 --block 32 --arg a=u32[64]:iota --arg out=u64[64]:zeros --check out=u64:[1090,94,1097,100,1104,107,1110,113,1116,120,1123,126,1129,132,1135,138,1142,145,1148,151,1154,157,1160,163,1166,170,1173,176,1179,182,1185,188,1191,194,1197,200,1204,207,1210,213,1216,219,1222,225,1228,231,1234,237,1240,244,1247,250,1253,256,1259,262,1265,268,1271,274,1277,280,1283,286]
// RUN: %mirgpu run %mir --kernel assembly -O0 --grid 2 --block 32 --arg a=u32[64]:iota --arg out=u64[64]:zeros --check out=u64:[1090,94,1097,100,1104,107,1110,113,1116,120,1123,126,1129,132,1135,138,1142,145,1148,151,1154,157,1160,163,1166,170,1173,176,1179,182,1185,188,1191,194,1197,200,1204,207,1210,213,1216,219,1222,225,1228,231,1234,237,1240,244,1247,250,1253,256,1259,262,1265,268,1271,274,1277,280,1283,286]
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s --check-prefix=PTX
// RUN: %mirgpu compile %mir --target=sm_90 -O0 --emit=ptx -o - | %FileCheck %s --check-prefix=PTX
// RUN: %mirgpu compile %mir --target=gfx1100 --emit=asm -o - | %FileCheck %s --check-prefix=GCN
// RUN: %mirgpu compile %mir --target=gfx1100 --emit=hsaco -o %t.hsaco
#![no_std]
#![allow(asm_sub_register)]
use core::arch::asm;
use mirgpu_device::prelude::*;

static TABLE: [u32; 2] = [3, 40];

extern "C" fn twice(x: u64) -> u64 {
    2 * x
}

#[inline(never)]
fn on_nvptx(a: u32) -> u64 {
    let (high, wide, mut sum): (u32, u64, u64);
    let (mut narrow, half, real) = (a as u8, a as u16, a as f32);
    let (root, long): (f32, f64);
    unsafe {
        // PTX: mul.hi.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, 1073741824;
        asm!("mul.hi.u32 {}, {}, {};", lateout(reg) high, in(reg) a, const 0x4000_0000, options(pure, nomem));
        // PTX: { .reg .u32 t; add.u32 t, %r{{[0-9]+}}, 5; cvt.u64.u32 %rd{{[0-9]+}}, t; }
        asm!("{{ .reg .u32 t; add.u32 t, {1}, 5; cvt.u64.u32 {0}, t; }}", out(reg) wide, in(reg) a, options(nomem, nostack));
        // PTX: add.u16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}};
        asm!("add.u16 {0}, {0}, {1};", inout(reg_byte) narrow, in(reg) half, options(nomem));
        // PTX: sqrt.rn.f32 %r{{[0-9]+}}, %r{{[0-9]+}};
        // PTX: cvt.f64.f32 %rd{{[0-9]+}}, %r{{[0-9]+}};
        asm!("sqrt.rn.f32 {0}, {2};", "cvt.f64.f32 {1}, {0};", out(xmm_reg) root, lateout(xmm_reg) long, in(xmm_reg) real);
        sum = wide + high as u64 + narrow as u64 + root as u64 + long as u64;
        // PTX: ld.u32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+4];
        let loaded: u32;
        asm!("ld.u32 {}, [{}+4];", out(reg) loaded, in(reg) &raw const TABLE, options(readonly, nostack));
        sum += loaded as u64;
    }
    sum
}

#[inline(never)]
fn on_amdgpu(a: u32) -> u64 {
    let (high, real): (u32, f32);
    unsafe {
        // GCN-DAG: v_mul_hi_u32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}
        asm!("v_mul_hi_u32 {}, {}, {}", lateout(reg) high, in(reg) a, in(reg) 0x4000_0000u32, options(pure, nomem));
        // GCN-DAG: v_sqrt_f32{{(_e32)?}} v{{[0-9]+}}, v{{[0-9]+}}
        asm!("v_sqrt_f32 {}, {}", lateout(xmm_reg) real, in(xmm_reg) a as f32, options(pure, nomem));
    }
    high as u64 + real as u64 + 45
}

#[inline(never)]
fn on_host(a: u32) -> u64 {
    let mut sum = a as u64;
    let (mut narrow, mut real) = (a as u8, a as f32);
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!("lea {0}, [{0} + {1} + {2}]", inout(reg) sum, in(reg) 5u64, const -1, options(pure, nomem, nostack));
        asm!("add {0}, {1}", inout(reg_byte) narrow, in(reg_byte) 1u8, options(nomem, nostack));
        asm!("sqrtss {0}, {0}", inout(xmm_reg) real, options(pure, nomem, nostack, preserves_flags));
        let high: u64;
        asm!("mul {}", in(reg) 1u64 << 62, inlateout("rax") 8u64 => _, lateout("rdx") high, options(pure, nomem, nostack));
        let second: u32;
        asm!("lea {0}, [rip + {1}]", "mov {0:e}, dword ptr [{0} + 4]", out(reg) second, sym TABLE, options(readonly, nostack));
        let doubled: u64;
        asm!("call {}", sym twice, in("rdi") 21u64, lateout("rax") doubled, clobber_abi("C"));
        asm!("test {0:e}, 1", "jz {1}", in(reg) a, label { sum += 1000 }, options(nomem, nostack));
        asm!("movl $7, {0:e}", out(reg) _, options(att_syntax, nomem, nostack));
        let early: u64;
        asm!("mov {0}, 1", "add {0}, {1}", out(reg) early, in(reg) a as u64, options(pure, nomem, nostack));
        sum += high + second as u64 + doubled + early;
    }
    sum + narrow as u64 + real as u64
}

#[gpu_module]
mod kernels {
    use super::*;

    // GCN-LABEL: {{^}}assembly:
    // GCN-NOT: sqrt.rn
    #[kernel]
    pub fn assembly(a: &[u32], mut out: DisjointSlice<u64>) {
        let i = thread::index_1d();
        let a = a[i.get()];
        let result = if target::IS_NVPTX {
            on_nvptx(a)
        } else if target::IS_AMDGPU {
            on_amdgpu(a)
        } else if target::IS_HOST {
            on_host(a)
        } else {
            0
        };
        if let Some(o) = out.get_mut(i) {
            *o = result;
        }
    }
}
