// Eigen and OpenCV, the real ones.
#include "support.h"

#ifdef TEST_EIGEN
#include <torch_host/eigen.h>
#endif
#ifdef TEST_OPENCV
#include <torch_host/opencv.h>
#endif

using namespace test_support;

namespace {

class AdapterTest : public DeviceTest {};

#ifdef TEST_EIGEN

TEST_F(AdapterTest, EigenMapsMatricesVectorsAndScalars) {
  for (at::Device device : devices()) {
    const at::Tensor base = sample({3, 4}, at::kDouble);
    for (const at::Tensor &tensor :
         {base.to(device), base.to(device).t(), base.to(device).slice(1, 0, 4, 2)}) {
      const auto view = torch_host::to_eigen<double>(tensor);
      const auto map = view.map();
      ASSERT_EQ(map.rows(), tensor.size(0));
      ASSERT_EQ(map.cols(), tensor.size(1));
      EXPECT_EQ(view.rows(), tensor.size(0));
      EXPECT_EQ(view.cols(), tensor.size(1));
      const at::Tensor host = tensor.cpu();
      for (int64_t i = 0; i < map.rows(); ++i)
        for (int64_t j = 0; j < map.cols(); ++j)
          EXPECT_EQ(map(i, j), host[i][j].item<double>());
    }
    EXPECT_EQ(torch_host::to_eigen<double>(base.to(device)).matrix().sum(),
              base.sum().item<double>());
    EXPECT_EQ(torch_host::to_eigen<float>(sample({5}).to(device)).cols(), 1);
    EXPECT_EQ(torch_host::to_eigen<float>(at::scalar_tensor(3.0f).to(device)).matrix()(0, 0), 3.0f);
    EXPECT_EQ(
        torch_host::to_eigen<std::complex<double>>(sample({2, 2}, at::kComplexDouble).to(device))
            .matrix()(1, 0),
        std::complex<double>(-98, -195));
    EXPECT_EQ(torch_host::to_eigen<int>(at::empty({0, 3}, at::kInt).to(device)).rows(), 0);
  }
}

TEST_F(AdapterTest, EigenOwnsItsMemory) {
  const auto view = torch_host::to_eigen<float>(sample({50, 50}).to(guarded::device(0)) * 2);
  EXPECT_EQ(view.map().sum(), (sample({50, 50}) * 2).sum().item<float>());
}

TEST_F(AdapterTest, EigenRefusesWhatIsNoMatrix) {
  expect_refused([&] { torch_host::to_eigen<float>(at::ones({2, 3, 4})); },
                 {"to_eigen", "[2, 3, 4]"});
  expect_refused([&] { torch_host::to_eigen<double>(at::ones({2, 3})); }, {"Float", "Double"});
}

#endif
#ifdef TEST_OPENCV

template <class T> void expect_image(const cv::Mat &mat, const at::Tensor &hwc) {
  ASSERT_EQ(mat.rows, hwc.size(0));
  ASSERT_EQ(mat.cols, hwc.size(1));
  ASSERT_EQ(mat.channels(), hwc.size(2));
  for (int y = 0; y < mat.rows; ++y)
    for (int x = 0; x < mat.cols; ++x)
      for (int c = 0; c < mat.channels(); ++c)
        EXPECT_EQ(static_cast<double>(static_cast<float>(mat.ptr<T>(y, x)[c])),
                  hwc[y][x][c].item<double>());
}

TEST_F(AdapterTest, OpenCvImagesOfEveryDepthAndLayout) {
  for (at::Device device : devices()) {
    SCOPED_TRACE(device.str());
    const auto check = [&](auto element, at::ScalarType type, int depth) {
      using T = decltype(element);
      for (int64_t channels : {1, 3, 4}) {
        const at::Tensor hwc = sample({5, 7, channels}, type);
        const cv::Mat from_hwc = torch_host::to_mat(hwc.to(device));
        EXPECT_EQ(from_hwc.depth(), depth);
        expect_image<T>(from_hwc, hwc);
        const at::Tensor chw = hwc.permute({2, 0, 1}).contiguous().to(device);
        expect_image<T>(torch_host::to_mat(chw, torch_host::ImageLayout::chw), hwc);
      }
    };
    check(uint8_t{}, at::kByte, CV_8U);
    check(int8_t{}, at::kChar, CV_8S);
    check(int16_t{}, at::kShort, CV_16S);
    check(int32_t{}, at::kInt, CV_32S);
    check(at::Half{}, at::kHalf, CV_16F);
    check(float{}, at::kFloat, CV_32F);
    check(double{}, at::kDouble, CV_64F);
    for (auto layout : {torch_host::ImageLayout::hwc, torch_host::ImageLayout::chw})
      expect_image<float>(torch_host::to_mat(sample({5, 7}).to(device), layout), sample({5, 7, 1}));
  }
}

TEST_F(AdapterTest, OpenCvMatOwnsItsMemory) {
  at::Tensor tensor = sample({4, 4, 3});
  const cv::Mat mat = torch_host::to_mat(tensor);
  tensor.fill_(0);
  expect_image<float>(mat, sample({4, 4, 3}));
  EXPECT_TRUE(torch_host::to_mat(at::empty({0, 4, 3})).empty());
}

TEST_F(AdapterTest, OpenCvRefusesWhatIsNoImage) {
  expect_refused([&] { torch_host::to_mat(at::ones({1, 3, 4, 4})); },
                 {"to_mat: ", "[1, 3, 4, 4]", "batch"});
  expect_refused([&] { torch_host::to_mat(at::ones({3})); }, {"is no image"});
  expect_refused([&] { torch_host::to_mat(at::ones({4, 4, 3}, at::kLong)); }, {"Long", ".to("});
  expect_refused([&] { torch_host::to_mat(at::ones({3, 40, 600})); }, {"600 channels", "layout"});
  expect_refused([&] { torch_host::to_mat(at::ones({4, 4, 0})); }, {"0 channels"});
  expect_refused(
      [&] {
        torch_host::to_mat(at::empty({1, int64_t{1} << 32, 0}), torch_host::ImageLayout::chw);
      },
      {"too large"});
}

#endif

} // namespace
