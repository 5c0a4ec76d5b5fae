-- Nothing ever held credits for work to come: payments of the gateway have states of their own.
alter table credit_periods
  drop constraint never_overspent,
  drop column reserved;
alter table credit_periods rename constraint posted_within_granted to never_overspent;
