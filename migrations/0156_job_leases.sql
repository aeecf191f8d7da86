-- Until when a worker does a job. A job that waits has none, although it is due later, too.
set local lock_timeout = '10s';

alter table jobs add column leased_until timestamptz;
