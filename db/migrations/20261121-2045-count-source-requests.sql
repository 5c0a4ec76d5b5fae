-- Requests to each source by the hour, retries included: error rates, and what is used up of an allowance.
create table source_hours (
  source text not null,
  hour timestamptz not null,
  requests integer not null,
  -- Of them, those without a usable answer: none came, or it said no, or it could not be read.
  failures integer not null,
  primary key (source, hour)
);

grant select, insert, update, delete on source_hours to ingest;
