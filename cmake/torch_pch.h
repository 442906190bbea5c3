// What the precompiled header of LibTorch holds: everything that a program usually includes of it.
#include <torch/script.h>
#include <torch/torch.h>
