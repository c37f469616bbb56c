// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that fail while they run: panics, deadlocks, wrong collectives, stack overflows. Each is
// the error of the next synchronising call, with its whole text, and the device works afterwards.
#include "tests/unit/runtime/cpu_fixture.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace mirgpu;
using namespace mirgpu::test;

static void stillWorks(Cpu &cpu) {
  auto x = *cpu.device.from(cpu.stream, std::vector<float>(300, 2.0f));
  auto out = cpu.zeros<float>(2);
  CHECK(cpu.run("block_sum", cover(300).block(256), x, out) == "ok");
  CHECK(*out.toVector(cpu.stream) == std::vector<float>{512.0f, 88.0f});
}

TEST_CASE("a bounds check panics as rustc words it") {
  Cpu cpu;
  auto x = cpu.zeros<float>(300), y = cpu.zeros<float>(303);
  CHECK(
      withoutLaunch(cpu.run("saxpy", cover(303).block(256), 1.0f, x, y)) ==
      "kernel `saxpy`: thread (44,0,0) of block (1,0,0) panicked at src/lib.rs:10:5: index out of "
      "bounds: the len is 300 but the index is 300\n"
      "  3 threads of this launch panicked; this is the first");
  stillWorks(cpu);
}

TEST_CASE("a panic outside fibers stops its block") {
  Cpu cpu;
  auto x = cpu.zeros<float>(300), y = cpu.zeros<float>(303);
  CHECK(
      withoutLaunch(cpu.run("saxpy_t0", cover(303).block(256), 1.0f, x, y)) ==
      "kernel `saxpy_t0`: thread (44,0,0) of block (1,0,0) panicked at src/lib.rs:10:5: index out "
      "of bounds: the len is 300 but the index is 300");
  stillWorks(cpu);
}

TEST_CASE("the first panic is the one of the smallest block and thread, in every run") {
  Cpu cpu;
  for (const char *schedule : {"forward", "reverse", "seed:4"})
    for (int round = 0; round < 5; ++round) {
      Launch shape{{200}, {64}};
      shape.schedule = schedule;
      CHECK(
          withoutLaunch(cpu.run("panics", shape, 100u, 250u)) ==
          "kernel `panics`: thread (44,0,0) of block (4,0,0) panicked at src/lib.rs:20:6: a static "
          "message\n  125 threads of this launch panicked; this is the first");
    }
  stillWorks(cpu);
}

TEST_CASE("a panic whose place is known at run time alone") {
  Cpu cpu;
  CHECK(withoutLaunch(cpu.run("panics_dynamic", Launch{{1}, {4}})) ==
        "kernel `panics_dynamic`: thread (1,0,0) of block (0,0,0) panicked at src/other.rs:3:4: "
        "called `unwrap` on `None`");
}

TEST_CASE("the error names kernel and code, is given once, and by synchronising calls alone") {
  Cpu cpu;
  auto kernel = *cpu.module.kernel("panics");
  auto buffer = cpu.zeros<float>(4);
  REQUIRE(kernel.launch(cpu.stream, Launch{{1}, {1}}, 1u, 0u));
  REQUIRE(kernel.launch(cpu.stream, Launch{{2}, {1}}, 1u, 1u));
  auto read = buffer.toVector(cpu.stream);
  REQUIRE(!read);
  CHECK(read.error().code == ErrorCode::Panic);
  CHECK(read.error().kernel == "panics");
  CHECK(read.error().message.find("block (0,0,0)") != std::string::npos);
  CHECK(cpu.stream.synchronize());
  CHECK(buffer.toVector(cpu.stream));
}

TEST_CASE("a deadlock is a report with each waiting thread's line") {
  Cpu cpu;
  CHECK(withoutLaunch(cpu.run("deadlock", Launch{{3}, {64}})) ==
        "kernel `deadlock`: deadlock in block (0,0,0): no thread can go on\n"
        "  threads (0,0,0) to (15,0,0) wait in `warp::shuffle_xor` with mask 0xffffffff at "
        "src/lib.rs:30:7, where lanes 16-31 of the mask never arrive\n"
        "  threads (16,0,0) to (31,0,0), (48,0,0) to (63,0,0) wait in `thread::sync_threads` at "
        "src/lib.rs:40:8\n"
        "  threads (32,0,0) to (47,0,0) wait in `warp::shuffle_xor` with mask 0xffffffff at "
        "src/lib.rs:30:7, where lanes 16-31 of the mask never arrive");
  stillWorks(cpu);
}

TEST_CASE("a wrong mask is an error, different places are a warning") {
  Cpu cpu;
  auto wrong = *cpu.module.kernel("wrong_mask");
  REQUIRE(wrong.launch(cpu.stream, Launch{{1000}, {32}}));
  auto status = cpu.stream.synchronize();
  REQUIRE(!status);
  CHECK(status.error().code == ErrorCode::Sync);
  CHECK(withoutLaunch(status.error().message) ==
        "kernel `wrong_mask`: thread (1,0,0) of block (0,0,0) calls `warp::ballot` with mask "
        "0x00000001 at src/lib.rs:30:7, but that mask does not name its own lane 1");

  auto out = cpu.zeros<uint32_t>(32);
  CHECK(cpu.run("two_places", Launch{{5}, {32}}, out) == "ok");
  CHECK((*out.toVector(cpu.stream))[9] == 0xaaaaaaaa);
  auto warnings = cpu.stream.takeWarnings();
  REQUIRE(warnings.size() == 1);
  CHECK(withoutLaunch(warnings[0]) ==
        "kernel `two_places`: meeting from different places in block (0,0,0): thread (0,0,0) is in "
        "`warp::ballot` with mask 0xffffffff at src/lib.rs:30:7, thread (8,0,0) in `warp::ballot` "
        "with mask 0xffffffff at src/lib.rs:40:8; they met, but the CUDA guide wants one place");
  CHECK(cpu.stream.takeWarnings().empty());
}

TEST_CASE("a stack overflow is an error, and a larger stack avoids it") {
  Cpu cpu;
  auto out = cpu.zeros<uint64_t>(1);
  for (int round = 0; round < 3; ++round) {
    CHECK(withoutLaunch(cpu.run("recursion", Launch{{40}, {128}}, 70u, 1000000u, out)) ==
          "kernel `recursion`: stack overflow in thread (70,0,0) of block (0,0,0): its stack has "
          "262144 bytes");
    stillWorks(cpu);
  }
  Launch large{{2}, {128}};
  large.stackBytes = 64 << 20;
  CHECK(cpu.run("recursion", large, 70u, 20000u, out) == "ok");
  CHECK(cpu.run("recursion", Launch{{2}, {128}}, 70u, 100u, out) == "ok");
}

TEST_CASE("a stack that is used up at a barrier is an overflow too") {
  Cpu cpu;
  auto out = cpu.zeros<uint64_t>(1);
  auto text = withoutLaunch(cpu.run("recursion_with_barrier", Launch{{2}, {64}}, out));
  CHECK(text.starts_with("kernel `recursion_with_barrier`: stack overflow in thread ("));
  stillWorks(cpu);
}

TEST_CASE(
    "a fault that is no stack overflow goes to the handler before ours, or ends the process") {
  Cpu cpu; // the handler is installed
  stillWorks(cpu);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGALRM, SIG_DFL);
    alarm(20);
    // The default action, whatever a sanitizer or the test runner installed before.
    volatile int *nowhere = nullptr;
    close(1), close(2);
    *nowhere = 1;
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(!(WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(!(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM));
}
