//===--- Recipes.h - small arguments to call operators with --------------===//
//
// Makes the arguments of a call from an operator's schema: by the type and the name of each
// parameter, and by the recipes in arguments.txt, which also describes their syntax.
//
//===----------------------------------------------------------------------===//

#ifndef TORCH_TIDY_TEST_OPMODEL_RECIPES_H
#define TORCH_TIDY_TEST_OPMODEL_RECIPES_H

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <map>
#include <string>
#include <vector>

namespace torch_tidy::opmodel_test {

/// How the tensors of one call lie in memory.
enum class Placement { Plain, Permuted, Gaps };

/// What one call of an operator varies; the name appears in reports.
struct Variation {
  const char *Name;
  at::ScalarType Dtype = at::kFloat;
  at::ScalarType SecondDtype = at::kFloat; ///< of the second and further varied tensors
  Placement Layout = Placement::Plain;
  bool RequiresGrad = false;
  bool OnMeta = false;
  bool GiveDtype = false; ///< pass a value for an optional `dtype` argument
};

/// The text of each argument, by parameter name.
using Recipe = std::map<std::string, std::string>;

class RecipeBook {
public:
  /// Reads arguments.txt; throws std::runtime_error with the line on a syntax error.
  explicit RecipeBook(const std::string &Path);

  /// The recipes for an operator, in groups: from each group the first that works is taken. Every
  /// recipe of its own makes a group, the general ones together make one.
  std::vector<std::vector<Recipe>> recipesFor(const c10::FunctionSchema &Schema) const;

private:
  std::map<std::string, std::vector<Recipe>> Own;
  Recipe General;
};

/// The arguments of a call, in the schema's order.
/// Throws if the recipe has nothing for some argument (a storage, a dimension name).
std::vector<c10::IValue> makeArguments(const c10::FunctionSchema &Schema, const Recipe &Names,
                                       const Variation &How);

} // namespace torch_tidy::opmodel_test

#endif // TORCH_TIDY_TEST_OPMODEL_RECIPES_H
