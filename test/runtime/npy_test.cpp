// NumPy files: written and read here, damaged, and on a disk that is full.
#include "support.h"

#include "npy_header.h"

#include <fstream>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace test_support;
using torch_host::load_npy;
using torch_host::save_npy;

namespace {

class NpyTest : public DeviceTest {
protected:
  // A file of version major.0 with that header and that much data.
  std::string write(int major, const std::string &header, std::size_t data,
                    const std::string &magic = "\x93NUMPY") {
    const std::string path = directory_.file("x.npy");
    std::ofstream out(path, std::ios::binary);
    out << magic << static_cast<char>(major) << '\0';
    const auto length = static_cast<uint32_t>(header.size());
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
      out << static_cast<char>(length >> (8 * i) & 0xff);
    out << header;
    for (std::size_t i = 0; i < data; ++i)
      out << static_cast<char>(i);
    return path;
  }
  TemporaryDirectory directory_;
};

const std::vector<at::ScalarType> &npy_types() {
  static const std::vector<at::ScalarType> types{
      at::kBool, at::kByte,  at::kChar,   at::kShort,        at::kInt,          at::kLong,
      at::kHalf, at::kFloat, at::kDouble, at::kComplexFloat, at::kComplexDouble};
  return types;
}

TEST_F(NpyTest, RoundTripOfEveryTypeAndShape) {
  const std::string path = directory_.file("a.npy");
  for (at::Device device : devices())
    for (at::ScalarType type : npy_types())
      for (const at::Tensor &base :
           {sample({2, 3, 4}, type), sample({}, type), sample({0, 5}, type), sample({7}, type),
            sample({4, 3}, type).t()}) {
        save_npy(path, base.to(device));
        EXPECT_TRUE(same(base.contiguous(), load_npy(path))) << device << " " << type;
      }
  EXPECT_EQ(directory_.names(), std::vector<std::string>{"a.npy"});
}

TEST_F(NpyTest, RealNumpyReadsAndWrites) {
#ifndef TEST_PYTHON
  GTEST_SKIP() << "no Python with NumPy was found (Debian: python3-numpy)";
#else
  for (at::ScalarType type : npy_types())
    save_npy(directory_.file(std::string("ours_") + c10::toString(type) + ".npy"),
             sample({2, 3, 4}, type).to(guarded::device(0)));
  save_npy(directory_.file("ours_scalar.npy"), at::scalar_tensor(1.0f));
  save_npy(directory_.file("ours_empty.npy"), at::ones({0, 5}));
  const std::string command = TEST_PYTHON " " TEST_NUMPY_SCRIPT " " + directory_.path();
  ASSERT_EQ(std::system(command.c_str()), 0);
  int files = 0;
  for (at::ScalarType type : npy_types())
    for (const char *version : {"1", "2", "3"})
      for (const char *order : {"C", "F", "B"}) {
        const std::string name =
            std::string("numpy_") + version + "_" + order + "_" + c10::toString(type) + ".npy";
        const at::Tensor tensor = load_npy(directory_.file(name));
        EXPECT_TRUE(same(sample({2, 3, 4}, type), tensor.contiguous())) << name;
        EXPECT_EQ(tensor.is_contiguous(), *order != 'F') << name;
        ++files;
      }
  EXPECT_EQ(files, 11 * 3 * 3);
#endif
}

TEST_F(NpyTest, UnsignedTypesOfNewerLibTorch) {
  const std::string header = "{'descr': '<u2', 'fortran_order': False, 'shape': (2,)}";
#ifdef TEST_TORCH_2
  const at::Tensor tensor = load_npy(write(1, header, 4));
  EXPECT_EQ(tensor.scalar_type(), at::kUInt16);
  EXPECT_EQ(torch_host::host_view<const uint16_t>(tensor)[1], 0x0302);
  EXPECT_EQ(torch_host::item<int>(tensor[1]), 0x0302);
  save_npy(directory_.file("b.npy"), tensor);
  EXPECT_TRUE(same(tensor, load_npy(directory_.file("b.npy"))));
  const at::Tensor large = at::full({1}, -1, at::kLong).view(at::kUInt64);
  EXPECT_EQ(torch_host::item<uint64_t>(large), std::numeric_limits<uint64_t>::max());
  expect_refused([&] { torch_host::item<int64_t>(large); }, {"18446744073709551615", "Long"});
#else
  expect_refused([&] { load_npy(write(1, header, 4)); }, {"<u2", "astype"});
#endif
}

TEST_F(NpyTest, HeadersBeyond64KiBHaveFormat2) {
  const auto header = [](std::size_t dimensions) {
    return torch_host::detail::npy_header(at::kFloat, std::vector<int64_t>(dimensions, 1), "call",
                                          torch_host::CallSite::current());
  };
  EXPECT_EQ(header(30000)[6], 1);
  EXPECT_EQ(header(40000)[6], 2);
  EXPECT_EQ(header(30000).size() % 64, 0u);
  EXPECT_EQ(header(40000).size() % 64, 0u);
  // What it says is what is read back.
  const std::string path = directory_.file("long.npy");
  std::ofstream(path, std::ios::binary) << header(40000);
  torch_host::detail::OldFile file(path, "call", torch_host::CallSite::current());
  const torch_host::detail::NpyHeader read =
      torch_host::detail::read_npy_header(file, "call", torch_host::CallSite::current());
  EXPECT_EQ(read.sizes, std::vector<int64_t>(40000, 1));
  EXPECT_EQ(file.left(), 0u);
}

TEST_F(NpyTest, DataStartsAligned) {
  const std::string path = directory_.file("a.npy");
  for (int64_t n = 0; n < 20; ++n) {
    save_npy(path, at::ones(std::vector<int64_t>(static_cast<std::size_t>(n), 1)));
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ((status.st_size - 4) % 64, 0) << n << " dimensions";
    EXPECT_EQ(load_npy(path).dim(), n);
  }
}

TEST_F(NpyTest, TypesWithoutANumpyNameAreRefused) {
  const std::string path = directory_.file("a.npy");
  expect_refused([&] { save_npy(path, at::ones({2}, at::kBFloat16)); },
                 {"save_npy: ", "BFloat16", ".to(at::kFloat)"});
  expect_refused([&] { save_npy(path, at::empty({2}, at::kComplexHalf)); }, {"ComplexHalf"});
  EXPECT_TRUE(directory_.names().empty());
}

TEST_F(NpyTest, VersionsOrdersAndSpellings) {
  const std::string h = "'fortran_order': False, 'shape': (2, 3)";
  for (int major : {1, 2, 3})
    EXPECT_EQ(load_npy(write(major, "{'descr': '<i2', " + h + ", }\n", 12)).sizes(),
              at::IntArrayRef({2, 3}));
  const at::Tensor little = load_npy(write(1, "{'descr': '<i4', " + h + "}", 24));
  const at::Tensor big = load_npy(write(1, "{'descr': '>i4', " + h + "}", 24));
  EXPECT_EQ(little[0][0].item<int>(), 0x03020100);
  EXPECT_EQ(big[0][0].item<int>(), 0x00010203);
  const at::Tensor complex =
      load_npy(write(1, "{'descr': '>c8', 'fortran_order': False, 'shape': (1,)}", 8));
  EXPECT_EQ(at::view_as_real(complex).view(at::kInt)[0][1].item<int>(), 0x04050607);
  const at::Tensor fortran =
      load_npy(write(1, "{\"descr\": \"|u1\", 'fortran_order': True, 'shape': (2, 3)}", 6));
  EXPECT_EQ(fortran.strides(), at::IntArrayRef({1, 2}));
  EXPECT_TRUE(
      same(at::arange(6, at::kByte).reshape({3, 2}).t().contiguous(), fortran.contiguous()));
  EXPECT_EQ(
      load_npy(write(1, "{'shape': (3L,), 'fortran_order': False, 'descr': '=i1'}", 3)).numel(), 3);
  EXPECT_EQ(load_npy(write(1, "{'shape': (), 'fortran_order': False, 'descr': '|b1'}", 1)).dim(),
            0);
}

TEST_F(NpyTest, DamagedFilesAreRefused) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
  const auto refuse = [&](const std::string &path, const std::string &part) {
    expect_refused([&] { load_npy(path); }, {"load_npy: ", part});
  };
  refuse(directory_.file("missing.npy"), "cannot open");
  refuse(directory_.path(), "no regular file");
  refuse("/dev/zero", "no regular file");
  refuse(write(1, good, 7), "announces 8 bytes of data, the file has 7");
  refuse(write(1, good, 9), "announces 8 bytes of data, the file has 9");
  refuse(write(1, good, 8, "\x93NUMPX"), "does not start with");
  refuse(write(4, good, 8), "format 4.0");
  refuse(write(0, good, 8), "format 0.0");
  for (const char *header :
       {"",
        "{",
        "{}",
        "{'descr': '<f4'}",
        "nonsense",
        "{'descr': <f4, 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (two,)}",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} trailing",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}"}) {
    SCOPED_TRACE(header);
    refuse(write(1, header, 8), "the header is not understood");
  }
  for (const char *descr : {"<f2x", "", "<", "<O", "|S4", "<U3", "<M8[ns]", "f4", "<f16"}) {
    SCOPED_TRACE(descr);
    refuse(write(1,
                 std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (2,)}",
                 8),
           "no element type");
  }
  std::ofstream(directory_.file("short.npy")) << "\x93NUM";
  refuse(directory_.file("short.npy"), "it has 4 bytes");
}

TEST_F(NpyTest, LyingHeadersTakeNoMemory) {
  const auto refuse = [&](const std::string &shape, const std::string &part) {
    const std::string path =
        write(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + ")}", 8);
    expect_refused([&] { load_npy(path); }, {part});
  };
  refuse("1000000000000,", "announces 8000000000000 bytes");
  refuse("9223372036854775807,", "overflows");
  refuse("4294967296, 4294967296", "overflows");
  refuse("0, 4294967296, 4294967296", "overflows");
  // A header longer than the file.
  const std::string path = directory_.file("long.npy");
  std::ofstream(path, std::ios::binary) << std::string("\x93NUMPY\x02\0\xff\xff\xff\x7f", 12);
  expect_refused([&] { load_npy(path); }, {"the header is said to be 2147483647 bytes"});
}

TEST_F(NpyTest, FullDiskLeavesNothing) {
  const std::string path = directory_.file("a.npy");
  save_npy(path, at::ones({3}));
  // Writes beyond this size fail, as on a full disk. The default reaction to them is a signal.
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 64 << 10;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect_refused([&] { save_npy(path, at::ones({1 << 20})); },
                 {"save_npy: cannot write", "too large"});
  expect_refused([&] { save_npy(directory_.file("b.npy"), at::ones({1 << 20})); },
                 {"cannot write"});
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(directory_.names(), std::vector<std::string>{"a.npy"});
  EXPECT_TRUE(same(at::ones({3}), load_npy(path)));
}

TEST_F(NpyTest, TargetsThatCannotBeWritten) {
  expect_refused([&] { save_npy(directory_.file("no/such/a.npy"), at::ones({1})); },
                 {"cannot create", "No such file"});
  expect_refused([&] { save_npy("/dev/full", at::ones({1})); }, {"no regular file"});
  expect_refused([&] { save_npy(directory_.path(), at::ones({1})); }, {"no regular file"});
  // A directory appears under the name while the file is written.
  torch_host::detail::NewFile file(directory_.file("b.npy"), "save_npy",
                                   torch_host::CallSite::current());
  ASSERT_EQ(::mkdir(directory_.file("b.npy").c_str(), 0777), 0);
  expect_refused([&] { file.publish(); }, {"cannot write", "b.npy"});
}

TEST_F(NpyTest, FileThatShrinksWhileItIsRead) {
  const std::string path = directory_.file("a.npy");
  save_npy(path, at::ones({1000}));
  torch_host::detail::OldFile file(path, "load_npy", torch_host::CallSite::current());
  ASSERT_EQ(::truncate(path.c_str(), 100), 0);
  std::vector<char> bytes(1000);
  expect_refused([&] { file.read(bytes.data(), bytes.size()); }, {"the file ends early"});
}

TEST_F(NpyTest, LinksAreWrittenThrough) {
  const std::string link = directory_.file("link.npy"), target = directory_.file("target.npy");
  save_npy(target, at::ones({1}));
  ASSERT_EQ(::symlink(target.c_str(), link.c_str()), 0);
  save_npy(link, at::ones({5}));
  EXPECT_EQ(load_npy(target).numel(), 5);
  struct stat status{};
  ASSERT_EQ(::lstat(link.c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
}

} // namespace
