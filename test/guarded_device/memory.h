#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>

// The device's memory and its copy queues; used by the operators and the guard alone.
namespace guarded::detail {

/// Both views of one allocation.
struct Block {
  char *guarded = nullptr;
  char *inside = nullptr;
  std::size_t size = 0;
  int device = -1;
};

/// The block that holds the address, or one with device -1.
Block block_of(const void *pointer);

/// A CPU tensor over the device tensor's memory, for the backend itself; keeps the memory alive.
at::Tensor shadow(const at::Tensor &tensor);

int current_device();
void set_current_device(int index);
int current_stream(int index);
int exchange_stream(int index, int stream);

/// Leaves `write` to be run when the current stream of the device is waited for. Returns its
/// number.
void enqueue(int index, std::function<void()> write);
/// The number of the last copy that was queued.
uint64_t last_ticket();
/// Runs what the stream has queued up to the ticket. A synchronisation.
void drain(int index, int stream, uint64_t ticket);
bool drained(int index, int stream, uint64_t ticket);

void count_copy(bool to_host, bool queued);
void count_synchronisation();

/// Consumes the fault where it is due.
bool fault_strikes(int which);

} // namespace guarded::detail
