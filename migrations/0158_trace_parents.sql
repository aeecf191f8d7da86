-- The trace that caused an event or a job, as a W3C `traceparent`, where an operator has traces sent. Elsewhere it is null.
set local lock_timeout = '10s';

alter table events add column trace_parent text;
alter table jobs add column trace_parent text;
