-- When a job was written, by the time of the machine. Only a clock that was ahead can have written one later than now: so a job that is
-- meant for a later time differs from one that waits for a time that the clock has left.
set local lock_timeout = '10s';

alter table jobs add column enqueued_at timestamptz;
