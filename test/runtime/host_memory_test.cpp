// from_host, from_device, item.
#include "support.h"

#include <array>
#include <limits>

using namespace test_support;
using torch_host::from_device;
using torch_host::from_host;
using torch_host::item;

namespace {

class HostMemoryTest : public DeviceTest {};

template <class T> class FromHostTest : public DeviceTest {};
using Types = ::testing::Types<uint8_t, int8_t, int16_t, int32_t, int64_t, at::Half, at::BFloat16,
                               float, double, c10::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FromHostTest, Types);

TYPED_TEST(FromHostTest, OwnsCopiesBorrowsAndKeepsAlive) {
  using T = TypeParam;
  const std::vector<T> values{T(1), T(2), T(3), T(4), T(5), T(6)};
  const auto expect = [&](const at::Tensor &tensor) {
    EXPECT_EQ(tensor.scalar_type(), torch_host::element_type_v<T>);
    EXPECT_EQ(tensor.sizes(), at::IntArrayRef({2, 3}));
    EXPECT_EQ(std::memcmp(tensor.data_ptr(), values.data(), sizeof(T) * 6), 0);
  };
  std::vector<T> given = values;
  const T *memory = given.data();
  const at::Tensor owned = from_host(std::move(given), {2, 3});
  expect(owned);
  EXPECT_EQ(owned.data_ptr(), memory);

  std::vector<T> lent = values;
  const at::Tensor copied = from_host(lent, {2, 3}, /*copy=*/true);
  const at::Tensor borrowed = from_host(lent, {2, 3}, /*copy=*/false);
  EXPECT_EQ(borrowed.data_ptr(), lent.data());
  expect(borrowed);
  lent[0] = T(9);
  expect(copied);
  EXPECT_TRUE(*static_cast<T *>(borrowed.data_ptr()) == T(9));

  auto shared = std::make_shared<std::vector<T>>(values);
  std::weak_ptr<std::vector<T>> alive = shared;
  at::Tensor kept = from_host(std::shared_ptr<T>(shared, shared->data()), {2, 3});
  shared.reset();
  EXPECT_FALSE(alive.expired());
  at::Tensor view = kept[1];
  kept.reset();
  EXPECT_FALSE(alive.expired());
  view.reset();
  EXPECT_TRUE(alive.expired());
}

TEST_F(HostMemoryTest, RangesSpansAndStrides) {
  std::array<float, 6> values{0, 1, 2, 3, 4, 5};
  EXPECT_TRUE(same(at::arange(6, at::kFloat), from_host(values, {6}, true)));
  EXPECT_TRUE(same(at::arange(6, at::kFloat),
                   from_host(torch_host::Span<float>(values.data(), 6), {6}, false)));
  const std::array<float, 6> constant = values;
  EXPECT_TRUE(same(at::arange(6, at::kFloat), from_host(constant, {6}, true)));
  expect_refused([&] { from_host(constant, {6}, false); }, {"const memory", "copy = true"});
  // Columns of a 3 x 2 array; every other element; the same element twice.
  EXPECT_TRUE(same(at::arange(6, at::kFloat).reshape({3, 2}).t().contiguous(),
                   from_host(values, {2, 3}, {1, 2}, true)));
  EXPECT_TRUE(
      same(at::arange(0, 6, 2, at::kFloat), from_host(values, {3}, {2}, false).contiguous()));
  EXPECT_EQ(from_host(values, {4, 6}, {0, 1}, false).sum().item<float>(), 60);
  // std::vector<bool> holds no bools; arrays do.
  std::array<bool, 4> flags{true, false, false, true};
  EXPECT_TRUE(same(at::tensor({1, 0, 0, 1}, at::kInt).to(at::kBool), from_host(flags, {4}, true)));
  EXPECT_EQ(from_host(flags, {2, 2}, false).data_ptr(), flags.data());
  EXPECT_EQ(from_host(std::vector<float>(), {0, 3}).numel(), 0);
  EXPECT_EQ(from_host(std::vector<float>(10), {2, 3}).numel(), 6);
  EXPECT_EQ(from_host(std::vector<float>(1), {}).dim(), 0);
}

TEST_F(HostMemoryTest, ShapesThatDoNotFitAreRefused) {
  std::vector<float> values(6);
  expect_refused([&] { from_host(std::vector<float>(6), {7}); },
                 {"from_host: ", "7 elements", "holds 6"});
  expect_refused([&] { from_host(values, {2, 4}, true); }, {"8 elements", "holds 6"});
  expect_refused([&] { from_host(values, {2, 3}, {4, 1}, false); }, {"7 elements", "holds 6"});
  expect_refused([&] { from_host(values, {6}, {-1}, false); }, {"negative", "flip"});
  expect_refused([&] { from_host(values, {-6}, false); }, {"negative"});
  expect_refused([&] { from_host(values, {2, 3}, {1}, false); }, {"1 strides for 2 dimensions"});
  const int64_t huge = std::numeric_limits<int64_t>::max() / 2;
  expect_refused([&] { from_host(values, {huge, 4}, false); }, {"overflows"});
  expect_refused([&] { from_host(values, {huge, 1}, false); }, {"overflows"});
  expect_refused([&] { from_host(values, {2, 2}, {huge, huge}, false); }, {"overflows"});
  expect_refused([&] { from_host(std::shared_ptr<float>(), {2}); }, {"null"});
  expect_refused(
      [&] { from_host(torch_host::Span<float>(static_cast<float *>(nullptr), 2), {2}, true); },
      {"null"});
  auto *misaligned = reinterpret_cast<float *>(reinterpret_cast<char *>(values.data()) + 1);
  expect_refused([&] { from_host(torch_host::Span<float>(misaligned, 2), {2}, false); },
                 {"not aligned", "Float"});
}

// The guarded device's driver, as an application of such a backend would register it.
torch_host::PointerKind ask_guarded(const void *pointer) {
  const int index = guarded::owner(pointer);
  torch_host::PointerKind kind;
  if (index >= 0)
    kind.device = guarded::device(index);
  return kind;
}

TEST_F(HostMemoryTest, DevicePointersAreChecked) {
  torch_host::set_pointer_probe(at::DeviceType::PrivateUse1, ask_guarded);
  auto owner = std::make_shared<at::Tensor>(sample({6}).to(guarded::device(1)));
  auto *pointer = static_cast<float *>(owner->data_ptr());
  std::weak_ptr<at::Tensor> alive = owner;
  std::vector<float> host(6, 2.0f);
  expect_refused([&] { from_device(host.data(), {6}, guarded::device(0)); }, {"host memory", "0"});
  expect_refused([&] { from_device(pointer, {6}, at::kCPU); }, {"the host cannot reach", "CPU"});
  expect_refused([&] { from_device(pointer, {6}, guarded::device(0)); }, {"is memory of", ":1"});
  expect_refused([&] { from_device(static_cast<float *>(nullptr), {6}, guarded::device(0)); },
                 {"null"});
  expect_refused([&] { from_device(pointer, {-6}, guarded::device(1)); }, {"negative"});
  at::Tensor tensor = from_device(pointer, {2, 3}, guarded::device(1), owner);
  owner.reset();
  EXPECT_FALSE(alive.expired());
  EXPECT_EQ(tensor.device(), guarded::device(1));
  EXPECT_TRUE(same(sample({6}).reshape({2, 3}), torch_host::to_host(tensor)));
  tensor.reset();
  EXPECT_TRUE(alive.expired());
  EXPECT_TRUE(same(at::full({6}, 2.0f), from_device(host.data(), {6}, at::kCPU)));
  EXPECT_EQ(from_device(static_cast<float *>(nullptr), {0}, guarded::device(0)).numel(), 0);
  torch_host::set_pointer_probe(at::DeviceType::PrivateUse1, nullptr);
  // Without a driver to ask, the caller is believed.
  EXPECT_EQ(from_device(host.data(), {6}, guarded::device(0)).device(), guarded::device(0));
}

TEST_F(HostMemoryTest, CudaPointersNeedCuda) {
  if (at::hasCUDA() && at::detail::getCUDAHooks().getNumGPUs() > 0)
    GTEST_SKIP() << "there is a GPU";
  std::vector<float> host(6);
  expect_refused([&] { from_device(host.data(), {6}, at::Device(at::kCUDA, 0)); },
                 {"no CUDA device"});
}

// --- item --------------------------------------------------------------------------------------

TEST_F(HostMemoryTest, ItemOfEveryType) {
  for (at::Device device : devices())
    for (at::ScalarType type : element_types()) {
      SCOPED_TRACE(device.str() + " " + c10::toString(type));
      const at::Tensor one = at::ones({1, 1}, at::kDouble).to(type).to(device);
      EXPECT_EQ(item<bool>(one), true);
      EXPECT_EQ(item<int>(one), 1);
      EXPECT_EQ(item<uint8_t>(one), 1);
      EXPECT_EQ(item<int64_t>(one), 1);
      EXPECT_EQ(item<float>(one), 1.0f);
      EXPECT_EQ(item<double>(one), 1.0);
      EXPECT_EQ(item<at::Half>(one), at::Half(1.0f));
      EXPECT_EQ(item<std::complex<float>>(one), std::complex<float>(1));
      EXPECT_EQ(item<c10::complex<double>>(one), c10::complex<double>(1));
    }
}

TEST_F(HostMemoryTest, ItemKeepsExactValues) {
  const auto of = [](auto value, at::ScalarType type) {
    return at::scalar_tensor(value, type).to(guarded::device(0));
  };
  EXPECT_EQ(item<int64_t>(of(std::numeric_limits<int64_t>::min(), at::kLong)),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(item<int8_t>(of(-128, at::kInt)), -128);
  EXPECT_EQ(item<int8_t>(of(-128.0, at::kDouble)), -128);
  EXPECT_EQ(item<float>(of(16777216, at::kLong)), 16777216.0f);
  EXPECT_TRUE(std::isnan(item<float>(of(std::nan(""), at::kDouble))));
  EXPECT_TRUE(std::isinf(item<float>(of(std::numeric_limits<double>::infinity(), at::kDouble))));
  const at::Tensor z = at::scalar_tensor(c10::complex<double>(1, -2), at::kComplexDouble);
  EXPECT_EQ(item<std::complex<double>>(z.to(guarded::device(1)).conj()),
            std::complex<double>(1, 2));
  EXPECT_EQ(item<float>(at::scalar_tensor(c10::complex<double>(3, 0), at::kComplexDouble)), 3.0f);
}

TEST_F(HostMemoryTest, ItemRefusesLoss) {
  const auto number = [](auto value, at::ScalarType type) {
    return at::scalar_tensor(value, type);
  };
  expect_refused([&] { item<uint8_t>(number(300, at::kInt)); }, {"item: ", "300", "Byte"});
  expect_refused([&] { item<uint8_t>(number(-1, at::kLong)); }, {"-1", "Byte"});
  expect_refused([&] { item<int8_t>(number(200, at::kByte)); }, {"200", "Char"});
  expect_refused([&] { item<bool>(number(2, at::kInt)); }, {"2", "Bool"});
  expect_refused([&] { item<int>(number(0.5, at::kFloat)); }, {"0.5", "Int"});
  expect_refused([&] { item<int>(number(std::nan(""), at::kFloat)); }, {"nan", "Int"});
  expect_refused([&] { item<int64_t>(number(9223372036854775808.0, at::kDouble)); }, {"Long"});
  expect_refused([&] { item<int64_t>(number(1e300, at::kDouble)); }, {"Long"});
  expect_refused([&] { item<int64_t>(number(-1e300, at::kDouble)); }, {"Long"});
  expect_refused([&] { item<float>(number(0.1, at::kDouble)); }, {"0.1", "Float"});
  expect_refused([&] { item<float>(number(16777217, at::kLong)); }, {"16777217", "Float"});
  expect_refused([&] { item<double>(number((int64_t{1} << 53) + 1, at::kLong)); },
                 {"9007199254740993"});
  const at::Tensor z = number(c10::complex<double>(1, -2), at::kComplexDouble);
  expect_refused([&] { item<double>(z); }, {"1-2i", "Double"});
  expect_refused([&] { item<std::complex<float>>(number(0.1, at::kDouble)); },
                 {"0.1", "ComplexFloat"});
  expect_refused([&] { item<float>(at::ones({2, 3})); }, {"6 elements", "[2, 3]"});
  expect_refused([&] { item<float>(at::ones({0})); }, {"0 elements"});
}

} // namespace
