-- Which fields and types the answers of a source have, by operation, and how they have changed. It holds no values.
create table source_shapes (
  source text not null,
  operation text not null,
  shape jsonb not null,
  learnt int not null,                 -- answers that the shape was learnt from
  changes jsonb not null,              -- how later answers differ; not each is an alarm
  answer jsonb,                        -- the newest answer with a change, as a recording; null: there was none
  changed_at timestamptz not null default now(),
  primary key (source, operation)
);
grant select, insert, update, delete on source_shapes to ingest;
