// Questions that people ask of their runs; also in engine/store/QUERIES.md.
#include "app/studio/pages/runs/sql_pane.h"

namespace orthros::studio {

QList<SqlExample> sqlExamples() {
  return {
      {SqlPane::tr("Accuracy by length"),
       QStringLiteral("SELECT arm_label, ctx_len, sum(k) * 1.0 / sum(n) AS accuracy, sum(n) AS n\n"
                      "FROM v_niah_cell WHERE n > 0 AND depth IS NOT NULL\n"
                      "GROUP BY arm_label, ctx_len ORDER BY arm_label, ctx_len;")},
      {SqlPane::tr("Median prefill by architecture and T"),
       QStringLiteral("WITH s AS (\n"
                      "  SELECT architecture, ctx_len, prefill_ms, row_number() OVER w AS i,\n"
                      "    count(*) OVER (PARTITION BY architecture, ctx_len) AS n\n"
                      "  FROM v_latency WHERE counted AND prefill_ms IS NOT NULL\n"
                      "  WINDOW w AS (PARTITION BY architecture, ctx_len ORDER BY prefill_ms)\n"
                      ")\n"
                      "SELECT architecture, ctx_len AS T, avg(prefill_ms) AS median_prefill_ms, n\n"
                      "FROM s WHERE i IN ((n + 1) / 2, (n + 2) / 2) GROUP BY architecture, ctx_len;")},
      {SqlPane::tr("Table 4 of the newest latency run"),
       QStringLiteral(
           "SELECT * FROM v_table4 WHERE experiment_uuid =\n"
           "  (SELECT uuid FROM experiment WHERE kind = 'latency' ORDER BY created_utc DESC LIMIT 1);")},
      {SqlPane::tr("Last loss of every training"),
       QStringLiteral("SELECT experiment, arm_label, max(step) AS step, loss, tok_s\n"
                      "FROM v_train GROUP BY experiment_uuid ORDER BY experiment;")},
      {SqlPane::tr("Do all arms of each map read the same prompts? (0: yes)"),
       QStringLiteral("SELECT count(*) AS mismatches FROM v_niah_trial a\n"
                      "JOIN v_niah_trial b USING (experiment_uuid, variant, ctx_len, depth, trial_no)\n"
                      "WHERE a.arm < b.arm AND a.ids_sha256 <> b.ids_sha256;")},
      {SqlPane::tr("What is running, and its last sign of life"),
       QStringLiteral("SELECT e.name, r.arm_label, r.status, r.heartbeat_utc\n"
                      "FROM run r JOIN experiment e ON e.id = r.experiment_id WHERE r.status = 'running';")},
      {SqlPane::tr("Tables and views"),
       QStringLiteral("SELECT m.type, m.name, group_concat(c.name, ', ') AS columns\n"
                      "FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c\n"
                      "WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%'\n"
                      "GROUP BY m.name ORDER BY m.type DESC, m.name;")},
  };
}

}  // namespace orthros::studio
