-- How old the newest data of its last answer with times was when it came, in seconds; null: its answers state no times.
alter table source_states add column data_age_s double precision;
