#pragma once

// Everything that needs LibTorch alone. The adapters are included on their own:
// <torch_host/eigen.h> where Eigen is there, <torch_host/opencv.h> where OpenCV is.

#include <torch_host/error.h>
#include <torch_host/from_host.h>
#include <torch_host/host_view.h>
#include <torch_host/host_view_mut.h>
#include <torch_host/item.h>
#include <torch_host/no_transfer_scope.h>
#include <torch_host/npy.h>
#include <torch_host/settings.h>
#include <torch_host/stats.h>
#include <torch_host/transfer.h>
