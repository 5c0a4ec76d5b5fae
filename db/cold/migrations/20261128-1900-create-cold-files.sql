-- Old rows that have left their table for a Parquet file of the exports. A file is named here if and only if its rows
-- are not in their table: both change in one transaction.
create table cold_files (
  file text primary key,               -- path within the exports
  dataset text not null,
  month date not null,                 -- UTC
  rows bigint not null,
  bytes bigint not null,
  sha256 text not null,
  unfit bigint not null,               -- rows with a number that its column in the file cannot hold
  definition text not null,            -- digest of the columns of the file
  moved_at timestamptz not null
);
grant select on cold_files to ingest;
