// HostView and HostViewMut: access, write-back, and the hazards they exclude.
#include "support.h"

#include <numeric>

using namespace test_support;
using torch_host::host_view;
using torch_host::host_view_mut;

namespace {

class ViewTest : public DeviceTest {};

template <class T> class TypedViewTest : public DeviceTest {};
using Types =
    ::testing::Types<bool, uint8_t, int8_t, int16_t, int32_t, int64_t, at::Half, at::BFloat16,
                     float, double, c10::complex<float>, c10::complex<double>, std::complex<float>,
                     std::complex<double>, long long>;
TYPED_TEST_SUITE(TypedViewTest, Types);

TYPED_TEST(TypedViewTest, ReadsAndWritesEveryElement) {
  using T = TypeParam;
  constexpr at::ScalarType type = torch_host::element_type_v<T>;
  for (at::Device device : devices()) {
    const at::Tensor base = sample({3, 5}, type);
    const at::Tensor tensor = base.to(device).clone();
    std::vector<T> values;
    {
      const auto view = host_view<const T>(tensor);
      values.assign(view.begin(), view.end());
      EXPECT_EQ(std::memcmp(view.data(), base.data_ptr(), base.nbytes()), 0) << device;
    }
    {
      auto view = host_view_mut<T>(tensor);
      std::reverse(view.begin(), view.end());
      view[1] = values[2];
    }
    std::reverse(values.begin(), values.end());
    values[1] = values[values.size() - 3];
    const auto again = host_view<const T>(tensor);
    ASSERT_EQ(static_cast<std::size_t>(again.size()), values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE(again[i] == values[i]) << device << " element " << i;
  }
}

TEST_F(ViewTest, IndexingAndShape) {
  for (at::Device device : devices()) {
    const at::Tensor base = sample({4, 3, 2});
    const at::Tensor tensor = base.to(device).permute({2, 0, 1});
    const auto view = host_view<const float>(tensor);
    EXPECT_EQ(view.sizes(), at::IntArrayRef({2, 4, 3}));
    EXPECT_EQ(view.strides(), at::IntArrayRef({12, 3, 1}));
    EXPECT_EQ(view.size(), 24);
    EXPECT_EQ(view.span().size(), 24u);
    EXPECT_EQ(view.span().data(), view.data());
    EXPECT_FALSE(view.aliases());
    EXPECT_TRUE(same(base.permute({2, 0, 1}).contiguous(), view.tensor()));
    for (int64_t i = 0; i < 2; ++i)
      for (int64_t j = 0; j < 4; ++j)
        for (int64_t k = 0; k < 3; ++k) {
          const float expected = base[j][k][i].item<float>();
          EXPECT_EQ(view.at({i, j, k}), expected);
          EXPECT_EQ(view[i * 12 + j * 3 + k], expected);
        }
    expect_refused([&] { view.at({0, 0}); }, {"2 indices", "[2, 4, 3]"});
    expect_refused([&] { view.at({0, 4, 0}); }, {"[0, 4, 0]", "outside"});
    expect_refused([&] { view.at({0, -1, 0}); }, {"[0, -1, 0]", "outside"});
  }
}

TEST_F(ViewTest, ScalarsAndEmptyTensors) {
  for (at::Device device : devices()) {
    const auto scalar = host_view<const double>(at::scalar_tensor(2.5, at::kDouble).to(device));
    EXPECT_EQ(scalar.at({}), 2.5);
    EXPECT_EQ(scalar.size(), 1);
    const auto empty = host_view<const float>(at::empty({0, 3}).to(device));
    EXPECT_EQ(empty.begin(), empty.end());
    auto none = host_view_mut<float>(at::empty({0}).to(device));
    EXPECT_EQ(none.begin(), none.end());
    none.commit();
  }
}

TEST_F(ViewTest, ViewOfATemporaryOwnsItsMemory) {
  for (at::Device device : devices()) {
    const auto view = host_view<const float>(sample({1000}).to(device) + 1);
    EXPECT_EQ(std::accumulate(view.begin(), view.end(), 0.0),
              (sample({1000}) + 1).sum().item<double>());
  }
}

TEST_F(ViewTest, NothingToHoldOnToFromTemporaries) {
  using View = torch_host::HostView<const float>;
  using Mut = torch_host::HostViewMut<float>;
  // The calls exist on named views and are deleted on temporaries.
  const auto has_data = [](auto &&v) -> decltype(std::forward<decltype(v)>(v).data(), true) {
    return true;
  };
  const auto has_begin = [](auto &&v) -> decltype(std::forward<decltype(v)>(v).begin(), true) {
    return true;
  };
  const auto has_span = [](auto &&v) -> decltype(std::forward<decltype(v)>(v).span(), true) {
    return true;
  };
  const auto has_sizes = [](auto &&v) -> decltype(std::forward<decltype(v)>(v).sizes(), true) {
    return true;
  };
  static_assert(std::is_invocable_v<decltype(has_data), View &>);
  static_assert(!std::is_invocable_v<decltype(has_data), View>);
  static_assert(!std::is_invocable_v<decltype(has_data), const View>);
  static_assert(!std::is_invocable_v<decltype(has_data), Mut>);
  static_assert(std::is_invocable_v<decltype(has_begin), View &>);
  static_assert(!std::is_invocable_v<decltype(has_begin), View>);
  static_assert(!std::is_invocable_v<decltype(has_begin), Mut>);
  static_assert(!std::is_invocable_v<decltype(has_span), View>);
  static_assert(!std::is_invocable_v<decltype(has_span), Mut>);
  static_assert(!std::is_invocable_v<decltype(has_sizes), View>);
  static_assert(!std::is_copy_constructible_v<View> && std::is_move_constructible_v<View>);
  static_assert(!std::is_copy_constructible_v<Mut> && std::is_move_constructible_v<Mut>);
  EXPECT_EQ(host_view<const float>(at::ones({3}))[1], 1.0f);
}

TEST_F(ViewTest, WrongElementTypeNamesBoth) {
  const at::Tensor tensor = at::ones({2}, at::kDouble);
  expect_refused([&] { host_view<const float>(tensor); }, {"host_view: ", "Double", "Float"});
  expect_refused([&] { host_view_mut<int>(tensor); }, {"host_view_mut: ", "Double", "Int"});
  expect_refused([&] { host_view<const int64_t>(tensor.to(guarded::device(0))); },
                 {"Double", "Long"});
}

TEST_F(ViewTest, MovedViews) {
  auto first = host_view<const float>(sample({4}).to(guarded::device(0)));
  const float *data = first.data();
  auto second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first.size(), 0);
  first = std::move(second);
  EXPECT_EQ(first.data(), data);
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  {
    auto mut = host_view_mut<float>(tensor);
    auto moved = std::move(mut);
    moved[0] = 9;
  }
  EXPECT_EQ(tensor[0].item<float>(), 9.0f);
}

// --- Write-back --------------------------------------------------------------------------------

TEST_F(ViewTest, WritesReachEveryLayout) {
  for (at::Device device : devices()) {
    const at::Tensor base = sample({2, 3, 4, 5}).to(device);
    const std::vector<at::Tensor> views{
        base,
        base.permute({3, 1, 0, 2}),
        base.contiguous(at::MemoryFormat::ChannelsLast),
        base.slice(3, 0, 5, 2),
        base.select(0, 1),
        base[0][1][2][3],
    };
    for (std::size_t v = 0; v < views.size(); ++v) {
      const at::Tensor &tensor = views[v];
      const int64_t before = tensor._version();
      {
        auto view = host_view_mut<float>(tensor);
        for (int64_t i = 0; i < view.size(); ++i)
          view[i] = static_cast<float>(i + 0.5);
      }
      EXPECT_GT(tensor._version(), before) << device << " view " << v;
      EXPECT_TRUE(same(at::arange(tensor.numel(), at::kFloat).add(0.5).reshape(tensor.sizes()),
                       tensor.cpu()))
          << device << " view " << v;
    }
  }
}

TEST_F(ViewTest, WritesThroughConjAndNegViews) {
  for (at::Device device : devices()) {
    const at::Tensor tensor = at::zeros({2}, at::kComplexFloat).to(device);
    {
      auto one = host_view_mut<c10::complex<float>>(tensor.conj());
      one.at({1}) = {1, 2};
    }
    EXPECT_EQ(tensor.cpu()[1].item<c10::complex<double>>(), c10::complex<double>(1, -2)) << device;
    const at::Tensor negative = at::imag(tensor.conj());
    ASSERT_TRUE(negative.is_neg());
    {
      auto one = host_view_mut<float>(negative);
      one.at({0}) = 5;
    }
    EXPECT_EQ(tensor.cpu()[0].item<c10::complex<double>>(), c10::complex<double>(0, -5)) << device;
  }
}

TEST_F(ViewTest, CommitEndsTheView) {
  for (at::Device device : devices()) {
    const at::Tensor tensor = sample({4}).to(device).clone();
    auto view = host_view_mut<float>(tensor);
    view.at({2}) = 42;
    EXPECT_EQ(view.span().size(), 4u);
    EXPECT_EQ(view.sizes(), at::IntArrayRef({4}));
    EXPECT_EQ(view.strides(), at::IntArrayRef({1}));
    EXPECT_EQ(view.aliases(), device.is_cpu());
    view.commit();
    EXPECT_EQ(tensor[2].item<float>(), 42.0f) << device;
    expect_refused([&] { view.data(); }, {"committed"});
    expect_refused([&] { view.at({0}); }, {"committed"});
    expect_refused([&] { view.span(); }, {"committed"});
    EXPECT_EQ(host_view<const float>(tensor)[2], 42.0f);
    tensor.mul_(2); // the destructor must not bring the old values back
    view.commit();
    EXPECT_EQ(tensor[2].item<float>(), 84.0f) << device;
  }
}

TEST_F(ViewTest, AutogradSeesTheWrite) {
  for (at::Device device : devices()) {
    const at::Tensor weight = sample({3}).to(device).requires_grad_(true);
    const at::Tensor saved = sample({3}).to(device).clone();
    const at::Tensor product = (weight * saved).sum();
    {
      auto one = host_view_mut<float>(saved);
      one.at({0}) = 1;
    }
    // The version counter tells backward() that what it saved has changed.
    EXPECT_THROW(product.backward(), c10::Error) << device;
  }
}

TEST_F(ViewTest, RequiringGradIsRefusedWhileRecording) {
  const at::Tensor leaf = sample({3}).to(guarded::device(0)).requires_grad_(true);
  expect_refused([&] { host_view_mut<float>(leaf); }, {"requires grad", "NoGradGuard"});
  expect_refused([&] { host_view_mut<float>(leaf * 2); }, {"requires grad"});
  const c10::NoGradGuard no_grad;
  {
    auto one = host_view_mut<float>(leaf);
    one.at({1}) = 8;
  }
  EXPECT_EQ(leaf[1].item<float>(), 8.0f);
}

TEST_F(ViewTest, InferenceTensorsAreWritten) {
  for (at::Device device : devices()) {
    at::Tensor tensor;
    {
      const c10::InferenceMode guard;
      tensor = sample({3}).to(device) + 0;
    }
    {
      auto one = host_view_mut<float>(tensor);
      one.at({1}) = 8;
    }
    EXPECT_EQ(tensor.cpu()[1].item<float>(), 8.0f) << device;
  }
}

TEST_F(ViewTest, ExpandedTensorsAreNotWritten) {
  for (at::Device device : devices())
    expect_refused([&] { host_view_mut<float>(at::ones({1}).to(device).expand({4})); },
                   {"share memory", "contiguous()"});
}

// --- Views of one storage ----------------------------------------------------------------------

TEST_F(ViewTest, ViewsThatWouldNotSeeEachOtherAreRefused) {
  for (at::Device device : devices()) {
    const at::Tensor tensor = sample({4, 4}).to(device).clone();
    {
      auto writer = host_view_mut<float>(tensor);
      expect_refused([&] { host_view_mut<float>(tensor); }, {"double write", "view_test.cpp:"});
      expect_refused([&] { host_view_mut<float>(tensor[1]); }, {"double write"});
      expect_refused([&] { host_view<const float>(tensor.t()); }, {"stale read", "view_test.cpp:"});
      expect_refused([&] { host_view<const float>(tensor.detach()); }, {"stale read"});
      writer.commit();
      EXPECT_NO_THROW(host_view<const float>(tensor));
    }
    const auto reader = host_view<const float>(tensor);
    const auto second = host_view<const float>(tensor);
    expect_refused([&] { host_view_mut<float>(tensor); }, {"stale read", "view_test.cpp:"});
    // Another storage is no concern.
    EXPECT_NO_THROW(host_view_mut<float>(tensor.clone()));
  }
}

TEST_F(ViewTest, ClaimsEndWithTheirViews) {
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  {
    const auto reader = host_view<const float>(tensor);
  }
  {
    auto writer = host_view_mut<float>(tensor);
  }
  {
    auto first = host_view<const float>(tensor);
    auto second = std::move(first);
    first = host_view<const float>(sample({2}));
    expect_refused([&] { host_view_mut<float>(tensor); }, {"stale read"});
  }
  EXPECT_NO_THROW(host_view_mut<float>(tensor));
  // A view that could not be made claims nothing.
  guarded::set_fault(guarded::Fault::broken_copy);
  EXPECT_THROW(host_view<const float>(tensor), c10::Error);
  EXPECT_THROW(host_view_mut<float>(tensor), c10::Error);
  guarded::set_fault(guarded::Fault::none);
  EXPECT_NO_THROW(host_view_mut<float>(tensor));
}

TEST_F(ViewTest, LostUpdatesAreRefused) {
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  auto view = host_view_mut<float>(tensor);
  view[0] = 1;
  tensor.fill_(6);
  expect_refused([&] { view.commit(); }, {"another handle", "view_test.cpp:"});
  EXPECT_TRUE(same(at::full({4}, 6.0f), tensor.cpu()));
  EXPECT_NO_THROW(host_view<const float>(tensor));
}

TEST_F(ViewTest, FailedWriteBackThrowsFromTheDestructor) {
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  EXPECT_THROW(
      {
        auto view = host_view_mut<float>(tensor);
        view[0] = 1;
        tensor.fill_(6);
      },
      torch_host::Error);
}

TEST_F(ViewTest, WriteBackDuringUnwinding) {
  const at::Tensor tensor = sample({4}).to(guarded::device(0));
  const auto write_and_throw = [&](bool lose) {
    auto view = host_view_mut<float>(tensor);
    view[0] = 77;
    if (lose)
      tensor.fill_(6);
    throw std::logic_error("the caller's own");
  };
  EXPECT_THROW(write_and_throw(false), std::logic_error);
  EXPECT_EQ(tensor[0].item<float>(), 77.0f);
  // A failure on top of the exception under way is a warning.
  EXPECT_THROW(write_and_throw(true), std::logic_error);
  EXPECT_EQ(tensor[0].item<float>(), 6.0f);
}

} // namespace
