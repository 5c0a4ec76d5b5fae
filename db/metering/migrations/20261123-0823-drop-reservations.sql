-- Nor was there ever one. The table is dropped apart: that locks accounts as well.
drop table reservations;
-- In a new database they were never made.
drop function if exists reserve_credits;
drop function if exists resolve_reservation;
