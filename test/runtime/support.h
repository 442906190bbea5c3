#pragma once

#include "guarded_device.h"

#include <torch_host/torch_host.h>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

// What the tests of the runtime library share.
namespace test_support {

/// The CPU, both guarded devices, and the first GPU where there is one.
std::vector<at::Device> devices();
/// Those of them that are not the CPU.
std::vector<at::Device> accelerators();

/// Every element type that the library moves.
const std::vector<at::ScalarType> &element_types();

/// A CPU tensor with different elements that every type holds, negative ones where it has them.
at::Tensor sample(at::IntArrayRef sizes, at::ScalarType type = at::kFloat);

/// Same type, shape and bits, on the host.
::testing::AssertionResult same(const at::Tensor &expected, const at::Tensor &found);

/// Runs the call and expects an Error whose text has all the parts, and that names this file.
void expect_refused(const std::function<void()> &call, const std::vector<std::string> &parts);

/// Fresh counters, no fault, nothing queued, default validation, before and after each test.
class DeviceTest : public ::testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;
};

/// An empty directory that is removed at the end.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  std::string file(const std::string &name) const { return path_ + "/" + name; }
  const std::string &path() const { return path_; }
  /// The names in it.
  std::vector<std::string> names() const;

private:
  std::string path_;
};

} // namespace test_support
