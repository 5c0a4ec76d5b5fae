-- Who sees the console.
create or replace view operations.operators as select issuer, subject, created_at from operators;
grant select on operations.operators to console;
