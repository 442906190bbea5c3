//===--- Engine.h - the tensor-flow analysis of one function --------------===//
//
// A forward dataflow analysis over clang's CFG. Every expression is an element of the CFG, so it is
// evaluated once, from the values of its operands, without recursion over the tree. Visible callees
// and lambda bodies are analysed at the call, in the caller's state. After the fixpoint one more
// pass over the blocks records the events.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_FLOW_ENGINE_H
#define TORCH_TIDY_FLOW_ENGINE_H

#include "../model/Types.h"
#include "Events.h"
#include "SourceScope.h"
#include "State.h"
#include "clang/Analysis/CFG.h"
#include "llvm/Support/Regex.h"
#include <optional>

namespace torch_tidy::flow {

struct Journal;
struct LoopRun;
struct Summand;
using ObjectList = llvm::SmallVector<ObjectId, 4>;

/// What the user taught the tool (shared options of all checks).
struct Settings {
  std::vector<std::string> HostFunctions;
  std::vector<std::string> DeviceFunctions;
  std::vector<std::string> CpuGuards;
  std::vector<std::string> CudaGuards;
  bool TrustCpuNames = true;
};

/// What is known about a member or a parameter from the whole translation unit.
struct OutsideFacts {
  Evidence Level = Evidence::Possible;
  clang::SourceLocation Loc;
  std::string Text;
};

class Engine {
public:
  Engine(clang::ASTContext &Context, const SourceScope &Scope, const Settings &Options);
  ~Engine();

  /// Analyses \p Fn with nothing known about its callers. What does not fit into the budget is
  /// analysed again with fewer calls analysed in place. False when even the function alone is too
  /// large; then it has no events, and what it stores into members is not known.
  bool analyse(const clang::FunctionDecl *Fn);

  /// Evaluates the default member initialiser of \p Field for FieldStores.
  void analyseInitializer(const clang::FieldDecl *Field);

  const std::vector<PointerUse> &events() const { return Events; }
  const std::vector<BlobEvent> &blobs() const { return BlobEvents; }
  const std::vector<CopyWrite> &copyWrites() const { return CopyWrites; }
  const std::vector<HostTransfer> &transfers() const { return Transfers; }
  const std::vector<GraphKept> &kept() const { return Kept; }
  const std::vector<EarlyUse> &earlyUses() const { return EarlyUses; }

  /// The member or variable that a `return` of \p E hands out, or null.
  static const clang::ValueDecl *returnedHolder(const clang::Expr *E);
  /// Members and global variables whose tensors a backward() consumes, or that are handed out.
  std::set<const clang::ValueDecl *> ConsumedHolders, ReturnedHolders;

  /// Facts about members, found by an earlier pass over all functions.
  std::map<const clang::FieldDecl *, OutsideFacts> FieldFacts;
  /// Parameters that only ever get host tensors (registered for the CPU key, trusted names).
  std::map<const clang::ParmVarDecl *, OutsideFacts> ParameterFacts;

  /// Variables that are copied to the host somewhere, and where: `t.cpu()`, `t.to(torch::kCPU)`.
  std::map<const clang::VarDecl *, clang::SourceLocation> ConvertedToHost;
  /// What the calls of this file pass for a parameter.
  struct Given {
    bool Host = true;     ///< Each call passes a host tensor.
    bool Guarded = false; ///< A guard of a caller tells so.
  };
  std::map<const clang::ParmVarDecl *, Given> GivenFor;

  /// What the pass stored into members: for FieldFacts of the next pass.
  struct Stored {
    Evidence Level;
    clang::SourceLocation Loc;
    std::string Text;
    LocationId At = LocationTable::None; ///< Until the function is done.
  };
  std::map<const clang::FieldDecl *, std::vector<Stored>> FieldStores;
  /// Functions that were called and analysed in place.
  std::set<const clang::FunctionDecl *> Inlined;
  /// Functions with a call that could not be analysed in place.
  std::set<const clang::FunctionDecl *> NotInlined;
  bool RecordEvents = true;

private:
  struct Frame;
  struct FunctionGraph;
  struct BlobMemory;
  struct MemoryOwner;
  struct MadeCopy;
  struct OwnerUses;

  // Engine.cpp: blocks, edges, lifetimes.
  bool analyseOnce(const clang::FunctionDecl *Fn);
  void reset();
  FunctionGraph *graphOf(const clang::Decl *D, clang::Stmt *Body);
  bool run(Frame &F, State Entry);
  void transferBlock(Frame &F, const clang::CFGBlock &B, State &S);
  void transferElement(const clang::CFGElement &E, State &S);
  void propagate(Frame &F, const clang::CFGBlock &B, State &&Out,
                 llvm::function_ref<void(const clang::CFGBlock *, State &&)> To);
  void enterRoot(const clang::Stmt *S, State &St);
  void leaveScope(const clang::VarDecl *D, State &S);
  void dropLocals(const clang::Decl *Function, State &S);
  void bindUnknownParameters(const clang::FunctionDecl *Fn, State &S);
  bool isLocal(LocationId L, const clang::Decl *Function) const;

  // Expressions.cpp: one expression from its operands.
  void evaluate(const clang::Stmt *S, State &St);
  const Value *expression(const clang::Expr *E, State &St);
  const Value *declRef(const clang::DeclRefExpr *E, State &St);
  const Value *member(const clang::MemberExpr *E, State &St);
  const Value *conversionExpr(const clang::CastExpr *E, State &St);
  const Value *unary(const clang::UnaryOperator *E, State &St);
  const Value *binary(const clang::BinaryOperator *E, State &St);
  const Value *addressOf(const Value *Element);
  const Value *moved(const Value *Pointer);
  const Value *assign(const clang::Expr *Whole, const clang::Expr *L, const Value *Right,
                      State &St);
  const Value *subscript(const clang::Expr *Whole, const clang::Expr *Base,
                         const clang::Expr *Index, State &St);
  const Value *initList(const clang::InitListExpr *E, State &St);
  const Value *chosen(const clang::ConditionalOperator *E, const Value *A, const Value *B,
                      State &St);
  const Value *lambda(const clang::LambdaExpr *E, State &St);
  const Value *constant(const clang::Expr *E);
  std::optional<int64_t> integerOf(const clang::Expr *E) const;
  void declare(const clang::VarDecl *D, State &St);
  void returnStmt(const clang::ReturnStmt *S, State &St);
  /// The value of \p E as evaluated: for a glvalue the reference.
  const Value *raw(const clang::Expr *E, State &St);
  /// The value of \p E, read from its location where it is a glvalue.
  const Value *value(const clang::Expr *E, State &St);

  // Memory.cpp: locations.
  void storesAtExit(const clang::Decl *Function, const State &Exit);
  Stored storedAs(const Value *V, clang::SourceLocation Loc, const State &St) const;
  const Value *load(LocationId L, clang::QualType T, State &St);
  const Value *load(const Value *V, clang::QualType T, State &St);
  const Value *initial(LocationId L, clang::QualType T, State &St);
  const Value *initialTensor(LocationId L, State &St);
  const Value *summaryOf(LocationId L, const State &St) const;
  void store(LocationId L, const Value *V, State &St, const clang::Expr *At);
  void store(const Value *Target, const Value *V, State &St, const clang::Expr *At);
  void eraseTree(LocationId L, State &St);
  void pickedAnew(LocationId L, State &St);
  void storedInSome(LocationId Elements, LocationId As, const Value *V, State &St);
  void elementsMove(const Value *Container, State &St);
  void released(const Value *V, OwnerGone Why, clang::SourceLocation Loc, State &St);
  void havoc(LocationId L, const clang::Expr *At, State &St, unsigned Depth = 0);
  void escape(const Value *V, State &St);
  const Value *element(const Value *Container, const clang::Expr *At, const clang::Expr *Index,
                       clang::QualType T, State &St);
  const Value *someElement(const Value *Container);
  std::string nameOf(LocationId L) const;
  OutsideFacts outside(LocationId L) const;
  const Value *reference(LocationId L);
  const Value *unknown() { return Unknown; }
  /// The thing that \p S names is made again: values that have it so far get an older name; with
  /// \p Tied even where nothing is proven of it.
  void renew(SymbolId S, State &St, bool Tied = false);
  void renewObject(ObjectId O, State &St);

  // Conditions.cpp: guards.
  const Condition *condition(const Value *V);
  /// The condition that \p E tests; operands of nested `&&` and `||` are no elements of the CFG.
  const Condition *condition(const clang::Expr *E, State &St, unsigned Nesting = 0);
  const clang::Expr *deviceAsked(const clang::Expr *Cond) const;
  void copiedOtherwise(const clang::CFGBlock &B, bool Branch, State &St);
  const Value *makeCondition(Condition C);
  /// \p C with the opaque conditions that \p St knows replaced by what they are.
  const Condition *settle(const Condition *C, const State &St);
  const Condition *negate(const Condition *C);
  void assume(const Condition *C, bool Truth, State &St);
  void assumeOne(const Condition *C, bool Truth, State &St);
  int evaluate(const Condition *C, const State &St) const; ///< 1, 0, or -1 for unknown
  const Value *compare(clang::BinaryOperatorKind Op, const clang::Expr *L, const clang::Expr *R,
                       State &St);
  /// Changes every handle and pointer that the facts \p Of are about.
  void refineTensor(const TensorFacts &Of, bool SameStorage,
                    llvm::function_ref<void(TensorFacts &)> Change, State &St);
  bool refineFacts(const Condition *C, bool Truth, State &St);
  void assumeTypeCase(const clang::SwitchStmt *Switch, const clang::CFGBlock *Target,
                      const Value *V, State &St);
  void assumeCase(const clang::SwitchStmt *Switch, const clang::CFGBlock *Target, State &St);

  // Calls.cpp: what a call does.
  const Value *call(const clang::CallExpr *E, State &St);
  const Value *construct(const clang::CXXConstructExpr *E, State &St);
  void passes(const clang::ParmVarDecl *P, const Value *V, const State &St);
  const Value *inlineCall(const clang::FunctionDecl *Fn, const clang::Expr *Call,
                          llvm::ArrayRef<const clang::Expr *> Args, const Value *Object, State &St,
                          bool &Done);
  const Value *callLambda(const Value *Closure, const clang::Expr *Call,
                          llvm::ArrayRef<const Value *> Args, State &St,
                          const clang::CXXMethodDecl *Operator = nullptr);
  const Value *opaqueCall(const clang::FunctionDecl *Fn, const clang::Expr *Call,
                          llvm::ArrayRef<const clang::Expr *> Args, const clang::Expr *Object,
                          State &St);
  void runLambdas(llvm::ArrayRef<const clang::Expr *> Args, const clang::Expr *Call, State &St);
  const Value *runBody(const clang::FunctionDecl *Fn, clang::Stmt *Body, const Value *This,
                       State &St, bool &Done);
  bool matches(const std::vector<std::string> &Names, const clang::FunctionDecl *Fn) const;
  bool userTaught(const clang::FunctionDecl *Fn, const clang::Expr *Call,
                  llvm::ArrayRef<const clang::Expr *> Args, State &St, const Value *&Result);
  void readLvalues(llvm::ArrayRef<const clang::Expr *> Args, const clang::Expr *Call, State &St);
  const Value *opaqueResult(const clang::Expr *Call, clang::QualType T, llvm::StringRef Name,
                            State &St, bool OnHost = false);

  // Library.cpp: the standard library's and LibTorch's helper types.
  const Value *pointerCall(const clang::CXXMethodDecl *M, const clang::Expr *Call,
                           const clang::Expr *Object, llvm::ArrayRef<const clang::Expr *> Args,
                           State &St, bool &Done);
  const Value *ivalueCall(const clang::CXXMethodDecl *M, const clang::Expr *Call,
                          const clang::Expr *Object, State &St, bool &Done);
  const Value *part(const Value *Whole, PathStep Step, clang::QualType T, State &St);
  const Value *containerCall(const clang::CXXMethodDecl *M, const clang::Expr *Call,
                             const clang::Expr *Object, llvm::ArrayRef<const clang::Expr *> Args,
                             State &St, bool &Done);
  const Value *standardCall(const clang::FunctionDecl *Fn, const clang::Expr *Call,
                            llvm::ArrayRef<const clang::Expr *> Args, State &St, bool &Done);
  const Value *moduleCall(const clang::CXXMethodDecl *M, const clang::Expr *Call,
                          const clang::Expr *Object, llvm::ArrayRef<const clang::Expr *> Args,
                          State &St, bool &Done);
  const Value *deviceCall(const clang::CXXMethodDecl *M, const clang::Expr *Call,
                          const clang::Expr *Object, llvm::ArrayRef<const clang::Expr *> Args,
                          State &St, bool &Done);
  const Value *optionsCall(llvm::StringRef Name, const OptionsFacts &From, const clang::Expr *Call,
                           llvm::ArrayRef<const clang::Expr *> Args, State &St);

  // Tensors.cpp: LibTorch's tensors.
  const Value *tensorMethod(const clang::CXXMethodDecl *M, const clang::Expr *Call,
                            const clang::Expr *Object, llvm::ArrayRef<const clang::Expr *> Args,
                            State &St, bool &Done);
  const Value *tensorFunction(const clang::FunctionDecl *Fn, const clang::Expr *Call,
                              llvm::ArrayRef<const clang::Expr *> Args, State &St, bool &Done);
  const Value *operatorResult(llvm::StringRef Name, const clang::FunctionDecl *Fn,
                              const clang::Expr *Call, const TensorFacts *Self,
                              llvm::ArrayRef<const clang::Expr *> Args, State &St);
  const Value *conversion(llvm::StringRef Name, const clang::FunctionDecl *Fn,
                          const clang::Expr *Call, const TensorFacts &Self,
                          llvm::ArrayRef<const clang::Expr *> Args, State &St);
  void checksDevice(llvm::ArrayRef<const clang::Expr *> Args, State &St);
  const Value *dataTensor(const clang::Expr *Call, llvm::ArrayRef<const clang::Expr *> Args,
                          State &St);
  const Value *typeOf(const Value &Options);
  const Value *typeFunction(llvm::StringRef Name, const clang::FunctionDecl *Fn,
                            llvm::ArrayRef<const clang::Expr *> Args, State &St);
  const Value *extent(llvm::StringRef Method, const TensorFacts &Self,
                      llvm::ArrayRef<const clang::Expr *> Args, State &St);
  const Value *access(const clang::Expr *Call, const clang::Expr *Receiver, llvm::StringRef Method,
                      ViewKind Kind, State &St);
  void inPlace(const clang::Expr *Object, const TensorFacts &Result, const clang::Expr *At,
               State &St);
  const Value *afterwards(const clang::Expr *Object, const TensorFacts &Now, State &St);
  const TensorFacts *tensor(const clang::Expr *E, State &St);
  void tensorsIn(const clang::Expr *E, State &St, llvm::SmallVectorImpl<const TensorFacts *> &Out);
  bool optionsFrom(llvm::ArrayRef<const clang::Expr *> Args, State &St, OptionsFacts &Out);
  FactId deviceOf(const clang::Expr *E, State &St, bool *Found = nullptr);
  FactId combine(llvm::ArrayRef<FactId> Operands, State &St);
  Alternatives fresh(const clang::Expr *Call, unsigned Variant, State &St);
  Alternatives maybeSame(const Alternatives &Same, const clang::Expr *Call, Evidence New,
                         State &St);
  /// The same for the handle: LibTorch gives back the tensor itself where nothing is to be done.
  Alternatives maybeSameHandle(const Alternatives &Same, const clang::Expr *Call, Evidence New,
                               State &St);
  const Value *tensorValue(TensorFacts T);
  FactId opaqueFact(const clang::Expr *Call, unsigned Variant, llvm::StringRef Text, Evidence Level,
                    State &St);

  // Operators.cpp: LibTorch's operators, by the generated table.
  struct Operands;
  void bindOperands(llvm::StringRef Name, const clang::FunctionDecl *Fn, const clang::Expr *Call,
                    const TensorFacts *Self, llvm::ArrayRef<const clang::Expr *> Args, Operands &B,
                    State &St);
  TensorFacts resultFacts(const Operands &B, unsigned Output, State &St);
  const Value *shapedResult(const Operands &B, State &St);
  const Value *basicIndex(const clang::Expr *Call, const TensorFacts &Self,
                          llvm::ArrayRef<const clang::Expr *> Args, State &St, bool &Done);
  bool isFactory(llvm::StringRef Name, const clang::FunctionDecl *Fn) const;

  // ElementTypes.cpp: element types of results.
  ElementTypes resultTypes(const Operands &B, unsigned Output, State &St);
  ElementTypes defaultTypes();
  void convertFacts(TensorFacts &R, const TensorFacts &Self, Evidence New, const clang::Expr *Call);

  // Shapes.cpp: sizes and layouts of results.
  void resultShape(const Operands &B, unsigned Output, TensorFacts &R, State &St);
  bool viewShape(const Operands &B, const TensorFacts &Base, TensorFacts &R, State &St);
  bool integer(const clang::Expr *E, State &St, int64_t &N);
  SizeList sizesOf(const clang::Expr *E, State &St, unsigned Nesting = 0);
  int memoryFormat(llvm::ArrayRef<const clang::Expr *> Args);

  // Uses.cpp: events.
  void taken(const Value *Pointer, const clang::Expr *At, State &St);
  void use(const Value *Pointer, UseKind Kind, const clang::Expr *At, State &St,
           bool FirstElement = false);
  void use(const PointerOrigin &O, UseKind Kind, const clang::Expr *At, State &St,
           bool FirstElement);
  Evidence dangling(const PointerOrigin &O, const State &St, ObjectId &Which,
                    const clang::Decl *LeavingFunction = nullptr,
                    const Value *LeavingWith = nullptr) const;
  void useAll(llvm::ArrayRef<const clang::Expr *> Args, UseKind Kind, const clang::Expr *At,
              State &St);
  bool sink(const clang::FunctionDecl *Fn, llvm::StringRef Name, const clang::Expr *Call,
            llvm::ArrayRef<const clang::Expr *> Args, const clang::Expr *Object, State &St);

  // Blobs.cpp: from_blob, and the memory below it.
  const Value *fromBlob(const clang::CallExpr *Call, const clang::FunctionDecl *Fn,
                        llvm::ArrayRef<const clang::Expr *> Args, State &St);
  const Value *madeTensor(const clang::CallExpr *Call, State &St);
  void describeBlob(BlobMemory &M, const clang::Expr *Pointer, const OptionsFacts &O,
                    ElementTypes Described, State &St);
  MemoryOwner ownerOf(LocationId L);
  const OwnerUses &usesOf(const clang::Decl *Function);
  /// Whether what is stored in \p L is there when the function has returned.
  bool outlives(LocationId L) const;
  void memoryGone(const Value *Owner, OwnerGone Why, clang::SourceLocation Loc, State &St);
  void memoryGone(LocationId Owner, OwnerGone Why, clang::SourceLocation Loc, State &St);
  void localsGone(const clang::Decl *Function, State &St);
  bool copiedElsewhere(const clang::Expr *Receiver, Symbol &From) const;
  bool arrayEnded(ObjectId Storage, const clang::Expr *At) const;
  void blobLeaves(const Value *V, BlobLeaves How, const clang::Expr *At, State &St,
                  LocationId With = LocationTable::None);
  void blobReturned(const clang::Expr *E, State &St);
  void capturesLeave(const clang::LambdaExpr *L, const clang::Expr *At, State &St);
  BlobEvent &blobEvent(const BlobMemory &M, BlobIssue Issue, Evidence Level,
                       clang::SourceLocation At);
  void blobLeft(ObjectId Storage, const TensorFacts &X, BlobLeaves How, clang::SourceLocation At,
                State &St);

  // Contents.cpp: who reads and who writes the elements of tensors.
  void contentUses(const clang::CallExpr *Call, const Value *Result, State &St);
  void contentRead(const TensorFacts &X, const clang::Expr *At, State &St);
  void contentWritten(const TensorFacts &X, const clang::Expr *At, State &St);
  void valueRead(const Value *V, const clang::Expr *At, State &St);
  void pointerUsed(const PointerOrigin &O, UseKind Kind, const clang::Expr *At, State &St);
  void copyMade(const clang::Expr *Call, const TensorFacts &Self, Evidence New);
  void copyKept(const Value *V);
  void originalsUsed(const TensorFacts &X, const State &St);
  void copiesAtExit(const State &Exit);
  // Loops.cpp: what happens in loops.
  bool logging() const { return Emitting && RecordEvents; }
  static void findLoops(FunctionGraph &G);
  const clang::VarDecl *everyElement(const clang::Stmt *Loop, State &St,
                                     llvm::SmallVectorImpl<LocationId> &Containers,
                                     clang::QualType &Element);
  llvm::SmallVector<FactId, 2> eachOf(const clang::Expr *List, FactId Fact);
  void turnEnds(Frame &F, const clang::Stmt *Loop, State &St);
  bool leavesLoop(Frame &F, const clang::CFGBlock &Header, State &St);
  void enterLoops(Frame &F, const clang::CFGBlock &B, size_t Outer);
  void created(ObjectId O);
  void changed(const TensorFacts &X);
  void changedIn(const Value *V, unsigned Nesting = 0);
  void noteCall(const clang::FunctionDecl *Fn, const clang::Expr *Object);
  void noteUnseenCall(const clang::FunctionDecl *Fn, llvm::ArrayRef<const clang::Expr *> Args,
                      State &St);
  void noteLibraryCall(const clang::FunctionDecl *Fn, llvm::ArrayRef<const clang::Expr *> Args,
                       State &St);
  const clang::Expr *baseTensor(const clang::Expr *E) const;
  void transfer(const clang::Expr *Call, const TensorFacts &Self, State &St);
  bool unchanged(const TensorFacts &X, ObjectId O, const LoopRun &Run, unsigned Nesting = 0) const;
  void settleLoops(const clang::FunctionDecl *Fn);

  // Retention.cpp: what keeps autograd history.
  void computedFrom(const TensorFacts &Result, llvm::ArrayRef<const TensorFacts *> Inputs,
                    bool Recorded, bool MaybeSame = false);
  void computedFrom(const TensorFacts &Result, const Operands &B, bool MaybeSame, State &St);
  ObjectId elementsOf(LocationId Elements);
  const Value *heldIn(const Value *V, ObjectId Elements);
  void holderOf(LocationId L, ObjectId O);
  const clang::ValueDecl *holderOf(LocationId L) const;
  void objectsIn(const Value *V, llvm::SmallVectorImpl<ObjectId> &Out, unsigned Nesting = 0) const;
  bool carriesHistory(const TensorFacts &X, const State &St) const;
  void historyIn(const clang::Expr *E, State &St,
                 llvm::SmallVectorImpl<std::pair<const clang::Expr *, const TensorFacts *>> &Out,
                 unsigned Nesting = 0);
  void collects(const clang::Expr *Call, const clang::Expr *Container, LocationId L,
                llvm::ArrayRef<const clang::Expr *> Args, State &St);
  void addsInPlace(const clang::Expr *Call, const clang::Expr *Object, const TensorFacts &Self,
                   llvm::StringRef Name, llvm::ArrayRef<const clang::Expr *> Args, State &St);
  const Value *assigned(const clang::Expr *Call, const clang::Expr *Target, const Value *To,
                        const Value *Right, const clang::Expr *RightExpr, State &St);
  void keeps(const clang::Expr *At, const clang::Expr *Holder, LocationId L, bool Container,
             ObjectList Held, llvm::ArrayRef<Summand> Added);
  Summand summand(const clang::Expr *Operand, const TensorFacts &X, const State &St) const;
  bool summands(llvm::ArrayRef<ObjectId> Sum, const std::set<ObjectId> &Old,
                llvm::SmallVectorImpl<Summand> &Added, unsigned Nesting = 0) const;
  void returned(const Value *V, State &St);
  void settleKeepings(const clang::FunctionDecl *Fn);

  // AsyncCopies.cpp: copies that are not waited for.
  void startsCopy(const clang::Expr *Call, const clang::FunctionDecl *Fn,
                  llvm::ArrayRef<const clang::Expr *> Args, const TensorFacts &From,
                  const TensorFacts &To, State &St);
  bool nonBlocking(const clang::FunctionDecl *Fn, llvm::ArrayRef<const clang::Expr *> Args,
                   State &St);
  void mayWait(const clang::FunctionDecl *Fn, State &St);
  void waitedBy(const clang::Expr *Condition, bool Truth, State &St);
  EarlyUse during(const PendingCopy &Copy, EarlyUse::Kind Op, const clang::Expr *At) const;
  void earlyUse(const PointerOrigin &O, UseKind Kind, const clang::Expr *At, State &St);
  void earlyUse(const TensorFacts &X, EarlyUse::Kind Op, const clang::Expr *At,
                const clang::Expr *Tensor, State &St);
  void earlyOperands(const Operands &B, State &St);
  void pinnedMemory(const clang::FunctionDecl *Fn, const clang::Expr *Call,
                    llvm::ArrayRef<const clang::Expr *> Args, State &St);
  void rawWrite(const clang::Expr *Place, const clang::Expr *At, EarlyUse::Kind Op, State &St);

  clang::ASTContext &Context;
  const SourceScope &Scope;
  const Settings &Options;
  model::Types Types;
  Tables T;
  ValueArena Arena;
  ElementTypes DefaultTypes = 0;
  const Value *Unknown;
  std::map<const clang::Stmt *, std::unique_ptr<FunctionGraph>> Graphs;
  std::vector<AccessSite> Sites;
  std::map<const clang::Expr *, SiteId> SiteIds;
  std::map<ObjectId, std::pair<OwnerGone, clang::SourceLocation>> Releases;
  std::vector<PointerUse> Events;
  std::vector<BlobEvent> BlobEvents;
  std::vector<CopyWrite> CopyWrites;
  /// By storage: the memory below the tensors of from_blob, and the copies that may be none.
  std::map<ObjectId, BlobMemory> Blobs;
  std::set<LocationId> Allocated; ///< What `new` gave.
  bool WrapsTensors = false;      ///< Some from_blob was given the memory of a tensor.
  std::map<ObjectId, std::pair<OwnerGone, clang::SourceLocation>> BlobGone;
  std::map<ObjectId, MadeCopy> Copies;
  std::map<const clang::Expr *, Alternatives> OriginalOf;
  /// Where a tensor of a from_blob call was stored last.
  std::map<std::pair<LocationId, const clang::Expr *>, clang::SourceLocation> StoredAt;
  /// By the call that made a copy: its first write, and what speaks for or against a report.
  std::map<const clang::Expr *, CopyWrite> FirstWrites;
  std::set<const clang::Expr *> CopiesRead, OriginalsUsed;
  std::map<const clang::Decl *, OwnerUses> OwnerUsesOf;
  std::vector<HostTransfer> Transfers;
  std::vector<GraphKept> Kept;
  std::vector<EarlyUse> EarlyUses;
  std::unique_ptr<Journal> Log;
  std::set<ObjectId> Pinned;
  /// Variables of the program whose memory is page-locked; by the storage of a from_blob over it.
  std::set<const clang::VarDecl *> PinnedVariables;
  std::map<ObjectId, const clang::VarDecl *> WrappedVariables;
  /// Accessor calls that were made while a copy was pending.
  std::set<std::pair<SiteId, const clang::Expr *>> TakenPending;
  Frame *Current = nullptr;
  /// Where a guard proved something about a fact, for notes; and the guard being assumed.
  std::map<FactId, clang::SourceLocation> ProvenAt;
  clang::SourceLocation GuardLoc;
  bool Emitting = false;
  unsigned Depth = 0;
  uint64_t Budget = 0;
  unsigned CallDepth = 0;                           ///< How deep calls are analysed in place.
  std::set<const clang::FunctionDecl *> InlinedNow; ///< By the function that is being analysed.
  /// References to what a temporary handed out: they keep nothing alive.
  std::set<const clang::ValueDecl *> Unextended;
  /// Expressions that made a tensor in this function already: made again, in a loop.
  std::set<const void *> CreatedSites;
  /// Elements picked by an index variable: gone when it changes.
  std::map<const clang::ValueDecl *, std::set<LocationId>> IndexedBy;
};

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_ENGINE_H
