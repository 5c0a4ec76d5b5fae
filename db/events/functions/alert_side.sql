-- Where a value is: 1: where a rule fires; -1: so far behind that it may fire again; 0: in between. A limit may be null.
create or replace function alert_side(value numeric, above numeric, below numeric, margin numeric) returns integer
language sql immutable as $$
  select case when value >= above or value <= below then 1
    when value <= above - margin or value >= below + margin then -1
    else 0 end
$$;
revoke all on function alert_side from public;
grant execute on function alert_side to ingest, api;
