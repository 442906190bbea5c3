// Unit tests of the analysis on small programs: the accesses it finds, and what it knows about
// each.
#include "TestConfig.h"
#include "flow/TranslationUnit.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

using namespace clang;
using namespace torch_tidy::flow;

namespace {

/// The analysis of one program; `#include <torch/torch.h>` is put before it, on the same line.
class Program {
public:
  explicit Program(llvm::StringRef Code, Settings Options = {}) {
    std::vector<std::string> Flags(std::begin(TestFlags), std::end(TestFlags));
    AST = tooling::buildASTFromCodeWithArgs("#include <torch/torch.h>\n" + Code.str(), Flags,
                                            "program.cpp");
    if (AST && !AST->getDiagnostics().hasErrorOccurred())
      TU = std::make_unique<TranslationUnit>(AST->getASTContext(), std::move(Options));
  }
  /// False if the program does not compile.
  explicit operator bool() const { return TU != nullptr; }
  const std::vector<Access> &accesses() const { return TU->accesses(); }
  /// The line below the include, from 1.
  unsigned line(SourceLocation Loc) const {
    return AST->getSourceManager().getExpansionLineNumber(Loc) - 1;
  }

private:
  std::unique_ptr<ASTUnit> AST;
  std::unique_ptr<TranslationUnit> TU;
};

const PointerUse *find(const Access &A, UseKind Kind) {
  for (const PointerUse &U : A.Uses)
    if (U.Kind == Kind)
      return &U;
  return nullptr;
}

/// The device evidence of the first read of each access, in source order.
std::vector<Evidence> devices(const Program &P) {
  std::vector<Evidence> Result;
  for (const Access &A : P.accesses())
    if (const PointerUse *U = find(A, UseKind::Read))
      Result.push_back(U->Device);
  return Result;
}

using Levels = std::vector<Evidence>;

TEST(Devices, EvidenceLevels) {
  Program P("float a(torch::Tensor t) { return t.data_ptr<float>()[0]; }\n"
            "float b(torch::Tensor t) { return t.cpu().data_ptr<float>()[0]; }\n"
            "float c(torch::Tensor t) { return t.cuda().data_ptr<float>()[0]; }\n"
            "float d(torch::Tensor t, torch::Device to) { return t.to(to).data_ptr<float>()[0]; }\n"
            "float e() { return torch::ones({2}).data_ptr<float>()[0]; }\n"
            "float f() { return torch::ones({2}, torch::kCUDA).data_ptr<float>()[0]; }\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), (Levels{Evidence::Possible, Evidence::None, Evidence::Proven,
                                Evidence::Likely, Evidence::None, Evidence::Proven}));
}

TEST(Devices, OperatorsTakeTheDeviceOfTheirOperands) {
  Program P(
      "float a(torch::Tensor t) { auto h = t.cpu(); return (h * 2 + h.sum()).data_ptr<float>()[0]; "
      "}\n"
      "float b(torch::Tensor t) { auto d = t.cuda(); return "
      "torch::relu(d.t()).data_ptr<float>()[0]; }\n"
      "float c(torch::Tensor t) { return torch::zeros_like(t.cuda()).data_ptr<float>()[0]; }\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), (Levels{Evidence::None, Evidence::Proven, Evidence::Proven}));
}

TEST(Devices, OneBranchIsLikely) {
  Program P("float a(bool b) { auto t = torch::ones({2}); if (b) t = t.cuda(); return "
            "t.data_ptr<float>()[0]; }\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), Levels{Evidence::Likely});
}

TEST(Devices, TheReasonIsNoted) {
  Program P("float a(torch::Tensor t,\n"
            "        torch::Device to) {\n"
            "  torch::Tensor y = t.to(to);\n"
            "  return y.data_ptr<float>()[0];\n"
            "}\n");
  ASSERT_TRUE(P);
  ASSERT_EQ(P.accesses().size(), 1u);
  const PointerUse *U = find(P.accesses()[0], UseKind::Read);
  ASSERT_TRUE(U);
  EXPECT_EQ(P.line(U->DeviceFrom.Loc), 2u);
  EXPECT_NE(U->DeviceFrom.Text.find("'to'"), std::string::npos) << U->DeviceFrom.Text;
  EXPECT_EQ(P.line(U->Site.Call->getExprLoc()), 4u);
}

TEST(Guards, ProveTheHost) {
  Program P(
      "float a(torch::Tensor t) { if (t.is_cuda()) return 0; return t.data_ptr<float>()[0]; }\n"
      "float b(torch::Tensor t) { TORCH_CHECK(t.device().is_cpu()); return t.data_ptr<float>()[0]; "
      "}\n"
      "float c(torch::Tensor t) { bool cpu = t.is_cpu(); return cpu ? t.data_ptr<float>()[0] : 0; "
      "}\n"
      "float d(torch::Tensor t) { return t.is_cpu() && t.data_ptr<float>()[0]; }\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), (Levels{Evidence::None, Evidence::None, Evidence::None, Evidence::None}));
}

TEST(Guards, SpeakForDerivedTensors) {
  Program P("float a(torch::Tensor t) { TORCH_CHECK(t.is_cpu()); return "
            "torch::empty_like(t).data_ptr<float>()[0]; }\n"
            "float b(torch::Tensor t) { auto u = t + 1; if (u.is_cuda()) return 0; return "
            "t.data_ptr<float>()[0]; }\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), (Levels{Evidence::None, Evidence::None}));
}

TEST(Guards, DoNotSpeakForOthers) {
  Program P(
      "float a(torch::Tensor t, torch::Tensor u) { TORCH_CHECK(u.is_cpu()); return "
      "t.data_ptr<float>()[0]; }\n"
      "float b(torch::Tensor t) { if (t.is_cuda()) return t.data_ptr<float>()[0]; return 0; }\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), (Levels{Evidence::Possible, Evidence::Proven}));
}

TEST(Guards, OfTheUser) {
  Settings Options;
  Options.CpuGuards = {"must_be_host"};
  Program P("void must_be_host(const torch::Tensor &t);\n"
            "float a(torch::Tensor t) { must_be_host(t); return t.data_ptr<float>()[0]; }\n",
            Options);
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), Levels{Evidence::None});
}

TEST(Callees, AreAnalysedInPlace) {
  Program P("static float first(const float *p) { return p[0]; }\n"
            "static torch::Tensor host(torch::Tensor t) { return t.cpu(); }\n"
            "float a(torch::Tensor t) { return first(t.data_ptr<float>()); }\n"
            "float b(torch::Tensor t) { return first(host(t).data_ptr<float>()); }\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), (Levels{Evidence::Possible, Evidence::None}));
}

TEST(Callees, InternalHelpersGetWhatIsPassed) {
  Program P("static float first(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }\n"
            "float a() { return first(torch::ones({2})); }\n"
            "static float other(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }\n"
            "float b(torch::Tensor t) { return other(torch::ones({2})) + other(t.cuda()); }\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), (Levels{Evidence::None, Evidence::Proven}));
}

TEST(Members, AlwaysStoredOnTheHost) {
  Program P("class A { public: void f() { m_ = torch::zeros_like(m_); } float g() { return "
            "m_.data_ptr<float>()[0]; }\n"
            "private: torch::Tensor m_ = torch::ones({2}); };\n"
            "class B { public: void f(torch::Tensor t) { m_ = t; } float g() { return "
            "m_.data_ptr<float>()[0]; }\n"
            "private: torch::Tensor m_; };\n");
  ASSERT_TRUE(P);
  EXPECT_EQ(devices(P), (Levels{Evidence::None, Evidence::Possible}));
}

TEST(Names, OfFunctionsAreTrusted) {
  const char *Code = "float nms_cpu(torch::Tensor t) { return t.data_ptr<float>()[0]; }\n";
  Program Trusting(Code);
  ASSERT_TRUE(Trusting);
  EXPECT_EQ(devices(Trusting), Levels{Evidence::None});
  Settings Options;
  Options.TrustCpuNames = false;
  Program Distrusting(Code, Options);
  ASSERT_TRUE(Distrusting);
  EXPECT_EQ(devices(Distrusting), Levels{Evidence::Possible});
}

TEST(Uses, KindsAreToldApart) {
  Program P("void see(void *);\n"
            "void a(torch::Tensor t) { t.data_ptr<float>()[0] = 1; }\n"
            "void b(torch::Tensor t) { see(t.data_ptr()); }\n"
            "void *c(torch::Tensor &t) { return t.data_ptr(); }\n"
            "auto d(torch::Tensor t) { return torch::from_blob(t.data_ptr(), {2}).clone(); }\n"
            "bool e(torch::Tensor t) { return t.data_ptr() == nullptr; }\n");
  ASSERT_TRUE(P);
  ASSERT_EQ(P.accesses().size(), 4u) << "comparing is no use";
  EXPECT_TRUE(find(P.accesses()[0], UseKind::Write));
  EXPECT_FALSE(find(P.accesses()[0], UseKind::Read));
  EXPECT_TRUE(find(P.accesses()[1], UseKind::Escape));
  EXPECT_TRUE(find(P.accesses()[2], UseKind::Return));
  EXPECT_TRUE(find(P.accesses()[3], UseKind::Blob));
}

TEST(Uses, OneAccessForAllInstantiations) {
  Program P(
      "template <class T> T first(torch::Tensor t) { return t.data_ptr<T>()[0]; }\n"
      "template float first<float>(torch::Tensor); template int first<int>(torch::Tensor);\n");
  ASSERT_TRUE(P);
  ASSERT_EQ(P.accesses().size(), 1u);
  EXPECT_EQ(P.accesses()[0].Uses.size(), 1u);
}

TEST(Gradients, WhereRecorded) {
  Program P("float a() { auto t = torch::ones({2}, torch::requires_grad()); return "
            "t.data_ptr<float>()[0]; }\n"
            "float b() { auto t = torch::ones({2}, torch::requires_grad()); return "
            "t.detach().data_ptr<float>()[0]; }\n"
            "float c(torch::nn::Linear &m, torch::Tensor x) { return "
            "m->forward(x).data_ptr<float>()[0]; }\n"
            "float d(torch::nn::Linear &m) { torch::NoGradGuard g; return "
            "m->weight.data_ptr<float>()[0]; }\n");
  ASSERT_TRUE(P);
  ASSERT_EQ(P.accesses().size(), 4u);
  auto Use = [&](unsigned I) { return find(P.accesses()[I], UseKind::Read); };
  for (unsigned I = 0; I < 4; ++I)
    ASSERT_TRUE(Use(I)) << I;
  EXPECT_EQ(Use(0)->Grad, Evidence::Proven);
  EXPECT_TRUE(Use(0)->Recording);
  EXPECT_EQ(Use(1)->Grad, Evidence::None);
  EXPECT_EQ(Use(2)->Grad, Evidence::Likely);
  EXPECT_FALSE(Use(3)->Recording);
}

TEST(Dangling, Temporaries) {
  Program P("float a(torch::Tensor t) { auto p = (t + 1).data_ptr<float>(); return p[0]; }\n"
            "float b(torch::Tensor t) { auto p = t.contiguous().data_ptr<float>(); return p[0]; }\n"
            "float c(torch::Tensor t) { auto p = t.view({-1}).data_ptr<float>(); return p[0]; }\n"
            "float d(torch::Tensor t) { return (t + 1).data_ptr<float>()[0]; }\n");
  ASSERT_TRUE(P);
  ASSERT_EQ(P.accesses().size(), 4u);
  auto Use = [&](unsigned I) { return find(P.accesses()[I], UseKind::Read); };
  for (unsigned I = 0; I < 4; ++I)
    ASSERT_TRUE(Use(I)) << I;
  EXPECT_EQ(Use(0)->Dangling, Evidence::Proven);
  EXPECT_EQ(Use(0)->Gone, OwnerGone::EndOfExpression);
  EXPECT_EQ(Use(1)->Dangling, Evidence::Possible);
  EXPECT_EQ(Use(2)->Dangling, Evidence::None);
  EXPECT_EQ(Use(3)->Dangling, Evidence::None);
}

TEST(Dangling, OwnersThatGo) {
  Program P("float a() { auto t = torch::ones({2}); auto p = t.data_ptr<float>();\n"
            "  t = torch::ones({2});\n"
            "  return p[0]; }\n"
            "float b() { auto t = torch::ones({2}); auto p = t.data_ptr<float>();\n"
            "  t.reset(); return p[0]; }\n"
            "float c() { auto t = torch::ones({2}); auto u = t; auto p = t.data_ptr<float>();\n"
            "  t.reset(); return p[0] + u.dim(); }\n");
  ASSERT_TRUE(P);
  ASSERT_EQ(P.accesses().size(), 3u);
  auto Use = [&](unsigned I) { return find(P.accesses()[I], UseKind::Read); };
  for (unsigned I = 0; I < 3; ++I)
    ASSERT_TRUE(Use(I)) << I;
  EXPECT_EQ(Use(0)->Dangling, Evidence::Proven);
  EXPECT_EQ(Use(0)->Gone, OwnerGone::Reassigned);
  EXPECT_EQ(P.line(Use(0)->GoneLoc), 2u);
  EXPECT_EQ(Use(1)->Gone, OwnerGone::Reset);
  EXPECT_EQ(Use(2)->Dangling, Evidence::None);
}

TEST(Dangling, ShapesBelongToTheHandle) {
  Program P("long a(torch::Tensor t) { auto s = t.view({-1}).sizes(); return s[0]; }\n"
            "long b(torch::Tensor t) { auto s = t.sizes(); return s[0]; }\n");
  ASSERT_TRUE(P);
  bool Gone = false;
  for (const Access &A : P.accesses())
    for (const PointerUse &U : A.Uses) {
      ASSERT_EQ(A.Site.Kind, ViewKind::Shape);
      if (U.Dangling == Evidence::None)
        continue;
      Gone = true;
      EXPECT_EQ(P.line(A.Site.Call->getExprLoc()), 1u);
    }
  EXPECT_TRUE(Gone);
}

} // namespace
