// What only a real GPU shows: page-locked memory, streams, events, pointer kinds, sync-debug mode.
// The other test files run on the GPU too where there is one. Without a GPU these tests skip.
#include "support.h"

#ifdef TEST_CUDA

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cuda_runtime_api.h>

#include <future>
#include <memory>
#include <thread>

using namespace test_support;

namespace {

class CudaTest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (c10::cuda::device_count() == 0)
      GTEST_SKIP() << "no GPU";
  }
  const at::Device gpu_{at::kCUDA, 0};
};

TEST_F(CudaTest, AsynchronousTransfersUsePageLockedMemory) {
  const at::Tensor tensor = sample({1 << 20}).to(gpu_);
  torch_host::Pending pending = torch_host::to_host_async(tensor);
  const at::Tensor host = pending.get();
  EXPECT_TRUE(host.is_pinned());
  EXPECT_TRUE(same(sample({1 << 20}), host));
  torch_host::HostOptions pageable;
  pageable.pinned = false;
  EXPECT_FALSE(torch_host::to_host_async(tensor, pageable).get().is_pinned());
  EXPECT_FALSE(torch_host::to_host(tensor).is_pinned());
}

TEST_F(CudaTest, CopiesFollowTheCurrentStream) {
  const c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool(false, 0);
  const c10::cuda::CUDAStreamGuard guard(stream);
  // Work that is still running when the copy is started; the copy must come after it.
  at::Tensor tensor = at::ones({2048, 2048}, at::TensorOptions(gpu_));
  for (int i = 0; i < 20; ++i)
    tensor = tensor.matmul(tensor).div_(2048);
  torch_host::Pending pending = torch_host::to_host_async(tensor);
  EXPECT_TRUE(pending.get().eq(1).all().item<bool>());
  EXPECT_TRUE(pending.ready());
}

TEST_F(CudaTest, OneSynchronisationForManyTensors) {
  std::vector<at::Tensor> tensors;
  for (int i = 0; i < 1000; ++i)
    tensors.push_back(at::full({1024}, static_cast<float>(i), at::TensorOptions(gpu_)));
  const std::vector<at::Tensor> hosts = torch_host::to_host(tensors);
  for (int i = 0; i < 1000; ++i)
    EXPECT_TRUE(hosts[i].eq(i).all().item<bool>());
  ASSERT_EQ(torch_host::stats().size(), 1u);
  EXPECT_EQ(torch_host::stats()[0].synchronisations, 1);
}

TEST_F(CudaTest, PointerKindsBothWays) {
  const at::Tensor device = sample({16}).to(gpu_);
  const at::Tensor pinned = sample({16}).pin_memory();
  std::vector<float> host(16);
  EXPECT_NO_THROW(torch_host::from_device(device.data_ptr<float>(), {16}, gpu_));
  EXPECT_NO_THROW(torch_host::from_device(pinned.data_ptr<float>(), {16}, at::kCPU));
  EXPECT_NO_THROW(torch_host::from_device(host.data(), {16}, at::kCPU));
  expect_refused([&] { torch_host::from_device(host.data(), {16}, gpu_); }, {"host memory"});
  expect_refused([&] { torch_host::from_device(pinned.data_ptr<float>(), {16}, gpu_); },
                 {"host memory"});
  expect_refused([&] { torch_host::from_device(device.data_ptr<float>(), {16}, at::kCPU); },
                 {"the host cannot reach"});
  void *managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  EXPECT_NO_THROW(torch_host::from_device(static_cast<float *>(managed), {16}, gpu_));
  EXPECT_NO_THROW(torch_host::from_device(static_cast<float *>(managed), {16}, at::kCPU));
  cudaFree(managed);
}

TEST_F(CudaTest, FullValidationFindsAChangingSource) {
  torch_host::HostOptions full;
  full.validation = torch_host::Validation::full;
  const at::Tensor tensor = sample({1 << 22}).to(gpu_);
  for (at::ScalarType type : element_types())
    EXPECT_TRUE(
        same(sample({1000}, type), torch_host::to_host(sample({1000}, type).to(gpu_), full)));
  torch_host::Pending pending = torch_host::to_host_async(tensor, full);
  EXPECT_TRUE(same(sample({1 << 22}), pending.get()));
}

TEST_F(CudaTest, SyncDebugModeIsArmedAndRestored) {
  const at::Tensor tensor = sample({16}).to(gpu_);
  const auto before = c10::cuda::warning_state().get_sync_debug_mode();
  {
    const torch_host::NoTransferScope scope;
    EXPECT_EQ(c10::cuda::warning_state().get_sync_debug_mode(), c10::cuda::SyncDebugMode::L_ERROR);
    EXPECT_THROW(tensor.cpu(), c10::Error);
    {
      const torch_host::NoTransferScope inner(torch_host::NoTransferScope::On::warn);
      EXPECT_TRUE(same(sample({16}), torch_host::to_host(tensor)));
    }
    EXPECT_THROW(tensor.cpu(), c10::Error);
  }
  EXPECT_EQ(c10::cuda::warning_state().get_sync_debug_mode(), before);
  EXPECT_NO_THROW(tensor.cpu());
}

// LibTorch keeps the mode also where there is no GPU.
TEST(CudaModeTest, SyncDebugModeIsThatOfTheScopeMadeLast) {
  using torch_host::NoTransferScope;
  const auto mode = [] { return c10::cuda::warning_state().get_sync_debug_mode(); };
  const auto before = mode();
  {
    const NoTransferScope raise;
    EXPECT_EQ(mode(), c10::cuda::SyncDebugMode::L_ERROR);
    {
      const NoTransferScope warn(NoTransferScope::On::warn);
      EXPECT_EQ(mode(), c10::cuda::SyncDebugMode::L_WARN);
    }
    EXPECT_EQ(mode(), c10::cuda::SyncDebugMode::L_ERROR);
  }
  EXPECT_EQ(mode(), before);
  // Scopes of two threads that overlap: the first to begin is the first to end.
  std::promise<void> begun, ended;
  auto first = std::make_unique<NoTransferScope>();
  std::thread other([&] {
    const NoTransferScope warn(NoTransferScope::On::warn);
    begun.set_value();
    ended.get_future().wait();
  });
  begun.get_future().wait();
  first.reset();
  EXPECT_EQ(mode(), c10::cuda::SyncDebugMode::L_WARN);
  ended.set_value();
  other.join();
  EXPECT_EQ(mode(), before);
}

TEST_F(CudaTest, WriteBackReachesTheGpu) {
  const at::Tensor tensor = at::zeros({1 << 16}, at::TensorOptions(gpu_));
  {
    auto view = torch_host::host_view_mut<float>(tensor);
    for (int64_t i = 0; i < view.size(); ++i)
      view[i] = static_cast<float>(i);
  }
  EXPECT_TRUE(at::arange(1 << 16, at::TensorOptions(gpu_).dtype(at::kFloat)).equal(tensor));
}

} // namespace

#endif
