// Validation, faults, statistics, NoTransferScope.
#include "support.h"

#include "fence.h"
#include "record.h"
#include "validate.h" // the form check, which no working backend fails

#include <c10/core/CPUAllocator.h>

#include <cstdlib>
#include <sstream>
#include <thread>

// The sanitizers have allocators of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GNUC__) &&        \
    !defined(__clang__)
#define CAN_RUN_OUT_OF_MEMORY 1
namespace {
// How many allocations of this thread succeed; all where negative.
thread_local int allocations_left = -1;
} // namespace
void *operator new(std::size_t size) {
  const bool fails = allocations_left == 0;
  allocations_left -= allocations_left > 0;
  void *memory = fails ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
#endif

using namespace test_support;
using guarded::Fault;
using torch_host::HostOptions;
using torch_host::NoTransferScope;
using torch_host::Validation;

namespace {

class ValidationTest : public DeviceTest {};

void expect_invalid(const std::function<void()> &call, const std::string &checked) {
  try {
    call();
  } catch (const torch_host::ValidationError &error) {
    EXPECT_EQ(error.checked(), checked) << error.what();
    EXPECT_FALSE(error.expected().empty());
    EXPECT_FALSE(error.found().empty());
    EXPECT_NE(std::string(error.what()).find(error.expected()), std::string::npos);
    return;
  }
  FAIL() << "a wrong result was handed out";
}

TEST_F(ValidationTest, FormIsChecked) {
  const at::Tensor good = sample({2, 3});
  const auto check = [](const at::Tensor &host, at::ScalarType type, at::IntArrayRef sizes) {
    torch_host::detail::validate_form(host, {type, sizes, true}, "call",
                                      torch_host::CallSite::current());
  };
  EXPECT_NO_THROW(check(good, at::kFloat, {2, 3}));
  expect_invalid([&] { check(good, at::kDouble, {2, 3}); }, "dtype");
  expect_invalid([&] { check(good, at::kFloat, {3, 2}); }, "sizes");
  expect_invalid([&] { check(good.t(), at::kFloat, {3, 2}); }, "strides");
  expect_invalid([&] { check(good.to(guarded::device(0)), at::kFloat, {2, 3}); }, "device");
  expect_invalid([&] { check(good.clone().requires_grad_(true), at::kFloat, {2, 3}); },
                 "requires_grad");
  expect_invalid([&] { check(sample({2}, at::kComplexFloat).conj(), at::kComplexFloat, {2}); },
                 "conj and neg bits");
}

TEST_F(ValidationTest, MisalignedMemoryIsFound) {
  std::vector<char> bytes(64);
  const at::Tensor odd = at::from_blob(bytes.data() + 1, {4}, at::TensorOptions(at::kFloat));
  expect_invalid([&] { torch_host::to_host(odd); }, "alignment");
  HostOptions off;
  off.validation = Validation::off;
  EXPECT_NO_THROW(torch_host::to_host(odd, off));
}

TEST_F(ValidationTest, FullFindsTruncatedCopies) {
  const at::Tensor tensor = sample({1000}).to(guarded::device(0));
  guarded::set_fault(Fault::truncate);
  HostOptions full;
  full.validation = Validation::full;
  expect_invalid([&] { torch_host::to_host(tensor, full); }, "content");
  expect_invalid([&] { torch_host::to_host_async(tensor, full).get(); }, "content");
  const std::vector<at::Tensor> many(6, tensor);
  expect_invalid([&] { torch_host::to_host(many, full); }, "content");
  // Of a list the errors name the tensors: the one, or those that crossed together.
  const auto expect_named = [&](const std::vector<at::Tensor> &list, const std::string &names) {
    expect_refused([&] { torch_host::to_host(list, full); }, {"to_host: " + names + ": "});
  };
  const at::Tensor large = sample({200, 200}).to(guarded::device(1));
  guarded::set_fault(Fault::truncate);
  expect_named({sample({3}), large}, "tensor 1");
  expect_named({sample({3}), tensor, tensor, tensor, tensor}, "one of the tensors 1, 2, 3, 4");
  expect_named(std::vector<at::Tensor>(12, tensor),
               "one of the tensors 0, 1, 2, 3, 4, 5, 6, 7 and 4 more");
  // Cheap validation does not read the elements.
  EXPECT_NO_THROW(torch_host::to_host(tensor));
}

TEST_F(ValidationTest, FullFindsCopiesReadTooEarly) {
  const at::Tensor tensor = sample({1000}).to(guarded::device(0));
  guarded::set_fault(Fault::deaf_wait);
  HostOptions full;
  full.validation = Validation::full;
  full.pinned = false;
  {
    torch_host::Pending pending = torch_host::to_host_async(tensor, full);
    expect_invalid([&] { pending.get(); }, "content");
    guarded::set_fault(Fault::none);
    guarded::synchronize(0); // the destination still exists
  }
}

TEST_F(ValidationTest, FullFindsSourcesThatChange) {
  const at::Tensor tensor = sample({1000}).to(guarded::device(0));
  HostOptions full;
  full.validation = Validation::full;
  guarded::set_fault(Fault::moving_source);
  expect_invalid([&] { torch_host::to_host(tensor, full); }, "content of the source");
}

TEST_F(ValidationTest, FullFindsBadWriteBacks) {
  const at::Tensor tensor = sample({1000}).to(guarded::device(0));
  torch_host::set_validation(Validation::full);
  {
    auto one = torch_host::host_view_mut<float>(tensor);
    one.at({3}) = 1;
  }
  EXPECT_EQ(torch_host::item<float>(tensor[3]), 1.0f);
  auto view = torch_host::host_view_mut<float>(tensor);
  for (float &value : view)
    value = 7;
  guarded::set_fault(Fault::truncate);
  expect_invalid([&] { view.commit(); }, "content");
}

TEST_F(ValidationTest, EveryDifferenceOfOneByteIsFound) {
  const at::Tensor base = at::zeros({64}, at::kByte);
  const at::Tensor sum = torch_host::detail::checksum(base);
  for (int64_t i = 0; i < 64; ++i) {
    const at::Tensor other = base.clone();
    other[i] = 1;
    EXPECT_NE(torch_host::detail::checksum(other).item<int64_t>(), sum.item<int64_t>()) << i;
    // The same byte elsewhere.
    if (i > 0) {
      EXPECT_NE(torch_host::detail::checksum(other).item<int64_t>(),
                torch_host::detail::checksum(other.roll({1}, {0})).item<int64_t>())
          << i;
    }
  }
}

TEST_F(ValidationTest, ChecksumOfOddSizesOffsetsAndLongTensors) {
  for (int64_t size : {1, 2, 3, 5, 7, 8, 15, 4097}) {
    const at::Tensor bytes = sample({size + 3}, at::kByte);
    const at::Tensor slice = bytes.narrow(0, 3, size);
    EXPECT_EQ(torch_host::detail::checksum(slice).item<int64_t>(),
              torch_host::detail::checksum(slice.clone()).item<int64_t>());
  }
  const at::Tensor ones = at::ones({(1 << 20) + 8}, at::kLong); // three chunks
  const at::Tensor other = ones.clone();
  other[-1] = 2;
  EXPECT_NE(torch_host::detail::checksum(ones).item<int64_t>(),
            torch_host::detail::checksum(other).item<int64_t>());
  EXPECT_EQ(torch_host::detail::checksum(at::empty({0})).item<int64_t>(), 0);
}

TEST_F(ValidationTest, LevelsAreSetAndReturned) {
  EXPECT_EQ(torch_host::set_validation(Validation::off), Validation::cheap);
  EXPECT_EQ(torch_host::validation(), Validation::off);
}

TEST(EnvironmentDeathTest, SetsTheLevelAtTheStart) {
  // The child is a fresh process, in which nothing has asked for the level yet.
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto expect = [](const char *text, Validation level) {
    ::setenv("TORCH_HOST_VALIDATE", text, 1);
    EXPECT_EXIT(std::exit(torch_host::validation() == level ? 0 : 1), ::testing::ExitedWithCode(0),
                "")
        << text;
  };
  expect("off", Validation::off);
  expect("cheap", Validation::cheap);
  expect("full", Validation::full);
  expect("nonsense", Validation::cheap);
  ::unsetenv("TORCH_HOST_VALIDATE");
  EXPECT_EXIT(std::exit(torch_host::validation() == Validation::cheap ? 0 : 1),
              ::testing::ExitedWithCode(0), "");
}

// --- Faults ------------------------------------------------------------------------------------

class FaultTest : public DeviceTest {};

TEST_F(FaultTest, CopyThatFailsInTheMiddleOfABatchLeavesNothingRunning) {
  std::vector<at::Tensor> tensors;
  for (int i = 0; i < 6; ++i)
    tensors.push_back(sample({200, 200}).to(guarded::device(i % 2)));
  for (int after = 0; after < 6; ++after) {
    guarded::set_fault(Fault::broken_copy, after);
    EXPECT_THROW(torch_host::to_host(tensors), c10::Error);
    guarded::set_fault(Fault::none);
    EXPECT_EQ(guarded::pending(), 0u) << "after " << after;
  }
  EXPECT_TRUE(same(sample({200, 200}), torch_host::to_host(tensors)[5]));
}

TEST_F(FaultTest, AllocationFailureOnTheDevice) {
  const at::Tensor tensor = sample({200, 200}).to(guarded::device(0));
  guarded::set_fault(Fault::no_memory);
  // The packed form needs device memory.
  EXPECT_THROW(torch_host::to_host(tensor.t()), c10::Error);
  EXPECT_TRUE(same(sample({200, 200}), torch_host::to_host(tensor)));
}

TEST_F(FaultTest, BackendsWithoutEventsBlock) {
  using torch_host::detail::can_copy_asynchronously;
  EXPECT_TRUE(can_copy_asynchronously(at::DeviceType::PrivateUse1));
  EXPECT_FALSE(can_copy_asynchronously(at::kCPU));
  EXPECT_FALSE(can_copy_asynchronously(at::kMeta));
  EXPECT_FALSE(can_copy_asynchronously(at::kHIP)); // no such backend in the tested builds
}

// A CPU allocator that fails on request.
struct FailingAllocator final : c10::Allocator {
  explicit FailingAllocator(c10::Allocator *to) : next(to) {}
#ifdef TEST_TORCH_2
  c10::DataPtr allocate(std::size_t size) override { return make(size); }
  void copy_data(void *to, const void *from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }
#else
  c10::DataPtr allocate(std::size_t size) const override { return make(size); }
#endif
  c10::DataPtr make(std::size_t size) const {
    if (size >= 100000 && left-- <= 0)
      throw std::bad_alloc();
    return next->allocate(size);
  }
  c10::DeleterFnPtr raw_deleter() const override { return next->raw_deleter(); }
  c10::Allocator *next;
  mutable int left = 0;
};

TEST_F(FaultTest, AllocationFailureOnTheHost) {
  std::vector<at::Tensor> tensors;
  for (int i = 0; i < 5; ++i)
    tensors.push_back(sample({200, 200}).to(guarded::device(i % 2)));
  const at::Tensor host = sample({200, 200});
  HostOptions pageable;
  pageable.pinned = false;
  HostOptions own;
  own.copy = true;
  FailingAllocator failing(c10::GetCPUAllocator());
  c10::SetCPUAllocator(&failing, /*priority=*/100);
  for (int after = 0; after < 5; ++after) {
    failing.left = 2 * after; // the device's snapshot is one more allocation
    EXPECT_THROW(torch_host::to_host(tensors, pageable), std::bad_alloc);
    EXPECT_EQ(guarded::pending(), 0u) << "after " << after;
  }
  failing.left = 0;
  EXPECT_THROW(torch_host::to_host(host, own), std::bad_alloc);
  EXPECT_THROW(torch_host::to_host_async(tensors[0], pageable), std::bad_alloc);
  EXPECT_THROW(torch_host::host_view<const float>(tensors[0]), std::bad_alloc);
  EXPECT_THROW(torch_host::host_view_mut<float>(tensors[0]), std::bad_alloc);
  c10::SetCPUAllocator(failing.next, /*priority=*/100);
  EXPECT_TRUE(same(host, torch_host::to_host(tensors)[4]));
}

TEST_F(FaultTest, DeviceThatCannotBeWaitedFor) {
  const at::Tensor tensor = sample({100}).to(guarded::device(0));
  {
    torch_host::Pending pending = torch_host::to_host_async(tensor);
    guarded::set_fault(Fault::broken_wait);
    EXPECT_THROW(pending.get(), c10::Error);
    guarded::set_fault(Fault::none);
    EXPECT_TRUE(same(sample({100}), pending.get()));
  }
  {
    const torch_host::Pending dropped = torch_host::to_host_async(tensor);
    guarded::set_fault(Fault::broken_wait);
  }
  // The copy was not waited for, so its destination must still be there to write to.
  guarded::set_fault(Fault::none);
  EXPECT_EQ(guarded::pending(), 1u);
  guarded::synchronize(0);
}

// --- Statistics --------------------------------------------------------------------------------

class StatsTest : public DeviceTest {};

TEST_F(StatsTest, OneEntryForEachLine) {
  const at::Tensor tensor = sample({10}).to(guarded::device(0));
  int line = 0;
  for (int i = 0; i < 3; ++i) {
    line = __LINE__ + 1;
    torch_host::to_host(tensor);
    torch_host::to_host(sample({10}));
  }
  const std::vector<torch_host::SiteStats> stats = torch_host::stats();
  ASSERT_EQ(stats.size(), 2u);
  const bool first = stats[0].bytes > 0;
  const torch_host::SiteStats &moved = stats[first ? 0 : 1], &shared = stats[first ? 1 : 0];
  EXPECT_EQ(moved.site, std::string(__FILE__) + ":" + std::to_string(line));
  EXPECT_EQ(moved.count, 3);
  EXPECT_EQ(moved.copied, 3);
  EXPECT_EQ(moved.aliased, 0);
  EXPECT_EQ(moved.bytes, 3 * 10 * 4);
  EXPECT_EQ(moved.synchronisations, 3);
  EXPECT_GT(moved.seconds_copying + moved.seconds_waiting, 0.0);
  EXPECT_EQ(shared.site, std::string(__FILE__) + ":" + std::to_string(line + 1));
  EXPECT_EQ(shared.count, 3);
  EXPECT_EQ(shared.aliased, 3);
  EXPECT_EQ(shared.copied, 0);
  EXPECT_EQ(shared.bytes, 0);
  std::ostringstream table;
  torch_host::print_stats(table);
  EXPECT_NE(table.str().find(moved.site), std::string::npos) << table.str();
  EXPECT_NE(table.str().find("120"), std::string::npos) << table.str();
  torch_host::reset_stats();
  EXPECT_TRUE(torch_host::stats().empty());
}

TEST_F(StatsTest, SlowestFirst) {
  for (const int64_t size : {10, 3000000})
    torch_host::to_host(sample({size}).to(guarded::device(0)), {},
                        {size == 10 ? "fast.cpp" : "slow.cpp", 1});
  const auto stats = torch_host::stats();
  ASSERT_EQ(stats.size(), 2u);
  const auto time = [](const torch_host::SiteStats &s) {
    return s.seconds_waiting + s.seconds_copying;
  };
  EXPECT_GE(time(stats[0]), time(stats[1]));
}

TEST_F(StatsTest, ViewsItemsAndWriteBacksCount) {
  const at::Tensor tensor = sample({10}).to(guarded::device(0));
  const torch_host::CallSite view{"view.cpp", 1}, item{"item.cpp", 2}, mut{"mut.cpp", 3};
  torch_host::host_view<const float>(tensor, view);
  torch_host::item<float>(tensor[1], item);
  {
    torch_host::host_view_mut<float>(tensor, mut);
  }
  const auto of = [](const std::string &site) {
    for (const torch_host::SiteStats &s : torch_host::stats())
      if (s.site == site)
        return s;
    return torch_host::SiteStats();
  };
  EXPECT_EQ(of("view.cpp:1").bytes, 40);
  EXPECT_EQ(of("item.cpp:2").bytes, 4);
  EXPECT_EQ(of("mut.cpp:3").count, 2); // there and back
  EXPECT_EQ(of("mut.cpp:3").bytes, 80);
}

TEST_F(StatsTest, TheSameLineInTwoTranslationUnits) {
  // As two units that include the same header: equal text at different addresses.
  const std::string file = "shared.h", copy = "shared.h";
  for (int i = 0; i < 2; ++i) {
    torch_host::to_host(sample({1}), {}, {"shared.h", 5});
    static const char other[] = "shared.h";
    torch_host::to_host(sample({1}), {}, {other, 5});
  }
  const auto stats = torch_host::stats();
  ASSERT_EQ(stats.size(), 1u);
  EXPECT_EQ(stats[0].count, 4);
}

#ifdef CAN_RUN_OUT_OF_MEMORY
TEST_F(StatsTest, CallsWithoutMemoryForTheirEntryAreCountedApart) {
  torch_host::detail::Tally tally;
  tally.copied = 1;
  // An entry takes up to three allocations, some of them for several entries.
  constexpr int kLines = 20;
  int64_t counted = 0;
  for (int succeeding : {0, 1, 2})
    for (int line = 0; line < kLines; ++line) {
      allocations_left = succeeding;
      torch_host::detail::record({"no_memory.cpp", 100 * succeeding + line}, tally);
      allocations_left = -1;
    }
  for (const torch_host::SiteStats &s : torch_host::stats())
    counted += s.count;
  EXPECT_LT(counted, 2 * kLines);
  const auto table = [] {
    std::ostringstream out;
    torch_host::print_stats(out);
    return out.str();
  };
  EXPECT_NE(table().find("not counted for lack of memory: " + std::to_string(3 * kLines - counted) +
                         " calls"),
            std::string::npos)
      << table();
  for (int succeeding : {0, 1, 2})
    for (int line = 0; line < kLines; ++line)
      torch_host::detail::record({"no_memory.cpp", 100 * succeeding + line}, tally);
  EXPECT_EQ(torch_host::stats().size(), 3u * kLines);
  torch_host::reset_stats();
  EXPECT_EQ(table().find("not counted"), std::string::npos);
}
#endif

// --- NoTransferScope ---------------------------------------------------------------------------

class ScopeTest : public DeviceTest {};

TEST_F(ScopeTest, TransfersInsideThrow) {
  const at::Tensor tensor = sample({10}).to(guarded::device(0));
  auto view = torch_host::host_view_mut<float>(tensor.clone());
  {
    const NoTransferScope scope;
    guarded::reset_counters();
    const std::vector<std::string> text{"40 bytes inside the NoTransferScope of",
                                        "robustness_test.cpp:"};
    expect_refused([&] { torch_host::to_host(tensor); }, text);
    expect_refused([&] { torch_host::to_host_async(tensor); }, text);
    expect_refused([&] { torch_host::host_view<const float>(tensor); }, text);
    expect_refused([&] { torch_host::host_view_mut<float>(tensor); }, text);
    expect_refused([&] { torch_host::item<float>(tensor[0]); }, {"4 bytes inside"});
    expect_refused([&] { torch_host::save_npy("/tmp/never", tensor); }, text);
    const std::vector<at::Tensor> many(5, tensor);
    expect_refused([&] { torch_host::to_host(many); }, {"200 bytes inside"});
    expect_refused([&] { view.commit(); }, text);
    HostOptions own;
    own.copy = true;
    expect_refused([&] { torch_host::to_host(sample({10}), own); }, text);
    EXPECT_NO_THROW(torch_host::to_host(sample({10}))); // shares: nothing moves
    EXPECT_EQ(guarded::counters().copies_to_host, 0);
    std::thread([&] { EXPECT_NO_THROW(torch_host::to_host(tensor)); }).join();
  }
  EXPECT_NO_THROW(torch_host::to_host(tensor));
}

TEST_F(ScopeTest, TheInnermostScopeDecides) {
  const at::Tensor tensor = sample({10}).to(guarded::device(0));
  const NoTransferScope outer;
  {
    const NoTransferScope inner(NoTransferScope::On::warn);
    EXPECT_EQ(inner.on(), NoTransferScope::On::warn);
    EXPECT_TRUE(same(sample({10}), torch_host::to_host(tensor)));
  }
  EXPECT_THROW(torch_host::to_host(tensor), torch_host::Error);
}

} // namespace
