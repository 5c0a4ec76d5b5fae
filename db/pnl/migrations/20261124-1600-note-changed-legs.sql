-- Whether a leg changed since the book was computed. False with a `dirty_from`: only prices did, or an earlier
-- release marked it.
alter table pl_states add column legs_changed boolean not null default false;
