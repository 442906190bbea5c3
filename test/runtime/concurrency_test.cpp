// Many threads at once. The configuration with ThreadSanitizer builds and runs these alone.
#include "support.h"

#include <atomic>
#include <map>
#include <thread>

using namespace test_support;

namespace {

class ConcurrencyTest : public DeviceTest {};

TEST_F(ConcurrencyTest, ManyThreadsTransferAndStatisticsAreExact) {
  constexpr int kThreads = 8, kRounds = 25;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) {
        const at::Tensor base = at::full({100}, static_cast<float>(t * 1000 + i));
        const at::Tensor tensor = base.to(guarded::device(t % 2));
        wrong += !torch_host::to_host(tensor, {}, {"single.cpp", 1}).equal(base);
        torch_host::Pending pending = torch_host::to_host_async(tensor, {}, {"async.cpp", 2});
        const std::vector<at::Tensor> many(5, tensor);
        for (const at::Tensor &host : torch_host::to_host(many, {}, {"batch.cpp", 3}))
          wrong += !host.equal(base);
        wrong += !pending.get().equal(base);
        torch_host::to_host(base, {}, {"alias.cpp", 4});
        {
          auto one = torch_host::host_view_mut<float>(tensor, {"mut.cpp", 5});
          one.at({7}) = -1;
        }
        wrong += torch_host::host_view<const float>(tensor, {"view.cpp", 6})[7] != -1;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  constexpr int64_t kCalls = kThreads * kRounds;
  std::map<std::string, torch_host::SiteStats> stats;
  for (const torch_host::SiteStats &s : torch_host::stats())
    stats[s.site] = s;
  ASSERT_EQ(stats.size(), 6u);
  EXPECT_EQ(stats["single.cpp:1"].count, kCalls);
  EXPECT_EQ(stats["single.cpp:1"].bytes, kCalls * 400);
  EXPECT_EQ(stats["async.cpp:2"].synchronisations, kCalls);
  EXPECT_EQ(stats["batch.cpp:3"].copied, 5 * kCalls);
  EXPECT_EQ(stats["batch.cpp:3"].synchronisations, kCalls);
  EXPECT_EQ(stats["alias.cpp:4"].aliased, kCalls);
  EXPECT_EQ(stats["mut.cpp:5"].count, 2 * kCalls);
  EXPECT_EQ(stats["view.cpp:6"].copied, kCalls);
}

TEST_F(ConcurrencyTest, ViewsOfOneStorageFromManyThreads) {
  const at::Tensor tensor = sample({64}).to(guarded::device(0));
  std::vector<std::thread> threads;
  std::atomic<int> written{0}, refused{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        try {
          auto view = torch_host::host_view_mut<float>(tensor);
          view[0] += 1;
          view.commit();
          ++written;
        } catch (const torch_host::Error &) {
          ++refused;
        }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(written + refused, 400);
  // Every view that was granted had the storage for itself.
  EXPECT_EQ(torch_host::item<float>(tensor[0]), -100.0f + static_cast<float>(written));
}

TEST_F(ConcurrencyTest, ScopesConcernTheirOwnThread) {
  const at::Tensor tensor = sample({16}).to(guarded::device(0));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        if (t % 2 == 0) {
          wrong += !torch_host::to_host(tensor).equal(sample({16}));
          continue;
        }
        const torch_host::NoTransferScope scope;
        try {
          torch_host::to_host(tensor);
          ++wrong;
        } catch (const torch_host::Error &) {
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(ConcurrencyTest, AFileThatManyThreadsWriteIsAlwaysWhole) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.npy");
  const auto array = [](int t) { return at::full({1000 + t}, static_cast<float>(t)); };
  torch_host::save_npy(path, array(0));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        torch_host::save_npy(path, array(t));
        const at::Tensor found = torch_host::load_npy(path);
        wrong += !found.equal(array(static_cast<int>(found.numel()) - 1000));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(directory.names(), std::vector<std::string>{"a.npy"});
}

} // namespace
