// Rows that many runs share, found by identity or added.
#include <nlohmann/json.hpp>

#include "engine/store/blobs.h"
#include "engine/store/digest.h"
#include "engine/store/failure.h"
#include "engine/store/run_store_impl.h"

namespace orthros::store {

using detail::Connection;
using detail::Query;
using detail::TextOrNull;

namespace detail {

void require_json(std::string_view text, std::string_view field) {
  if (!nlohmann::json::accept(text)) refuse(ErrorCode::invalid_argument, "{} is not JSON", field);
}

}  // namespace detail

namespace {

std::string fingerprint(const EnvironmentRecord& e) {
  const nlohmann::json fields{
      e.os,       e.kernel,     e.cpu_model,  e.cpu_flags,   e.governor,         e.cores,     e.ram_bytes,
      e.gpu_name, e.gpu_driver, e.cuda,       e.gpu_count,   e.gpu_memory_bytes, e.libtorch,  e.qt,
      e.sqlite,   e.compiler,   e.build_type, e.app_version, e.git_commit,       e.git_dirty, e.extra_json};
  return sha256_hex(fields.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void check_needles(const PromptRecord& prompt, int64_t n_tokens) {
  for (const NeedleRecord& needle : prompt.needles) {
    if (needle.tok_begin < 0 || needle.tok_end < needle.tok_begin || needle.tok_end > n_tokens) {
      detail::refuse(ErrorCode::invalid_argument, "needle \"{}\" stands at ids [{}, {}) of a prompt of {}",
                     needle.key, needle.tok_begin, needle.tok_end, n_tokens);
    }
  }
}

/// What of a prompt is computed before the writer is asked: the costly part.
struct EncodedPrompt {
  std::string sha256;
  int64_t n_tokens = 0;
  std::optional<std::string> ids_z;
};

EncodedPrompt encode(const PromptRecord& prompt) {
  EncodedPrompt encoded;
  if (prompt.ids.empty() && !prompt.ids_sha256.empty()) {
    encoded.sha256 = prompt.ids_sha256;
    encoded.n_tokens = prompt.n_tokens;
  } else {
    encoded.n_tokens = static_cast<int64_t>(prompt.ids.size());
    if (encoded.n_tokens > detail::kMaxPromptTokens) {
      detail::refuse(ErrorCode::invalid_argument, "a prompt of {} ids is too long for the store: at most {}",
                     encoded.n_tokens, detail::kMaxPromptTokens);
    }
    encoded.sha256 = detail::ids_sha256(prompt.ids);
    encoded.ids_z = detail::compress_ids(prompt.ids);
    if (!prompt.ids_sha256.empty() && prompt.ids_sha256 != encoded.sha256) {
      detail::refuse(ErrorCode::invalid_argument, "the prompt's ids do not have the hash that is given");
    }
  }
  check_needles(prompt, encoded.n_tokens);
  return encoded;
}

std::optional<RowId> first_id(Query& query) {
  return query.step() ? std::optional(query.get<RowId>(0)) : std::nullopt;
}

RowId insert_prompt(Connection& c, const PromptRecord& prompt, const EncodedPrompt& encoded,
                    std::optional<RowId> tokenizer) {
  {
    Query insert = c.query(
        "INSERT INTO prompt(tokenizer_id, ids_sha256, n_tokens, ids_z, generator, generator_version, seed, "
        "params_json, question, text) VALUES(?,?,?,?,?,?,?,?,?,?)");
    insert.bind(tokenizer, encoded.sha256, encoded.n_tokens);
    if (encoded.ids_z) insert.bind_one(4, detail::Blob{*encoded.ids_z});
    insert.bind_one(5, prompt.generator);
    insert.bind_one(6, prompt.generator_version);
    insert.bind_one(7, prompt.seed);
    insert.bind_one(8, prompt.params_json);
    insert.bind_one(9, TextOrNull{prompt.question});
    insert.bind_one(10, TextOrNull{prompt.text});
    insert.run();
  }
  const RowId id = c.last_id();
  int64_t index = 0;
  for (const NeedleRecord& needle : prompt.needles) {
    c.query(
         "INSERT INTO needle(prompt_id, idx, role, key, value, tok_begin, tok_end, depth_actual_ppm) "
         "VALUES(?,?,?,?,?,?,?,?)")
        .bind(id, index++, needle.distractor ? "distractor" : "target", needle.key, needle.value,
              needle.tok_begin, needle.tok_end, needle.depth_actual_ppm)
        .run();
  }
  return id;
}

}  // namespace

Result<RowId> RunStore::put_environment(const EnvironmentRecord& e) {
  return impl_->write("cannot store the environment", [&](Connection& c) {
    detail::require_json(e.extra_json, "the environment's extra_json");
    const std::string print = fingerprint(e);
    Query found = c.query("SELECT id FROM environment WHERE fingerprint = ?");
    if (const auto id = first_id(found.bind(print))) return *id;
    c.query(
         "INSERT INTO environment(fingerprint, os, kernel, cpu_model, cpu_flags, governor, cores, ram_bytes, "
         "gpu_name, gpu_driver, cuda, gpu_count, gpu_memory_bytes, libtorch, qt, sqlite, compiler, "
         "build_type, "
         "app_version, git_commit, git_dirty, extra_json) "
         "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
        .bind(print, e.os, e.kernel, e.cpu_model, e.cpu_flags, e.governor, e.cores, e.ram_bytes, e.gpu_name,
              e.gpu_driver, e.cuda, e.gpu_count, e.gpu_memory_bytes, e.libtorch, e.qt, e.sqlite, e.compiler,
              e.build_type, e.app_version, e.git_commit, e.git_dirty, e.extra_json)
        .run();
    return c.last_id();
  });
}

Result<RowId> RunStore::put_tokenizer(const TokenizerRecord& t) {
  return impl_->write("cannot store the tokenizer", [&](Connection& c) {
    Query found = c.query("SELECT id FROM tokenizer WHERE sha256 = ?");
    if (const auto id = first_id(found.bind(t.sha256))) return *id;
    c.query("INSERT INTO tokenizer(sha256, kind, label, vocab_size, adds_bos) VALUES(?,?,?,?,?)")
        .bind(t.sha256, t.kind, t.label, t.vocab_size, t.adds_bos)
        .run();
    return c.last_id();
  });
}

Result<RowId> RunStore::put_model(const ModelRecord& m) {
  return impl_->write("cannot store the model", [&](Connection& c) {
    detail::require_json(m.provenance_json, "the model's provenance_json");
    Query found =
        c.query("SELECT id FROM model WHERE weights_sha256 = ? AND architecture = ? AND config_sha256 = ?");
    if (const auto id = first_id(found.bind(m.weights_sha256, m.architecture, m.config_sha256))) return *id;
    c.query(
         "INSERT INTO model(weights_sha256, architecture, config_sha256, config_json, label, params_total, "
         "params_linear, trained, provenance_json) VALUES(?,?,?,?,?,?,?,?,?)")
        .bind(m.weights_sha256, m.architecture, m.config_sha256, m.config_json, m.label, m.params_total,
              m.params_linear, m.trained, m.provenance_json)
        .run();
    return c.last_id();
  });
}

Result<RowId> RunStore::put_prompt(const PromptRecord& prompt, std::optional<RowId> tokenizer) {
  // Hashing and compression stay out of the writer's time.
  ORTHROS_TRY(const EncodedPrompt encoded,
              detail::guarded("cannot store the prompt", [&] { return encode(prompt); }));
  return impl_->write("cannot store the prompt", [&](Connection& c) {
    Query found =
        c.query("SELECT id, ids_z IS NULL FROM prompt WHERE ids_sha256 = ? AND ifnull(tokenizer_id, 0) = ?");
    if (!found.bind(encoded.sha256, tokenizer.value_or(0)).step()) {
      return insert_prompt(c, prompt, encoded, tokenizer);
    }
    const auto id = found.get<RowId>(0);
    if (found.get<bool>(1) && encoded.ids_z) {  // only the hash was known so far
      c.query("UPDATE prompt SET ids_z = ?, n_tokens = ? WHERE id = ?")
          .bind(detail::Blob{*encoded.ids_z}, encoded.n_tokens, id)
          .run();
    }
    return id;
  });
}

Result<void> RunStore::put_paper_points(std::span<const PaperPointRecord> points) {
  return impl_->write("cannot store the paper's values", [&](Connection& c) {
    for (const PaperPointRecord& p : points) {
      c.query(
           "INSERT INTO paper_point(source, exhibit, series, ctx_len, out_len, batch, devices, metric, "
           "value, "
           "unit, read_from) VALUES(?,?,?,?,?,?,?,?,?,?,?) "
           "ON CONFLICT(source, exhibit, series, ctx_len, out_len, batch, devices, metric) DO UPDATE SET "
           "value = excluded.value, unit = excluded.unit, read_from = excluded.read_from")
          .bind(p.source, p.exhibit, p.series, p.ctx_len, p.out_len, p.batch, p.devices, p.metric, p.value,
                p.unit, p.read_from)
          .run();
    }
  });
}

}  // namespace orthros::store
