#include "support.h"

#include <cstdlib>
#include <filesystem>

#include <malloc.h>

namespace test_support {

namespace {

// Fresh memory is filled: a copy that did not arrive must not look right because a freed tensor of
// the same contents was there before. (ASan, which replaces malloc, does not reuse memory soon.)
[[maybe_unused]] const int filled = ::mallopt(M_PERTURB, 0x5A);

at::Tensor bytes_of(const at::Tensor &tensor) {
  return tensor.contiguous().reshape({-1}).view(at::kByte);
}

} // namespace

std::vector<at::Device> accelerators() {
  std::vector<at::Device> result{guarded::device(0), guarded::device(1)};
  if (at::hasCUDA() && at::detail::getCUDAHooks().getNumGPUs() > 0)
    result.emplace_back(at::kCUDA, 0);
  return result;
}

std::vector<at::Device> devices() {
  std::vector<at::Device> result = accelerators();
  result.emplace_back(at::kCPU);
  return result;
}

const std::vector<at::ScalarType> &element_types() {
  static const std::vector<at::ScalarType> types{
      at::kBool, at::kByte,     at::kChar,  at::kShort,  at::kInt,          at::kLong,
      at::kHalf, at::kBFloat16, at::kFloat, at::kDouble, at::kComplexFloat, at::kComplexDouble};
  return types;
}

at::Tensor sample(at::IntArrayRef sizes, at::ScalarType type) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  at::Tensor numbers = at::arange(count, at::kLong);
  if (type == at::kBool)
    return numbers.remainder(3).eq(1).reshape(sizes);
  if (type == at::kByte)
    return numbers.remainder(251).to(type).reshape(sizes);
  numbers = numbers.remainder(200) - 100;
  if (at::isComplexType(type)) {
    const at::ScalarType real = type == at::kComplexFloat ? at::kFloat : at::kDouble;
    return at::complex(numbers.to(real), (numbers * 2 + 1).to(real)).reshape(sizes);
  }
  return numbers.to(type).reshape(sizes);
}

::testing::AssertionResult same(const at::Tensor &expected, const at::Tensor &found) {
  if (!found.defined() || !found.device().is_cpu())
    return ::testing::AssertionFailure() << "not on the host";
  if (expected.scalar_type() != found.scalar_type())
    return ::testing::AssertionFailure()
           << "expected " << expected.scalar_type() << ", found " << found.scalar_type();
  if (expected.sizes() != found.sizes())
    return ::testing::AssertionFailure()
           << "expected shape " << expected.sizes() << ", found " << found.sizes();
  if (expected.numel() > 0 && !bytes_of(expected).equal(bytes_of(found)))
    return ::testing::AssertionFailure() << "expected\n" << expected << "\nfound\n" << found;
  return ::testing::AssertionSuccess();
}

void expect_refused(const std::function<void()> &call, const std::vector<std::string> &parts) {
  try {
    call();
  } catch (const torch_host::Error &error) {
    const std::string text = error.what();
    for (const std::string &part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in: " << text;
    EXPECT_NE(std::string(error.site().file).find("test"), std::string::npos) << text;
    EXPECT_GT(error.site().line, 0);
    EXPECT_EQ(text.find(std::string(error.site().file) + ":" + std::to_string(error.site().line)),
              0u)
        << text;
    return;
  } catch (const std::exception &error) {
    FAIL() << "another exception: " << error.what();
  }
  FAIL() << "not refused";
}

void DeviceTest::SetUp() {
  guarded::set_fault(guarded::Fault::none);
  guarded::synchronize(0);
  guarded::synchronize(1);
  guarded::reset_counters();
  torch_host::set_validation(torch_host::Validation::cheap);
  torch_host::reset_stats();
}

void DeviceTest::TearDown() {
  guarded::set_fault(guarded::Fault::none);
  EXPECT_EQ(guarded::pending(), 0u) << "a copy was left running";
  guarded::synchronize(0);
  guarded::synchronize(1);
  torch_host::set_validation(torch_host::Validation::cheap);
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "torch_host.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no temporary directory");
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() { std::filesystem::remove_all(path_); }

std::vector<std::string> TemporaryDirectory::names() const {
  std::vector<std::string> result;
  for (const auto &entry : std::filesystem::directory_iterator(path_))
    result.push_back(entry.path().filename().string());
  return result;
}

} // namespace test_support
