-- The same wrong password again is no new guess: hashes of what was tried, each made with the salt and cost of the hash of
-- the right password.
set local lock_timeout = '10s';

alter table attempt_limits add column tried bytea[] not null default '{}';
