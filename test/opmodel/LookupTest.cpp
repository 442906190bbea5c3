// Unit tests of checks/model/OperatorModel.h: the table's invariants and the choice of overloads.

#include "OperatorModel.h"
#include <gtest/gtest.h>
#include <string>

using namespace torch_tidy::model;

namespace {

/// The overload's name for a call with these parameters, or "none".
std::string select(llvm::StringRef Name, bool IsMethod,
                   std::initializer_list<llvm::StringRef> Params,
                   std::initializer_list<ArgKind> Kinds = {}) {
  const OperatorInfo *Op =
      selectOverload(lookupOperator(Name), IsMethod, llvm::ArrayRef<llvm::StringRef>(Params),
                     llvm::ArrayRef<ArgKind>(Kinds));
  return Op ? Op->name().str() + "." + Op->overload().str() : "none";
}

const OutputInfo &onlyOutput(llvm::StringRef Name, bool IsMethod,
                             std::initializer_list<llvm::StringRef> Params) {
  const OperatorInfo *Op =
      selectOverload(lookupOperator(Name), IsMethod, llvm::ArrayRef<llvm::StringRef>(Params));
  EXPECT_EQ(Op->outputs().size(), 1u);
  return Op->outputs().front();
}

TEST(OperatorTable, IsSortedAndComplete) {
  llvm::ArrayRef<OperatorInfo> All = allOperators();
  EXPECT_GT(All.size(), 2000u);
  for (size_t I = 1; I < All.size(); ++I) {
    ASSERT_FALSE(All[I].name() < All[I - 1].name()) << All[I].name().str();
    bool SameName = All[I].name() == All[I - 1].name();
    ASSERT_FALSE(SameName && All[I].overload() == All[I - 1].overload()) << All[I].name().str();
  }
}

TEST(OperatorTable, ArgumentNumbersAreInRange) {
  for (const OperatorInfo &Op : allOperators()) {
    int NumArgs = static_cast<int>(Op.args().size());
    for (const OutputInfo &Out : Op.outputs()) {
      for (int Arg : {Out.StorageArg, Out.TypeArg, Out.DtypeArg, Out.DeviceArg})
        ASSERT_TRUE(Arg >= -1 && Arg < NumArgs) << Op.name().str();
      bool Shares = Out.Storage == StorageRule::View || Out.Storage == StorageRule::InPlace ||
                    Out.Storage == StorageRule::MaybeSame;
      ASSERT_EQ(Shares, Out.StorageArg >= 0) << Op.name().str();
      ASSERT_TRUE(!Shares || isTensorKind(Op.args()[Out.StorageArg].Kind)) << Op.name().str();
    }
  }
}

TEST(OperatorTable, EveryOperatorIsFoundByItsName) {
  for (const OperatorInfo &Op : allOperators()) {
    llvm::ArrayRef<OperatorInfo> Found = lookupOperator(Op.name());
    ASSERT_TRUE(&Op >= Found.begin() && &Op < Found.end()) << Op.name().str();
    ASSERT_EQ(Found.front().name(), Op.name());
    ASSERT_EQ(Found.back().name(), Op.name());
  }
}

TEST(Lookup, KnowsNothingOfOtherNames) {
  EXPECT_TRUE(lookupOperator("").empty());
  EXPECT_TRUE(lookupOperator("no_such_operator").empty());
  EXPECT_TRUE(lookupOperator("operator()").empty());
  EXPECT_TRUE(lookupOperator("zzz").empty());
}

TEST(Lookup, TakesCxxSpellings) {
  EXPECT_EQ(lookupOperator("operator+").front().name(), "add");
  EXPECT_EQ(lookupOperator("operator-=").front().name(), "sub_");
  EXPECT_EQ(lookupOperator("add_outf").front().name(), "add_out");
  EXPECT_EQ(select("operator[]", true, {"index"}), "select.int");
}

TEST(SelectOverload, ByParameterNames) {
  EXPECT_EQ(select("max", true, {}), "max.");
  EXPECT_EQ(select("max", true, {"dim", "keepdim"}), "max.dim");
  EXPECT_EQ(select("max", false, {"self", "other"}), "max.other");
  EXPECT_EQ(select("sum", true, {"dim", "keepdim", "dtype"}), "sum.dim_IntList");
  EXPECT_EQ(select("to", true, {"dtype", "non_blocking", "copy", "memory_format"}), "to.dtype");
  EXPECT_EQ(select("to", true, {"options", "non_blocking", "copy", "memory_format"}),
            "to.dtype_layout");
  EXPECT_EQ(select("to", true, {"device", "dtype", "non_blocking", "copy", "memory_format"}),
            "to.device");
  EXPECT_EQ(select("to", true, {"other", "non_blocking", "copy", "memory_format"}), "to.other");
}

TEST(SelectOverload, ByKindsWhereNamesAreEqual) {
  EXPECT_EQ(select("add", true, {"other", "alpha"}, {ArgKind::Scalar, ArgKind::Scalar}),
            "add.Scalar");
  EXPECT_EQ(select("add", true, {"other", "alpha"}, {ArgKind::Tensor, ArgKind::Scalar}),
            "add.Tensor");
  EXPECT_EQ(select("operator*", false, {"x", "y"}, {ArgKind::Tensor, ArgKind::Scalar}),
            "mul.Scalar");
}

TEST(SelectOverload, NeedsTheForm) {
  EXPECT_EQ(select("cpu", false, {"self"}), "none");
  EXPECT_EQ(select("zeros", true, {"size"}), "none");
  EXPECT_EQ(select("cpu", true, {}), "cpu.");
}

TEST(SelectOverload, BearsMissingAndUnknownParameters) {
  // An older LibTorch without a parameter, a newer one with one more, a declaration without names.
  EXPECT_EQ(select("std", true, {"dim", "unbiased"}), "std.dim");
  EXPECT_EQ(select("topk", true, {"k", "dim", "largest", "sorted", "new_in_3"}), "topk.");
  EXPECT_EQ(select("clone", true, {""}), "clone.");
}

TEST(Facts, OfTheOperatorsThatChecksRestOn) {
  EXPECT_EQ(onlyOutput("detach", true, {}).Storage, StorageRule::View);
  EXPECT_FALSE(onlyOutput("detach", true, {}).Differentiable);
  EXPECT_EQ(onlyOutput("contiguous", true, {"memory_format"}).Storage, StorageRule::MaybeSame);
  EXPECT_EQ(onlyOutput("contiguous", true, {"memory_format"}).Layout, LayoutRule::Contiguous);
  EXPECT_EQ(onlyOutput("clone", true, {"memory_format"}).Storage, StorageRule::New);
  EXPECT_EQ(onlyOutput("cpu", true, {}).Device, DeviceRule::Cpu);
  EXPECT_EQ(onlyOutput("argmax", true, {"dim", "keepdim"}).Dtype, DtypeRule::Int64);
  EXPECT_EQ(onlyOutput("permute", true, {"dims"}).Layout, LayoutRule::ViewChanges);
  EXPECT_EQ(onlyOutput("add_", true, {"other", "alpha"}).Storage, StorageRule::InPlace);
  EXPECT_EQ(onlyOutput("sum", true, {"dtype"}).Shape, ShapeRule::OneElement);
  EXPECT_EQ(onlyOutput("item", true, {}).Storage, StorageRule::NotATensor);

  const OperatorInfo *Topk =
      selectOverload(lookupOperator("topk"), true, {"k", "dim", "largest", "sorted"});
  ASSERT_EQ(Topk->outputs().size(), 2u);
  EXPECT_EQ(Topk->outputs()[0].Dtype, DtypeRule::Same);
  EXPECT_TRUE(Topk->outputs()[0].Differentiable);
  EXPECT_EQ(Topk->outputs()[1].Dtype, DtypeRule::Int64);
  EXPECT_FALSE(Topk->outputs()[1].Differentiable);
}

TEST(Facts, NamesOfArguments) {
  const OperatorInfo *Where =
      selectOverload(lookupOperator("where"), false, {"condition", "self", "other"});
  EXPECT_EQ(Where->findArg("self"), 1);
  EXPECT_EQ(Where->outputs().front().TypeArg, 1);
  const OperatorInfo *Zeros = selectOverload(lookupOperator("zeros"), false, {"size", "options"});
  EXPECT_EQ(Zeros->findArg("options"), Zeros->findArg("dtype"));
  EXPECT_EQ(Zeros->outputs().front().DeviceArg, Zeros->findArg("device"));
  EXPECT_EQ(Zeros->findArg("nonsense"), -1);
}

} // namespace
