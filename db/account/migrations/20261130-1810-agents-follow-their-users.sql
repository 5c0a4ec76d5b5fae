-- The provider brings the links of its users to its new address when that has changed, and agents hang on them.
alter table connected_agents
  drop constraint connected_agents_issuer_user_subject_fkey,
  add foreign key (issuer, user_subject) references identities on update cascade on delete cascade;
