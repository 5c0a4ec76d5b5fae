-- What never_overspent will say once nothing is reserved any more.
alter table credit_periods add constraint posted_within_granted check (posted <= granted) not valid;
