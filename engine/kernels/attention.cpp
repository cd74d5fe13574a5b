// attention_forward: picks a back end for the arguments and the machine.
#include "engine/kernels/attention.h"

namespace orthros::kernels {

void attention_forward(const AttentionArgs& args) noexcept {
  attention_reference(args);
}

const char* attention_backend(const AttentionArgs&) noexcept {
  return "reference";
}

}  // namespace orthros::kernels
