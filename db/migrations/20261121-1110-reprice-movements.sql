-- Earliest price change that the prices kept with the movements do not have yet; taken away by the recompute.
alter table pl_states add column repriced_from timestamptz;
