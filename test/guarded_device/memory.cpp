#include "memory.h"
#include "guarded_device.h"

#include <ATen/ATen.h>
#include <c10/core/Allocator.h>

#include <atomic>
#include <cstring>
#include <limits>
#include <list>
#include <map>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

namespace guarded {
namespace detail {

namespace {

struct Queued {
  uint64_t ticket;
  int device;
  int stream;
  std::function<void()> write;
};

struct State {
  std::mutex mutex;
  std::map<const char *, Block> blocks;
  std::list<Queued> queue;
  uint64_t tickets = 0;
  Counters counters;
  Fault fault = Fault::none;
  int fault_after = 0;

  // Outlives every tensor, also static ones.
  static State &instance() {
    static State *state = new State;
    return *state;
  }
};

thread_local int this_device = 0;
thread_local int this_stream[kDevices] = {0, 0};

Block map_block(std::size_t size, int device) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  Block block;
  block.size = (size + page - 1) / page * page;
  block.device = device;
  const int file = ::memfd_create("guarded", MFD_CLOEXEC);
  TORCH_CHECK(file >= 0 && ::ftruncate(file, static_cast<off_t>(block.size)) == 0,
              "guarded device: out of memory");
  void *inside = ::mmap(nullptr, block.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  void *guarded = ::mmap(nullptr, block.size, PROT_NONE, MAP_SHARED, file, 0);
  ::close(file);
  TORCH_CHECK(inside != MAP_FAILED && guarded != MAP_FAILED, "guarded device: cannot map memory");
  block.inside = static_cast<char *>(inside);
  block.guarded = static_cast<char *>(guarded);
  std::memset(block.inside, 0xFF, block.size);
  return block;
}

void release(void *pointer) {
  State &state = State::instance();
  Block block;
  {
    const std::lock_guard<std::mutex> lock(state.mutex);
    const auto found = state.blocks.find(static_cast<char *>(pointer));
    block = found->second;
    state.blocks.erase(found);
  }
  ::munmap(block.inside, block.size);
  ::munmap(block.guarded, block.size);
}

struct Allocator final : c10::Allocator {
#ifdef GUARDED_TORCH_2
  c10::DataPtr allocate(std::size_t size) override { return make(size); }
  void copy_data(void *to, const void *from, std::size_t size) const override {
    std::memcpy(inside(to), inside(from), size);
  }
  static char *inside(const void *pointer) {
    const Block block = block_of(pointer);
    return block.inside + (static_cast<const char *>(pointer) - block.guarded);
  }
#else
  c10::DataPtr allocate(std::size_t size) const override { return make(size); }
#endif
  c10::DeleterFnPtr raw_deleter() const override { return &release; }

private:
  static c10::DataPtr make(std::size_t size) {
    const c10::Device where = device(this_device);
    if (size == 0)
      return {nullptr, nullptr, &release_nothing, where};
    TORCH_CHECK(!fault_strikes(static_cast<int>(Fault::no_memory)),
                "guarded device: out of memory");
    const Block block = map_block(size, this_device);
    State &state = State::instance();
    const std::lock_guard<std::mutex> lock(state.mutex);
    state.blocks[block.guarded] = block;
    ++state.counters.allocations;
    return {block.guarded, block.guarded, &release, where};
  }
  static void release_nothing(void *) {}
};

Allocator allocator;
REGISTER_ALLOCATOR(c10::DeviceType::PrivateUse1, &allocator);

} // namespace

Block block_of(const void *pointer) {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  auto next = state.blocks.upper_bound(static_cast<const char *>(pointer));
  if (next == state.blocks.begin())
    return {};
  const Block block = std::prev(next)->second;
  return static_cast<const char *>(pointer) < block.guarded + block.size ? block : Block{};
}

at::Tensor shadow(const at::Tensor &tensor) {
  const auto options = at::TensorOptions(at::kCPU).dtype(tensor.dtype());
  at::Tensor result;
  if (tensor.numel() == 0) {
    result = at::empty_strided(tensor.sizes(), tensor.strides(), options);
  } else {
    const void *data = tensor.data_ptr();
    const Block block = block_of(data);
    TORCH_CHECK(block.device >= 0, "guarded device: this is none of its memory");
    char *inside = block.inside + (static_cast<const char *>(data) - block.guarded);
    result = at::from_blob(
        inside, tensor.sizes(), tensor.strides(), [keep = tensor.storage()](void *) {}, options);
  }
  result._set_conj(tensor.is_conj());
  result._set_neg(tensor.is_neg());
  return result;
}

int current_device() { return this_device; }
void set_current_device(int index) {
  TORCH_CHECK(index >= 0 && index < kDevices, "guarded device: no device ", index);
  this_device = index;
}
int current_stream(int index) { return this_stream[index]; }
int exchange_stream(int index, int stream) { return std::exchange(this_stream[index], stream); }

void enqueue(int index, std::function<void()> write) {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.queue.push_back({++state.tickets, index, current_stream(index), std::move(write)});
}

uint64_t last_ticket() {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  return state.tickets;
}

void drain(int index, int stream, uint64_t ticket) {
  TORCH_CHECK(!fault_strikes(static_cast<int>(Fault::broken_wait)), "guarded device: lost");
  count_synchronisation();
  State &state = State::instance();
  std::list<Queued> due;
  {
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (state.fault == Fault::deaf_wait)
      return;
    for (auto it = state.queue.begin(); it != state.queue.end();) {
      const auto next = std::next(it);
      if (it->device == index && it->stream == stream && it->ticket <= ticket)
        due.splice(due.end(), state.queue, it);
      it = next;
    }
  }
  for (const Queued &copy : due)
    copy.write();
}

bool drained(int index, int stream, uint64_t ticket) {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  for (const Queued &copy : state.queue)
    if (copy.device == index && copy.stream == stream && copy.ticket <= ticket)
      return false;
  return true;
}

void count_copy(bool to_host, bool queued) {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  ++(to_host ? state.counters.copies_to_host : state.counters.copies_to_device);
  state.counters.queued += queued;
}

void count_synchronisation() {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  ++state.counters.synchronisations;
}

bool fault_strikes(int which) {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  return static_cast<int>(state.fault) == which && state.fault_after-- <= 0;
}

} // namespace detail

using detail::State;

at::Device device(int index) {
  return at::Device(c10::DeviceType::PrivateUse1, static_cast<c10::DeviceIndex>(index));
}

Counters counters() {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  return state.counters;
}

void reset_counters() {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.counters = {};
}

std::size_t pending() {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  return state.queue.size();
}

void synchronize(int index) {
  for (int stream = 0; stream < 4; ++stream)
    detail::drain(index, stream, std::numeric_limits<uint64_t>::max());
}

void set_stream(int index, int stream) { detail::exchange_stream(index, stream); }

int owner(const void *pointer) { return detail::block_of(pointer).device; }

void scribble(const at::Tensor &tensor, std::size_t byte, unsigned char value) {
  static_cast<unsigned char *>(detail::shadow(tensor).data_ptr())[byte] = value;
}

void set_fault(Fault fault, int after) {
  State &state = State::instance();
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.fault = fault;
  state.fault_after = after;
}

} // namespace guarded
