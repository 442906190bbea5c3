#include "record.h"

#include <torch_host/stats.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <new>
#include <string_view>

namespace torch_host {

namespace {

struct Counters {
  explicit Counters(CallSite where) : site(where) {}
  const CallSite site;
  std::atomic<int64_t> count{0};
  std::atomic<int64_t> copied{0};
  std::atomic<int64_t> aliased{0};
  std::atomic<int64_t> bytes{0};
  std::atomic<int64_t> synchronisations{0};
  std::atomic<int64_t> nanoseconds_waiting{0};
  std::atomic<int64_t> nanoseconds_copying{0};
};

// Calls that found no memory to be counted in.
std::atomic<int64_t> uncounted{0};

// One entry for each line, never removed, so that threads may keep pointers to entries. The
// registry itself is never destroyed: transfers in destructors of static objects still count.
class Registry {
public:
  static Registry &instance() {
    static Registry *registry = new Registry;
    return *registry;
  }

  Counters &at(CallSite site) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Counters *&entry = index_.try_emplace({site.file, site.line}, nullptr).first->second;
    // Not only where it is new: there may have been no memory for the entry the first time.
    if (entry == nullptr)
      entry = &entries_.emplace_back(site);
    return *entry;
  }

  template <class Visit> void for_each(Visit visit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (Counters &entry : entries_)
      visit(entry);
  }

private:
  Registry() {
    const char *print = std::getenv("TORCH_HOST_STATS");
    if (print != nullptr && std::string_view(print) == "1")
      std::atexit([] { print_stats(std::cerr); });
  }

  std::mutex mutex_;
  std::deque<Counters> entries_;
  std::map<std::pair<std::string_view, int>, Counters *> index_;
};

// The lines that this thread used last, so that the common case takes no lock.
Counters &counters_at(CallSite site) {
  thread_local std::array<Counters *, 64> recent{};
  const auto hash = (reinterpret_cast<std::uintptr_t>(site.file) >> 3) +
                    31 * static_cast<std::uintptr_t>(site.line);
  Counters *&slot = recent[hash % recent.size()];
  if (slot == nullptr || slot->site.line != site.line || slot->site.file != site.file) {
    Counters &found = Registry::instance().at(site);
    // Another translation unit's literal for the same header names the same line: counted there,
    // but not kept, since the comparison above is by pointer.
    if (found.site.file != site.file)
      return found;
    slot = &found;
  }
  return *slot;
}

} // namespace

namespace {

void add(CallSite site, const detail::Tally &tally) {
  constexpr auto relaxed = std::memory_order_relaxed;
  Counters &counters = counters_at(site);
  counters.count.fetch_add(1, relaxed);
  counters.aliased.fetch_add(tally.aliased, relaxed);
  if (tally.copied == 0)
    return;
  counters.copied.fetch_add(tally.copied, relaxed);
  counters.bytes.fetch_add(tally.bytes, relaxed);
  counters.synchronisations.fetch_add(tally.synchronisations, relaxed);
  counters.nanoseconds_waiting.fetch_add(tally.nanoseconds_waiting, relaxed);
  counters.nanoseconds_copying.fetch_add(tally.nanoseconds_copying, relaxed);
}

} // namespace

void detail::record(CallSite site, const Tally &tally) noexcept {
  try {
    add(site, tally);
  } catch (const std::bad_alloc &) {
    // A line's first transfer needs memory for its entry. What was transferred matters more.
    uncounted.fetch_add(1, std::memory_order_relaxed);
  }
}

std::vector<SiteStats> stats() {
  std::vector<SiteStats> result;
  Registry::instance().for_each([&](const Counters &c) {
    SiteStats s;
    s.count = c.count;
    if (s.count == 0)
      return;
    s.site = std::string(c.site.file) + ":" + std::to_string(c.site.line);
    s.copied = c.copied;
    s.aliased = c.aliased;
    s.bytes = c.bytes;
    s.synchronisations = c.synchronisations;
    s.seconds_waiting = 1e-9 * static_cast<double>(c.nanoseconds_waiting);
    s.seconds_copying = 1e-9 * static_cast<double>(c.nanoseconds_copying);
    result.push_back(std::move(s));
  });
  std::sort(result.begin(), result.end(), [](const SiteStats &a, const SiteStats &b) {
    const double ta = a.seconds_waiting + a.seconds_copying;
    const double tb = b.seconds_waiting + b.seconds_copying;
    return ta != tb ? ta > tb : a.site < b.site;
  });
  return result;
}

void reset_stats() {
  uncounted.store(0);
  Registry::instance().for_each([](Counters &c) {
    for (auto *value : {&c.count, &c.copied, &c.aliased, &c.bytes, &c.synchronisations,
                        &c.nanoseconds_waiting, &c.nanoseconds_copying})
      value->store(0);
  });
}

void print_stats(std::ostream &out) {
  out << "torch_host: transfers by call site\n"
      << "     calls    copied   aliased         bytes     syncs  waiting ms  copying ms  site\n";
  for (const SiteStats &s : stats())
    out << std::setw(10) << s.count << std::setw(10) << s.copied << std::setw(10) << s.aliased
        << std::setw(14) << s.bytes << std::setw(10) << s.synchronisations << std::fixed
        << std::setprecision(3) << std::setw(12) << 1e3 * s.seconds_waiting << std::setw(12)
        << 1e3 * s.seconds_copying << "  " << s.site << "\n";
  if (const int64_t calls = uncounted.load())
    out << "not counted for lack of memory: " << calls << " calls\n";
  out.flush();
}

} // namespace torch_host
