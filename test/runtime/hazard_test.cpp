// The hazards are real: plain LibTorch code on the guarded device crashes, reads stale bytes or
// dangles, and the library's form of the same code does not. Each crash happens in a child process.
#include "support.h"

#include <csignal>
#include <cstring>

using namespace test_support;

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif

#ifdef UNDER_ASAN
// ASan turns the signal into a report.
#define EXPECT_SEGV(...) EXPECT_DEATH(__VA_ARGS__, "AddressSanitizer: SEGV on unknown address")
#else
#define EXPECT_SEGV(...) EXPECT_EXIT(__VA_ARGS__, ::testing::KilledBySignal(SIGSEGV), "")
#endif

namespace {

class HazardDeathTest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  }
};

// What plain code does with an element: enough that it cannot be optimised away.
float use(const float *pointer) {
  volatile float value = *pointer;
  return value;
}

// --- A host access to device memory ------------------------------------------------------------

TEST_F(HazardDeathTest, HostReadOfDeviceMemoryCrashes) {
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  EXPECT_SEGV(use(tensor.data_ptr<float>()));
  EXPECT_EQ(torch_host::host_view<const float>(tensor)[2], -98.0f);
}

TEST_F(HazardDeathTest, HostWriteToDeviceMemoryCrashes) {
  const at::Tensor tensor = sample({4}).to(guarded::device(1));
  EXPECT_SEGV(*tensor.data_ptr<float>() = 1);
  {
    auto one = torch_host::host_view_mut<float>(tensor);
    one.at({0}) = 1;
  }
  EXPECT_EQ(torch_host::item<float>(tensor[0]), 1.0f);
}

TEST_F(HazardDeathTest, AccessorOfDeviceMemoryCrashes) {
  const at::Tensor tensor = sample({2, 2}).to(guarded::device(0));
  EXPECT_SEGV(use(&tensor.accessor<float, 2>()[1][0]));
  EXPECT_EQ(torch_host::host_view<const float>(tensor).at({1, 0}), -98.0f);
}

TEST_F(HazardDeathTest, MemcpyFromDeviceMemoryCrashes) {
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  const auto copy = [&] {
    float host[4];
    std::memcpy(host, tensor.data_ptr(), sizeof host);
    use(host);
  };
  EXPECT_SEGV(copy());
  const at::Tensor host = torch_host::to_host(tensor);
  float values[4];
  std::memcpy(values, host.data_ptr(), sizeof values);
  EXPECT_EQ(values[3], -97.0f);
}

TEST_F(HazardDeathTest, BlobOverDeviceMemoryCrashes) {
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  EXPECT_SEGV(
      at::from_blob(tensor.data_ptr(), {4}, at::TensorOptions(at::kCPU)).sum().item<float>());
  torch_host::set_pointer_probe(at::DeviceType::PrivateUse1, [](const void *pointer) {
    torch_host::PointerKind kind;
    if (guarded::owner(pointer) >= 0)
      kind.device = guarded::device(guarded::owner(pointer));
    return kind;
  });
  EXPECT_THROW(torch_host::from_device(tensor.data_ptr<float>(), {4}, at::kCPU), torch_host::Error);
  torch_host::set_pointer_probe(at::DeviceType::PrivateUse1, nullptr);
}

// --- A read before the copy has landed ---------------------------------------------------------

TEST_F(HazardDeathTest, NonBlockingCopyIsStaleUntilSynchronised) {
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  const at::Tensor host = at::zeros({4});
  host.copy_(tensor, /*non_blocking=*/true);
  EXPECT_TRUE(same(at::zeros({4}), host)) << "the copy landed by itself";
  guarded::synchronize(0);
  EXPECT_TRUE(same(sample({4}), host));
  // The asynchronous form cannot be read too early: the tensor comes out of get().
  torch_host::Pending pending = torch_host::to_host_async(tensor);
  EXPECT_TRUE(same(sample({4}), pending.get()));
}

// --- Memory that is gone -----------------------------------------------------------------------

#ifdef UNDER_ASAN

TEST_F(HazardDeathTest, PointerIntoATemporaryDangles) {
  const at::Tensor tensor = sample({1000}).to(guarded::device(0));
  EXPECT_DEATH(
      {
        const float *pointer = tensor.detach().cpu().data_ptr<float>();
        use(pointer);
      },
      "heap-use-after-free");
  const auto view = torch_host::host_view<const float>(tensor.detach());
  EXPECT_EQ(use(view.data()), -100.0f);
}

TEST_F(HazardDeathTest, CopyIntoFreedMemoryIsCaught) {
  const at::Tensor tensor = sample({1000}).to(guarded::device(0));
  EXPECT_DEATH(
      {
        {
          const at::Tensor host = at::empty({1000});
          host.copy_(tensor, /*non_blocking=*/true);
        } // freed while the copy is under way
        guarded::synchronize(0);
      },
      "heap-use-after-free");
  {
    const torch_host::Pending dropped = torch_host::to_host_async(tensor);
  }
  guarded::synchronize(0);
}

TEST_F(HazardDeathTest, BlobOutlivesItsVector) {
  EXPECT_DEATH(
      {
        at::Tensor tensor;
        {
          std::vector<float> values(1000, 1.0f);
          tensor = at::from_blob(values.data(), {1000});
        }
        use(tensor.data_ptr<float>());
      },
      "heap-use-after-free");
  const at::Tensor tensor = torch_host::from_host(std::vector<float>(1000, 1.0f), {1000});
  EXPECT_EQ(use(tensor.data_ptr<float>()), 1.0f);
}

#endif

// --- Writes that are lost ----------------------------------------------------------------------

TEST_F(HazardDeathTest, WriteToTheCopyIsLost) {
  const at::Tensor tensor = at::zeros({4}).to(guarded::device(0));
  at::Tensor copy = tensor.cpu();
  copy[0] = 5;
  EXPECT_EQ(torch_host::item<float>(tensor[0]), 0.0f) << "plain code kept the write";
  {
    auto one = torch_host::host_view_mut<float>(tensor);
    one.at({0}) = 5;
  }
  EXPECT_EQ(torch_host::item<float>(tensor[0]), 5.0f);
}

// --- The device itself -------------------------------------------------------------------------

TEST_F(HazardDeathTest, TheDeviceComputesAsTheCpuDoes) {
  const at::Tensor a = sample({8, 3, 6, 6}), w = sample({4, 3, 3, 3});
  for (int index : {0, 1}) {
    const at::Tensor da = a.to(guarded::device(index)),
                     dw = w.to(guarded::device(index)).requires_grad_(true);
    const at::Tensor w2 = w.clone().requires_grad_(true);
    at::conv2d(da, dw).relu().sum().backward();
    at::conv2d(a, w2).relu().sum().backward();
    EXPECT_EQ(dw.grad().device(), guarded::device(index));
    EXPECT_TRUE(at::allclose(dw.grad().cpu(), w2.grad()));
    EXPECT_TRUE(
        at::allclose((da.matmul(da.transpose(2, 3)) + 1).cpu(), a.matmul(a.transpose(2, 3)) + 1));
    at::Tensor grown = da.clone();
    grown.resize_({9, 3, 6, 6});
    EXPECT_TRUE(same(a, grown.narrow(0, 0, 8).cpu()));
    EXPECT_TRUE(
        at::empty({3}, at::TensorOptions(guarded::device(index))).cpu().isnan().all().item<bool>());
  }
  EXPECT_TRUE(same(a, a.to(guarded::device(0)).to(guarded::device(1)).cpu()));
}

} // namespace
