-- Nothing ever held credits for work to come: payments of the gateway have states of their own.
alter table credit_periods
  drop constraint never_overspent,
  drop column reserved;
alter table credit_periods rename constraint posted_within_granted to never_overspent;
drop table reservations;
-- In a new database they were never made.
drop function if exists reserve_credits;
drop function if exists resolve_reservation;
