// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queue and its thread. Work owns what it needs; the thread owns the queue together with the
// stream, since the last reference to a device may be dropped by the work that it was kept for. The
// queue's thread is not woken for short work: whoever gives it, or waits for it, does it.
#include "runtime/cpu/stream.h"

#include "runtime/cpu/grid.h"
#include "runtime/cpu/heap.h"
#include "runtime/cpu/host_object.h"
#include "runtime/panic_text.h"
#include "runtime/text.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace mirgpu::runtime::cpu {

namespace {

/// The parameters as the entry takes them, in one aligned piece of memory.
class ArgumentBlock {
public:
  ArgumentBlock(const ModuleKernel &kernel, const LaunchRequest &request,
                const abi::LaunchContext *context)
      : context_(reinterpret_cast<uint64_t>(context)) {
    size_t align = alignof(std::max_align_t);
    for (const ModuleParam &p : kernel.params)
      align = std::max<size_t>(align, p.align);
    bytes_.resize(request.argBytes.size() + align);
    auto begin = reinterpret_cast<uintptr_t>(bytes_.data());
    std::byte *base = bytes_.data() + ((begin + align - 1) / align * align - begin);
    std::ranges::copy(request.argBytes, base);
    for (uint32_t offset : request.argOffsets)
      pointers_.push_back(base + offset);
    if (kernel.hasLaunchContext)
      pointers_.push_back(&context_);
  }
  const void *const *pointers() const { return pointers_.data(); }

private:
  uint64_t context_;
  std::vector<std::byte> bytes_;
  std::vector<const void *> pointers_;
};

/// One piece of work. `run` leaves its error and warnings in the queue's.
struct Work {
  std::function<Status(std::vector<std::string> &warnings)> run;
  KeepAlive keep;
};

/// Shared by the stream and its thread.
struct Queue {
  std::mutex mutex;
  std::condition_variable wake, idle;
  std::deque<Work> waiting;
  bool busy = false;
  bool closed = false;
  Status firstError;
  std::vector<std::string> warnings;

  void serve();
  /// Takes the first piece of work and does it; called and left with the lock held.
  void doNext(std::unique_lock<std::mutex> &lock);
  /// Does `work` at once if there is none before it; false: it has to wait. `work` is left alone
  /// then.
  bool doNow(Work &work);
  /// Adds `work` and wakes the queue's thread.
  void add(Work work);

private:
  void perform(Work work, std::unique_lock<std::mutex> &lock);
};

/// Warnings kept for a stream whose owner never takes them.
constexpr size_t kMaxWarnings = 256;

void Queue::serve() {
  std::unique_lock lock(mutex);
  for (;;) {
    wake.wait(lock, [&] { return !busy && (closed || !waiting.empty()); });
    if (waiting.empty())
      return;
    doNext(lock);
  }
}

void Queue::doNext(std::unique_lock<std::mutex> &lock) {
  Work work = std::move(waiting.front());
  waiting.pop_front();
  perform(std::move(work), lock);
}

bool Queue::doNow(Work &work) {
  std::unique_lock lock(mutex);
  if (busy || !waiting.empty())
    return false;
  perform(std::move(work), lock);
  return true;
}

void Queue::add(Work work) {
  {
    std::lock_guard lock(mutex);
    waiting.push_back(std::move(work));
  }
  wake.notify_one();
}

/// Called and left with the lock held, which is not held while `work` runs.
void Queue::perform(Work work, std::unique_lock<std::mutex> &lock) {
  busy = true;
  lock.unlock();
  std::vector<std::string> found;
  Status status = work.run(found);
  work = {};
  lock.lock();
  busy = false;
  if (!status && firstError)
    firstError = std::move(status);
  for (std::string &warning : found)
    if (warnings.size() < kMaxWarnings)
      warnings.push_back(std::move(warning));
  if (waiting.empty())
    idle.notify_all();
  if (closed || !waiting.empty())
    wake.notify_one();
}

/// The code that a launch runs.
struct TierCode {
  KernelEntry entry;
  bool isThreadLoop;
  KernelCost &cost;
};

/// T0 where the kernel has it and threads run in their natural order, unless the launch says
/// otherwise.
Result<TierCode> chooseTier(const ModuleFile &file, const KernelCode &code,
                            const LaunchRequest &request) {
  bool inOrder = request.schedule.order == simt::Schedule::Order::Forward;
  switch (request.tier) {
  case CpuTier::Auto:
    if (code.threadLoop && inOrder)
      return TierCode{code.threadLoop, true, *code.threadLoopCost};
    break;
  case CpuTier::T0: {
    if (code.threadLoop && inOrder)
      return TierCode{code.threadLoop, true, *code.threadLoopCost};
    std::string_view why = "it was compiled for T3 alone";
    if (!inOrder)
      why = "it runs the threads of a block in ascending order, and the launch asks for another";
    else if (!code.whyNoThreadLoop.empty())
      why = code.whyNoThreadLoop;
    return fail(ErrorCode::InvalidArgument, "tier T0 does not admit kernel `",
                file.kernels()[request.kernel].key, "`: ", why);
  }
  case CpuTier::T3:
    break;
  }
  return TierCode{code.fibers, false, *code.fibersCost};
}

/// A launch in the queue; it owns its request.
class QueuedLaunch {
public:
  QueuedLaunch(const ModuleFile &file, TierCode code, LaunchRequest request)
      : file_(file), cost_(code.cost), request_(std::move(request)),
        context_{0, request_.launchId, 0},
        arguments_(file.kernels()[request_.kernel], request_, &context_) {
    const ModuleKernel &kernel = file.kernels()[request_.kernel];
    job_.entry = code.entry;
    job_.isThreadLoop = code.isThreadLoop;
    job_.args = arguments_.pointers();
    job_.context = &context_;
    job_.grid = request_.grid;
    job_.block = request_.block;
    job_.staticSharedBytes = kernel.staticSharedBytes;
    if (request_.sharedBytes != 0)
      job_.staticSharedBytes =
          static_cast<uint32_t>((kernel.staticSharedBytes + abi::kSharedAlign - 1) /
                                abi::kSharedAlign * abi::kSharedAlign);
    job_.sharedBytes = job_.staticSharedBytes + request_.sharedBytes;
    job_.schedule = request_.schedule;
    if (request_.stackBytes != 0)
      job_.stackBytes = request_.stackBytes;
  }
  QueuedLaunch(const QueuedLaunch &) = delete;
  QueuedLaunch &operator=(const QueuedLaunch &) = delete;

  bool isShort(const Team &team) const { return cpu::isShort(team, job_, cost_); }

  Status run(Team &team, Heap &heap, std::vector<std::string> &warnings) {
    const bool usesHeap = (file_.kernels()[request_.kernel].flags & mgpu::kUsesHeap) != 0;
    if (usesHeap) {
      if (Status ready = heap.prepare(request_.heapBytes); !ready)
        return ready;
      context_.heap = heap.address();
    }
    LaunchOutcome outcome(file_, request_.kernel, request_.launchId);
    runGrid(team, job_, cost_, outcome);
    warnings = outcome.warnings();
    Status status = outcome.status();
    // A thread that panics frees nothing.
    if (const uint64_t live = usesHeap && status ? heap.liveCount() : 0)
      warnings.push_back(text(launchPrefix(file_, request_.kernel, request_.launchId), live,
                              live == 1 ? " allocation was" : " allocations were",
                              " not freed when the launch ended"));
    return status;
  }

private:
  const ModuleFile &file_;
  KernelCost &cost_;
  LaunchRequest request_;
  abi::LaunchContext context_;
  ArgumentBlock arguments_;
  GridJob job_;
};

class CpuStream final : public BackendStream {
public:
  explicit CpuStream(std::shared_ptr<Team> team)
      : team_(std::move(team)), queue_(std::make_shared<Queue>()) {
    thread_ = std::thread([queue = queue_] { queue->serve(); });
  }

  ~CpuStream() override {
    {
      std::lock_guard lock(queue_->mutex);
      queue_->closed = true;
    }
    queue_->wake.notify_all();
    if (thread_.get_id() == std::this_thread::get_id())
      thread_.detach(); // its work held the last reference: it ends by itself
    else
      thread_.join();
  }

  Status launch(const ModuleFile &file, BackendModule &module, LaunchRequest request,
                KeepAlive keep) override {
    auto code = chooseTier(file, static_cast<HostObject &>(module).code(request.kernel), request);
    if (!code)
      return code.error();
    auto launch = std::make_shared<QueuedLaunch>(file, *code, std::move(request));
    bool isShort = launch->isShort(*team_);
    Work work{[team = team_, heap = heap_, launch](std::vector<std::string> &warnings) {
                return launch->run(*team, *heap, warnings);
              },
              std::move(keep)};
    if (!isShort || !queue_->doNow(work))
      queue_->add(std::move(work));
    return {};
  }

  Status copy(uint64_t to, uint64_t from, uint64_t bytes, KeepAlive keep) override {
    queue_->add({[=](std::vector<std::string> &) {
                   std::memcpy(pointer(to), pointer(from), bytes);
                   return Status();
                 },
                 std::move(keep)});
    return {};
  }

  Status fill(uint64_t to, uint8_t byte, uint64_t bytes, KeepAlive keep) override {
    queue_->add({[=](std::vector<std::string> &) {
                   std::memset(pointer(to), byte, bytes);
                   return Status();
                 },
                 std::move(keep)});
    return {};
  }

  Status write(uint64_t to, const void *from, uint64_t bytes) override {
    auto status = synchronize();
    if (status && bytes != 0)
      std::memcpy(pointer(to), from, bytes);
    return status;
  }

  Status read(void *to, uint64_t from, uint64_t bytes) override {
    auto status = synchronize();
    if (status && bytes != 0)
      std::memcpy(to, pointer(from), bytes);
    return status;
  }

  Status synchronize() override {
    std::unique_lock lock(queue_->mutex);
    // Work that has not begun is done here: waking the queue's thread takes longer than most.
    while (!queue_->busy && !queue_->waiting.empty())
      queue_->doNext(lock);
    queue_->idle.wait(lock, [&] { return queue_->waiting.empty() && !queue_->busy; });
    return std::exchange(queue_->firstError, Status());
  }

  std::vector<std::string> takeWarnings() override {
    std::lock_guard lock(queue_->mutex);
    return std::exchange(queue_->warnings, {});
  }

private:
  static void *pointer(uint64_t address) { return reinterpret_cast<void *>(address); }

  std::shared_ptr<Team> team_;
  std::shared_ptr<Heap> heap_ = std::make_shared<Heap>(); ///< the work's, one piece at a time
  std::shared_ptr<Queue> queue_;
  std::thread thread_;
};

} // namespace

std::unique_ptr<BackendStream> createStream(std::shared_ptr<Team> team) {
  return std::make_unique<CpuStream>(std::move(team));
}

} // namespace mirgpu::runtime::cpu
