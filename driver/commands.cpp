// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of commands, their options and their help texts. What stands here is what DESIGN's
// command line offers.
#include "driver/commands.h"

namespace mirgpu::driver {

static constexpr OptionDef exportOptions[] = {
    {"-o", "FILE", "where to write; default: the source's name with .mir.json"},
};

static constexpr OptionDef compileOptions[] = {
    {"--target", "LIST",
     "comma-separated: sm_75 ... sm_121 (also a, f), gfx90a, gfx942, gfx1100, gfx1201, host, "
     "host:CPU"},
    {"--kernel", "K", "only this kernel: an entry name or a key", true},
    {"--emit", "KIND",
     "mir, llvm-ir, llvm-bc, ptx, cubin, asm, obj, hsaco or module (the default)"},
    {"-o", "FILE",
     "where to write; `-` is standard output; default: the input's name with the kind's extension"},
    {"-O", "0|1|2|3",
     "optimisation; -O0 with --emit=llvm-ir prints the IR as lowering made it (default 3)"},
    {"--panic", "exit|trap",
     "what ends a panicking thread on NVIDIA (default: chosen for each kernel)"},
    {"--keep-going", "", "emit the kernels without errors"},
    {"--tests", "", "the #[test] functions are the kernels, each to be launched with one thread"},
    {"--no-unroll", "", "do not unroll loops"},
    {"--fp-contract", "off|fast",
     "fast: fuse multiplications and additions (default off, as in Rust)"},
    {"--ftz", "", "flush f32 subnormals to zero"},
    {"--sanitize", "thread",
     "host code that reports its accesses to ThreadSanitizer, for a process that holds it"},
    {"--tier", "auto|T0|T3",
     "code of the CPU device: threads in a loop or on fibers (default auto)"},
};

static constexpr OptionDef runOptions[] = {
    {"--kernel", "K", "an entry name or a key; may be left out if there is one kernel"},
    {"--grid", "X[,Y,Z]", "number of blocks"},
    {"--block", "X[,Y,Z]", "threads of a block"},
    {"--arg", "NAME=VALUE", "one for each parameter", true},
    {"--set", "NAME=VALUE",
     "a static's value before the launch: a static mut, an atomic or a ConstantMemory", true},
    {"--shared", "BYTES", "dynamic shared memory"},
    {"--heap", "BYTES", "heap of a kernel that allocates (default 8 MiB)"},
    {"--device", "NAME", "auto, cpu, cuda:N or hip:N (default auto)"},
    {"--tier", "auto|T0|T3",
     "code of the CPU device: threads in a loop or on fibers (default auto)"},
    {"--schedule", "ORDER",
     "order of a block's threads on the CPU device: forward, reverse or seed:N"},
    {"--print", "NAME[=@FILE]",
     "print a buffer or a static after the launch, or write it to FILE (.npy, else raw bytes)",
     true},
    {"--check", "NAME=VALUE", "compare a buffer or a static after the launch, bit for bit", true},
    {"-O", "0|1|2|3", "optimisation of a source or serialized MIR (default 3)"},
    {"--fp-contract", "off|fast", "as for compile"},
    {"--sanitize", "thread",
     "look for data races between blocks; for a mirgpu built with the preset tsan"},
};

static constexpr std::string_view runDetails =
    "VALUE is one of\n"
    "  2.5, -3, true, 'x'        a scalar parameter\n"
    "  f32[1024]:zeros           a buffer of 1024 elements for a slice; also\n"
    "  f32[1024]:iota            0, 1, 2, ...\n"
    "  f32[1024]:rand(7)         SplitMix64 from that seed, one step an element: floats in [0, 1) "
    "made of the\n"
    "                            upper 24 (f32) or 53 (f64) bits, integers the lowest bits\n"
    "  f32:[1,2,3,4]             these elements\n"
    "  f32[1024]:@data.npy       from a NumPy file of that type; any other file: raw little-endian "
    "elements\n"
    "  @data.npy                 type and length from the NumPy file\n"
    "  bytes:@FILE               raw bytes, a multiple of the element; for an aggregate exactly "
    "its size\n"
    "Element types: f32 f64 i8 u8 i16 u16 i32 u32 i64 u64; NumPy files: f32 f64 i32 u32 u8 i64 "
    "u64, version 1.0.\n"
    "A panic, a deadlock or a wrong --check ends with exit code 1.";

static constexpr OptionDef inspectOptions[] = {
    {"--asm", "", "list the code of each target under the Rust lines that made it"},
    {"--kernel", "K", "only this kernel: an entry name or a key"},
    {"--format", "table|json", "json: one object for programs (without --asm's listing)"},
    {"--target", "LIST", "of a source or serialized MIR (default host); as for compile"},
    {"-O", "0|1|2|3", "optimisation of a source or serialized MIR (default 3)"},
    {"--fp-contract", "off|fast", "as for compile"},
};

const std::vector<CommandEntry> &commands() {
  static const std::vector<CommandEntry> table = {
      {{"export", "Rust source to serialized MIR", "SRC.rs [-o OUT.mir.json] [-- RUSTC ARGUMENTS]",
        exportOptions,
        "The crate is a library of edition 2024 at opt-level 3 unless the arguments after `--` say "
        "otherwise.",
        "  mirgpu export saxpy.rs\n  mirgpu export saxpy.rs -o - -- --cfg fast\n", true},
       exportCommand},
      {{"compile", "Rust or serialized MIR to PTX, HSACO, host code or a module that holds them",
        "IN.mir.json|SRC.rs --target=LIST [options]", compileOptions,
        "Without --target the target is host. A text or object for several targets is written to "
        "one file each,\n"
        "named after the target.",
        "  mirgpu compile saxpy.mir.json --target=sm_90,gfx1100,host\n"
        "  mirgpu compile saxpy.rs --target=sm_90 --emit=ptx -o -\n"
        "  mirgpu compile saxpy.mir.json --target=gfx1100 --emit=llvm-ir -O0 -o saxpy.ll\n"
        "  mirgpu compile saxpy.mir.json --emit=mir -o -\n"},
       compileCommand},
      {{"run", "run one kernel and look at the results",
        "FILE --grid X --block X --arg NAME=VALUE ... [options]", runOptions, runDetails,
        "  mirgpu run saxpy.rs --grid 4 --block 256 --arg a=2 --arg x=f32[1000]:iota --arg "
        "y=f32[1000]:zeros --print y\n"
        "  mirgpu run kernels.mgpu --kernel reduce --grid 8 --block 128 --arg x=@x.npy --arg "
        "sums=f32[8]:zeros \\\n"
        "      --schedule=reverse --check sums=@sums.npy\n"},
       runCommand},
      {{"inspect", "kernels, parameters, resources and annotated code of a module",
        "FILE [--asm] [options]", inspectOptions,
        "FILE is a .mgpu, or a .rs or .mir.json that is compiled for --target first.\n"
        "Registers and spills of PTX come from ptxas, where it is found ($MIRGPU_PTXAS, else "
        "PATH); "
        "of AMD code\n"
        "from its metadata: registers are vector registers, local bytes scratch. On the CPU local "
        "bytes are the frame\n"
        "of the function that runs a thread, without what it calls.\n"
        "--asm shows code in its own order. A heading is a line of the listed function; behind an "
        "instruction stand\n"
        "the calls below that line which rustc or LLVM inlined, innermost first. PTX of a .mgpu "
        "knows the innermost\n"
        "line alone; compile from the source or serialized MIR to see the calls.",
        "  mirgpu inspect kernels.mgpu\n  mirgpu inspect saxpy.rs --target=sm_90,gfx1100 --asm\n"
        "  mirgpu inspect kernels.mgpu --format=json\n"},
       inspectCommand},
      {{"doctor",
        "what was found on this machine, and how to get what was not",
        "",
        {},
        "",
        "  mirgpu doctor\n"},
       doctorCommand},
  };
  return table;
}

} // namespace mirgpu::driver
