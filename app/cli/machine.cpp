// orthros machine: measured ceilings and the compute types chosen from them.
#include "engine/kernels/machine.h"

#include "app/cli/cli.h"
#include "engine/kernels/matrix.h"
#include "engine/mixers/compute_profile.h"
#include "engine/model/runtime.h"

namespace orthros::cli {
namespace {

Result<void> run(const CommonOptions& options) {
  ORTHROS_TRY_VOID(apply(options));
  const kernels::MachineReport machine = kernels::measure_machine();
  ORTHROS_TRY_VOID(stop_token().check("measuring"));
  // Measured anew here, whatever is remembered; runs use the remembered choice.
  const ComputeProfile profile = measure_compute_profile();
  ORTHROS_TRY_VOID(stop_token().check("measuring"));
  const ComputeProfile& remembered = compute_profile();
  const char* chosen = remembered.prefers_bfloat16() ? "bfloat16" : "float32";
  Json gemv = Json::object();
  for (const WeightFormat format :
       {WeightFormat::float32, WeightFormat::bfloat16, WeightFormat::int8, WeightFormat::int4}) {
    gemv[to_string(format)] = kernels::gemv_backend(format);
  }
  if (options.json) {
    print_json(
        {{"cpu", machine.cpu.name},
         {"isa", machine.cpu.isa},
         {"cores", machine.cpu.logical_cores},
         {"threads", num_threads()},
         {"torch", torch_version()},
         {"memory_available_bytes", available_memory_bytes()},
         {"read_gb_s", {{"one_thread", machine.read_one_thread}, {"all_threads", machine.read_all_threads}}},
         {"fma_float32_gflops",
          {{"one_thread", machine.fma_one_thread}, {"all_threads", machine.fma_all_threads}}},
         {"gemm_gflops",
          {{"float32", profile.float32_gflops},
           {"float32_onednn", profile.mkldnn_float32_gflops},
           {"bfloat16", profile.bfloat16_gflops}}},
         {"chosen", {{"compute_type", chosen}, {"float32_onednn", remembered.prefers_mkldnn_float32()}}},
         {"gemv", gemv}});
    return {};
  }
  print("{}, {} cores, {} threads, torch {}, {} free\n", machine.cpu.name, machine.cpu.logical_cores,
        num_threads(), torch_version(), format_bytes(available_memory_bytes()));
  print("memory read   {} GB/s with one thread, {} with all\n", number(machine.read_one_thread),
        number(machine.read_all_threads));
  print("fp32 FMA      {} GFLOP/s with one thread, {} with all\n", number(machine.fma_one_thread),
        number(machine.fma_all_threads));
  print("GEMM          float32 {} GFLOP/s ({} through oneDNN), bfloat16 {}\n", number(profile.float32_gflops),
        number(profile.mkldnn_float32_gflops), number(profile.bfloat16_gflops));
  print("chosen        prefill computes in {} where the weights allow it\n", chosen);
  for (const auto& [format, backend] : gemv.items()) {
    print("decode        {} weights: {}\n", format, backend.get<std::string>());
  }
  return {};
}

}  // namespace

void add_machine(CLI::App& app, Command& command) {
  const auto options = std::make_shared<CommonOptions>();
  CLI::App* sub = app.add_subcommand("machine", "Measure this machine: GEMM, memory, chosen compute types");
  add_common_options(*sub, *options);
  sub->callback([options, &command] { command = [options] { return run(*options); }; });
}

}  // namespace orthros::cli
