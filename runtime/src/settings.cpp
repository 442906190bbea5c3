#include <torch_host/settings.h>

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace torch_host {

namespace {

std::atomic<Validation> &level() {
  static std::atomic<Validation> value([] {
    const char *text = std::getenv("TORCH_HOST_VALIDATE");
    const std::string_view wanted = text == nullptr ? "" : text;
    return wanted == "off"    ? Validation::off
           : wanted == "full" ? Validation::full
                              : Validation::cheap;
  }());
  return value;
}

} // namespace

Validation validation() noexcept { return level().load(std::memory_order_relaxed); }

Validation set_validation(Validation wanted) noexcept { return level().exchange(wanted); }

} // namespace torch_host
