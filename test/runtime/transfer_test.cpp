// to_host, transfer_to_host, batches and asynchronous transfers: contents, layouts, aliasing.
#include "support.h"

#include <ATen/FunctionalTensorWrapper.h>

using namespace test_support;
using torch_host::HostOptions;

namespace {

class TransferTest : public DeviceTest {};

// Views and layouts of a tensor on any device, by name.
struct Layout {
  const char *name;
  std::function<at::Tensor(const at::Tensor &)> make;
};

const std::vector<Layout> &layouts() {
  static const std::vector<Layout> all{
      {"contiguous", [](const at::Tensor &t) { return t; }},
      {"permuted", [](const at::Tensor &t) { return t.permute({2, 0, 3, 1}); }},
      {"channels last",
       [](const at::Tensor &t) { return t.contiguous(at::MemoryFormat::ChannelsLast); }},
      {"strided", [](const at::Tensor &t) { return t.slice(3, 0, 5, 2); }},
      {"offset", [](const at::Tensor &t) { return t.select(0, 1); }},
      {"expanded", [](const at::Tensor &t) { return t.slice(2, 0, 1).expand({2, 3, 7, 5}); }},
      {"0-dim",
       [](const at::Tensor &t) { return t.select(0, 1).select(0, 2).select(0, 1).select(0, 3); }},
      {"empty", [](const at::Tensor &t) { return t.slice(1, 0, 0); }},
  };
  return all;
}

// A pair of the same view on the CPU and on the device.
std::pair<at::Tensor, at::Tensor> on_both(const Layout &layout, at::ScalarType type,
                                          at::Device device) {
  const at::Tensor base = sample({2, 3, 4, 5}, type);
  return {layout.make(base), layout.make(base.to(device))};
}

TEST_F(TransferTest, EveryTypeAndLayoutArrives) {
  for (at::Device device : devices())
    for (at::ScalarType type : element_types())
      for (const Layout &layout : layouts()) {
        SCOPED_TRACE(device.str() + " " + c10::toString(type) + " " + layout.name);
        const auto [expected, tensor] = on_both(layout, type, device);
        for (const auto level : {torch_host::Validation::cheap, torch_host::Validation::full}) {
          HostOptions options;
          options.validation = level;
          const at::Tensor host = torch_host::to_host(tensor, options);
          EXPECT_TRUE(same(expected, host));
          EXPECT_TRUE(host.is_contiguous());
        }
        EXPECT_TRUE(same(expected, torch_host::to_host_async(tensor).get()));
      }
}

TEST_F(TransferTest, BatchOfEveryTypeAndLayout) {
  std::vector<at::Tensor> expected, tensors;
  for (at::Device device : devices())
    for (at::ScalarType type : element_types())
      for (const Layout &layout : layouts()) {
        auto [host, there] = on_both(layout, type, device);
        expected.push_back(host);
        tensors.push_back(there);
      }
  for (const auto level : {torch_host::Validation::cheap, torch_host::Validation::full}) {
    HostOptions options;
    options.validation = level;
    const std::vector<at::Tensor> hosts = torch_host::to_host(tensors, options);
    ASSERT_EQ(hosts.size(), expected.size());
    for (std::size_t i = 0; i < hosts.size(); ++i)
      EXPECT_TRUE(same(expected[i], hosts[i])) << "tensor " << i;
  }
}

TEST_F(TransferTest, ConjAndNegBitsAreResolved) {
  for (at::Device device : devices()) {
    SCOPED_TRACE(device.str());
    const at::Tensor base = sample({3, 4}, at::kComplexFloat);
    const at::Tensor conj = base.to(device).conj();
    ASSERT_TRUE(conj.is_conj());
    const at::Tensor neg = at::imag(conj);
    ASSERT_TRUE(neg.is_neg());
    for (bool async : {false, true}) {
      const auto get = [&](const at::Tensor &t) {
        return async ? torch_host::to_host_async(t).get() : torch_host::to_host(t);
      };
      EXPECT_FALSE(get(conj).is_conj());
      EXPECT_TRUE(same(base.conj().resolve_conj(), get(conj)));
      EXPECT_FALSE(get(neg).is_neg());
      EXPECT_TRUE(same(at::imag(base.conj()).resolve_neg(), get(neg)));
    }
    HostOptions full;
    full.validation = torch_host::Validation::full;
    EXPECT_TRUE(same(base.conj().resolve_conj(), torch_host::to_host(conj, full)));
  }
}

TEST_F(TransferTest, GradientsStayBehind) {
  for (at::Device device : devices()) {
    const at::Tensor leaf = sample({4}).to(device).requires_grad_(true);
    const at::Tensor derived = leaf * 2;
    for (const at::Tensor &tensor : {leaf, derived}) {
      EXPECT_FALSE(torch_host::to_host(tensor).requires_grad());
      EXPECT_FALSE(torch_host::to_host_async(tensor).get().requires_grad());
      EXPECT_TRUE(tensor.requires_grad());
    }
    EXPECT_TRUE(same(sample({4}) * 2, torch_host::to_host(derived)));
  }
}

TEST_F(TransferTest, InferenceTensors) {
  for (at::Device device : devices()) {
    at::Tensor tensor;
    {
      const c10::InferenceMode guard;
      tensor = sample({4}).to(device) + 1;
    }
    ASSERT_TRUE(tensor.is_inference());
    EXPECT_TRUE(same(sample({4}) + 1, torch_host::to_host(tensor)));
  }
}

TEST_F(TransferTest, ZeroTensorsHaveMemoryAfterwards) {
  const at::Tensor zero = at::_efficientzerotensor({2, 3}, at::kFloat);
  EXPECT_TRUE(same(at::zeros({2, 3}), torch_host::to_host(zero)));
}

TEST_F(TransferTest, AliasesOnlyWhatIsAlreadyThere) {
  const at::Tensor host = sample({3, 4});
  const torch_host::Transfer shared = torch_host::transfer_to_host(host);
  EXPECT_TRUE(shared.aliases);
  EXPECT_EQ(shared.tensor.data_ptr(), host.data_ptr());
  EXPECT_EQ(shared.bytes, 0);
  EXPECT_EQ(shared.synchronisations, 0);

  HostOptions own;
  own.copy = true;
  const torch_host::Transfer copied = torch_host::transfer_to_host(host, own);
  EXPECT_FALSE(copied.aliases);
  EXPECT_FALSE(copied.tensor.is_alias_of(host));
  EXPECT_EQ(copied.bytes, 3 * 4 * 4);

  EXPECT_FALSE(torch_host::transfer_to_host(host.t()).aliases);
  HostOptions strided;
  strided.contiguous = false;
  EXPECT_TRUE(torch_host::transfer_to_host(host.t(), strided).aliases);

  for (at::Device device : accelerators()) {
    const torch_host::Transfer moved = torch_host::transfer_to_host(host.to(device));
    EXPECT_FALSE(moved.aliases);
    EXPECT_EQ(moved.bytes, 3 * 4 * 4);
    EXPECT_EQ(moved.synchronisations, 1);
    EXPECT_GE(moved.seconds, moved.seconds_waiting);
  }
}

TEST_F(TransferTest, LayoutIsKeptOnRequest) {
  HostOptions options;
  options.contiguous = false;
  for (at::Device device : devices()) {
    const at::Tensor base = sample({2, 3, 4, 5});
    const at::Tensor last = base.to(device).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor host = torch_host::to_host(last, options);
    EXPECT_EQ(host.strides(), last.strides()) << device;
    EXPECT_TRUE(same(base, host));
    EXPECT_TRUE(same(base, torch_host::to_host_async(last, options).get()));
    // A layout with holes is packed on an accelerator.
    const at::Tensor holes = base.to(device).slice(3, 0, 5, 2);
    EXPECT_TRUE(same(base.slice(3, 0, 5, 2), torch_host::to_host(holes, options)));
  }
}

TEST_F(TransferTest, ElementTypeIsConverted) {
  for (at::Device device : devices())
    for (at::ScalarType to : {at::kHalf, at::kDouble, at::kInt, at::kFloat})
      for (const auto level : {torch_host::Validation::off, torch_host::Validation::full}) {
        HostOptions options;
        options.dtype = to;
        options.validation = level;
        const at::Tensor tensor = sample({6, 7}).to(device);
        EXPECT_TRUE(same(sample({6, 7}).to(to), torch_host::to_host(tensor, options)))
            << device << " " << to;
        const std::vector<at::Tensor> many(8, tensor);
        for (const at::Tensor &host : torch_host::to_host(many, options))
          EXPECT_TRUE(same(sample({6, 7}).to(to), host));
      }
}

TEST_F(TransferTest, BatchWaitsOncePerDevice) {
  std::vector<at::Tensor> tensors;
  for (int i = 0; i < 12; ++i) {
    tensors.push_back(sample({i + 1, 50}).to(guarded::device(i % 2)));
    tensors.push_back(sample({200, 200}).to(guarded::device(0))); // too big to be packed
    tensors.push_back(sample({i + 1}));
  }
  guarded::reset_counters();
  const std::vector<at::Tensor> hosts = torch_host::to_host(tensors);
  EXPECT_EQ(guarded::counters().synchronisations, 2);
  EXPECT_EQ(guarded::counters().copies_to_host, 2 + 12);
  EXPECT_EQ(guarded::counters().queued, 2 + 12);
  for (int i = 0; i < 12; ++i) {
    EXPECT_TRUE(same(sample({i + 1, 50}), hosts[3 * i]));
    EXPECT_TRUE(same(sample({200, 200}), hosts[3 * i + 1]));
    EXPECT_TRUE(hosts[3 * i + 2].is_alias_of(tensors[3 * i + 2]));
  }
  const std::vector<torch_host::SiteStats> stats = torch_host::stats();
  ASSERT_EQ(stats.size(), 1u);
  EXPECT_EQ(stats[0].count, 1);
  EXPECT_EQ(stats[0].copied, 24);
  EXPECT_EQ(stats[0].aliased, 12);
  EXPECT_EQ(stats[0].synchronisations, 2);
}

TEST_F(TransferTest, PackedTensorsHaveTheirOwnStorages) {
  const std::vector<at::Tensor> tensors(10, sample({16}).to(guarded::device(0)));
  const std::vector<at::Tensor> hosts = torch_host::to_host(tensors);
  hosts[3].fill_(7);
  EXPECT_TRUE(same(sample({16}), hosts[4]));
  EXPECT_EQ(hosts[4].storage().nbytes(), 16 * sizeof(float));
}

TEST_F(TransferTest, EmptyBatch) {
  EXPECT_TRUE(torch_host::to_host(std::vector<at::Tensor>()).empty());
}

TEST_F(TransferTest, PendingIsStartedWaitedForAndKept) {
  const at::Tensor tensor = sample({1000}).to(guarded::device(1));
  guarded::reset_counters();
  torch_host::Pending pending = torch_host::to_host_async(tensor);
  EXPECT_EQ(guarded::pending(), 1u);
  EXPECT_EQ(guarded::counters().synchronisations, 0);
  EXPECT_FALSE(pending.ready());
  const at::Tensor host = pending.get();
  EXPECT_TRUE(same(sample({1000}), host));
  EXPECT_EQ(guarded::counters().synchronisations, 1);
  EXPECT_TRUE(pending.ready());
  EXPECT_TRUE(pending.get().is_same(host));
  EXPECT_EQ(guarded::counters().synchronisations, 1);
}

TEST_F(TransferTest, PendingKeepsItsSourceAlive) {
  torch_host::Pending pending = torch_host::to_host_async(sample({1000}).to(guarded::device(0)));
  const at::Tensor other = sample({1000}).to(guarded::device(0)).fill_(3);
  EXPECT_TRUE(same(sample({1000}), pending.get()));
}

TEST_F(TransferTest, PendingMoves) {
  torch_host::Pending first = torch_host::to_host_async(sample({10}).to(guarded::device(0)));
  torch_host::Pending second = torch_host::to_host_async(sample({20}).to(guarded::device(0)));
  second = std::move(first); // waits for what it held
  EXPECT_TRUE(same(sample({10}), second.get()));
  EXPECT_THROW(first.get(), torch_host::Error);
  EXPECT_THROW(first.ready(), torch_host::Error);
}

TEST_F(TransferTest, DroppedPendingWaits) {
  {
    const torch_host::Pending dropped =
        torch_host::to_host_async(sample({10}).to(guarded::device(0)));
  }
  EXPECT_EQ(guarded::pending(), 0u);
  ASSERT_EQ(torch_host::stats().size(), 1u);
  EXPECT_EQ(torch_host::stats()[0].copied, 1);
}

TEST_F(TransferTest, PendingWaitsForItsOwnStreamOnly) {
  const at::Tensor tensor = sample({10}).to(guarded::device(0));
  torch_host::Pending first = torch_host::to_host_async(tensor);
  guarded::set_stream(0, 1);
  torch_host::Pending second = torch_host::to_host_async(tensor);
  guarded::set_stream(0, 0);
  EXPECT_TRUE(same(sample({10}), second.get()));
  EXPECT_FALSE(first.ready());
  EXPECT_TRUE(same(sample({10}), first.get()));
}

TEST_F(TransferTest, PinnedMemoryIsUsedWhereTheBackendHasIt) {
  const at::Tensor tensor = sample({10}).to(guarded::device(0));
  const at::Tensor host = torch_host::to_host_async(tensor).get();
  HostOptions pageable;
  pageable.pinned = false;
  const at::Tensor plain = torch_host::to_host_async(tensor, pageable).get();
  HostOptions pinned;
  pinned.pinned = true;
  EXPECT_TRUE(same(sample({10}), torch_host::to_host(tensor, pinned)));
  if (!guarded::can_pin())
    GTEST_SKIP() << "this LibTorch has no page-locked memory for such devices";
  EXPECT_TRUE(host.is_pinned());
  EXPECT_FALSE(plain.is_pinned());
  EXPECT_TRUE(torch_host::to_host(tensor, pinned).is_pinned());
}

// --- What is refused ---------------------------------------------------------------------------

struct Refused {
  const char *name;
  at::Tensor tensor;
  const char *advice;
};

at::Tensor python_subclass() {
  at::Tensor tensor = at::ones({2});
  tensor.unsafeGetTensorImpl()->set_python_dispatch(true);
  return tensor;
}

std::vector<Refused> refused_tensors() {
  const at::Tensor ones = at::ones({2, 3});
  return {
      {"undefined", at::Tensor(), "defined()"},
      {"sparse", ones.to_sparse(), "to_dense()"},
      {"sparse csr", ones.to_sparse_csr(), "to_dense()"},
      {"quantised", at::quantize_per_tensor(ones, 0.1, 0, at::kQInt8), "dequantize()"},
      {"nested", at::_nested_tensor_from_mask(at::ones({1, 2, 3}), at::ones({1, 2}, at::kBool)),
       "to_padded_tensor"},
      {"meta", at::empty({2}, at::TensorOptions(at::kMeta)), "meta device"},
      {"functional", at::functionalization::impl::to_functional_tensor(ones),
       "from_functional_tensor"},
      {"python", python_subclass(), "Python subclass"},
      {"vmap", at::_add_batch_dim(ones, /*batch_dim=*/0, /*level=*/1), "functional transform"},
  };
}

TEST_F(TransferTest, WhatHasNoDenseMemoryIsRefused) {
  for (const Refused &r : refused_tensors()) {
    SCOPED_TRACE(r.name);
    expect_refused([&] { torch_host::to_host(r.tensor); }, {"to_host: ", r.advice});
    expect_refused([&] { torch_host::transfer_to_host(r.tensor); },
                   {"transfer_to_host: ", r.advice});
    expect_refused([&] { torch_host::to_host_async(r.tensor); }, {"to_host_async: ", r.advice});
    expect_refused([&] { torch_host::host_view<const float>(r.tensor); },
                   {"host_view: ", r.advice});
    expect_refused([&] { torch_host::host_view_mut<float>(r.tensor); },
                   {"host_view_mut: ", r.advice});
    expect_refused([&] { torch_host::item<float>(r.tensor); }, {"item: ", r.advice});
    expect_refused([&] { torch_host::save_npy("/nonexistent", r.tensor); },
                   {"save_npy: ", r.advice});
    const std::vector<at::Tensor> list{at::ones({1}), r.tensor};
    expect_refused([&] { torch_host::to_host(list); }, {"to_host: tensor 1: ", r.advice});
  }
  EXPECT_EQ(guarded::counters().copies_to_host, 0);
}

TEST_F(TransferTest, MkldnnTensorsAreRefused) {
  if (!at::hasMKLDNN())
    GTEST_SKIP() << "this LibTorch has no mkldnn";
  expect_refused([&] { torch_host::to_host(at::ones({2, 3}).to_mkldnn()); }, {"to_dense()"});
}

TEST_F(TransferTest, RefusedBatchStartsNothing) {
  const std::vector<at::Tensor> list{sample({9}).to(guarded::device(0)), at::Tensor()};
  guarded::reset_counters();
  expect_refused([&] { torch_host::to_host(list); }, {"tensor 1: the tensor is undefined"});
  EXPECT_EQ(guarded::counters().copies_to_host, 0);
}

} // namespace
