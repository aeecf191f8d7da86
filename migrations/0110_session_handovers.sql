-- The session of a shop goes along to the domain of My Content: another session there, which ends with the one it comes from.
set local lock_timeout = '10s';

alter table customer_sessions
  add column parent_hash bytea references customer_sessions (token_hash) on delete cascade,
  -- The browser that may take the session over, by the hash of a value in its cookie. Null once it has: only then it is open.
  add column handover_state bytea;

create index customer_sessions_parent on customer_sessions (parent_hash) where parent_hash is not null;
