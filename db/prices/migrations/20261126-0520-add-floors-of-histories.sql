-- A history begins where the plans of the sources end: why, and under which plans it was asked for.
alter table price_histories
  add column floor_reason text,
  add column floor_plan text;
