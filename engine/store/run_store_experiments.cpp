// What a user does to an experiment after it is made: names, notes, tags, deletion.
#include "engine/store/failure.h"
#include "engine/store/owner.h"
#include "engine/store/run_store_impl.h"

namespace orthros::store {

using detail::Connection;
using detail::Query;
using detail::refuse;

namespace {

template <class T>
void set_column(Connection& c, const char* column, const T& value, RowId experiment) {
  const int64_t changed =
      c.query(fmt::format("UPDATE experiment SET {} = ? WHERE id = ?", column)).bind(value, experiment).run();
  if (changed == 0) refuse(ErrorCode::not_found, "the store has no experiment {}", experiment);
}

void refuse_running(Connection& c, RowId experiment) {
  Query runs = c.query(
      "SELECT id, owner_token, heartbeat_utc FROM run WHERE experiment_id = ? AND status = 'running'");
  runs.bind(experiment);
  while (runs.step()) {
    RowId id = 0;
    std::string token, heartbeat;
    runs.into(id, token, heartbeat);
    if (detail::owner_lives(token, heartbeat)) {
      refuse(ErrorCode::invalid_argument, "run {} of the experiment is still running: stop it first", id);
    }
  }
}

/// Prompts that this experiment uses.
std::vector<RowId> prompts_of(Connection& c, RowId experiment) {
  std::vector<RowId> prompts;
  Query used = c.query(
      "WITH cells AS (SELECT c.id FROM cell c JOIN run r ON r.id = c.run_id WHERE r.experiment_id = ?1) "
      "SELECT prompt_id FROM niah_trial WHERE cell_id IN cells "
      "UNION SELECT prompt_id FROM latency_sample WHERE cell_id IN cells AND prompt_id IS NOT NULL "
      "UNION SELECT g.prompt_id FROM gen_token g JOIN run r ON r.id = g.run_id WHERE r.experiment_id = ?1 "
      "UNION SELECT a.prompt_id FROM attn_step a JOIN run r ON r.id = a.run_id WHERE r.experiment_id = ?1 "
      "AND a.prompt_id IS NOT NULL");
  used.bind(experiment);
  while (used.step()) prompts.push_back(used.get<RowId>(0));
  return prompts;
}

/// A run that goes on may have put a prompt whose trial is not stored yet: then nothing is dropped.
void drop_unused(Connection& c, const std::vector<RowId>& prompts) {
  if (c.scalar("SELECT count(*) FROM run WHERE status = 'running'") != 0) return;
  for (const RowId prompt : prompts) {
    c.query(
         "DELETE FROM prompt WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM niah_trial WHERE prompt_id = ?1) "
         "AND NOT EXISTS (SELECT 1 FROM latency_sample WHERE prompt_id = ?1) "
         "AND NOT EXISTS (SELECT 1 FROM gen_token WHERE prompt_id = ?1) "
         "AND NOT EXISTS (SELECT 1 FROM attn_step WHERE prompt_id = ?1)")
        .bind(prompt)
        .run();
  }
}

}  // namespace

Result<void> RunStore::set_note(RowId experiment, std::string_view note) {
  return impl_->write("cannot store the note",
                      [&](Connection& c) { set_column(c, "note", note, experiment); });
}
Result<void> RunStore::set_tags(RowId experiment, std::string_view tags) {
  return impl_->write("cannot store the tags",
                      [&](Connection& c) { set_column(c, "tags", tags, experiment); });
}
Result<void> RunStore::set_starred(RowId experiment, bool starred) {
  return impl_->write("cannot star the experiment",
                      [&](Connection& c) { set_column(c, "starred", starred, experiment); });
}
Result<void> RunStore::set_name(RowId experiment, std::string_view name) {
  return impl_->write("cannot rename the experiment",
                      [&](Connection& c) { set_column(c, "name", name, experiment); });
}

Result<void> RunStore::delete_experiment(RowId experiment) {
  return impl_->write("cannot delete the experiment", [&](Connection& c) {
    refuse_running(c, experiment);
    const std::vector<RowId> prompts = prompts_of(c, experiment);
    if (c.query("DELETE FROM experiment WHERE id = ?").bind(experiment).run() == 0) {
      refuse(ErrorCode::not_found, "the store has no experiment {}", experiment);
    }
    drop_unused(c, prompts);
  });
}

}  // namespace orthros::store
