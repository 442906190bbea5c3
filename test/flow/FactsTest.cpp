// Unit tests of facts, states and names: what the analysis does without a program.
#include "flow/State.h"
#include "flow/TranslationUnit.h"
#include <gtest/gtest.h>

using namespace torch_tidy::flow;

namespace {

class Facts : public ::testing::Test {
protected:
  SymbolId symbol(Evidence Base) {
    return T.Facts.symbol(&Keys[NextKey++], 0, Base, {}, "a symbol");
  }
  FactId fact(Evidence Base) { return T.Facts.fact(symbol(Base)); }

  Tables T;
  ValueArena Arena;
  int Keys[16] = {};
  unsigned NextKey = 0;
};

TEST(Evidence, OfTwoWays) {
  EXPECT_EQ(joinEvidence(Evidence::None, Evidence::None), Evidence::None);
  EXPECT_EQ(joinEvidence(Evidence::None, Evidence::Possible), Evidence::Possible);
  EXPECT_EQ(joinEvidence(Evidence::None, Evidence::Likely), Evidence::Likely);
  EXPECT_EQ(joinEvidence(Evidence::Proven, Evidence::None), Evidence::Likely);
  EXPECT_EQ(joinEvidence(Evidence::Proven, Evidence::Possible), Evidence::Likely);
  EXPECT_EQ(joinEvidence(Evidence::Proven, Evidence::Proven), Evidence::Proven);
}

TEST_F(Facts, SymbolsAreFoundAgain) {
  SymbolId A = T.Facts.symbol(&Keys[0], 0, Evidence::Likely, {}, "first");
  EXPECT_EQ(T.Facts.symbol(&Keys[0], 0, Evidence::Proven, {}, "second"), A);
  EXPECT_NE(T.Facts.symbol(&Keys[0], 1, Evidence::Likely, {}, "first"), A);
  EXPECT_EQ(T.Facts[A].Base, Evidence::Likely);
  EXPECT_EQ(T.Facts[A].Text, "first");
}

TEST_F(Facts, JoinIsAUnion) {
  FactId A = fact(Evidence::Possible), B = fact(Evidence::Likely);
  EXPECT_EQ(T.Facts.join(A, A), A);
  EXPECT_EQ(T.Facts.join(A, B), T.Facts.join(B, A));
  FactId Both = T.Facts.join(A, B);
  EXPECT_EQ(T.Facts.join(Both, A), Both);
  EXPECT_EQ(T.Facts.symbols(Both).size(), 2u);
}

TEST_F(Facts, ManySymbolsKeepTheStrongest) {
  FactId All = FactTable::Host;
  for (unsigned I = 0; I < FactTable::MaxSymbols + 2; ++I)
    All = T.Facts.join(All, fact(Evidence::Possible));
  SymbolId Strong = symbol(Evidence::Likely);
  All = T.Facts.join(All, T.Facts.fact(Strong));
  EXPECT_LE(T.Facts.symbols(All).size(), FactTable::MaxSymbols);
  EXPECT_TRUE(T.Facts.contains(All, Strong));
}

TEST_F(Facts, Replace) {
  SymbolId A = symbol(Evidence::Possible), B = symbol(Evidence::Likely);
  FactId F = T.Facts.fact(A);
  EXPECT_EQ(T.Facts.replace(F, A, B), T.Facts.fact(B));
  EXPECT_EQ(T.Facts.replace(F, B, A), F);
}

TEST_F(Facts, EvaluateJoinsTheSymbols) {
  State S;
  FactId A = fact(Evidence::Proven);
  EXPECT_EQ(S.evaluate(T.Facts, FactTable::Host), Evidence::None);
  EXPECT_EQ(S.evaluate(T.Facts, A), Evidence::Proven);
  EXPECT_EQ(S.evaluate(T.Facts, T.Facts.join(A, FactTable::Host)), Evidence::Likely);
  EXPECT_EQ(S.evaluate(T.Facts, T.Facts.join(A, fact(Evidence::Possible))), Evidence::Likely);
}

TEST_F(Facts, AGuardSpeaksForEveryTensorOfTheFact) {
  State S;
  FactId A = fact(Evidence::Possible);
  S.refine(A, Evidence::None);
  EXPECT_EQ(S.evaluate(T.Facts, A), Evidence::None);
  // A tensor made of this one and a host tensor is on the host as well.
  EXPECT_EQ(S.evaluate(T.Facts, T.Facts.join(A, FactTable::Host)), Evidence::None);
  // One made of this one and of another is not.
  EXPECT_EQ(S.evaluate(T.Facts, T.Facts.join(A, fact(Evidence::Likely))), Evidence::Likely);
}

TEST_F(Facts, StrongestCarriesTheEvidence) {
  State S;
  SymbolId Weak = symbol(Evidence::Possible), Strong = symbol(Evidence::Likely);
  FactId Both = T.Facts.fact({Weak, Strong});
  EXPECT_EQ(S.strongest(T.Facts, Both), Strong);
  S.refine(T.Facts.fact(Strong), Evidence::None);
  EXPECT_EQ(S.strongest(T.Facts, Both), Weak);
}

class Join : public Facts {
protected:
  Join() {
    A.Reachable = B.Reachable = true;
    F = fact(Evidence::Possible);
  }
  const Value *tensor(FactId Device) {
    Value *V = Arena.make(Value::Kind::Tensor);
    V->Tensor.Device = Device;
    return V;
  }
  Evidence device(const State &S, LocationId L) {
    const Value *V = S.lookup(L);
    return V ? S.evaluate(T.Facts, V->Tensor.Device) : Evidence::Proven;
  }

  State A, B;
  FactId F;
};

TEST_F(Join, AnUnreachablePathSaysNothing) {
  A.refine(F, Evidence::None);
  B.Reachable = false;
  EXPECT_FALSE(A.join(B, T, Arena));
  EXPECT_EQ(A.evaluate(T.Facts, F), Evidence::None);
}

TEST_F(Join, TheFirstPathIsTakenAsItIs) {
  A.Reachable = false;
  B.refine(F, Evidence::None);
  EXPECT_TRUE(A.join(B, T, Arena));
  EXPECT_TRUE(A.Reachable);
  EXPECT_EQ(A.evaluate(T.Facts, F), Evidence::None);
}

TEST_F(Join, AProofHoldsWhereBothPathsHaveIt) {
  A.refine(F, Evidence::None);
  B.refine(F, Evidence::None);
  EXPECT_FALSE(A.join(B, T, Arena));
  EXPECT_EQ(A.evaluate(T.Facts, F), Evidence::None);
}

TEST_F(Join, AProofOfOnePathIsLost) {
  A.refine(F, Evidence::None);
  EXPECT_TRUE(A.join(B, T, Arena));
  EXPECT_EQ(A.evaluate(T.Facts, F), Evidence::Possible);
}

TEST_F(Join, AValueIsFixedBeforeItsProofIsLost) {
  LocationId L = T.Locations.root({PathStep::Temporary, &Keys[0], 0});
  // `if (t.is_cuda()) t = t.cpu();`: one path has a proof, the other a host tensor.
  A.set(L, tensor(F));
  A.refine(F, Evidence::None);
  B.set(L, tensor(FactTable::Host));
  B.refine(F, Evidence::Proven);
  A.join(B, T, Arena);
  EXPECT_EQ(device(A, L), Evidence::None);
  EXPECT_NE(A.evaluate(T.Facts, F), Evidence::None);
}

TEST_F(Join, AValueOfTwoPathsIsEither) {
  LocationId L = T.Locations.root({PathStep::Temporary, &Keys[0], 0});
  A.set(L, tensor(FactTable::Host));
  B.set(L, tensor(fact(Evidence::Proven)));
  EXPECT_TRUE(A.join(B, T, Arena));
  EXPECT_EQ(device(A, L), Evidence::Likely);
  // The same path once more changes nothing.
  EXPECT_FALSE(A.join(B, T, Arena));
}

TEST_F(Join, GradientModesThatDifferAreUnknown) {
  B.Mode = GradMode::Off;
  EXPECT_TRUE(A.join(B, T, Arena));
  EXPECT_EQ(A.Mode, GradMode::Unknown);
  EXPECT_FALSE(A.join(B, T, Arena));
}

TEST(Names, ThatSayCpu) {
  for (const char *Name :
       {"nms_cpu", "cpu_nms", "KnnCpu", "nmsCPU", "cpu", "CPUKernel", "forward_cpu_impl"})
    EXPECT_TRUE(saysCpu(Name)) << Name;
}

TEST(Names, ThatDoNot) {
  for (const char *Name : {"nms", "cpupower", "to_cpu", "gpu_to_cpu", "copyCpu", "isCpu", "on_cpu",
                           "check_cpu", "cpu_and_cuda", "CpuGpu", "scpu"})
    EXPECT_FALSE(saysCpu(Name)) << Name;
}

} // namespace
