-- Agents that read an account over MCP, each let in by a user of it.
create table connected_agents (
  issuer text not null,
  user_subject text not null,
  client_id text not null check (length(client_id) between 1 and 512),
  name text not null,
  connected_at timestamptz not null default now(),
  last_used_at timestamptz,                 -- at most a minute old
  ended_at timestamptz,                     -- null: it may read
  primary key (issuer, user_subject, client_id),
  foreign key (issuer, user_subject) references identities on delete cascade
);
